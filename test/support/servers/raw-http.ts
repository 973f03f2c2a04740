/** HTTP by hand: bytes that no decent client would send, and the answers to them. */
import { connect } from 'node:net';

export type RawAnswer = { status: number; headers: string; body: string };

export type RawExchange = {
  /** All answers, in order. */
  answers: readonly RawAnswer[];
  /** Whether the server closed the connection, by itself or after we had closed our side. */
  isEnded: boolean;
};

type RawOptions = {
  /** How many answers to wait for before closing. If absent: until the server closes. */
  answers?: number;
  /** Closes our side after sending. */
  halfClose?: true;
};

/** Sends the bytes unchanged and collects the answers. Answers need a Content-Length. */
export const sendRaw = (port: number, bytes: string | Uint8Array, manner: RawOptions = {}): Promise<RawExchange> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let received = Buffer.alloc(0);
    let isEnded = false;
    socket.on('connect', () => {
      socket.write(bytes);
      if (manner.halfClose) socket.end();
    });
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      if (manner.answers !== undefined && answersIn(received).length >= manner.answers) socket.destroy();
    });
    socket.on('end', () => {
      isEnded = true;
    });
    // A reset also closes the connection.
    socket.on('error', () => {
      isEnded = true;
    });
    socket.on('close', () => resolve({ answers: answersIn(received), isEnded }));
  });

const answersIn = (received: Buffer): RawAnswer[] => {
  const text = received.toString('latin1');
  const answers: RawAnswer[] = [];
  for (let from = 0; from < text.length; ) {
    const gap = text.indexOf('\r\n\r\n', from);
    if (gap < 0) return answers;
    const headers = text.slice(from, gap);
    const length = Number(/^content-length: (\d+)$/im.exec(headers)?.[1] ?? 0);
    const body = received.subarray(gap + 4, gap + 4 + length);
    if (body.length < length) return answers;
    const status = Number(headers.slice(9, 12));
    // 100 Continue is not an answer yet.
    if (status !== 100) answers.push({ status, headers, body: body.toString('utf8') });
    from = gap + 4 + length;
  }
  return answers;
};

type RequestParts = { line: string; headers?: readonly string[]; body?: string };

/** A request as text, with Host and, if there is a body, its Content-Length. */
export const rawRequest = ({ line, headers = [], body }: RequestParts): string =>
  [
    `${line} HTTP/1.1`,
    'Host: gateway.test',
    ...headers,
    ...(body === undefined ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
    '',
    body ?? '',
  ].join('\r\n');
