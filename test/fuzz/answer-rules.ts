/** The rules that every answer of the gateway must follow, whatever the request. */
import { resultCodes } from '../../src/gateway/spec/results.ts';
import { needles, secrets } from './entities.ts';

/** An answer as received, its body read as text. */
export type ReceivedAnswer = { status: number; headers: ReadonlyMap<string, string>; text: string };

const STATUSES: ReadonlySet<number> = new Set([200, 303, 400, 401, 403, 404, 405, 408, 413, 429, 431, 503]);
const codes: ReadonlySet<string> = new Set(resultCodes.map(({ code }) => code));
const INTERNAL = '999.999.888';

/** Signs of the program's insides: stacks, files of this program and the platform, and messages of the databases. */
const INSIDES = /\n\s+at |node:internal|file:\/\/\/|\/node_modules\/|\/src\/gateway\/|\.ts:\d|SQLITE_|SqliteError/;

/** The security code as a whole JSON value; its four digits alone occur in ids by chance. */
const CODE = new RegExp(`"${secrets.cvv}"`);

/** The error in an answer, or undefined. `request` is the method: HEAD has no body. */
export const violationsOf = ({ status, headers, text }: ReceivedAnswer, request: string): string | undefined => {
  if (!STATUSES.has(status)) return `status ${status}`;
  const leak = needles.find((needle) => text.includes(needle));
  if (leak !== undefined) return `it contains a secret (${leak.slice(0, 4)}…)`;
  if (CODE.test(text)) return 'it contains the security code';
  for (const [name, value] of headers) {
    if (needles.some((needle) => value.includes(needle)) || /[\r\n]/.test(value)) return `header ${name}: ${value}`;
  }
  if (request === 'HEAD' || status === 303) return text === '' ? undefined : 'an unexpected body';
  const type = headers.get('content-type') ?? '';
  if (/^text\/html/i.test(type)) return /<script|onerror=/i.test(text) ? 'markup of the request in a page' : undefined;
  if (INSIDES.test(text) && !text.startsWith('{"openapi"')) return 'it reveals internal details';
  if (!/^application\/json/i.test(type)) return `type ${type}`;
  return wrongWithBody(text);
};

const wrongWithBody = (text: string): string | undefined => {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return 'no JSON';
  }
  if (typeof body !== 'object' || body === null) return 'no object';
  if ('openapi' in body || 'resultCodes' in body) return undefined;
  const result = 'result' in body ? body.result : undefined;
  const code = typeof result === 'object' && result !== null && 'code' in result ? String(result.code) : '';
  // A test may force any code, and the answer names the parameter.
  if (text.includes(`"forceResultCode":"${code}"`) || text.includes('[forceResultCode]')) return undefined;
  if (code === INTERNAL) return 'a fault inside';
  return codes.has(code) ? undefined : `result code ${code === '' ? 'missing' : code}`;
};
