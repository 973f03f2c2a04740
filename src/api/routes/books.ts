/** The manager's day: figures, batches, closing, settlement files, open items, limits, downloads. */
import { type Context, Hono } from 'hono';
import { parseAccept } from 'hono/utils/accept';
import * as z from 'zod';
import type { Clock } from '../../base/clock.ts';
import { wrongField } from '../../base/field-wants.ts';
import { type Env, goneOf, may, maySigned } from '../actor.ts';
import { body, path, query } from '../checked.ts';
import { fileAnswer, fileNeeded, openUploads, uploading } from '../files.ts';
import { eachInMode, inMode } from '../mode.ts';
import type { BooksPort, Download } from '../ports/books.ts';
import { permissionToChange } from '../ports/configuration.ts';
import type { Permission } from '../ports/roles.ts';
import type { Sessions } from '../ports/session.ts';
import { Malformed } from '../problems.ts';

const batchPath = z.object({ batch: z.coerce.number().int().min(1) });
const terminalId = z.string().max(32).optional();
const recordOnly = z.object({ record: z.stringbool().optional() });
const ofTerminal = z.object({ terminalId });
const reportQuery = z.object({
  terminalId,
  paper: z
    .enum(['58', '80'])
    .transform((mm) => (mm === '58' ? 58 : 80))
    .optional(),
  record: z.stringbool().optional(),
});
const receiptPath = z.object({ receipt: z.coerce.number().int().min(1) });
const text = z.string().trim().min(1).max(500);
const plainActs = ['askNow', 'sendNow', 'retry'] as const;
const act = z.strictObject({
  action: z.enum([...plainActs, 'sayCharged', 'sayNotCharged', 'settleOtherwise', 'writeOff']),
  reason: text.optional(),
  evidence: text.optional(),
});
const changes = z.strictObject({ changes: z.record(z.string().max(60), z.string().max(120)) });
const moment = z.coerce.number().int().min(0).optional();
/** The query has numbers as text. */
const download = z.union([
  z.object({ of: z.enum(['sales', 'audit']), as: z.literal('csv'), from: moment, to: moment }),
  z.object({ of: z.literal('batch'), batch: z.coerce.number().int().min(1), terminalId, as: z.enum(['csv', 'pdf']) }),
  z.object({ of: z.literal('reconciliation'), id: z.string().max(40), as: z.enum(['csv', 'pdf']) }),
]);
type Act = z.infer<typeof act>['action'];
const actPermission = (action: Act): Permission => {
  if (action === 'settleOtherwise' || action === 'writeOff') return 'settleUnpaid';
  return action === 'sayCharged' || action === 'sayNotCharged' ? 'forceEnding' : 'seeAll';
};

const reconciliationRoutes = (service: BooksPort, sessions: Sessions, clock: Clock) => {
  const uploads = openUploads();
  const see = may('seeAll', sessions);
  return new Hono<Env>()
    .post('/reconciliations', see, fileNeeded, async (c) => {
      const actor = c.get('actor');
      const gone = goneOf(c);
      const done = uploads.begin(actor, gone);
      try {
        const file = await uploading(c, { clock, gone });
        return c.json(inMode(c, await service.reconcile(file, actor, gone)), 201);
      } finally {
        done();
      }
    })
    .get('/reconciliations', see, (c) => c.json(eachInMode(c, service.reconciliations())))
    .get('/reconciliations/:id', see, (c) => c.json(inMode(c, service.reconciliation(c.req.param('id')))))
    .post(
      '/reconciliations/:id/differences/:n{[0-9]{1,9}}',
      // Whoever answers for the books says what a difference in them is.
      may('closeBatch', sessions),
      body(z.strictObject({ choice: text, note: z.string().max(500) })),
      (c) =>
        c.json(
          inMode(
            c,
            service.resolveDifference(c.req.param('id'), Number(c.req.param('n')), c.req.valid('json'), c.get('actor')),
          ),
        ),
    );
};

