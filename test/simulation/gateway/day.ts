/** Runs random acts against gateways, and compares every answer with the books. */
import { expect } from 'vitest';
import type { Store } from '../../../src/gateway/store/store.ts';
import { idOf, type Parameters, type Reply } from '../../support/gateway/gateway.ts';
import { accountOf, type Client } from './bench.ts';
import { APPROVED, type Books, openBooks } from './books.ts';
import { cardNumber, type Plan, pick, planner, type Registrations, UNCERTAIN } from './plans.ts';
import type { Act, Step } from './steps.ts';

const NEVER_SENT = '100.396.103';
const DUPLICATE = '800.110.100';
/** Answers that leave the outcome uncertain: the client sends the same request again. */
const DOUBTS: ReadonlySet<string> = new Set([UNCERTAIN, NEVER_SENT, '000.200.000', '999.999.888']);
const TRIES = 8;

export type World = {
  /** Each request goes to the next client in turn. */
  clients: readonly Client[];
  store: Pick<Store, 'memory'>;
};

type Sent = { plan: Plan; reply: Reply };

export type Day = {
  readonly books: Books;
  /** One at a time, every answer is as expected; at once, all answers together break no rule. */
  act(act: Act): Promise<void>;
  /** At once, in a world where anything can fail: uncertain requests are kept for `mend`. */
  hurt(act: Act): Promise<void>;
  /** Sends uncertain requests again until they are certain; nothing fails any more. */
  mend(): Promise<void>;
  /** Reads everything again, by id and by reference, and compares the accounts. */
  audit(): Promise<void>;
  /** The number of requests so far. */
  requests(): number;
};

let days = 0;

