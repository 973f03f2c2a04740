/** A whole gateway with its simulators on a virtual clock, and a stored card to charge. */
import { systemIds, systemRandom } from '../../../src/base/ids.ts';
import type { Channel } from '../../../src/gateway/channel.ts';
import { type Embedded, openGateway } from '../../../src/gateway/server/embedded.ts';
import {
  type Body,
  entityId,
  otherEntityId,
  type Parameters,
  plainCard,
  type Reply,
  replyOf,
  token,
} from '../../support/gateway/gateway.ts';
import { type VirtualClock, virtualClock } from '../../support/time/virtual-clock.ts';

export type Rig = {
  gateway: Embedded;
  clock: VirtualClock;
  reported: unknown[];
  post(path: string, parameters?: Parameters, headers?: Parameters): Promise<Reply>;
  get(path: string, query?: Parameters): Promise<Reply>;
  remove(path: string, query?: Parameters): Promise<Reply>;
  /** A schedule's own body in the list of its chain. */
  planOf(id: string): Promise<Plan>;
  close(): Promise<void>;
};

export type Run = { dueDate: string; state: string; paymentId?: string; missed?: string; result?: { code: string } };
export type Plan = Body & {
  id: string;
  plan: {
    active: boolean;
    nextRun?: string;
    endDate?: string;
    ended?: { reason: string; description: string };
    declinesInARow?: string;
    runs: readonly Run[];
  };
};

type Parts = { dataDir?: string; clock?: VirtualClock; channel?: Partial<Channel>; start?: string };

export const scheduleRig = async (parts: Parts = {}): Promise<Rig> => {
  const clock = parts.clock ?? virtualClock(Date.parse(parts.start ?? '2026-01-10T12:00:00Z'));
  const reportedErrors: unknown[] = [];
  const gateway = await openGateway({
    dataDir: parts.dataDir ?? ':memory:',
    channels: [
      { entityId, token, name: 'Corner Shop', ...parts.channel },
      { entityId: otherEntityId, token: 'other-token' },
    ],
    clock,
    ids: systemIds,
    random: systemRandom,
    report: (error) => reportedErrors.push(error),
  });
  const send = async (target: string, method: string, { body, headers }: { body?: string; headers?: Parameters }) =>
    replyOf(
      await gateway.fetch(
        new Request(`http://gateway.test/${target}`, {
          method,
          body,
          headers: {
            authorization: `Bearer ${token}`,
            ...(body !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
            ...headers,
          },
        }),
      ),
    );
  const search = (query: Parameters = {}) => new URLSearchParams({ entityId, ...query }).toString();
  const get: Rig['get'] = (path, query) => send(`${path}?${search(query)}`, 'GET', {});
  return {
    gateway,
    clock,
    reported: reportedErrors,
    get,
    post: (path, parameters, headers) => send(path, 'POST', { body: search(parameters), headers }),
    remove: (path, query) => send(`${path}?${search(query)}`, 'DELETE', {}),
    async planOf(id) {
      const { body } = await get(`scheduling/v1/schedules/${id}`);
      const found = (body['schedules'] as readonly Plan[]).find((each) => each.id === id);
      if (found === undefined) throw new Error(`there is no schedule ${id}`);
      return found;
    },
    close: () => gateway.close(),
  };
};

/** Advances time to this moment from one due time to the next, because playing the time in between takes long. */
export const advanceTo = async ({ gateway, clock }: Pick<Rig, 'gateway' | 'clock'>, moment: string): Promise<void> => {
  const targetTime = Date.parse(moment);
  for (;;) {
    const next = await gateway.store.schedules.nextWorkAt([entityId, otherEntityId]);
    const step = Math.min(targetTime, next ?? targetTime) - clock.now();
    clock.lag(Math.max(0, step));
    await clock.advance(0);
    // The store needs turns of the event loop: a run completes its few transactions before time advances.
    for (let turn = 0; turn < 30; turn += 1) await clock.settle();
    if (clock.now() >= targetTime) return;
  }
};

/** The id of a stored card. */
export const storedCard = async ({ post }: Pick<Rig, 'post'>, parameters: Parameters = {}): Promise<string> => {
  const reply = await post('v1/registrations', {
    ...plainCard,
    'standingInstruction.type': 'RECURRING',
    'standingInstruction.mode': 'INITIAL',
    'standingInstruction.source': 'CIT',
    ...parameters,
  });
  if (reply.status !== 200) throw new Error(reply.text);
  return String(reply.body['id']);
};

/** The smallest schedule known from public samples: the first of each month. */
export const monthlySchedule = (registrationId: string, parameters: Parameters = {}): Parameters => ({
  registrationId,
  amount: '9.90',
  currency: 'EUR',
  paymentType: 'SD',
  'job.month': '*',
  'job.dayOfMonth': '1',
  ...parameters,
});

export const SCHEDULES = 'scheduling/v1/schedules';
