/** Runs random acts against gateways, and compares every answer with the books. */
import { expect } from 'vitest';
import type { Store } from '../../../src/gateway/store/store.ts';
import { idOf, type Parameters, type Reply } from '../../support/gateway/gateway.ts';
import { accountOf, type Client } from './bench.ts';
import { APPROVED, type Books, openBooks } from './books.ts';
import { cardNumber, elementAt, type Plan, planner, type Registrations, UNCERTAIN } from './plans.ts';
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
  /** Sends requests one at a time, each answered as expected, or all at once, with answers that break no rule. */
  act(act: Act): Promise<void>;
  /** Sends all requests at once in a world where anything can fail, and keeps uncertain ones for `mend`. */
  playWithFaults(act: Act): Promise<void>;
  /** Sends uncertain requests again until they are certain; nothing fails any more. */
  mend(): Promise<void>;
  /** Reads everything again, by id and by reference, and compares the accounts. */
  auditBooks(): Promise<void>;
  /** The number of requests so far. */
  requests(): number;
};

let days = 0;

/** `worldOf` is called for each request, since gateways may come and go. */
export const openDay = async (worldOf: () => World): Promise<Day> => {
  days += 1;
  const name = `${process.pid}-${days}`;
  const [card, gift] = [cardNumber(days), `gift7${name.replace('-', '0')}`];
  const openings = new Map<string, bigint>();
  for (const each of [card, gift]) openings.set(each, await accountOf(each).balance(worldOf().store));
  const books = openBooks(openings);
  const registrations: Registrations = new Map();
  const planOf = planner({ name, books, registrations, card, gift });
  const sentPlans: Sent[] = [];
  const uncertain: Plan[] = [];
  let requests = 0;

  const client = (): Client => {
    const { clients } = worldOf();
    requests += 1;
    const next = clients[requests % clients.length];
    if (next === undefined) throw new Error('a world without a client');
    return next;
  };
  const send = (plan: Plan): Promise<Reply> => {
    const sender = plan.client === 'own' ? client() : client().stranger;
    return sender.send(plan.method, plan.path, plan.parameters, { 'idempotency-key': plan.key });
  };
  const get = (path: string, query: Parameters = {}) => client().send('GET', path, query);

  /** Plans refused while others were under way: sent again, each may be a new request. */
  const delayedPlans = new Set<Plan>();

  /** Adds an answer to the books unless it is a repeat. */
  const recordReply = (plan: Plan, reply: Reply): void => {
    sentPlans.push({ plan, reply });
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
  const settledReply = async (plan: Plan, reply: Reply): Promise<Reply> => {
    if (plan.loses === 'nothing' || reply.code !== UNCERTAIN) return reply;
    const readReply = await get(`v1/payments/${idOf(reply)}`);
    expect(readReply.code, plan.key).toBe(plan.loses === 'answer' ? APPROVED : NEVER_SENT);
    return readReply;
  };

  /**
   * Sends a plan once, or twice at the same time: then both answers are equal, unless other requests delay one.
   */
  const sendPlan = async (plan: Plan, times: 1 | 2, company: 'alone' | 'others' = 'alone'): Promise<Reply> => {
    const [first, second = first] = await Promise.all(Array.from({ length: times }, () => send(plan)));
    if (first === undefined || second === undefined) throw new Error('nothing was sent');
    if (company === 'others' && idOf(first) !== idOf(second)) {
      // One was refused while another request was under way: afterwards the same request counts as a new one.
      const [refusal, other = second] = [first, second].toSorted(
        (firstReply, secondReply) => byCode(firstReply) - byCode(secondReply),
      );
      expect(refusal?.code, plan.key).toMatch(HELD_UP);
      return other;
    }
    expect(idOf(second), plan.key).toBe(idOf(first));
    // The second request for a payment in doubt may learn more than the first.
    if (plan.loses === 'nothing') expect([second.status, second.text], plan.key).toEqual([first.status, first.text]);
    return first.code === UNCERTAIN ? first : second;
  };

  const repeat = async ({ of: index, body }: Extract<Step, { do: 'repeat' }>): Promise<void> => {
    const { plan, reply } = elementAt(sentPlans, index) ?? {};
    if (plan === undefined || reply === undefined || plan.loses === 'request') return;
    const other = { ...plan.parameters, 'customParameters[OTHER]': 'body' };
    const repeatReply = await send(body === 'same' ? plan : { ...plan, parameters: other });
    const isNew = delayedPlans.has(plan) && repeatReply.code !== DUPLICATE && idOf(repeatReply) !== idOf(reply);
    if (isNew) return recordReply(plan, repeatReply);
    if (body === 'other') expect(repeatReply.code, plan.key).toBe(DUPLICATE);
    else expect([repeatReply.status, repeatReply.text], plan.key).toEqual([reply.status, reply.text]);
  };

  /** The result of an answer can be read, by its id and by its reference. */
  const lookUp = async ({ plan, reply }: Sent): Promise<void> => {
    // A request that names no payment creates none; neither does a charge on a deleted registration.
    if (plan.entry === undefined || reply.body['shortId'] === undefined) return;
    const id = idOf(reply);
    const readReply = await get(`v1/payments/${id}`);
    expect([readReply.status, readReply.text], plan.key).toEqual([reply.status, reply.text]);
    const { body } = await get('v1/query', { merchantTransactionId: plan.key });
    const listed = body['payments'] as { id: string; amount?: string; result: { code: string } }[];
    const found = listed.map((each) => ({ id: each.id, code: each.result.code, amount: each.amount }));
    expect(found).toContainEqual({ id, code: reply.code, amount: reply.body['amount'] });
    expect(found.filter(({ code }) => code === APPROVED).length, plan.key).toBeLessThanOrEqual(1);
  };

  const playInOrder = async (step: Step, times: 1 | 2): Promise<void> => {
    if (step.do === 'repeat') return repeat(step);
    const lookedUp = step.do === 'look' ? elementAt(sentPlans, step.of) : undefined;
    if (lookedUp !== undefined) return lookUp(lookedUp);
    const plan = planOf(step);
    if (plan === undefined) return;
    const reply = await sendPlan(plan, times);
    const right = plan.loses === 'nothing' ? [plan.expected] : [plan.expected, APPROVED, NEVER_SENT];
    expect(right, `${plan.key} ${JSON.stringify(plan.parameters)} ${plan.path} ${reply.text}`).toContain(reply.code);
    recordReply(plan, await settledReply(plan, reply));
  };

  const playAtOnce = async (steps: readonly Step[], times: 1 | 2): Promise<void> => {
    const plans = steps.map(planOf).filter((plan) => plan !== undefined);
    const laterSteps = steps.filter((step) => step.do === 'repeat' || step.do === 'look');
    const [replies] = await Promise.all([
      Promise.all(plans.map(async (plan) => settledReply(plan, await sendPlan(plan, times, 'others')))),
      Promise.all(laterSteps.map((step) => playInOrder(step, 1))),
    ]);
    for (const [index, reply] of replies.entries()) {
      const plan = plans[index] as Plan;
      if (HELD_UP.test(reply.code)) delayedPlans.add(plan);
      recordReply(plan, reply);
    }
  };

  const count = async (): Promise<void> => {
    expect(books.brokenRules()).toEqual([]);
    for (const each of [card, gift]) {
      expect(await accountOf(each).balance(worldOf().store), each).toBe(books.balance(each));
    }
  };

  return {
    books,
    async act({ order, steps, sent: times }) {
      if (order === 'at once') await playAtOnce(steps, times);
      else for (const step of steps) await playInOrder(step, times);
      await count();
    },
    async playWithFaults({ steps, sent: times }) {
      const plans = steps.map(planOf).filter((plan) => plan !== undefined);
      const work = async (plan: Plan) => {
        const replies = await Promise.all(Array.from({ length: times }, () => send(plan).catch(() => undefined)));
        const reply = replies.find((each) => each !== undefined && !DOUBTS.has(each.code));
        if (reply === undefined) uncertain.push(plan);
        else recordReply(plan, reply);
      };
      await Promise.all(plans.map(work));
      // A request with a lost answer may have made room; the books are checked once its result is known.
      if (!uncertain.some(freesAmount)) expect(books.brokenRules()).toEqual([]);
    },
    async mend() {
      for (const plan of uncertain.splice(0)) {
        let reply = await send(plan);
        for (let attempt = 1; DOUBTS.has(reply.code) && attempt < TRIES; attempt += 1) reply = await send(plan);
        expect(DOUBTS, `${plan.key} stays in doubt`).not.toContain(reply.code);
        recordReply(plan, reply);
      }
      await count();
    },
    async auditBooks() {
      for (const each of sentPlans) await lookUp(each);
      await count();
    },
    requests: () => requests,
  };
};

/** An increase leaves more to capture, and the reversal of a chargeback more to refund. */
const freesAmount = ({ parameters, entry }: Plan): boolean =>
  entry?.('', 0n).of !== undefined && ['PA', 'CR'].includes(parameters['paymentType'] ?? '');

/** Codes for an amount that is too high or a request that comes too early. */
const HELD_UP = /^700\.[14]00/;
const byCode = ({ code }: Reply): number => (HELD_UP.test(code) ? 0 : 1);

const minorOf = (reply: Reply): bigint => BigInt(String(reply.body['amount'] ?? '0').replace('.', ''));
