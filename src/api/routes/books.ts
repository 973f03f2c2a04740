/** The manager's day: figures, batches, closing, settlement files, open items, limits, downloads. */
import { type Context, Hono } from 'hono';
import { parseAccept } from 'hono/utils/accept';
import * as z from 'zod';
import type { Clock } from '../../base/clock.ts';
import { wrongField } from '../../base/field-wants.ts';
import { disconnectSignal, type Env, may, maySigned } from '../actor.ts';
import { answer, answers, answersFiles, answersLines, eachInMode, inMode, lines } from '../answers.ts';
import { body, path, query } from '../checked.ts';
import {
  type ActRequest,
  actRequest,
  batchPath,
  batchReportInMode,
  batchRowInMode,
  closeRequest,
  closingStateInMode,
  closingWaitInMode,
  download,
  ofTerminal,
  openItemAnswer,
  openItemInMode,
  openItemPath,
  recordQuery,
  reportQuery,
  sendResultInMode,
  todayInMode,
  xReportInMode,
} from '../contract/books.ts';
import { limitChanges, limitsReplayInMode, limitsReportInMode, limitsStateInMode } from '../contract/limits.ts';
import {
  comparedPortion,
  comparisonQuery,
  reconciliationDetailInMode,
  reconciliationRowInMode,
  resolutionRequest,
  settlementComparisonInMode,
} from '../contract/reconciliations.ts';
import { type Permission, permissionToChange } from '../contract/roles.ts';
import { fileAnswer, fileNeeded, openUploads, uploading } from '../files.ts';
import type { BooksPort } from '../ports/books.ts';
import type { Sessions } from '../ports/session.ts';
import { Malformed } from '../problems.ts';

const actPermission = (action: ActRequest['action']): Permission => {
  if (action === 'settleOtherwise' || action === 'writeOff') return 'settleUnpaid';
  return action === 'sayCharged' || action === 'sayNotCharged' ? 'forceEnding' : 'seeAll';
};

const reconciliationRoutes = (service: BooksPort, sessions: Sessions, clock: Clock) => {
  const uploads = openUploads();
  const see = may('seeAll', sessions);
  return new Hono<Env>()
    .post('/reconciliations', see, fileNeeded, answers(reconciliationDetailInMode), async (c) => {
      const actor = c.get('actor');
      const signal = disconnectSignal(c);
      const finish = uploads.begin(actor, signal);
      try {
        const file = await uploading(c, { clock, gone: signal });
        return answer(c, inMode(c, await service.reconcile(file, actor, signal)), 201);
      } finally {
        finish();
      }
    })
    .post(
      '/reconciliations/comparison',
      see,
      fileNeeded,
      query(comparisonQuery),
      answersLines(comparedPortion, settlementComparisonInMode),
      async (c) => {
        const signal = disconnectSignal(c);
        const finish = uploads.begin(c.get('actor'), signal);
        const file = await uploading(c, { clock, gone: signal }).catch((error: unknown) => {
          finish();
          throw error;
        });
        return lines(c, (send) =>
          service
            .compareSettlement(file, { ...c.req.valid('query'), tell: send }, signal)
            .then((compared) => inMode(c, compared))
            .finally(finish),
        );
      },
    )
    .get('/reconciliations', see, answers(z.array(reconciliationRowInMode)), (c) =>
      answer(c, eachInMode(c, service.reconciliations())),
    )
    .get('/reconciliations/:id', see, answers(reconciliationDetailInMode), (c) =>
      answer(c, inMode(c, service.reconciliation(c.req.param('id')))),
    )
    .post(
      '/reconciliations/:id/differences/:n{[0-9]{1,9}}',
      // Resolving differences takes the permission to close the books.
      may('closeBatch', sessions),
      body(resolutionRequest),
      answers(reconciliationDetailInMode),
      (c) =>
        answer(
          c,
          inMode(
            c,
            service.resolveDifference(c.req.param('id'), Number(c.req.param('n')), c.req.valid('json'), c.get('actor')),
          ),
        ),
    );
};

const openItemsRoutes = (service: BooksPort, sessions: Sessions) => {
  const see = may('seeAll', sessions);
  return new Hono<Env>()
    .get('/open-items', see, answers(z.array(openItemInMode)), (c) => answer(c, eachInMode(c, service.openItems())))
    .post('/open-items/send', see, answers(sendResultInMode), async (c) =>
      answer(c, inMode(c, await service.sendAll(c.get('actor')))),
    )
    .post(
      '/open-items/:receipt{[0-9]{1,9}}',
      path(openItemPath),
      body(actRequest),
      async (c, next) => may(actPermission(c.req.valid('json').action), sessions)(c, next),
      answers(openItemAnswer),
      async (c) => {
        const { action, reason, evidence } = c.req.valid('json');
        const statement = reason === undefined ? undefined : { reason, evidence };
        return answer(
          c,
          inMode(c, { item: await service.act(c.req.valid('param').receipt, action, c.get('actor'), statement) }),
        );
      },
    );
};

