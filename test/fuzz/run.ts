/** A fuzz run against a gateway in this process: a number of requests, some in parallel, each answer judged. */
import { type Clock, systemClock, within } from '../../src/base/clock.ts';
import { dice as diceOf } from '../support/chance/dice.ts';
import { type ReceivedAnswer, violationsOf } from './answer-rules.ts';
import { type Known, type Malformed, malformed } from './malformed.ts';

export type Run = {
  seed: number;
  requests: number;
  atOnce: number;
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
export const fuzz = async ({ seed, requests, atOnce, send }: Run, clock: Clock = systemClock): Promise<FuzzResult> => {
  const dice = diceOf(seed);
  const known: Known[number][] = [];
  const ran: FuzzResult = { statuses: {}, codes: {}, unsent: 0, slowestMs: 0 };
  const one = async (number: number): Promise<void> => {
    const request = malformed({ dice, known });
    const startedAt = clock.monotonic();
    const late = () => new Error(`no answer within ${HANG_MS} ms${shown(seed, number, request)}`);
    const reported = await within(clock, HANG_MS, send(request), late);
    ran.slowestMs = Math.max(ran.slowestMs, clock.monotonic() - startedAt);
    if (reported === undefined) {
      ran.unsent += 1;
      return;
    }
    const wrong = violationsOf(reported, request.method) ?? trespassed(request, reported);
    if (wrong !== undefined)
      throw new Error(`${wrong}${shown(seed, number, request)}\n${reported.text.slice(0, 2_000)}`);
    count(ran.statuses, String(reported.status));
    count(ran.codes, /"code":"([\d.]{11})"/.exec(reported.text)?.[1] ?? 'none');
    learn(known, reported);
  };
  for (let number = 0; number < requests; number += atOnce) {
    const batch = Math.min(atOnce, requests - number);
    await Promise.all(Array.from({ length: batch }, (_, index) => one(number + index)));
  }
  return ran;
};

const count = (of: Record<string, number>, name: string): void => {
  of[name] = (of[name] ?? 0) + 1;
};

/** The simulated bank asks anyone with the address of its page, as a bank's page does. */
const trespassed = ({ trespass, target }: Malformed, { status }: ReceivedAnswer): string | undefined =>
  trespass && status === 200 && !target.startsWith('/v1/simulators/') ? 'it answers for another entity' : undefined;

/** Keeps the newest ids of successful requests. */
const learn = (known: Known[number][], { status, text }: ReceivedAnswer): void => {
  if (status !== 200 || !text.startsWith('{"id":')) return;
  const entityId = /"ndc":"([0-9a-f]{32})-/.exec(text)?.[1];
  if (entityId === undefined) return;
  for (const pattern of [/^\{"id":"([0-9a-f]{32})"/, /"registrationId":"([0-9a-f]{32})"/]) {
    const id = pattern.exec(text)?.[1];
    if (id === undefined) continue;
    known.push({ id, entityId });
    if (known.length > KNOWN_MAX) known.shift();
  }
};

const shown = (seed: number, number: number, { method, target, headers, body }: Malformed): string => {
  const sent = Buffer.from(body).toString('latin1').slice(0, 4_000);
  const head = headers.map(([name, value]) => `${name}: ${value.slice(0, 200)}`).join('\n');
  return `\nseed ${seed}, request ${number}: ${method} ${target.slice(0, 2_000)}\n${head}\n\n${sent}`;
};

/** Sends the request through a `fetch` of this process. */
export const sendOver =
  (fetch: (request: Request) => Promise<Response>) =>
  async ({ method, target, headers, body }: Malformed): Promise<ReceivedAnswer | undefined> => {
    const request = built(method, target, headers, body);
    if (request === undefined) return undefined;
    const response = await fetch(request);
    return { status: response.status, headers: new Map(response.headers), text: await response.text() };
  };

const built = (
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
