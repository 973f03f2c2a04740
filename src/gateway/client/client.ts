/** A till's calls to a gateway, in this process or over the network: one request, and what its outcome proves. */
import { type Clock, within } from '../../base/clock.ts';
import { Fault, isFault } from '../../base/fault.ts';
import { overwrite, writeHex } from '../../base/hex.ts';
import { printable } from '../../base/mask.ts';
import { type CodeMeaning, meaningOf } from '../spec/results.ts';
import { readText } from './body.ts';
import { reasonOf, unsentReason } from './failed-call.ts';

export type HostOutcome =
  | {
      kind: 'answered';
      means: CodeMeaning;
      code: string;
      description: string;
      status: number;
      body: Record<string, unknown>;
      /** The Date header, ms since 1970. */
      date?: number;
    }
  /** Proved: no byte of the request was accepted, or it had no effect. */
  | { kind: 'notSent'; fault: Fault }
  /** Sent without a valid answer: the outcome is unknown. */
  | { kind: 'silent'; fault: Fault };

/** One request to send. The body's bytes are overwritten once the call has ended. */
export type OutgoingRequest = {
  method: 'GET' | 'POST';
  url: string;
  headers: Readonly<Record<string, string>>;
  body?: Uint8Array<ArrayBuffer>;
  signal: AbortSignal;
};

/** Sends a request to the gateway. It follows no redirect. */
export type SendRequest = (request: OutgoingRequest) => Promise<Response>;

/** Sends through a function that takes the platform's requests, which copy the body. */
export const createSender =
  (fetch: (request: Request) => Promise<Response>): SendRequest =>
  ({ url, body, ...rest }) =>
    fetch(new Request(url, { ...rest, body, redirect: 'manual' }));

export type ClientOptions = ({ send: SendRequest } | { fetch: (request: Request) => Promise<Response> }) & {
  /** Ends with a slash (spec 0). */
  baseUrl: string;
  entityId: string;
  token: string;
  clock: Clock;
  timeoutMs: number;
  /** For a host that may have acted on a request before redirecting it: a redirect proves nothing. */
  redirects?: 'doubted';
};

export type GatewayClient = {
  /** `key` is the Idempotency-Key: the same key and parameters never act twice. */
  post(path: string, parameters: FormParameters, key?: string): Promise<HostOutcome>;
  get(path: string, query?: Readonly<Record<string, string>>): Promise<HostOutcome>;
};

const ANSWER_MAX = 4 * 1024 * 1024;

/** Neither call ever rejects: every event is one of the three outcomes. The entityId is added to each request. */
export const gatewayClient = (options: ClientOptions): GatewayClient => {
  const { baseUrl, entityId, token } = options;
  const urlOf = (path: string): string => `${baseUrl.replace(/\/*$/, '/')}${path.replace(/^\/+/, '')}`;
  const authorization = `Bearer ${token}`;
  return {
    post: (path, parameters, key) =>
      call(options, {
        method: 'POST',
        url: urlOf(path),
        body: formBody({ entityId, ...parameters }),
        headers: {
          authorization,
          'content-type': 'application/x-www-form-urlencoded; charset=UTF-8',
          // A header that is undefined would be sent as the text "undefined".
          ...(key === undefined ? {} : { 'idempotency-key': key }),
        },
      }),
    get: (path, query) =>
      call(options, {
        method: 'GET',
        url: `${urlOf(path)}?${new URLSearchParams({ entityId, ...query })}`,
        headers: { authorization },
      }),
  };
};

type Call = Omit<OutgoingRequest, 'signal'>;

const call = async (options: ClientOptions, request: Call): Promise<HostOutcome> => {
  const { clock, timeoutMs } = options;
  const abort = new AbortController();
  // Redirects are followed here or not at all: card data go only to the configured origin.
  const exchange = answerOf(options, { ...request, signal: abort.signal });
  try {
    return await within(clock, timeoutMs, exchange, () => silentFault(`none within ${timeoutMs} ms`));
  } catch (error) {
    if (isFault(error, 'host.unreachable') || isFault(error, 'host.redirected'))
      return { kind: 'notSent', fault: error };
    if (isFault(error, 'host.silent')) return { kind: 'silent', fault: error };
    return { kind: 'silent', fault: silentFault('it failed inside', error) };
  } finally {
    abort.abort();
    overwrite(request.body);
  }
};

const answerOf = async (options: ClientOptions, request: OutgoingRequest): Promise<HostOutcome> => {
  const response = await sendFollowingRedirects(options, request);
  const body = await bodyOf(response);
  const { code, description } = resultOf(body);
  if (response.status >= 500) throw silentFault(`status ${response.status}, result code ${code}`);
  const means = meaningOf(code);
  // An approval comes with 200. One that comes with an error status cannot be trusted.
  if (means === 'approved' && response.status !== 200) throw silentFault(`${code} came with status ${response.status}`);
  const date = Date.parse(response.headers.get('date') ?? '');
  const reply = { kind: 'answered', means, code, description, status: response.status, body } as const;
  return Number.isNaN(date) ? reply : { ...reply, date };
};

