/** The technician's routes. Long work answers with lines of JSON: its steps, then its result. */
import { type Context, Hono } from 'hono';
import * as z from 'zod';
import { Fault } from '../../base/fault.ts';
import { approvalsIn, type Env, may, spendApproval } from '../actor.ts';
import { answer, answers, answersFiles, answersLines, lines } from '../answers.ts';
import { body, query } from '../checked.ts';
import {
  deviceRow,
  meetRequest,
  metDevice,
  pairedRow,
  pairingStep,
  pairRequest,
  pluggedAnswer,
  searchAnswer,
  searchNews,
  searchRequest,
  testHostRequest,
  unpairQuery,
} from '../contract/devices.ts';
import {
  bundlePreview,
  diagnosisAnswer,
  diagnosisNews,
  diagnosisRequest,
  lineCheck,
  traceRow,
  updatesAnswer,
} from '../contract/diagnosis.ts';
import { type ConfigurationChange, configurationPlan, configurationText, undoAnswer } from '../contract/machine.ts';
import { type Permission, permissionToChange } from '../contract/roles.ts';
import { fileAnswer } from '../files.ts';
import type { DevicesPort, Permit } from '../ports/devices.ts';
import type { Actor, Sessions } from '../ports/session.ts';

/** The address without the driver. */
const withoutScheme = (at: string): string => at.replace(/^\w+\+/, '');

/**
 * Whether the address is paired or connected here. For any other address the answer would reveal what is there: another
 * service in the shop's network, or a file on this machine.
 */
const isKnown = async (service: DevicesPort, at: string): Promise<boolean> => {
  const { candidates } = await service.pluggedIn();
  return [...service.devices(), ...candidates].some((one) => withoutScheme(one.address) === withoutScheme(at));
};

/** Terminals for test tills only: those that use a test host, and simulated ones. */
const testRoutes = (service: DevicesPort, sessions: Sessions) =>
  new Hono<Env>()
    .post(
      '/devices/:counter/test-host',
      may(permissionToChange('device.testHost'), sessions),
      body(testHostRequest),
      async (c) => {
        const { atTestHost } = c.req.valid('json');
        await service.sayTestHost({ counter: c.req.param('counter'), atTestHost }, c.get('actor'));
        return c.body(null, 204);
      },
    )
    // Any role, because anyone can be the first at a till without a terminal.
    .post('/devices/simulated', may(permissionToChange('simulatedTerminal'), sessions), async (c) => {
      await service.useSimulated(c.get('actor'));
      return c.body(null, 204);
    });

export const devicesRoutes = (service: DevicesPort, sessions: Sessions) => {
  const pair = may(permissionToChange('terminal'), sessions);
  const diagnose = may('diagnose', sessions);
  return new Hono<Env>()
    .route('/', testRoutes(service, sessions))
    .get('/devices', diagnose, answers(z.array(deviceRow)), (c) => answer(c, service.devices()))
    .get('/devices/plugged', diagnose, answers(pluggedAnswer), async (c) => answer(c, await service.pluggedIn()))
    .post('/devices/:counter/ask', diagnose, answers(deviceRow), async (c) =>
      answer(c, await service.ask(c.req.param('counter'))),
    )
    .post('/devices/search', pair, body(searchRequest), answersLines(searchNews, searchAnswer), (c) =>
      lines(c, (send) => service.search(c.req.valid('json'), send)),
    )
    .post('/devices/meet', pair, body(meetRequest), answersLines(pairingStep, metDevice), (c) =>
      lines(c, (send) => service.meet(c.req.valid('json'), send)),
    )
    .post('/devices', pair, body(pairRequest), answers(pairedRow), async (c) =>
      answer(c, await service.pair(c.req.valid('json'), c.get('actor')), 201),
    )
    .delete('/devices/:counter', pair, query(unpairQuery), async (c) => {
      await service.unpair(c.req.param('counter'), { swap: c.req.valid('query').swap === 'true' }, c.get('actor'));
      return c.body(null, 204);
    })
    .post(
      '/devices/diagnosis',
      diagnose,
      body(diagnosisRequest),
      async (c, next) => {
        const isTheirs = c.get('actor').permissions.includes('pairTerminal');
        const isOpen = isTheirs || (await isKnown(service, c.req.valid('json').address));
        return isOpen ? next() : pair(c, next);
      },
      answersLines(diagnosisNews, diagnosisAnswer),
      (c) => lines(c, (send) => service.diagnose(c.req.valid('json'), send)),
    )
    .get('/trace', diagnose, answers(z.array(traceRow)), (c) => answer(c, service.traceSoFar(500)))
    .post('/line/test', diagnose, answersLines(lineCheck, z.array(lineCheck)), (c) =>
      lines(c, (send) => service.testLine(send)),
    )
    .get('/configuration', pair, answersFiles('application/json'), (c) => {
      const { name: file, text } = service.exportConfiguration(c.get('actor'));
      return fileAnswer({ name: file, type: 'application/json', bytes: Buffer.from(text) });
    })
    .put('/configuration', pair, body(configurationText), answers(configurationPlan), async (c) =>
      answer(c, await service.importConfiguration(c.req.valid('json').text, c.get('actor'), permitOf(c, sessions))),
    )
    .post('/configuration/plan', pair, body(configurationText), answers(configurationPlan), async (c) =>
      answer(c, await service.planConfiguration(c.req.valid('json').text)),
    )
    .get('/configuration/undo', pair, answers(undoAnswer), (c) => answer(c, { plan: service.undoPlan() }))
    .post('/configuration/undo', pair, answers(configurationPlan), async (c) =>
      answer(c, await service.undoConfiguration(c.get('actor'), permitOf(c, sessions))),
    )
    .get('/bundle', diagnose, answers(bundlePreview), async (c) => answer(c, await service.bundlePreview()))
    .post('/bundle', diagnose, answersFiles('text/plain'), async (c) => {
      const { name: file, bytes } = await service.bundle(c.get('actor'));
      return fileAnswer({ name: file, type: 'text/plain; charset=utf-8', bytes });
    })
    .get('/updates', diagnose, answers(updatesAnswer), async (c) => answer(c, await service.updates()));
};

// Checks permissions for the actual changes of a request: by role, or with a manager's approval.

const permitOf =
  (context: Context<Env>, sessions: Pick<Sessions, 'spendOverride'>): Permit =>
  (changes) => {
    const actor = context.get('actor');
    const unpermitted = changes.filter(({ needs }) => !actor.permissions.includes(needs));
    const permissions = [...new Set(unpermitted.map(({ needs }) => needs))];
    // Approvals are valid once, so none is used up if another one is missing.
    if (approvalsIn(context).length < permissions.length) throw refusal(actor, unpermitted, permissions);
    const approvers = permissions.map((permission) => {
      const by = spendApproval(context, permission, { sessions });
      if (by === undefined) throw refusal(actor, unpermitted, permissions);
      return by.name ?? '';
    });
    return [...new Set(approvers)];
  };

/** The maximum number of fields that are named; the others are counted. */
const FIELDS_NAMED = 12;

const refusal = (
  { name, program }: Actor,
  unpermitted: readonly ConfigurationChange[],
  permissions: readonly Permission[],
): Fault => {
  const names = unpermitted.slice(0, FIELDS_NAMED).map(({ field }) => field);
  const unnamed = unpermitted.length - names.length;
  return new Fault('config.notAllowed', {
    who: name ?? program ?? 'Whoever asks',
    fields: `${names.join(', ')}${unnamed > 0 ? ` (+${unnamed})` : ''}`,
    permissions: permissions.join(','),
  });
};
