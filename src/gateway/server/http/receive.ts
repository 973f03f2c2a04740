/** From a raw request to an operation's answer: first authentication, then decoding, and only then the operation. */
import { createSecretKey } from 'node:crypto';
import type { Clock } from '../../../base/clock.ts';
import type { Ids } from '../../../base/ids.ts';
import { codes } from '../../../base/result-codes.ts';
import type { Channel } from '../../channel.ts';
import { type Endpoint, type Incoming, strictnessOf, testModeRefusal } from '../../payments/endpoint.ts';
import { fingerprintOf } from '../../payments/repeats.ts';
import { answerFrame, type Refusal, refuseWith } from '../../payments/response.ts';
import { misplacedCardNumbers } from '../../spec/parameters/misplaced-card-numbers.ts';
import type { Sent } from '../../spec/parameters/parser.ts';
import { type Admission, type Authenticator, createAuthenticator } from './authentication.ts';
import { decodeForm, type FormBody } from './form.ts';
import { type WrittenAnswer, writeAnswer } from './respond.ts';
import { allowAnyOrigin, receiveFromShopper, wantsPage } from './shopper.ts';
import { readParameters } from './source.ts';

export type ReceiverParts = {
  channels: readonly Channel[];
  secret: Uint8Array;
  clock: Clock;
  ids: Ids;
  /** The channel whose checkout has this id. */
  ownerOf: (id: string) => Promise<Channel | undefined>;
  /** Processes an authenticated request. */
  answer: (endpoint: Endpoint, incoming: Incoming) => Promise<WrittenAnswer>;
};

const MALFORMED = codes.requestMalformed;
const AUTHENTICATION = codes.unauthenticated;
const THROTTLED = codes.throttled;
const KEY = 'Idempotency-Key';

/** The format of all ids here. Others never reach the database: not every engine accepts every character. */
const ID = /^[A-Za-z0-9.-]{1,64}$/;

/** The answer, and the channel it is for: empty if none was found. */
type Received = { answer: WrittenAnswer; requestId: string; entityId: string };
/** The id in the path, and the gateway's external address; absent if that is the request's own origin. */
type RequestPlace = { id: string | undefined; base: string | undefined };
export type Receive = (endpoint: Endpoint, request: Request, place: RequestPlace) => Promise<Received>;

export const createReceiver = ({ channels, secret, clock, ids, ownerOf, answer: answerTo }: ReceiverParts): Receive => {
  const authenticator = createAuthenticator(channels);
  const fingerprintKey = createSecretKey(secret);
  const checkThrottle = createThrottle(clock);
  return async (endpoint, request, { id, base = originOf(request.url) }) => {
    const requestId = ids.next();
    const at = clock.now();
    const isShopper = endpoint.operation.access === 'checkout';
    const wellFormedId = id !== undefined && ID.test(id) ? id : '';
    const received = isShopper
      ? await receiveFromShopper(authenticator, { endpoint, request, owner: await ownerOf(wellFormedId) })
      : await receiveForm(authenticator, endpoint, request);
    const { channel, throttledChannel: asks } = received;
    const entityId = channel?.entityId ?? '';
    const throttleAnswer = asks === undefined ? undefined : throttleRefusal(checkThrottle, asks);
    if (throttleAnswer !== undefined) {
      const answer = refuseWith(throttleAnswer, answerFrame(entityId, requestId, at));
      return { answer: writeAnswer({ ...answer, body: { id: requestId, ...answer.body } }), requestId, entityId };
    }
    const refuse = (refused: Refusal, owner: string): Received => {
      const answer = writeAnswer(refuseWith(refused, answerFrame(owner, requestId, at)));
      return { answer: isShopper ? allowAnyOrigin(answer) : answer, requestId, entityId };
    };
    if ('refused' in received) return refuse(received.refused, '');
    const { form, key } = received;
    // A merchant's entity leaves this to the channel that it leads to.
    const singleChannel = channel?.dispatch === undefined ? channel : undefined;
    const testModeError = singleChannel && testModeRefusal(endpoint, singleChannel, form.sent);
    if (testModeError !== undefined) return refuse(testModeError, entityId);
    const misplaced = misplacedCardNumbers(form.sent, key);
    const forgivenRepeats = repeatsOf(form, channel);
    const { method, path } = endpoint.operation;
    const incoming: Incoming = {
      // Without a well-formed entityId the parser refuses the request before the channel is used.
      channel: channel ?? { entityId: '', token: '' },
      sent: form.sent,
      id: id === undefined ? undefined : wellFormedId,
      errors: [...forgivenRepeats.errors, ...misplaced],
      repeats: forgivenRepeats.repeats,
      fingerprint: () => fingerprintOf(fingerprintKey, `${method} ${path} ${id ?? ''}`, form.sent),
      // A refusal is also stored under its request's key, so a key that must not be stored is ignored.
      key: key === undefined || misplaced.some(({ name }) => name === KEY) ? undefined : key,
      requestId,
      base,
      forPage: (isShopper && wantsPage(request)) || undefined,
      at,
    };
    const answer = await answerTo(endpoint, incoming);
    return { answer: isShopper ? allowAnyOrigin(answer) : answer, requestId, entityId };
  };
};

/** Repeated names that a lenient channel accepts, and those that no channel accepts. */
const repeatsOf = (
  { errors, repeats }: SentForm,
  channel: Channel | undefined,
): Pick<Incoming, 'errors' | 'repeats'> =>
  channel !== undefined && strictnessOf(channel) === 'lenient'
    ? { errors, repeats: repeats.map(({ name, message }) => ({ name, message })) }
    : { errors: [...errors, ...repeats] };

