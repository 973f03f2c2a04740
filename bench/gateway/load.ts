/** Load on a port: a number of connections, each sending again as soon as it is answered. Raw sockets cost little. */
import { connect, type Socket } from 'node:net';

export type Load = {
  port: number;
  connections: number;
  /** How long to measure, after a warm-up of a quarter of it. */
  forMs: number;
  /** The next complete request: head and body. */
  next: () => Buffer;
};

export type LoadFigures = {
  perSecond: number;
  medianMs: number;
  p99Ms: number;
  statuses: Readonly<Record<string, number>>;
};

/** Answers per second, and their durations. Throws if a connection breaks. */
export const load = async ({ port, connections, forMs, next }: Load): Promise<LoadFigures> => {
  const durationsMs: number[] = [];
  const statuses: Record<string, number> = {};
  const start = performance.now();
  const measuredFrom = start + forMs / 4;
  const end = measuredFrom + forMs;
  const answer = (status: string, ms: number): void => {
    const now = performance.now();
    if (now < measuredFrom || now > end) return;
    durationsMs.push(ms);
    statuses[status] = (statuses[status] ?? 0) + 1;
  };
  await Promise.all(Array.from({ length: connections }, () => runClient({ port, end, next, onAnswer: answer })));
  durationsMs.sort((left, right) => left - right);
  const quantile = (share: number): number => durationsMs[Math.floor(durationsMs.length * share)] ?? Number.NaN;
  return { perSecond: (durationsMs.length / forMs) * 1000, medianMs: quantile(0.5), p99Ms: quantile(0.99), statuses };
};

type Client = {
  port: number;
  end: number;
  next: () => Buffer;
  onAnswer: (status: string, ms: number) => void;
};

const runClient = ({ port, end, next, onAnswer }: Client): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket: Socket = connect(port, '127.0.0.1');
    let sentAt = 0;
    let buffer: Buffer = Buffer.alloc(0);
    const sendNext = (): void => {
      if (performance.now() > end) return void socket.end();
      sentAt = performance.now();
      socket.write(next());
    };
    socket.setNoDelay(true);
    socket.on('connect', sendNext);
    socket.on('data', (chunk: Buffer) => {
      buffer = buffer.length === 0 ? chunk : Buffer.concat([buffer, chunk]);
      const answer = completeAnswer(buffer);
      if (answer === undefined) return;
      onAnswer(answer.status, performance.now() - sentAt);
      buffer = Buffer.alloc(0);
      sendNext();
    });
    socket.on('error', reject);
    socket.on('close', () => resolve());
  });

/** One answer of a known length; nothing is pipelined. */
const completeAnswer = (buffer: Buffer): { status: string } | undefined => {
  const headLength = buffer.indexOf('\r\n\r\n');
  if (headLength < 0) return undefined;
  const text = buffer.toString('latin1', 0, headLength);
  const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1];
  if (length === undefined) throw new Error('an answer without a length');
  return buffer.length < headLength + 4 + Number(length) ? undefined : { status: text.slice(9, 12) };
};

/** A form request as bytes. */
export const formRequest = (path: string, form: string, headers: Readonly<Record<string, string>> = {}): Buffer =>
  Buffer.from(
    [
      `POST ${path} HTTP/1.1`,
      'host: 127.0.0.1',
      'content-type: application/x-www-form-urlencoded; charset=UTF-8',
      `content-length: ${Buffer.byteLength(form)}`,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      '',
      form,
    ].join('\r\n'),
  );

/** A request for a resource as bytes. */
export const getRequest = (path: string, headers: Readonly<Record<string, string>>): Buffer =>
  Buffer.from(
    [
      `GET ${path} HTTP/1.1`,
      'host: 127.0.0.1',
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      '',
      '',
    ].join('\r\n'),
  );
