/** An operation with the code that answers it, bound to its parser. */
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
import { answerOnce, duplicateAnswer } from './repeats.ts';
import { type Answer, answerFrame, type Body, paymentAnswer, type Refusal, refuseWith, UNCERTAIN } from './response.ts';

/** The services that operations use. */
export type Gateway = {
  store: Store;
  acquirer: Acquirer;
  processing: Processing;
  vault: Vault;
  clock: Clock;
  ids: Ids;
  /** A keyed hash, hex, of values that may be compared but must not be readable. */
  hash: (text: string) => string;
  /** The source of secrets and nonces. */
  random: Random;
  /** Calls addresses supplied by others. */
  outgoing: Outgoing;
  addNotification: AddNotification;
  /** Signalled when a webhook changes, so that delivery looks at once. */
  signal: WakeSignal;
  /** Signalled when a checkout is created, submitted or ended, so that the calls to the shop are checked at once. */
  checkoutSignal: WakeSignal;
  /** Signalled when a schedule is created or changed, so that due runs are checked at once. */
  scheduleSignal: WakeSignal;
};

/** One authenticated request, decoded and not yet parsed. */
export type Incoming = {
  channel: Channel;
  sent: Sent;
  /** The result of the endpoint's own parser, if it ran before. */
  parsed?: Parsed<unknown>;
  /** The payment or registration in the path; undefined if the path has none. */
  id?: string;
  /** Errors that the decoder found in single parameters. */
  errors: readonly ParameterError[];
  /** Parameters that a lenient channel accepts although they were sent several times with one value. */
  repeats?: readonly Warning[];
  /** The keyed hash of the request, computed when the request must be recognised later. */
  fingerprint: () => string;
  /** The Idempotency-Key header. */
  key?: string;
  requestId: string;
  /** The gateway's external address, `https://host:port/path`, for pages shown to the shopper. */
  base: string;
  /** Whether the answer is shown as a page: a plain form was sent, not a script's request. */
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
  /** Parses before `answer`, in another thread. Absent: parsing needs stored data. */
  parse?: (sent: Sent, strictness: Strictness, traits: Traits) => Parsed<unknown>;
  answer: (gateway: Gateway, incoming: Incoming) => Promise<Answer>;
};

/** Parses, refuses invalid parameters by name, and passes the rest to `handle` with its types. */
export const endpoint = <R extends Rows, N extends keyof R>(
  operation: ApiOperation<R, N>,
  handle: (gateway: Gateway, call: Call<ParsedParameters<R, N>>) => Promise<Answer>,
): Endpoint => {
  const parse = parserOf(operation);
  return {
    operation: operation as unknown as ApiOperation,
    parse,
    async answer(gateway, { sent, parsed: parsedBefore, errors, repeats = [], ...rest }) {
      // An earlier result comes from this same parser.
      const { channel } = rest;
      const parsed =
        (parsedBefore as ReturnType<typeof parse> | undefined) ?? parse(sent, strictnessOf(channel), traitsOf(channel));
      const allErrors = mergeErrors(errors, 'errors' in parsed ? parsed.errors : []);
      if (allErrors.length > 0 || 'errors' in parsed) {
        const answer = refuseWith({ code: codes.parameterInvalid, parameterErrors: allErrors }, endOf(rest));
        return operation.method === 'GET' ? answer : answerOnce(gateway.store, rest, answer);
      }
      return handle(gateway, { ...rest, request: parsed.request, warnings: [...repeats, ...parsed.warnings] });
    },
  };
};

export const strictnessOf = ({ lenient }: Channel): Strictness => (lenient === true ? 'lenient' : 'strict');

export const traitsOf = ({ threeDSecure }: Channel): Traits => ({ authenticating: threeDSecure?.enabled === true });

/** Why the channel has no such test mode; undefined if it has. An empty value counts as absent. */
export const testModeRefusal = (
  { operation }: Endpoint,
  channel: Channel,
  { testMode = '' }: Sent,
): Refusal | undefined => {
  if (!Object.hasOwn(operation.accepts, 'testMode') || testMode === '') return undefined;
  if (isLive(channel)) return TEST_ON_LIVE;
  // Reports use it as a filter, and a shopper may not send it at all.
  const moves = operation.method === 'POST' && operation.access !== 'checkout';
  return moves && testMode === 'EXTERNAL' && channel.upstream === undefined ? NO_PROCESSOR : undefined;
};

/** A test request to a channel that moves money is refused, not processed with money. */
const TEST_ON_LIVE: Refusal = {
  code: codes.notConfigured,
  why: 'This channel is live, and testMode is for tests. Leave it out to move money, or use a test channel.',
};

/** The parameter is valid, but the channel has no processor. */
const NO_PROCESSOR: Refusal = {
  code: codes.notConfigured,
  why: 'testMode=EXTERNAL is for a processor’s test system, and this channel has no processor. Leave it out to use the simulators.',
};

/** One error for each parameter: the decoder's take precedence over the parser's. */
const mergeErrors = (
  decoderErrors: readonly ParameterError[],
  parserErrors: readonly ParameterError[],
): readonly ParameterError[] => {
  if (decoderErrors.length === 0) return parserErrors;
  const names = new Set(decoderErrors.map(({ name }) => name));
  return [...decoderErrors, ...parserErrors.filter(({ name }) => !names.has(name))].slice(0, ERRORS_MAX);
};

/** The closing fields of an answer to this request. */
export const endOf = ({ channel, requestId, at }: Pick<Incoming, 'channel' | 'requestId' | 'at'>): Body =>
  answerFrame(channel.entityId, requestId, at);

/**
 * The answer to a request that was processed now or before. A key that is reused with another body is refused as a
 * duplicate, 800.110.100, and nothing is done for it.
 */
export const openedAnswer = (opened: Exclude<OpenedPayment, { kind: 'nothing' }>, call: Call<unknown>): Answer => {
  if (opened.kind === 'payment') return paymentAnswer(opened.payment, opened.uncertainCode ?? UNCERTAIN);
  return opened.kind === 'answer' ? opened.answer : duplicateAnswer(call, opened.paymentId);
};

// The payment in a request's path, if it belongs to the requesting channel.

/**
 * Its current state, after another attempt to end it if it has no ending. Another channel's payment is left alone: an
 * inquiry may end it, and its duration would reveal that the payment exists.
 */
export const findOwnPayment = async (
  { store, processing }: Gateway,
  { id = '', channel }: Call<unknown>,
): Promise<Payment | undefined> => {
  const ownPayment = await store.payment(id);
  if (ownPayment?.entityId !== channel.entityId) return undefined;
  return ownPayment.state === 'done' ? ownPayment : processing.lookUp(id);
};

/** Refuses the request because of these parameters. */
export const refuseParameters = (
  call: Pick<Incoming, 'channel' | 'requestId' | 'at'>,
  parameterErrors: readonly ParameterError[],
): Answer => refuseWith({ code: codes.parameterInvalid, parameterErrors }, endOf(call));
