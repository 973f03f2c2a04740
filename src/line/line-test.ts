/**
 * Tests the way from this till to its gateway, step by step: name, route, proxy, encryption, the gateway's answer, its
 * clock. Each step reports what it found, how long it took, and what to do. Nothing is paid, nothing is changed.
 */
import { lookup } from 'node:dns/promises';
import { type IncomingMessage, request as plainly } from 'node:http';
import { request as encrypted } from 'node:https';
import { connect, isIP } from 'node:net';
import {
  checkServerIdentity,
  connect as connectTls,
  type PeerCertificate,
  rootCertificates,
  type TLSSocket,
} from 'node:tls';
import type { LineCheck } from '../api/contract/diagnosis.ts';
import { type Clock, DAY_MS, within } from '../base/clock.ts';
import { errorText, Fault } from '../base/fault.ts';
import { isLoopback } from '../base/gateway-address.ts';
import type { LocalizedMessage, PlainName } from '../base/localized-message.ts';
import { printable } from '../base/mask.ts';
import { systemCode } from '../base/system-error-text.ts';
import { environment } from '../folder/machine.ts';
import { type lineWords, tellLine } from '../locales/messages/en/machine.ts';

export type LineTools = {
  clock: Clock;
  /** The gateway's address; undefined for the embedded one. */
  baseUrl: string | undefined;
  /** Whether the till may send there: over plain http beyond this machine only if a manager has allowed it. */
  mayUse?: boolean;
  /** Asks the gateway about a sale that does not exist, over the connection that sales use. Never rejects. */
  canReachGateway(): Promise<boolean>;
  /** Environment variables by name. */
  variables?: Readonly<Record<string, string | undefined>>;
  /** Certificates that are trusted in addition to the system's own, PEM. */
  trusted?: string;
};

export const STEP_WITHIN_MS = 5_000;
const ANSWERS = 5;
/** Above this a customer waits for the line. */
const SLOW_MS = 1_500;
const OFF_MS = 120_000;

/** What a step found: the verdict, in English and as a localized message. */
type Found = Omit<LineCheck, 'what' | 'ms' | 'each'>;

const resultOf = (verdict: LineCheck['verdict'], text: LocalizedMessage, cure?: PlainName<typeof lineWords>): Found => {
  const message = cure === undefined ? undefined : tellLine(cure);
  return { verdict, says: text.says, told: { says: text, cure: message }, cure: message?.says };
};

/** All steps, each reported as it is made. Never rejects: a failure is reported as a step. */
export const testLine = async (tools: LineTools, notify: (check: LineCheck) => void): Promise<LineCheck[]> => {
  const checks: LineCheck[] = [];
  const note = (check: LineCheck): void => {
    checks.push(check);
    notify(check);
  };
  if (tools.baseUrl === undefined)
    for (const what of ['name', 'route', 'proxy', 'tls'] as const) note(embeddedCheck(what));
  else await checkRoute(new URL(tools.baseUrl), tools, note);
  // If others could read the request, none is made: the till sends nothing there.
  const isRefused = tools.mayUse === false;
  note(isRefused ? skippedCheck('answer', 'encryption') : await answerCheck(tools));
  note(isRefused ? skippedCheck('clock', 'encryption') : await clockOf(tools, checks));
  return checks;
};

const embeddedCheck = (what: LineCheck['what']): LineCheck => ({ what, ...resultOf('notAsked', tellLine('inTheBox')) });

type Note = (check: LineCheck) => void;

const checkRoute = async (url: URL, tools: LineTools, note: Note): Promise<void> => {
  const { clock } = tools;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  const at = { host, port };
  const name = await timeCheck('name', clock, () => nameCheck(host));
  note(name);
  note(
    name.verdict === 'bad'
      ? skippedCheck('route', 'itsName')
      : await timeCheck('route', clock, () => routeCheck(at, clock)),
  );
  note(proxyCheck(url, tools.variables ?? environment()));
  if (url.protocol !== 'https:') return note(plainCheck(host, tools.mayUse ?? true));
  // If the route failed, encryption fails too, and testing it would show nothing new.
  const { trusted } = tools;
  const reached = name.verdict !== 'bad';
  note(
    reached
      ? await timeCheck('tls', clock, () => checkTls(at, { clock, trusted: trusted || undefined }))
      : skippedCheck('tls', 'itsName'),
  );
};

const skippedCheck = (what: LineCheck['what'], without: 'itsName' | 'aLine' | 'encryption'): LineCheck => ({
  what,
  ...resultOf('notAsked', tellLine('notAsked', { what: tellLine(without) })),
});

const timeCheck = async (what: LineCheck['what'], clock: Clock, runCheck: () => Promise<Found>): Promise<LineCheck> => {
  const startedAt = clock.monotonic();
  const result = await runCheck();
  return { what, ...result, ms: tenths(clock.monotonic() - startedAt) };
};