const closingRoutes = (service: BooksPort, sessions: Sessions) => {
  const see = may('seeAll', sessions);
  return new Hono<Env>()
    .get('/closing', see, query(ofTerminal), async (c) =>
      c.json(inMode(c, await service.closing(c.req.valid('query').terminalId))),
    )
    .post(
      '/closing',
      query(reportQuery.omit({ terminalId: true })),
      body(z.strictObject({ override: text.optional(), terminalId })),
      // Who may close over open money may close: one word of a manager is enough for both.
      async (c, next) =>
        maySigned(c.req.valid('json').override === undefined ? 'closeBatch' : 'overrideClose', sessions)(c, next),
      async (c) => {
        const wish = { ...c.req.valid('query'), ...c.req.valid('json'), languages: languagesOf(c) };
        return c.json(inMode(c, await service.close(wish, c.get('actor'), goneOf(c))), 201);
      },
    )
    .get('/closing/wait', see, (c) => c.json(inMode(c, service.closingWait())))
    .post('/closing/cancel', may('closeBatch', sessions), (c) => c.json(inMode(c, service.cancelClosing())));
};

export const booksRoutes = (service: BooksPort, sessions: Sessions, clock: Clock) => {
  const see = may('seeAll', sessions);
  return new Hono<Env>()
    .get('/today', see, (c) => c.json(inMode(c, service.today())))
    .get('/batches', see, query(recordOnly), (c) => c.json(eachInMode(c, service.batches(c.req.valid('query')))))
    .get('/batches/:batch{[0-9]{1,9}}', see, path(batchPath), query(reportQuery), async (c) => {
      const { terminalId: of, ...wish } = c.req.valid('query');
      const languages = languagesOf(c);
      return c.json(inMode(c, await service.batch(c.req.valid('param').batch, of, { ...wish, languages })));
    })
    .post('/x-reports', see, query(reportQuery), async (c) => {
      const { terminalId: of, ...wish } = c.req.valid('query');
      const languages = languagesOf(c);
      return c.json(inMode(c, await service.xReport(c.get('actor'), of, { ...wish, languages })), 201);
    })
    .route('/', closingRoutes(service, sessions))
    .route('/', reconciliationRoutes(service, sessions, clock))
    .get('/open-items', see, (c) => c.json(eachInMode(c, service.openItems())))
    .post('/open-items/send', see, async (c) => c.json(inMode(c, await service.sendAll(c.get('actor')))))
    .post(
      '/open-items/:receipt{[0-9]{1,9}}',
      path(receiptPath),
      body(act),
      async (c, next) => may(actPermission(c.req.valid('json').action), sessions)(c, next),
      async (c) => {
        const { action, reason, evidence } = c.req.valid('json');
        const said = reason === undefined ? undefined : { reason, evidence };
        return c.json(
          inMode(c, { item: await service.act(c.req.valid('param').receipt, action, c.get('actor'), said) }),
        );
      },
    )
    .get('/limits', see, (c) => c.json(inMode(c, service.limits())))
    .get('/limits/report', see, async (c) => c.json(inMode(c, await service.limitsReport())))
    .put('/limits', may(permissionToChange('offline'), sessions), body(changes), (c) =>
      c.json(inMode(c, service.setLimits(c.req.valid('json').changes, c.get('actor')))),
    )
    .post('/limits/replay', see, body(changes), (c) =>
      c.json(inMode(c, service.replayLimits(c.req.valid('json').changes))),
    )
    .get('/downloads/:of/:as', see, async (c) => {
      const wish = download.safeParse({ ...c.req.param(), ...c.req.query() });
      if (!wish.success) throw new Malformed([wrongField('download', 'download')]);
      return fileAnswer(await service.download(wish.data as Download, c.get('actor'), languagesOf(c)));
    });
};

// What the asker reads: `Accept-Language` (RFC 9110, 12.5.4), as a browser or a POS program sends it.

/** Language tags (BCP 47), the best first; none where nothing was sent. */
const languagesOf = (c: Context): string[] =>
  parseAccept(c.req.header('accept-language') ?? '')
    .map(({ type }) => type)
    .filter((tag) => tag !== '' && tag !== '*');
