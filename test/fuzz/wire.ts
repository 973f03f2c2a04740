/** The same requests as bytes on a connection, and bytes that are not a request: broken, doubled, smuggled. */
import type { Dice } from '../support/chance/dice.ts';
import { type Known, type Malformed, malformed } from './malformed.ts';

/** The bytes to send, and the method of the first request. */
export type RawRequest = { bytes: Uint8Array; method: string };

const CRLF = '\r\n';

/** The next bytes to send on a new connection. */
export const rawRequest = (dice: Dice, known: Known): RawRequest => {
  const created = malformed({ dice, known });
  // Where an answer to HEAD ends cannot be seen: it announces a length and has no body.
  const request = created.method === 'HEAD' ? { ...created, method: 'GET' } : created;
  if (dice.percent(70)) return { bytes: writeRequest(dice, request), method: request.method };
  if (dice.percent(50)) return { bytes: smugglingRequest(dice, request), method: 'POST' };
  if (dice.percent(50)) return { bytes: flipBytes(dice, writeRequest(dice, request)), method: 'any' };
  if (dice.percent(50)) return { bytes: dice.random(dice.between(1, 2_000)), method: 'any' };
  return { bytes: Buffer.from(dice.one(NO_HTTP)), method: 'any' };
};

const NO_HTTP = [
  '',
  '\r\n\r\n',
  'GET',
  'GET /',
  'GET / HTTP/9.9\r\n\r\n',
  'GET  /  HTTP/1.1\r\n\r\n',
  'GET / HTTP/1.1\nHost: a\n\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  '\u0016\u0003\u0001\u0002\u0000',
  'CONNECT evil.example:443 HTTP/1.1\r\n\r\n',
  'GET http://evil.example/v1/query HTTP/1.1\r\nHost: evil.example\r\n\r\n',
  'OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n',
  'TRACE / HTTP/1.1\r\nHost: a\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: a b/\\\r\n\r\n',
  'GET /v1/query HTTP/1.1\r\nHost: a\r\n Folded: x\r\n\r\n',
  'GET /v1/query HTTP/1.1\r\nHost : a\r\n\r\n',
  'GET /v1/query HTTP/1.1\r\nHost: a\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n',
  'GET /v1/query HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\r\n',
  'GET /v1/query\u0000 HTTP/1.1\r\nHost: a\r\n\r\n',
  'POST /v1/payments HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n',
  'POST /v1/payments HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n',
] as const;

/** The request as a well-behaved client writes it, its head in Latin-1; sometimes twice in a row. */
const writeRequest = (dice: Dice, { method, target, headers, body }: Malformed): Uint8Array => {
  const length = dice.percent(97) ? body.length : dice.between(0, 2 * body.length + 1);
  const headerLines = [
    `${method} ${target} HTTP/1.${dice.percent(97) ? 1 : 0}`,
    'Host: gateway.test',
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(body.length > 0 || length > 0 ? [`Content-Length: ${length}`] : []),
  ];
  const rawBytes = Buffer.concat([Buffer.from(headerLines.join(CRLF) + CRLF + CRLF, 'latin1'), body]);
  return dice.percent(5) ? Buffer.concat([rawBytes, rawBytes]) : rawBytes;
};

/** A second request hidden in the body of the first: a server that measures the body differently would process it. */
const smugglingRequest = (dice: Dice, { target, headers, body }: Malformed): Uint8Array => {
  const hidden = `GET /v1/smuggled HTTP/1.1${CRLF}Host: a${CRLF}${CRLF}`;
  const chunkedBody = `${body.length.toString(16)}${CRLF}${Buffer.from(body).toString('latin1')}${CRLF}0${CRLF}${CRLF}`;
  const [lines, bodyText] = dice.one<readonly [readonly string[], string]>([
    [['Content-Length: 0', 'Transfer-Encoding: chunked'], chunkedBody + hidden],
    [['Transfer-Encoding: chunked', `Content-Length: ${chunkedBody.length}`], chunkedBody + hidden],
    [['Transfer-Encoding: chunked', 'Transfer-Encoding: identity'], chunkedBody + hidden],
    [['Transfer-Encoding: xchunked'], chunkedBody + hidden],
    [['Transfer-Encoding : chunked'], chunkedBody + hidden],
    [['Transfer-Encoding:\u000bchunked'], chunkedBody + hidden],
    [['Content-Length: 5', 'Content-Length: 6'], hidden],
    [['Content-Length: 5, 6'], hidden],
    [['Content-Length: +5'], hidden],
    [['Content-Length: 0x5'], hidden],
    [[`X: a\rContent-Length: 5`], hidden],
    [['Transfer-Encoding: chunked'], `5;x=${'y'.repeat(20_000)}${CRLF}abcde${CRLF}0${CRLF}${CRLF}`],
    [['Transfer-Encoding: chunked'], `ffffffffffffffff1${CRLF}abc`],
    [['Transfer-Encoding: chunked'], `-1${CRLF}abc${CRLF}`],
  ]);
  const stored = headers.map(([name, value]) => `${name}: ${value}`);
  const headerLines = [`POST ${target} HTTP/1.1`, 'Host: gateway.test', ...stored, ...lines];
  return Buffer.from(headerLines.join(CRLF) + CRLF + CRLF + bodyText, 'latin1');
};

const flipBytes = (dice: Dice, bytes: Uint8Array): Uint8Array => {
  const copy = Buffer.from(bytes);
  for (let count = dice.between(1, 4); count > 0; count -= 1) {
    // Among the first bytes, which contain the head.
    const offset = dice.between(0, Math.min(copy.length, 400) - 1);
    copy[offset] = (copy[offset] ?? 0) ^ (1 << dice.between(0, 7));
  }
  return dice.percent(30) ? copy.subarray(0, dice.between(1, copy.length)) : copy;
};
