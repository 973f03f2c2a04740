/** The proof that a receiver is there and can read: until it has passed, a URL gets nothing else. */
import type { Random } from '../../base/ids.ts';
import type { Channel } from '../channel.ts';
import type { CallOutcome, Outgoing } from '../outgoing/outgoing.ts';
import type { Body } from '../payments/response.ts';
import { succeeded } from '../registrations/stored.ts';
import { describe } from '../spec/results.ts';
import type { Store } from '../store/store.ts';
import type { Vault } from '../vault/vault.ts';
import { callOf, isTaken } from './call.ts';
import { encrypter, secretOf } from './encryption.ts';
import type { Webhook } from './store/webhooks.ts';

/** What a receiver gets, in the words that receivers know. */
const activationTest = (code: string): Body => ({
  type: 'test',
  action: 'webhook activation',
  payload: { result: { code, description: describe(code) } },
});

export type Testing = {
  store: Pick<Store, 'webhooks'>;
  vault: Vault;
  outgoing: Pick<Outgoing, 'send'>;
  clock: { now(): number };
  random: Random;
  /** Absent where only the store is known: the test says then that it is one. */
  channel?: Pick<Channel, 'mode'>;
};

export type Tested = { webhook: Webhook | undefined; passed: boolean; says: string };

/**
 * Sends the test and makes the webhook active when it is acknowledged. One with a new secret that waits for its time is
 * tested with that one, and uses it from then on when the test has passed.
 */
export const activate = async (testing: Testing, found: Webhook): Promise<Tested> => {
  const { store, vault, outgoing, clock, random, channel = {} } = testing;
  const { next } = found;
  const secret = next === undefined ? secretOf(found, vault, clock.now()) : vault.openSecret(next.secret, found);
  const encrypt = encrypter({ secret, wrapper: found.wrapper }, random);
  const outcome = await outgoing.send(callOf({ url: found.url, encrypt }, activationTest(succeeded(channel))));
  const passed = outcome.kind === 'answered' && isTaken(outcome.status);
  if (!passed) return { webhook: await store.webhooks.byId(found.id), passed, says: wordsOf(outcome) };
  const webhook = await store.webhooks.change(found.id, (current) => activated(current, found));
  return { webhook, passed, says: wordsOf(outcome) };
};

/** What was changed since is not what was tested: that secret stays what it is. */
const activated = (current: Webhook, tested: Webhook): Webhook | undefined => {
  if (current.state === 'removed') return undefined;
  const { next, ...rest } = current;
  const isSame = next !== undefined && next.secret.box === tested.next?.secret.box;
  const proved = isSame ? { ...rest, secret: next.secret } : current;
  return { ...proved, state: 'active', failures: 0, retryAt: 0 };
};

/** For people: what came of an attempt. */
export const wordsOf = (outcome: CallOutcome | { status: number } | { fault: string; why: string }): string => {
  if ('status' in outcome) {
    return isTaken(outcome.status)
      ? `The receiver acknowledged it with ${outcome.status}.`
      : `The receiver answered ${outcome.status}${hints(outcome.status)}; 200 to 299 would acknowledge it.`;
  }
  return `${faults[outcome.fault] ?? 'It failed'}: ${outcome.why}.`;
};

const faults: Readonly<Record<string, string>> = {
  forbidden: 'The address is not called',
  unknown: 'The host is not found',
  unreachable: 'No connection',
  certificate: 'The receiver’s certificate is not valid',
  late: 'The receiver was too slow',
  broken: 'The line broke',
};

const hints = (status: number): string => {
  if (status >= 300 && status <= 399) return ', a redirect, which is never followed';
  if (status === 404) return ': is the path right?';
  if (status === 401 || status === 403) return ': it must let notifications in without a login';
  return status >= 500 ? ', a fault inside of it' : '';
};