/** Sends the request, and follows redirects that are safe. Throws a fault that proves the outcome. */
const sendFollowingRedirects = async (options: ClientOptions, request: OutgoingRequest): Promise<Response> => {
  const { redirects } = options;
  const send = 'send' in options ? options.send : createSender(options.fetch);
  const visitedUrls = [request.url];
  for (;;) {
    const response = await send({ ...request, url: visitedUrls.at(-1) ?? request.url }).catch((error: unknown) => {
      throw failure(error);
    });
    if (redirects === 'doubted' || !isTemporaryRedirect(response)) return response;
    visitedUrls.push(nextAddress(visitedUrls, response));
    await response.body?.cancel().catch(() => {});
  }
};

const bodyOf = async (response: Response): Promise<Record<string, unknown>> => {
  const read = await readText(response, ANSWER_MAX).catch((error: unknown) => {
    throw silentFault(`the answer broke off, ${reasonOf(error)}`, error);
  });
  if (read.kind === 'refused') throw silentFault(read.why);
  try {
    const body: unknown = JSON.parse(read.text);
    if (isRecord(body)) return body;
  } catch (error) {
    throw silentFault(`status ${response.status}, and its body is not JSON`, error);
  }
  throw silentFault(`status ${response.status}, and its body is not a JSON object`);
};

const resultOf = ({ result }: Record<string, unknown>): { code: string; description: string } => {
  const code = isRecord(result) ? result['code'] : undefined;
  if (typeof code !== 'string') throw silentFault('its body has no result code');
  const description = isRecord(result) && typeof result['description'] === 'string' ? result['description'] : '';
  return { code: printable(code, 11), description: printable(description, 255) };
};

const failure = (error: unknown): Fault => {
  if (isFault(error, 'host.unreachable')) return error;
  const unsent = unsentReason(error);
  return unsent === undefined
    ? silentFault(reasonOf(error), error)
    : new Fault('host.unreachable', { why: unsent }, error);
};

const silentFault = (reason: string, cause?: unknown): Fault => new Fault('host.silent', { why: reason }, cause);

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Bytes are written as hex directly into the body, and never exist as text. */
type FormParameters = Readonly<Record<string, string | Uint8Array | undefined>>;

type Part = { readonly prefix: string; readonly bytes?: Uint8Array };

/**
 * As `application/x-www-form-urlencoded`, in the given order, without undefined values. The caller overwrites it after
 * it was sent.
 */
export const formBody = (parameters: FormParameters): Uint8Array<ArrayBuffer> => {
  const parts: Part[] = [];
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined) continue;
    const text = new URLSearchParams({ [name]: typeof value === 'string' ? value : '' });
    const before = `${parts.length === 0 ? '' : '&'}${text}`;
    parts.push(typeof value === 'string' ? { prefix: before } : { prefix: before, bytes: value });
  }
  // URLSearchParams writes ASCII: one byte for each character.
  const size = parts.reduce((sum, { prefix: before, bytes }) => sum + before.length + 2 * (bytes?.length ?? 0), 0);
  const body = new Uint8Array(size);
  let offset = 0;
  for (const { prefix: before, bytes } of parts) {
    new TextEncoder().encodeInto(before, body.subarray(offset));
    offset += before.length;
    if (bytes === undefined) continue;
    writeHex(bytes, body, offset);
    offset += 2 * bytes.length;
  }
  return body;
};

// A temporary redirect (spec 4.4 and 7): the request had no effect, and is to be sent again unchanged. Card data go
// only to the configured origin, encrypted.

/** The only status that promises both: after others the request may have had an effect. */
const TEMPORARY = 307;

const isTemporaryRedirect = ({ status }: Response): boolean => status === TEMPORARY;

const FOLLOWED_MOST = 5;

/** The next address of a request that was sent to `visitedUrls`, one after the other. Throws `host.redirected`. */
const nextAddress = (visitedUrls: readonly string[], { headers }: Response): string => {
  const location = headers.get('location') ?? '';
  const currentUrl = visitedUrls.at(-1) ?? '';
  if (location === '' || !URL.canParse(location, currentUrl))
    throw redirectedFault('the redirect has no valid address');
  const nextUrl = new URL(location, currentUrl);
  nextUrl.hash = '';
  const current = new URL(currentUrl);
  const isVisited =
    nextUrl.hostname !== current.hostname ||
    nextUrl.port !== current.port ||
    `${nextUrl.username}${nextUrl.password}` !== '';
  if (isVisited || !/^https?:$/.test(nextUrl.protocol))
    throw redirectedFault(`it leads to another host, ${nextUrl.host}`);
  if (nextUrl.protocol !== 'https:' || current.protocol !== 'https:')
    throw redirectedFault('it leads to a connection that is not encrypted');
  if (visitedUrls.includes(nextUrl.href)) throw redirectedFault('it leads in a circle');
  if (visitedUrls.length > FOLLOWED_MOST) throw redirectedFault(`it was redirected more than ${FOLLOWED_MOST} times`);
  return nextUrl.href;
};

const redirectedFault = (reason: string): Fault => new Fault('host.redirected', { why: printable(reason, 120) });
