/** A fuzz run against a gateway in this process: a number of requests, some in parallel, each answer judged. */
import { type Clock, systemClock, within } from '../../src/base/clock.ts';
import { dice as diceOf } from '../support/chance/dice.ts';
import { type ReceivedAnswer, violationsOf } from './answer-rules.ts';
import { type Known, type Malformed, malformed } from './malformed.ts';

export type Run = {
  seed: number;
  requests: number;
  concurrency: number;
  /** Undefined if the platform cannot make such a request, so nobody in this process can send it. */
  send: (request: Malformed) => Promise<ReceivedAnswer | undefined>;
};

export type FuzzResult = {
  /** The number of answers by status. */
  statuses: Record<string, number>;
  /** The number of answers by result code. */
  codes: Record<string, number>;
  unsent: number;
  slowestMs: number;
};

const HANG_MS = 20_000;
const KNOWN_MAX = 100;

/** Throws, with the seed and the request, at the first answer that is wrong or missing. */
export const fuzz = async (
  { seed, requests, concurrency, send }: Run,
  clock: Clock = systemClock,
): Promise<FuzzResult> => {
  const dice = diceOf(seed);
  const knownPayments: Known[number][] = [];
  const results: FuzzResult = { statuses: {}, codes: {}, unsent: 0, slowestMs: 0 };
  const sendOne = async (number: number): Promise<void> => {
    const request = malformed({ dice, known: knownPayments });
    const startedAt = clock.monotonic();
    const timeoutError = () => new Error(`no answer within ${HANG_MS} ms${describeRequest(seed, number, request)}`);
    const received = await within(clock, HANG_MS, send(request), timeoutError);
    results.slowestMs = Math.max(results.slowestMs, clock.monotonic() - startedAt);
    if (received === undefined) {
      results.unsent += 1;
      return;
    }
    const violation = violationsOf(received, request.method) ?? trespassViolation(request, received);
    if (violation !== undefined)
      throw new Error(`${violation}${describeRequest(seed, number, request)}\n${received.text.slice(0, 2_000)}`);
    count(results.statuses, String(received.status));
    count(results.codes, /"code":"([\d.]{11})"/.exec(received.text)?.[1] ?? 'none');
    rememberPayment(knownPayments, received);
  };
  for (let number = 0; number < requests; number += concurrency) {
    const batch = Math.min(concurrency, requests - number);
    await Promise.all(Array.from({ length: batch }, (_, index) => sendOne(number + index)));
  }
  return results;
};

const count = (counts: Record<string, number>, name: string): void => {
  counts[name] = (counts[name] ?? 0) + 1;
};

/** The simulated bank asks anyone with the address of its page, as a bank's page does. */
const trespassViolation = ({ trespass, target }: Malformed, { status }: ReceivedAnswer): string | undefined =>
  trespass && status === 200 && !target.startsWith('/v1/simulators/') ? 'it answers for another entity' : undefined;

/** Keeps the newest ids of successful requests. */
const rememberPayment = (knownPayments: Known[number][], { status, text }: ReceivedAnswer): void => {
  if (status !== 200 || !text.startsWith('{"id":')) return;
  const entityId = /"ndc":"([0-9a-f]{32})-/.exec(text)?.[1];
  if (entityId === undefined) return;
  for (const pattern of [/^\{"id":"([0-9a-f]{32})"/, /"registrationId":"([0-9a-f]{32})"/]) {
    const id = pattern.exec(text)?.[1];
    if (id === undefined) continue;
    knownPayments.push({ id, entityId });
    if (knownPayments.length > KNOWN_MAX) knownPayments.shift();
  }
};

const describeRequest = (seed: number, number: number, { method, target, headers, body }: Malformed): string => {
  const bodyText = Buffer.from(body).toString('latin1').slice(0, 4_000);
  const headerLines = headers.map(([name, value]) => `${name}: ${value.slice(0, 200)}`).join('\n');
  return `\nseed ${seed}, request ${number}: ${method} ${target.slice(0, 2_000)}\n${headerLines}\n\n${bodyText}`;
};

/** Sends the request through a `fetch` of this process. */
export const sendOver =
  (fetch: (request: Request) => Promise<Response>) =>
  async ({ method, target, headers, body }: Malformed): Promise<ReceivedAnswer | undefined> => {
    const request = buildRequest(method, target, headers, body);
    if (request === undefined) return undefined;
    const response = await fetch(request);
    return { status: response.status, headers: new Map(response.headers), text: await response.text() };
  };

const buildRequest = (
  method: string,
  target: string,
  headers: Malformed['headers'],
  body: Uint8Array,
): Request | undefined => {
  const mayHaveBody = !/^(get|head)$/i.test(method);
  try {
    return new Request(`http://gateway.test${target}`, {
      method,
      headers: headers.map(([name, value]): [string, string] => [name, value]),
      body: mayHaveBody ? Uint8Array.from(body) : undefined,
    });
  } catch {
    return undefined;
  }
};