const tenths = (ms: number): number => Math.round(ms * 10) / 10;

const nameCheck = async (host: string): Promise<Found> => {
  if (isIP(host) !== 0) return resultOf('good', tellLine('isAddress', { host }));
  try {
    const all = await lookup(host, { all: true });
    return resultOf('good', tellLine('nameFound', { host, addresses: { list: all.map(({ address }) => address) } }));
  } catch (error) {
    return resultOf('bad', tellLine('nameUnknown', { host, code: codeOf(error) }), 'checkName');
  }
};

const codeOf = (error: unknown): string => systemCode(error) || printable(errorText(error));

const routeCheck = async ({ host, port }: { host: string; port: number }, clock: Clock): Promise<Found> => {
  const socket = connect({ host, port });
  const open = new Promise<void>((resolve, failed) => {
    socket.once('connect', resolve);
    socket.once('error', failed);
  });
  const timeoutFault = () => new Fault('host.silent', { why: `no connection within ${STEP_WITHIN_MS / 1_000} s` });
  try {
    await within(clock, STEP_WITHIN_MS, open, timeoutFault);
    return resultOf('good', tellLine('portOpen', { host, port: String(port) }));
  } catch (error) {
    const facts = { host, port: String(port), code: codeOf(error) };
    return facts.code === 'ECONNREFUSED'
      ? resultOf('bad', tellLine('portRefuses', facts), 'nothingListens')
      : resultOf('bad', tellLine('portAway', facts), 'checkRoute');
  } finally {
    socket.destroy();
  }
};

/** The till connects directly. A proxy for other programs is mentioned, because people suspect it first. */
const proxyCheck = (url: URL, variables: Readonly<Record<string, string | undefined>>): LineCheck => {
  const names = url.protocol === 'https:' ? ['HTTPS_PROXY', 'https_proxy'] : ['HTTP_PROXY', 'http_proxy'];
  const set = [...names, 'ALL_PROXY', 'all_proxy'].find((name) => (variables[name] ?? '') !== '');
  if (set === undefined) return { what: 'proxy', ...resultOf('good', tellLine('noProxy')) };
  const message = tellLine('proxyUnused', { variable: set, proxy: hostOf(variables[set] ?? '') });
  return { what: 'proxy', ...resultOf('odd', message, 'letThrough') };
};

/** The proxy's host, without the user and password that may precede it. */
const hostOf = (proxy: string): string => {
  try {
    return new URL(proxy.includes('://') ? proxy : `http://${proxy}`).host;
  } catch {
    return 'that it gives';
  }
};

const plainCheck = (host: string, mayUse: boolean): LineCheck => {
  if (isLoopback(host)) return { what: 'tls', ...resultOf('notAsked', tellLine('plainHere')) };
  return { what: 'tls', ...resultOf(mayUse ? 'odd' : 'bad', tellLine('plain'), 'useHttps') };
};

/** Tests the gateway's answer over the connection that sales use, with the till's own deadline. */
const answerCheck = async ({ clock, canReachGateway }: LineTools): Promise<LineCheck> => {
  const timesMs: number[] = [];
  for (let n = 0; n < ANSWERS; n += 1) {
    const startedAt = clock.monotonic();
    if (!(await canReachGateway())) break;
    timesMs.push(tenths(clock.monotonic() - startedAt));
  }
  const sorted = [...timesMs].sort((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)];
  if (median === undefined) return { what: 'answer', ...resultOf('bad', tellLine('noAnswer'), 'mendAbove') };
  const timeCheck = { what: 'answer', ms: median, each: timesMs } as const;
  const count = timesMs.length;
  if (count < ANSWERS) return { ...timeCheck, ...resultOf('odd', tellLine('answersStopped', { count }), 'tryAgain') };
  if (median <= SLOW_MS) return { ...timeCheck, ...resultOf('good', tellLine('answered', { count, median })) };
  return { ...timeCheck, ...resultOf('odd', tellLine('answeredSlowly', { count, median }), 'whoElse') };
};

const clockOf = async (tools: LineTools, checks: readonly LineCheck[]): Promise<LineCheck> => {
  const what = 'clock';
  if (tools.baseUrl === undefined) return { what, ...resultOf('notAsked', tellLine('sameClock')) };
  if (checks.some((check) => check.verdict === 'bad' && check.what !== 'answer')) return skippedCheck(what, 'aLine');
  const server = await serverTime(tools.baseUrl, tools);
  if (server === undefined) return { what, ...resultOf('notAsked', tellLine('noTime')) };
  const ahead = tools.clock.now() - server;
  // The header has whole seconds, and was written a moment ago.
  const seconds = Math.round(Math.abs(ahead) / 1_000);
  if (seconds <= 2) return { what, ...resultOf('good', tellLine('clockAgrees')) };
  const message = tellLine(ahead > 0 ? 'clockAhead' : 'clockBehind', { seconds });
  return { what, ...(Math.abs(ahead) < OFF_MS ? resultOf('good', message) : resultOf('bad', message, 'setClock')) };
};

