/** An operation with the code that answers it, closed over its own parser. */
import type { Clock } from '../../base/clock.ts';
import type { Ids, Random } from '../../base/ids.ts';
import { codes } from '../../base/result-codes.ts';
import type { WakeSignal } from '../background-jobs.ts';
import { type Channel, isLive } from '../channel.ts';
import type { Outgoing } from '../outgoing/outgoing.ts';
import type { ApiOperation, ParsedParameters } from '../spec/operation.ts';
import { ERRORS_MAX, type ParameterError } from '../spec/parameters/errors.ts';
import {
  type Parsed,
  parserOf,
  type Sent,
  type Strictness,
  type Traits,
  type Warning,
} from '../spec/parameters/parser.ts';
import type { Rows } from '../spec/parameters/row.ts';
import type { Payment } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import type { Vault } from '../vault/vault.ts';
import type { Acquirer } from './acquirer.ts';
import type { AddNotification } from './port.ts';
import type { OpenedPayment, Processing } from './processing.ts';
import { answerOnce, duplicate } from './repeats.ts';
import { type Answer, type Body, frame, paymentAnswer, type Refusal, refusal, UNCERTAIN } from './response.ts';

/** What the operations work with. */
export type Gateway = {
  store: Store;
  acquirer: Acquirer;
  processing: Processing;
  vault: Vault;
  clock: Clock;
  ids: Ids;
  /** A keyed hash, hex: of what may be compared and must not be read. */
  hash: (text: string) => string;
  /** Secrets and nonces come from here. */
  random: Random;
  /** Calls addresses that somebody else gave. */
  outgoing: Outgoing;
  addNotification: AddNotification;
  /** Rung when a webhook was changed: whoever delivers looks at once. */
  signal: WakeSignal;
  /** Rung when a checkout was begun, submitted or ended: whoever calls the shop looks at once. */
  checkoutSignal: WakeSignal;
  /** Rung when a schedule was set up or changed: whoever runs them looks at once. */
  scheduleBell: WakeSignal;
};

/** One authenticated request, decoded and not yet parsed. */
export type Incoming = {
  channel: Channel;
  sent: Sent;
  /** What the endpoint's own parser made of it, where that was asked before. */
  parsed?: Parsed<unknown>;
  /** The payment or registration in the path; undefined where the path has none. */
  id?: string;
  /** What the decoder found wrong with single parameters. */
  errors: readonly ParameterError[];
  /** Parameters of a lenient channel that were sent several times with one value. */
  repeats?: readonly Warning[];
  /** The keyed hash of the request, worked out when something must be known again by it. */
  fingerprint: () => string;
  /** The Idempotency-Key header. */
  key?: string;
  requestId: string;
  /** Where the gateway is reached from outside, `https://host:port/path`: pages for the shopper stand there. */
  base: string;
  /** Whether the answer is shown as a page: a plain form was sent, not a script. */
  forPage?: true;
  /** Wall time, ms. */
  at: number;
};

export type Call<P> = Omit<Incoming, 'sent' | 'parsed' | 'errors' | 'repeats'> & {
  request: P;
  warnings: readonly Warning[];
};

export type Endpoint = {
  operation: ApiOperation;
  /** Parses ahead of `answer`, elsewhere. Absent: what is needed depends on what is kept. */
  parse?: (sent: Sent, strictness: Strictness, traits: Traits) => Parsed<unknown>;
  answer: (gateway: Gateway, incoming: Incoming) => Promise<Answer>;
};