const limitsRoutes = (service: BooksPort, sessions: Sessions) => {
  const see = may('seeAll', sessions);
  return new Hono<Env>()
    .get('/limits', see, answers(limitsStateInMode), (c) => answer(c, inMode(c, service.limits())))
    .get('/limits/report', see, answers(limitsReportInMode), async (c) =>
      answer(c, inMode(c, await service.limitsReport())),
    )
    .put('/limits', may(permissionToChange('offline'), sessions), body(limitChanges), answers(limitsStateInMode), (c) =>
      answer(c, inMode(c, service.setLimits(c.req.valid('json').changes, c.get('actor')))),
    )
    .post('/limits/replay', see, body(limitChanges), answers(limitsReplayInMode), (c) =>
      answer(c, inMode(c, service.replayLimits(c.req.valid('json').changes))),
    );
};

const closingRoutes = (service: BooksPort, sessions: Sessions) => {
  const see = may('seeAll', sessions);
  return new Hono<Env>()
    .get('/closing', see, query(ofTerminal), answers(closingStateInMode), async (c) =>
      answer(c, inMode(c, await service.closing(c.req.valid('query').terminalId))),
    )
    .post(
      '/closing',
      query(reportQuery.omit({ terminalId: true })),
      body(closeRequest),
      // overrideClose includes closeBatch, so one approval is enough for both.
      async (c, next) =>
        maySigned(c.req.valid('json').override === undefined ? 'closeBatch' : 'overrideClose', sessions)(c, next),
      answers(batchReportInMode),
      async (c) => {
        const request = { ...c.req.valid('query'), ...c.req.valid('json'), languages: languagesOf(c) };
        return answer(c, inMode(c, await service.close(request, c.get('actor'), disconnectSignal(c))), 201);
      },
    )
    .get('/closing/wait', see, answers(closingWaitInMode), (c) => answer(c, inMode(c, service.closingWait())))
    .post('/closing/cancel', may('closeBatch', sessions), answers(closingWaitInMode), (c) =>
      answer(c, inMode(c, service.cancelClosing())),
    );
};

export const booksRoutes = (service: BooksPort, sessions: Sessions, clock: Clock) => {
  const see = may('seeAll', sessions);
  return new Hono<Env>()
    .get('/today', see, answers(todayInMode), (c) => answer(c, inMode(c, service.today())))
    .get('/batches', see, query(recordQuery), answers(z.array(batchRowInMode)), (c) =>
      answer(c, eachInMode(c, service.batches(c.req.valid('query')))),
    )
    .get(
      '/batches/:batch{[0-9]{1,9}}',
      see,
      path(batchPath),
      query(reportQuery),
      answers(batchReportInMode),
      async (c) => {
        const { terminalId: of, ...options } = c.req.valid('query');
        const languages = languagesOf(c);
        return answer(c, inMode(c, await service.batch(c.req.valid('param').batch, of, { ...options, languages })));
      },
    )
    .post('/x-reports', see, query(reportQuery), answers(xReportInMode), async (c) => {
      const { terminalId: of, ...options } = c.req.valid('query');
      const languages = languagesOf(c);
      return answer(c, inMode(c, await service.xReport(c.get('actor'), of, { ...options, languages })), 201);
    })
    .route('/', closingRoutes(service, sessions))
    .route('/', reconciliationRoutes(service, sessions, clock))
    .route('/', openItemsRoutes(service, sessions))
    .route('/', limitsRoutes(service, sessions))
    .get('/downloads/:of/:as', see, answersFiles('text/csv', 'application/pdf'), async (c) => {
      const request = download.safeParse({ ...c.req.param(), ...c.req.query() });
      if (!request.success) throw new Malformed([wrongField('download', 'download')]);
      return fileAnswer(await service.download(request.data, c.get('actor'), languagesOf(c)));
    });
};

// The reader's languages: `Accept-Language` (RFC 9110, 12.5.4), as sent by a browser or a POS program.

/** Language tags (BCP 47), the preferred one first; empty if there is no header. */
const languagesOf = (c: Context): string[] =>
  parseAccept(c.req.header('accept-language') ?? '')
    .map(({ type }) => type)
    .filter((tag) => tag !== '' && tag !== '*');
