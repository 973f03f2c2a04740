/**
 * A processor for tests: a real HTTP server that speaks the host API, correctly or as badly as told. It approves like a
 * test system (000.100.110), unless told to approve like one that moves money (000.000.000).
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export type Form = Readonly<Record<string, string>>;
export type BookedPayment = { id: string; path: string; form: Form; code: string };

/** What happens to one POST. `books`: whether it is carried out, whatever the client receives. */
export type Behaviour =
  | { does: 'answers'; code?: string; added?: Readonly<Record<string, unknown>>; status?: number }
  /** Carries it out, or not, and never answers. */
  | { does: 'hangs'; books: 'booked' | 'lost' }
  /** Closes the connection: before the body was read, or after it was booked, before or in the middle of the answer. */
  | { does: 'cuts'; at: 'head' | 'booked' | 'answer' }
  /** Answers with these bytes and this status, having booked it or not. */
  | {
      does: 'says';
      status: number;
      bytes: string;
      books: 'booked' | 'lost';
      headers?: Readonly<Record<string, string>>;
    }
  | { does: 'floods' }
  /** Carries it out and begins to answer, but never finishes. */
  | { does: 'drips' };

export type UpstreamHost = {
  baseUrl: string;
  /** For the next POSTs, in order; approvals afterwards. */
  next(...behaviours: Behaviour[]): void;
  /** For the next GETs, in order; correct answers afterwards. */
  nextInquiry(...inquiries: { status: number; bytes: string }[]): void;
  /** Every POST whose form arrived. */
  readonly posted: readonly { path: string; form: Form; headers: IncomingMessage['headers'] }[];
  readonly requests: readonly string[];
  readonly booked: BookedPayment[];
  /** How many requests of any kind began, and on how many connections. */
  counts(): { requests: number; connections: number };
  /** Resolves when this many requests have begun in total. */
  waitForRequests(requests: number): Promise<void>;
  /** Closes all connections; resolves when both ends have noticed. */
  disconnect(): Promise<void>;
  close(): Promise<void>;
};

export const upstreamHost = async ({ approval = TEST_APPROVAL }: { approval?: string } = {}): Promise<UpstreamHost> => {
  const behaviours: Behaviour[] = [];
  const inquiries: { status: number; bytes: string }[] = [];
  const posted: { path: string; form: Form; headers: IncomingMessage['headers'] }[] = [];
  const queries: string[] = [];
  const booked: BookedPayment[] = [];
  const sockets = new Set<Socket>();
  const waiting: { requests: number; then: () => void }[] = [];
  let requests = 0;
  let connections = 0;

  const book = (path: string, form: Form, code: string): BookedPayment => {
    const row = { id: `up${(booked.length + 1).toString().padStart(30, '0')}`, path, form, code };
    booked.push(row);
    return row;
  };

  const truth = (url: URL): { status: number; bytes: string } => {
    const reference = url.searchParams.get('merchantTransactionId');
    const id = url.pathname.split('/')[3];
    const found = booked.filter((row) => (reference === null ? row.id === id : reference === referenceOf(row)));
    const [first] = found;
    if (first === undefined) return { status: 400, bytes: JSON.stringify({ result: { code: '700.400.580' } }) };
    if (reference === null) return { status: statusOf(first.code), bytes: JSON.stringify(bodyOf(first)) };
    const list = { result: { code: '000.000.100' }, payments: found.map((row) => bodyOf(row)) };
    return { status: 200, bytes: JSON.stringify(list) };
  };

  const server = createServer(async (request, response) => {
    requests += 1;
    for (const waiter of waiting) if (waiter.requests <= requests) waiter.then();
    const url = new URL(request.url ?? '/', 'http://upstream/');
    if (request.method === 'GET') {
      queries.push(`${url.pathname}${url.search}`);
      const { status, bytes } = inquiries.shift() ?? truth(url);
      send(response, status, bytes);
      return;
    }
    const behaviour: Behaviour = behaviours.shift() ?? { does: 'answers' };
    if (behaviour.does === 'cuts' && behaviour.at === 'head') {
      request.socket.destroy();
      return;
    }
    const form = Object.fromEntries(new URLSearchParams(await textOf(request)));
    posted.push({ path: url.pathname, form, headers: request.headers });
    behave(behaviour, { response, book: (code = approval) => book(url.pathname, form, code) });
  });
  server.on('connection', (socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    next: (...added) => void behaviours.push(...added),
    nextInquiry: (...added) => void inquiries.push(...added),
    posted,
    requests: queries,
    booked,
    counts: () => ({ requests, connections }),
    waitForRequests: (expected) =>
      requests >= expected ? Promise.resolve() : new Promise((then) => waiting.push({ requests: expected, then })),
    async disconnect() {
      const exited = [...sockets].map((socket) => new Promise((closed) => socket.once('close', closed).end()));
      await Promise.all(exited);
    },
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        for (const socket of sockets) socket.destroy();
      }),
  };
};

const disconnect = (response: ServerResponse) => () => void response.socket?.destroy();

const TEST_APPROVAL = '000.100.110';

/** Approved if there is no code. */
type Stage = { response: ServerResponse; book: (code?: string) => BookedPayment };

const behave = (behaviour: Behaviour, { response, book }: Stage): void => {
  if (behaviour.does === 'answers') {
    const row = book(behaviour.code);
    send(response, behaviour.status ?? statusOf(row.code), JSON.stringify({ ...bodyOf(row), ...behaviour.added }));
  } else if (behaviour.does === 'hangs') {
    if (behaviour.books === 'booked') book();
  } else if (behaviour.does === 'cuts') {
    const bytes = JSON.stringify(bodyOf(book()));
    if (behaviour.at !== 'answer') response.socket?.destroy();
    else response.writeHead(200, { 'content-length': bytes.length }).write(bytes.slice(0, -20), disconnect(response));
  } else if (behaviour.does === 'says') {
    if (behaviour.books === 'booked') book();
    send(response, behaviour.status, behaviour.bytes, behaviour.headers);
  } else if (behaviour.does === 'drips') {
    response.writeHead(200).write(JSON.stringify(bodyOf(book())).slice(0, -1));
  } else {
    response.on('error', () => undefined);
    send(response, 200, JSON.stringify({ ...bodyOf(book()), padding: 'x'.repeat(2 * 1024 * 1024) }));
  }
};

const send = (response: ServerResponse, status: number, bytes: string, headers: Form = {}): void => {
  response.writeHead(status, { 'content-type': 'application/json;charset=UTF-8', ...headers });
  response.end(bytes);
};

const statusOf = (code: string): number => (/^000\./.test(code) ? 200 : 400);

const referenceOf = ({ form }: BookedPayment): string | undefined => form['merchantTransactionId'];

/** In the host API's format: amount and currency only for what succeeded. */
const bodyOf = ({ id, form, code }: BookedPayment): Record<string, unknown> => {
  const { amount, currency, paymentType, merchantTransactionId } = form;
  const went = statusOf(code) === 200 ? { amount, currency } : {};
  return { id, paymentType, merchantTransactionId, ...went, result: { code, description: 'as booked' } };
};

const textOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
};