/** Parses, refuses by name what is wrong, and hands the rest to `handle` with its types. */
export const endpoint = <R extends Rows, N extends keyof R>(
  operation: ApiOperation<R, N>,
  handle: (gateway: Gateway, call: Call<ParsedParameters<R, N>>) => Promise<Answer>,
): Endpoint => {
  const parse = parserOf(operation);
  return {
    operation: operation as unknown as ApiOperation,
    parse,
    async answer(gateway, { sent, parsed: before, errors, repeats = [], ...rest }) {
      // What was parsed before was so by this very parser.
      const { channel } = rest;
      const parsed =
        (before as ReturnType<typeof parse> | undefined) ?? parse(sent, strictnessOf(channel), traitsOf(channel));
      const wrong = all(errors, 'errors' in parsed ? parsed.errors : []);
      if (wrong.length > 0 || 'errors' in parsed) {
        const answer = refusal({ code: codes.parameterInvalid, parameterErrors: wrong }, endOf(rest));
        return operation.method === 'GET' ? answer : answerOnce(gateway.store, rest, answer);
      }
      return handle(gateway, { ...rest, request: parsed.request, warnings: [...repeats, ...parsed.warnings] });
    },
  };
};

export const strictnessOf = ({ lenient }: Channel): Strictness => (lenient === true ? 'lenient' : 'strict');

export const traitsOf = ({ threeDSecure }: Channel): Traits => ({ authenticating: threeDSecure?.enabled === true });

/** Why the channel has no such test mode; undefined where it has. An empty value is an absent one. */
export const impossibleMode = (
  { operation }: Endpoint,
  channel: Channel,
  { testMode = '' }: Sent,
): Refusal | undefined => {
  if (!Object.hasOwn(operation.accepts, 'testMode') || testMode === '') return undefined;
  if (isLive(channel)) return TEST_ON_LIVE;
  // Reports ask which payments are meant, and a shopper may not say it at all.
  const moves = operation.method === 'POST' && operation.access !== 'checkout';
  return moves && testMode === 'EXTERNAL' && channel.upstream === undefined ? NO_PROCESSOR : undefined;
};

/** A test asked of a channel that moves money is refused, not carried out with money. */
const TEST_ON_LIVE: Refusal = {
  code: codes.notConfigured,
  why: 'This channel is live, and testMode is for tests. Leave it out to move money, or use a test channel.',
};

/** The parameter is right, and it is the channel that has nobody behind it. */
const NO_PROCESSOR: Refusal = {
  code: codes.notConfigured,
  why: 'This channel has no processor, whose test system testMode=EXTERNAL is for. Leave it out for the simulators.',
};

/** One error for each parameter: the decoder's before the parser's. */
const all = (first: readonly ParameterError[], then: readonly ParameterError[]): readonly ParameterError[] => {
  if (first.length === 0) return then;
  const named = new Set(first.map(({ name }) => name));
  return [...first, ...then.filter(({ name }) => !named.has(name))].slice(0, ERRORS_MAX);
};

/** The closing fields of an answer to this request. */
export const endOf = ({ channel, requestId, at }: Pick<Incoming, 'channel' | 'requestId' | 'at'>): Body =>
  frame(channel.entityId, requestId, at);

/**
 * The answer to a request that was carried out, now or before. A key that came back with another body is refused as a
 * duplicate, 800.110.100: nothing was done for it.
 */
export const openedAnswer = (opened: Exclude<OpenedPayment, { kind: 'nothing' }>, call: Call<unknown>): Answer => {
  if (opened.kind === 'payment') return paymentAnswer(opened.payment, opened.doubt ?? UNCERTAIN);
  return opened.kind === 'answer' ? opened.answer : duplicate(call, opened.paymentId);
};

// The payment in the path of a request, if it is the asking channel's.

/**
 * As it now stands, after another try to end it if it has no ending. Another channel's is left alone: asking what
 * became of it takes its time, by which it could be told from one that is nobody's, and may end it.
 */
export const ownPayment = async (
  { store, processing }: Gateway,
  { id = '', channel }: Call<unknown>,
): Promise<Payment | undefined> => {
  const kept = await store.payment(id);
  if (kept?.entityId !== channel.entityId) return undefined;
  return kept.state === 'done' ? kept : processing.look(id);
};

/** Refused for these of its parameters. */
export const parametersRefused = (
  call: Pick<Incoming, 'channel' | 'requestId' | 'at'>,
  parameterErrors: readonly ParameterError[],
): Answer => refusal({ code: codes.parameterInvalid, parameterErrors }, endOf(call));
