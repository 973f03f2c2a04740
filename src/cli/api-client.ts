/** A client of the till's local API for commands, typed by the till's routes. Like the screens it opens a session. */
import { hc } from 'hono/client';
import type { Api } from '../api/app.ts';
import type { Problem } from '../api/contract/problem.ts';
import type { Permission } from '../api/contract/roles.ts';
import type { SessionState, SignedIn } from '../api/contract/session.ts';
import type { Said } from '../api/contract/wire.ts';
import { Fault, SalesFault } from '../base/fault.ts';
import { type FaultCode, faults } from '../base/faults.ts';
import { systemIds } from '../base/ids.ts';
import { permissionWords } from '../locales/messages/en/permissions.ts';

/** Carries a request to a till: over its owner's socket, or as a function call within this process. */
export type ApiTransport = (address: string, request: RequestInit) => Promise<Response>;

/** Who sends the requests. `code` of the till's start opens a session without a person while the till has no people. */
export type Visitor = { who?: { name: string; pin: string } | undefined; code: string | undefined };

export type TillApi = ReturnType<typeof clientOver>;

export type TillSession = {
  api: TillApi;
  state: SessionState;
  /**
   * The header that signs a request by a PIN, as the screens ask for it: the person's own, or that of `by`. Empty where
   * nobody is named.
   */
  sign(permission: Permission, by?: Visitor['who']): Promise<Record<string, string>>;
  /** Signs out. Never rejects: a till that has stopped has no sessions. */
  end(): Promise<void>;
};

const clientOver = (send: ApiTransport) =>
  hc<Api>('http://till/api', {
    fetch: (address: unknown, request?: RequestInit) => send(String(address), request ?? {}),
  });

/**
 * Signs in by name and PIN, or without a person at a till that has none. Throws `staff.needed` if the till has people
 * and nobody is named, and whatever the till refuses a sign-in with: each wrong PIN counts as it does at the screens.
 */
export const openSession = async (transport: ApiTransport, { who, code }: Visitor): Promise<TillSession> => {
  const headers = new Headers();
  const api = clientOver(async (address, request) => {
    const own = new Headers(request.headers);
    for (const [name, value] of headers) own.set(name, value);
    const answer = await transport(address, { ...request, headers: own });
    const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(';', 1)[0]);
    if (cookies.length > 0) headers.set('cookie', cookies.join('; '));
    return answer;
  });
  const signedIn = await signIn(api, { who, code });
  headers.set('x-csrf-token', signedIn.csrf);
  return {
    api,
    state: await unwrap(api.session.$get()),
    async sign(permission, by = who): Promise<Record<string, string>> {
      if (by === undefined) return {};
      return { 'x-override': (await unwrap(api.override.$post({ json: { ...by, permission } }))).word };
    },
    async end() {
      await unwrap(api.session.$delete()).catch(() => {});
    },
  };
};

const signIn = async (api: TillApi, { who, code }: Visitor): Promise<SignedIn> => {
  if (who !== undefined) return unwrap(api.session.$post({ json: who })).catch(refuseMalformed);
  if (code === undefined) throw new Fault('staff.needed', { what: permissionWords.signIn });
  return unwrap(api.session.code.$post({ json: { code } }));
};

/** A malformed name or PIN is refused like a wrong one. */
const refuseMalformed = (error: unknown): never => {
  throw error instanceof Fault && error.code === 'request.malformed' ? new Fault('staff.refused') : error;
};

type Answer<T> = { ok: boolean; status: number; json(): Promise<T> };

/** The value of an answer. Throws the fault with which the till refused the request. */
export const unwrap = async <T>(answer: Promise<Answer<T>>): Promise<T> => {
  const response = await refuseProblem(await answer);
  return (response.status === 204 ? undefined : await response.json()) as T;
};

/** The answer itself, for answers that are not JSON. Throws as `unwrap` does. */
export const refuseProblem = async <Of extends Answer<unknown>>(response: Of): Promise<Of> => {
  if (response.ok) return response;
  const { problem } = (await response.json().catch(() => ({}))) as { problem?: Problem };
  throw problem === undefined
    ? new Fault('program.failed', { why: `the till answered with status ${response.status}` })
    : faultIn(problem);
};

/** The bytes of a file that the till answers with. Throws as `unwrap`. */
export const unwrapBytes = async (answer: Promise<FileAnswer>): Promise<Uint8Array> => {
  const response = await refuseProblem(await answer);
  return new Uint8Array(await response.arrayBuffer());
};

type FileAnswer = Pick<Response, 'ok' | 'status' | 'json' | 'arrayBuffer'>;
type Line<Step, Result> = { step?: Step; result?: Result; problem?: Problem };

/** Reads an answer of JSON lines: passes each step to `hear` and returns the result. Throws as `unwrap` and `hear`. */
export const unwrapLines = async <Step, Result>(
  answer: Promise<Pick<Response, 'ok' | 'status' | 'json' | 'body'>>,
  hear: (step: Step) => void | Promise<void>,
): Promise<Result> => {
  const response = await refuseProblem(await answer);
  const decoder = new TextDecoder();
  let held = '';
  for await (const bytes of response.body ?? []) {
    const lines = `${held}${decoder.decode(bytes, { stream: true })}`.split('\n');
    held = lines.pop() ?? '';
    for (const line of lines) {
      const { step, result, problem } = JSON.parse(line) as Line<Step, Result>;
      if (problem !== undefined) throw faultIn(problem);
      if (step !== undefined) await hear(step);
      if (result !== undefined) return result;
    }
  }
  throw new Fault('program.failed', { why: 'the till ended its answer before the result' });
};

/** Options of a request that sends one file, portion by portion, as a form. */
export const sendsFile = (name: string, bytes: AsyncIterable<Uint8Array>) => {
  const mark = `till-${systemIds.next()}`;
  const disposition = `form-data; name="file"; filename="${name.replaceAll('"', '%22')}"`;
  const head = `--${mark}\r\ncontent-disposition: ${disposition}\r\n\r\n`;
  async function* form(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(head);
    yield* bytes;
    yield Buffer.from(`\r\n--${mark}--\r\n`);
  }
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${mark}` },
    init: { body: ReadableStream.from(form()), duplex: 'half' } as RequestInit,
  };
};

/** The fault as the till threw it. For a code that only a newer version knows, the text is kept. */
export const faultIn = ({ code, facts, says, sales }: Said & Pick<Problem, 'sales'>): Fault => {
  if (!isFaultCode(code)) return new Fault('program.failed', { why: says });
  return sales === undefined ? new Fault(code, { ...facts }) : new SalesFault(code, { ...facts }, sales);
};

const isFaultCode = (code: string): code is FaultCode => Object.hasOwn(faults, code);