/** `world` is called for each request, since gateways may come and go. */
export const openDay = async (world: () => World): Promise<Day> => {
  days += 1;
  const name = `${process.pid}-${days}`;
  const [card, gift] = [cardNumber(days), `gift7${name.replace('-', '0')}`];
  const openings = new Map<string, bigint>();
  for (const each of [card, gift]) openings.set(each, await accountOf(each).balance(world().store));
  const books = openBooks(openings);
  const registrations: Registrations = new Map();
  const planOf = planner({ name, books, registrations, card, gift });
  const sent: Sent[] = [];
  const uncertain: Plan[] = [];
  let requests = 0;

  const client = (): Client => {
    const { clients } = world();
    requests += 1;
    const next = clients[requests % clients.length];
    if (next === undefined) throw new Error('a world without a client');
    return next;
  };
  const send = (plan: Plan): Promise<Reply> => {
    const by = plan.client === 'own' ? client() : client().stranger;
    return by.send(plan.method, plan.path, plan.parameters, { 'idempotency-key': plan.key });
  };
  const get = (path: string, query: Parameters = {}) => client().send('GET', path, query);

  /** Refused while others were under way: sent again, each may be a new request. */
  const heldUp = new Set<Plan>();

  /** Adds an answer to the books unless it is a repeat. */
  const keep = (plan: Plan, reply: Reply): void => {
    sent.push({ plan, reply });
    if (reply.code !== APPROVED) return;
    const { deletes, registers } = plan;
    if (deletes !== undefined) registrations.set(deletes, { account: card, state: 'deleted' });
    const id = idOf(reply);
    if (plan.entry !== undefined) books.add(plan.entry(id, minorOf(reply)));
    if (registers === undefined) return;
    const registrationId = plan.path === 'v1/registrations' ? id : String(reply.body['registrationId']);
    registrations.set(registrationId, { account: registers, state: 'active' });
  };

  /** The answer, or the payment's result if the line lost the answer. */
  const certain = async (plan: Plan, reply: Reply): Promise<Reply> => {
    if (plan.loses === 'nothing' || reply.code !== UNCERTAIN) return reply;
    const read = await get(`v1/payments/${idOf(reply)}`);
    expect(read.code, plan.key).toBe(plan.loses === 'answer' ? APPROVED : NEVER_SENT);
    return read;
  };

  /**
   * Sends a plan, if so wanted twice at the same time: then both answers are equal, unless other requests hold it up.
   */
  const carryOut = async (plan: Plan, times: 1 | 2, among: 'alone' | 'others' = 'alone'): Promise<Reply> => {
    const [first, second = first] = await Promise.all(Array.from({ length: times }, () => send(plan)));
    if (first === undefined || second === undefined) throw new Error('nothing was sent');
    if (among === 'others' && idOf(first) !== idOf(second)) {
      // Refused while another was under way: afterwards the same request counts as a new one.
      const [refused, other = second] = [first, second].toSorted((a, b) => byCode(a) - byCode(b));
      expect(refused?.code, plan.key).toMatch(HELD_UP);
      return other;
    }
    expect(idOf(second), plan.key).toBe(idOf(first));
    // The second request for a payment in doubt may learn more than the first.
    if (plan.loses === 'nothing') expect([second.status, second.text], plan.key).toEqual([first.status, first.text]);
    return first.code === UNCERTAIN ? first : second;
  };

  const repeat = async ({ of, body }: Extract<Step, { do: 'repeat' }>): Promise<void> => {
    const { plan, reply } = pick(sent, of) ?? {};
    if (plan === undefined || reply === undefined || plan.loses === 'request') return;
    const other = { ...plan.parameters, 'customParameters[OTHER]': 'body' };
    const again = await send(body === 'same' ? plan : { ...plan, parameters: other });
    const isNew = heldUp.has(plan) && again.code !== DUPLICATE && idOf(again) !== idOf(reply);
    if (isNew) return keep(plan, again);
    if (body === 'other') expect(again.code, plan.key).toBe(DUPLICATE);
    else expect([again.status, again.text], plan.key).toEqual([reply.status, reply.text]);
  };

  /** The result of an answer can be read, by its id and by its reference. */
  const look = async ({ plan, reply }: Sent): Promise<void> => {
    // A request that names no payment creates none; neither does a charge on a deleted registration.
    if (plan.entry === undefined || reply.body['shortId'] === undefined) return;
    const id = idOf(reply);
    const read = await get(`v1/payments/${id}`);
    expect([read.status, read.text], plan.key).toEqual([reply.status, reply.text]);
    const { body } = await get('v1/query', { merchantTransactionId: plan.key });
    const listed = body['payments'] as { id: string; amount?: string; result: { code: string } }[];
    const found = listed.map((each) => ({ id: each.id, code: each.result.code, amount: each.amount }));
    expect(found).toContainEqual({ id, code: reply.code, amount: reply.body['amount'] });
    expect(found.filter(({ code }) => code === APPROVED).length, plan.key).toBeLessThanOrEqual(1);
  };

  const oneByOne = async (step: Step, times: 1 | 2): Promise<void> => {
    if (step.do === 'repeat') return repeat(step);
    const before = step.do === 'look' ? pick(sent, step.of) : undefined;
    if (before !== undefined) return look(before);
    const plan = planOf(step);
    if (plan === undefined) return;
    const reply = await carryOut(plan, times);
    const right = plan.loses === 'nothing' ? [plan.expected] : [plan.expected, APPROVED, NEVER_SENT];
    expect(right, `${plan.key} ${JSON.stringify(plan.parameters)} ${plan.path} ${reply.text}`).toContain(reply.code);
    keep(plan, await certain(plan, reply));
  };

  const atOnce = async (steps: readonly Step[], times: 1 | 2): Promise<void> => {
    const plans = steps.map(planOf).filter((plan) => plan !== undefined);
    const others = steps.filter((step) => step.do === 'repeat' || step.do === 'look');
    const [replies] = await Promise.all([
      Promise.all(plans.map(async (plan) => certain(plan, await carryOut(plan, times, 'others')))),
      Promise.all(others.map((step) => oneByOne(step, 1))),
    ]);
    for (const [index, reply] of replies.entries()) {
      const plan = plans[index] as Plan;
      if (HELD_UP.test(reply.code)) heldUp.add(plan);
      keep(plan, reply);
    }
  };

  const count = async (): Promise<void> => {
    expect(books.broken()).toEqual([]);
    for (const each of [card, gift]) {
      expect(await accountOf(each).balance(world().store), each).toBe(books.balance(each));
    }
  };

  return {
    books,
    async act({ order, steps, sent: times }) {
      if (order === 'at once') await atOnce(steps, times);
      else for (const step of steps) await oneByOne(step, times);
      await count();
    },
    async hurt({ steps, sent: times }) {
      const plans = steps.map(planOf).filter((plan) => plan !== undefined);
      const work = async (plan: Plan) => {
        const replies = await Promise.all(Array.from({ length: times }, () => send(plan).catch(() => undefined)));
        const reply = replies.find((each) => each !== undefined && !DOUBTS.has(each.code));
        if (reply === undefined) uncertain.push(plan);
        else keep(plan, reply);
      };
      await Promise.all(plans.map(work));
      // A request with a lost answer may have made room; the books are checked once its result is known.
      if (!uncertain.some(makesRoom)) expect(books.broken()).toEqual([]);
    },
    async mend() {
      for (const plan of uncertain.splice(0)) {
        let reply = await send(plan);
        for (let tries = 1; DOUBTS.has(reply.code) && tries < TRIES; tries += 1) reply = await send(plan);
        expect(DOUBTS, `${plan.key} stays in doubt`).not.toContain(reply.code);
        keep(plan, reply);
      }
      await count();
    },
    async audit() {
      for (const each of sent) await look(each);
      await count();
    },
    requests: () => requests,
  };
};

/** An increase leaves more to capture, and the reversal of a chargeback more to refund. */
const makesRoom = ({ parameters, entry }: Plan): boolean =>
  entry?.('', 0n).of !== undefined && ['PA', 'CR'].includes(parameters['paymentType'] ?? '');

/** Too much or too early. */
const HELD_UP = /^700\.[14]00/;
const byCode = ({ code }: Reply): number => (HELD_UP.test(code) ? 0 : 1);

const minorOf = (reply: Reply): bigint => BigInt(String(reply.body['amount'] ?? '0').replace('.', ''));
