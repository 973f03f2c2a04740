/** Answers in JSON to bytes that are not a request: not HTTP, too many, or too slow. */
import { type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { GatewayApp } from './server.ts';

type BrokenRequestParts = {
  server: Server;
  answers: ReadonlySet<ServerResponse>;
  refuse: GatewayApp['refuse'];
};

type BrokenRow = readonly [status: number, why: string];

const errorTexts: Readonly<Record<string, BrokenRow>> = {
  HPE_HEADER_OVERFLOW: [431, 'The address and the headers have more than 16 KiB.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long to arrive.'],
};

const MALFORMED: BrokenRow = [400, 'This is not an HTTP/1.1 request.'];

/** Makes the server answer in JSON to a request that never reaches the app, and then close the connection. */
export const answerBrokenRequests = ({ server, answers, refuse }: BrokenRequestParts): void => {
  server.on('clientError', (error: Error & { code?: string }, socket) => {
    // Without a TLS handshake the other side could read no answer.
    if (/^ERR_(SSL|TLS)_/.test(error.code ?? '')) return void socket.destroy();
    // A payment in progress on this connection owns the next answer: a refusal in its place would be taken for it.
    const pending = [...answers].findLast(({ req }) => req.socket === socket && req.complete);
    if (pending !== undefined) return void pending.once('close', () => socket.destroy());
    const [status, reason] = errorTexts[error.code ?? ''] ?? MALFORMED;
    return void sendResponse(socket, refuse(status, reason)).then(() => socket.destroy());
  });
  server.on('connect', (_, socket) => {
    void sendResponse(socket, refuse(405, 'CONNECT is for proxies, and this is not a proxy.')).then(() =>
      socket.destroy(),
    );
  });
};

/**
 * Writes an answer to a connection without a request, and ends our side of it. Resolves when the data are with the
 * operating system, or when the connection is gone.
 */
export const sendResponse = async (socket: Duplex, response: Response): Promise<void> => {
  socket.on('error', () => socket.destroy());
  if (!socket.writable) return void socket.destroy();
  const { status, headers } = response;
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...[...headers].map(([name, value]) => `${name}: ${value}`),
    'connection: close',
  ];
  const text = await response.text();
  await new Promise<void>((resolve) => {
    socket.once('close', resolve);
    socket.end(`${head.join('\r\n')}\r\n\r\n${text}`, () => resolve());
  });
};