/** `https://host:port` of an absolute address. */
const originOf = (url: string): string => url.slice(0, url.indexOf('/', url.indexOf('://') + 3));

type SentForm = Extract<FormBody, { kind: 'form' }>;

/** `asks`: the channel whose throttle counts the request, if need be only the first that its token gives access to. */
type ReceivedForm =
  | { refused: Refusal; channel?: never; throttledChannel?: Channel }
  | {
      channel: Channel | undefined;
      throttledChannel: Channel | undefined;
      form: SentForm;
      key: string | undefined;
    };

/**
 * Authenticates and decodes. The body of an unauthenticated request is read only if it may contain user and password.
 */
const receiveForm = async (
  authenticator: Authenticator,
  endpoint: Endpoint,
  request: Request,
): Promise<ReceivedForm> => {
  const header = request.headers.get('authorization');
  const byToken = authenticator.admit(header);
  if (byToken.kind !== 'admitted' && (header !== null || !authenticator.takesLegacy))
    return { refused: turnedAway[byToken.kind] };

  const known = byToken.kind === 'admitted' ? byToken.channels.first : undefined;
  const refuseMalformed = (reason: string): ReceivedForm => ({
    refused: { code: MALFORMED, why: reason },
    throttledChannel: known,
  });
  const source = await readParameters(endpoint, request);
  if (source.kind === 'refused') return refuseMalformed(source.why);
  const form = decodeForm(source.text);
  if (form.kind === 'malformed') return refuseMalformed(form.why);
  const admission = byToken.kind === 'admitted' ? byToken : admitByForm(authenticator, form.sent);
  if (admission.kind !== 'admitted') return { refused: turnedAway[admission.kind] };

  const key = request.headers.get('idempotency-key') ?? undefined;
  if (key !== undefined && !/^[!-~]{1,255}$/.test(key)) {
    return refuseMalformed('Idempotency-Key must have 1 to 255 visible ASCII characters.');
  }
  const { entityId = '' } = form.sent;
  const channel = admission.channels.byEntityId.get(entityId);
  const throttledChannel = channel ?? admission.channels.first;
  if (channel === undefined && /^[0-9a-f]{32}$/.test(entityId)) {
    const reason = 'The access token does not belong to this entityId.';
    return { refused: { code: AUTHENTICATION, status: 403, why: reason }, throttledChannel };
  }
  // They are no longer needed; a channel that does not use them refuses them as unknown names.
  if (channel?.legacy !== undefined) for (const name of legacyNames) delete form.sent[name];
  return { channel, throttledChannel, form, key };
};

const legacyNames = ['authentication.userId', 'authentication.password'] as const;

const admitByForm = (authenticator: Authenticator, sent: Sent): Admission =>
  authenticator.admitLegacy(sent[legacyNames[0]], sent[legacyNames[1]]);

/** The refusal of a request that exceeds its channel's throttle (spec 7), or undefined. */
const throttleRefusal = (checkThrottle: ReturnType<typeof createThrottle>, channel: Channel): Refusal | undefined => {
  const verdict = checkThrottle(channel);
  if (verdict.admitted) return undefined;
  const headers = { 'retry-after': String(verdict.retryAfterSeconds) };
  return { code: THROTTLED, status: 429, headers };
};

const turnedAway: Readonly<Record<'malformed' | 'unknown', Refusal>> = {
  malformed: {
    code: AUTHENTICATION,
    status: 401,
    why: 'The Authorization header must be: Bearer, a space, the access token.',
    headers: { 'www-authenticate': 'Bearer' },
  },
  unknown: { code: AUTHENTICATION, status: 403, why: 'The access token is not known here.' },
};

// How many requests a channel may send: a token bucket for each (spec 7, rule 2; spec 8).

type ThrottleVerdict = { admitted: true } | { admitted: false; retryAfterSeconds: number };

type Bucket = { tokens: number; at: number };

/** More channels than a gateway will ever have: beyond it the least recently used bucket is dropped. */
const BUCKETS_MAX = 10_000;
/** Fractions of tokens are floats: a client that waited as long as told must not fail by rounding. */
const ONE_TOKEN = 1 - 1e-9;

/**
 * Takes a token from the channel's bucket, or returns in how many whole seconds (at least 1) there will be one. A
 * channel without a throttle is always admitted. Each process counts by itself.
 */
export const createThrottle = (clock: Pick<Clock, 'monotonic'>): ((channel: Channel) => ThrottleVerdict) => {
  const buckets = new Map<string, Bucket>();
  return ({ entityId, throttle: bounds }) => {
    if (bounds === undefined) return { admitted: true };
    const { perSecond, burst } = bounds;
    const at = clock.monotonic();
    const before = buckets.get(entityId) ?? { tokens: burst, at };
    const filled = Math.min(burst, before.tokens + ((at - before.at) / 1000) * perSecond);
    const checkThrottle = filled >= ONE_TOKEN;
    buckets.delete(entityId);
    buckets.set(entityId, { tokens: checkThrottle ? filled - 1 : filled, at });
    const [oldest] = buckets.keys();
    if (buckets.size > BUCKETS_MAX && oldest !== undefined) buckets.delete(oldest);
    return checkThrottle
      ? { admitted: checkThrottle }
      : { admitted: checkThrottle, retryAfterSeconds: Math.max(1, Math.ceil((ONE_TOKEN - filled) / perSecond)) };
  };
};
