/** The technician's routes. */
import { type Context, Hono } from 'hono';
import * as z from 'zod';
import { Fault } from '../../base/fault.ts';
import { wantWords } from '../../base/field-wants.ts';
import { approvalsIn, type Env, may, spendApproval } from '../actor.ts';
import { body, name, query } from '../checked.ts';
import { fileAnswer } from '../files.ts';
import { lines, type TellStep } from '../lines.ts';
import { permissionToChange } from '../ports/configuration.ts';
import type {
  ConfigurationChange,
  DevicesPort,
  DiagnosisNews,
  LineCheck,
  PairingStep,
  Permit,
  SearchNews,
} from '../ports/devices.ts';
import type { Permission } from '../ports/roles.ts';
import type { Actor, Sessions } from '../ports/session.ts';

const address = z.string().min(1).max(200);
/** A wish of the search for terminals: so many places at most. */
const PLACES_MOST = 20;
/** A person's yes: a place without its protocol may be asked in each. */
const probe = z.boolean().optional();
const pairing = z.strictObject({
  address,
  terminalId: z
    .string()
    .regex(/^\d{1,32}$/, wantWords.digits)
    .optional(),
  counter: name.optional(),
  swap: z.boolean().optional(),
  alone: z.boolean().optional(),
});

/** `swap`: though sales on it are still open. */
const unpairing = z.object({ swap: z.enum(['true', 'false']).optional() });
const search = z.strictObject({
  places: z.array(address).max(PLACES_MOST).optional(),
  probe,
  everyPort: z.boolean().optional(),
});
const diagnosis = z.strictObject({
  address,
  probe,
  echoes: z.int().min(0).max(1000).default(20),
  live: z.boolean().optional(),
});

/** Where a terminal is, whatever its driver. */
const placeOf = (at: string): string => at.replace(/^\w+\+/, '');

/**
 * Paired, or plugged in here. Of any other address the answer would tell what is there: another service of the shop's
 * network, or a file of this machine.
 */
const isKnown = async (service: DevicesPort, at: string): Promise<boolean> => {
  const { candidates } = await service.plugged();
  return [...service.devices(), ...candidates].some((one) => placeOf(one.address) === placeOf(at));
};

const configuration = z.strictObject({ text: z.string().max(1_000_000) });

/** What only a test till sells on: terminals at a test host, and simulated ones. */
const testRoutes = (service: DevicesPort, sessions: Sessions) =>
  new Hono<Env>()
    .post(
      '/devices/:counter/test-host',
      may(permissionToChange('device.testHost'), sessions),
      body(z.strictObject({ atTestHost: z.boolean() })),
      async (c) => {
        const { atTestHost } = c.req.valid('json');
        await service.sayTestHost({ counter: c.req.param('counter'), atTestHost }, c.get('actor'));
        return c.body(null, 204);
      },
    )
    // Whoever is first before a till without a terminal: the cashier, the manager or the technician.
    .post('/devices/simulated', may(permissionToChange('simulatedTerminal'), sessions), async (c) => {
      await service.useSimulated(c.get('actor'));
      return c.body(null, 204);
    });

export const devicesRoutes = (service: DevicesPort, sessions: Sessions) => {
  const pair = may(permissionToChange('terminal'), sessions);
  const look = may('diagnose', sessions);
  return new Hono<Env>()
    .route('/', testRoutes(service, sessions))
    .get('/devices', look, (c) => c.json(service.devices()))
    .get('/devices/plugged', look, async (c) => c.json(await service.plugged()))
    .post('/devices/:counter/ask', look, async (c) => c.json(await service.ask(c.req.param('counter'))))
    .post('/devices/search', pair, body(search), (c) =>
      lines(c, (tell: TellStep<SearchNews>) => service.search(c.req.valid('json'), tell)),
    )
    .post('/devices/meet', pair, body(z.strictObject({ address, probe })), (c) =>
      lines(c, (tell: TellStep<PairingStep>) => service.meet(c.req.valid('json'), tell)),
    )
    .post('/devices', pair, body(pairing), async (c) =>
      c.json(await service.pair(c.req.valid('json'), c.get('actor')), 201),
    )
    .delete('/devices/:counter', pair, query(unpairing), async (c) => {
      const { swap } = c.req.valid('query');
      await service.unpair(c.req.param('counter'), { swap: swap === 'true' }, c.get('actor'));
      return c.body(null, 204);
    })
    .post(
      '/devices/diagnosis',
      look,
      body(diagnosis),
      async (c, next) => {
        const isTheirs = c.get('actor').permissions.includes('pairTerminal');
        const isOpen = isTheirs || (await isKnown(service, c.req.valid('json').address));
        return isOpen ? next() : pair(c, next);
      },
      (c) => lines(c, (tell: TellStep<DiagnosisNews>) => service.diagnose(c.req.valid('json'), tell)),
    )
    .get('/trace', look, (c) => c.json(service.traceSoFar(500)))
    .post('/line/test', look, (c) => lines(c, (tell: TellStep<LineCheck>) => service.testLine(tell)))
    .get('/configuration', pair, (c) => {
      const { name: file, text } = service.exportConfiguration(c.get('actor'));
      return fileAnswer({ name: file, type: 'application/json', bytes: Buffer.from(text) });
    })
    .put('/configuration', pair, body(configuration), async (c) =>
      c.json(await service.importConfiguration(c.req.valid('json').text, c.get('actor'), permitOf(c, sessions))),
    )
    .post('/configuration/plan', pair, body(configuration), async (c) =>
      c.json(await service.planConfiguration(c.req.valid('json').text)),
    )
    .get('/configuration/undo', pair, (c) => c.json({ plan: service.undoPlan() }))
    .post('/configuration/undo', pair, async (c) =>
      c.json(await service.undoConfiguration(c.get('actor'), permitOf(c, sessions))),
    )
    .get('/bundle', look, async (c) => c.json(await service.bundlePreview()))
    .post('/bundle', look, async (c) => {
      const { name: file, bytes } = await service.bundle(c.get('actor'));
      return fileAnswer({ name: file, type: 'text/plain; charset=utf-8', bytes });
    })
    .get('/updates', look, async (c) => c.json(await service.updates()));
};

// What a request may change, asked once it is known what it changes: by its own role, or with a manager's approval.

const permitOf =
  (context: Context<Env>, sessions: Pick<Sessions, 'spendOverride'>): Permit =>
  (changes) => {
    const actor = context.get('actor');
    const lacking = changes.filter(({ needs }) => !actor.permissions.includes(needs));
    const permissions = [...new Set(lacking.map(({ needs }) => needs))];
    // An approval is good once: none is used up for a request that lacks another one.
    if (approvalsIn(context).length < permissions.length) throw refusal(actor, lacking, permissions);
    const approvers = permissions.map((permission) => {
      const by = spendApproval(context, permission, { sessions });
      if (by === undefined) throw refusal(actor, lacking, permissions);
      return by.name ?? '';
    });
    return [...new Set(approvers)];
  };

/** Fields that are named one by one; the others are counted. */
const FIELDS_NAMED = 12;

const refusal = (
  { name, program }: Actor,
  lacking: readonly ConfigurationChange[],
  permissions: readonly Permission[],
): Fault => {
  const named = lacking.slice(0, FIELDS_NAMED).map(({ field }) => field);
  const more = lacking.length - named.length;
  return new Fault('config.notAllowed', {
    who: name ?? program ?? 'Whoever asks',
    fields: `${named.join(', ')}${more > 0 ? ` (+${more})` : ''}`,
    permissions: permissions.join(','),
  });
};