// The time at a gateway, from the Date header of any of its answers (RFC 9110, 6.6.1). Nothing secret is sent.

const WITHIN_MS = 5_000;

/** Ms since 1970, in whole seconds; undefined if there is no header or no answer. Never rejects. */
const serverTime = async (
  url: string,
  { clock, trusted }: { clock: Clock; trusted?: string },
): Promise<number | undefined> => {
  const ca = trusted === undefined ? {} : { ca: [...rootCertificates, trusted] };
  const request = url.startsWith('https:')
    ? encrypted(url, { method: 'HEAD', ...ca })
    : plainly(url, { method: 'HEAD' });
  const response = new Promise<IncomingMessage>((resolve, failed) => {
    request.once('response', resolve);
    request.once('error', failed);
    request.end();
  });
  try {
    const { headers } = await within(clock, WITHIN_MS, response, () => new Fault('host.silent', { why: 'too late' }));
    const at = Date.parse(headers.date ?? '');
    return Number.isNaN(at) ? undefined : at;
  } catch {
    return undefined;
  } finally {
    request.destroy();
  }
};

// Encryption on the way to a gateway: whose certificate it presents, whether it is trusted, and until when.

/** Below this number of days somebody has to renew the certificate. */
const SOON_DAYS = 21;

type Tools = { clock: Clock; trusted?: string };

/** Connects, inspects and closes: no request is made. `trusted` is PEM, in addition to Node's certificates. */
const checkTls = async (
  { host, port }: { host: string; port: number },
  { clock, trusted }: Tools,
): Promise<Omit<LineCheck, 'what' | 'ms'>> => {
  const ca = trusted === undefined ? {} : { ca: [...rootCertificates, trusted] };
  const named = /^[\d.]+$|:/.test(host) ? {} : { servername: host };
  // An untrusted certificate is inspected too: no byte of ours is sent on this connection.
  const socket = connectTls({ host, port, ...named, ...ca, rejectUnauthorized: false });
  const shaken = new Promise<void>((resolve, failed) => {
    socket.once('secureConnect', resolve);
    socket.once('error', failed);
  });
  try {
    await within(clock, WITHIN_MS, shaken, () => new Fault('host.silent', { why: 'no handshake within 5 s' }));
    return judgeCertificate(socket, host, clock.now());
  } catch (error) {
    return resultOf('bad', tellLine('noHandshake', { code: printable(errorText(error)) }), 'otherServer');
  } finally {
    socket.destroy();
  }
};

const judgeCertificate = (socket: TLSSocket, host: string, now: number): Omit<LineCheck, 'what' | 'ms'> => {
  const certificate = socket.getPeerCertificate();
  const who = nameOf(certificate);
  const until = Date.parse(certificate.valid_to);
  const describeCertificate = tellLine('certificate', {
    protocol: socket.getProtocol() ?? 'TLS',
    name: who,
    until: { at: until },
  });
  const facts = { certificate: describeCertificate };
  // The chain comes first, because its error hides that of the name.
  const code = socket.authorized ? undefined : String(socket.authorizationError ?? 'UNKNOWN');
  const isOtherName = checkServerIdentity(host, certificate) !== undefined;
  if (code !== undefined || isOtherName) {
    // Only `otherName` comes without a code, and its message does not use one.
    const reason = (code === undefined ? undefined : troubles[code]) ?? (isOtherName ? 'otherName' : 'untrusted');
    return resultOf('bad', tellLine(reason, { ...facts, code: code as string }), `${reason}Cure`);
  }
  const days = Math.floor((until - now) / DAY_MS);
  if (days >= SOON_DAYS) return resultOf('good', tellLine('certificateGood', facts));
  return resultOf('odd', tellLine('certificateEnds', { ...facts, days }), 'renew');
};

/** The subject of the certificate, in its own words: untrusted text. */
const nameOf = ({ subject, subjectaltname }: PeerCertificate): string => {
  const common = subject?.CN;
  const names = (subjectaltname ?? '').replace(/(DNS|IP Address):/g, '');
  return printable(names || [common ?? 'nobody'].flat().join(', '), 120);
};

type Trouble = 'expired' | 'notYet' | 'otherName' | 'untrusted';

const troubles: Readonly<Record<string, Trouble>> = {
  CERT_HAS_EXPIRED: 'expired',
  CERT_NOT_YET_VALID: 'notYet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'otherName',
};
