/** An undecided sale is sent as a new request: only by this rule could a card be charged twice, and it never is. */
import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Fault } from '../../src/base/fault.ts';
import { meaningOf } from '../../src/gateway/spec/results.ts';
import type { Host, HostReply, Meaning, Parameters } from '../../src/till/ports.ts';
import { type Dice, dice } from '../support/chance/dice.ts';
import { byNight } from '../support/night/night.ts';
import { textParameters } from '../support/till/card-parameters.ts';
import { chipCard, createReply, LIFE_MS, type Rig, type TillRun, tillRig } from '../support/till/till-rig.ts';

const takenOffline = async (rig: Rig, run: TillRun, minor = 1_000n): Promise<string> => {
  const sale = run.sell(minor);
  expect((await rig.clock.until(sale.done)).offline).toBe('chip');
  return sale.sale;
};

const notSent = (): HostReply => ({ kind: 'notSent', fault: new Fault('host.unreachable', { why: 'refused' }) });
const silent = (): HostReply => ({ kind: 'silent', fault: new Fault('host.silent', { why: 'timed out' }) });

type CodeRow = { code: string; means: Meaning; response?: string };

/**
 * A gateway that answers each request from a list, repeats the answer for the same key or sequence number, lists all of
 * them, and may lose its answers.
 */
const listing = (answers: CodeRow[]) => {
  const state = { up: false, losesAnswers: false, keys: [] as string[] };
  const books: { body: Record<string, unknown>; code: string }[] = [];
  const known = new Map<string, HostReply>();
  const take = (parameters: Parameters, key: string): HostReply => {
    const number = `number ${parameters['pos.transactionSequenceNumber']} of ${parameters['merchantTransactionId']}`;
    const before = known.get(key) ?? known.get(number);
    if (before !== undefined) return before;
    const { code, means, response } = answers.shift() ?? { code: '000.100.110', means: 'approved' };
    const { amount, currency, paymentType, merchantTransactionId } = parameters;
    const id = String(books.length + 1).padStart(32, '0');
    const detail = response === undefined ? {} : { resultDetails: { AcquirerResponse: response } };
    const body = { id, amount, currency, paymentType, merchantTransactionId, ...detail };
    books.push({ code, body: { ...body, result: { code, description: '' } } });
    const reply = createReply(code, means, body);
    for (const name of [key, number]) known.set(name, reply);
    return reply;
  };
  const host: Host = {
    meaningOf,
    async pay(parameters, key) {
      if (!state.up) return notSent();
      state.keys.push(key);
      const reply = take(textParameters(parameters), key);
      return state.losesAnswers ? silent() : reply;
    },
    refer: async () => notSent(),
    list: async () => notSent(),
    async find() {
      if (!state.up) return notSent();
      if (books.length === 0) return createReply('700.400.580', 'refused');
      return createReply('000.000.100', 'approved', { payments: books.map(({ body }) => body) });
    },
  };
  return { host, state, books, take, approved: () => books.filter(({ code }) => code === '000.100.110').length };
};

const undecided: CodeRow = { code: '900.100.310', means: 'declined' };

test.each([
  ['an approval', { code: '000.100.110', means: 'approved', response: '91' }, 1],
  ['an unknown code', { code: '999.999.999', means: 'unknown', response: '91' }, 1],
  ['a decline', { code: '800.100.100', means: 'declined', response: '91' }, 2],
] as const)('%s with a code for an unavailable issuer is sent with this many keys', async (_, first, keys) => {
  const rig = tillRig(chipCard);
  const gateway = listing([first]);
  const run = rig.open({ host: gateway.host });
  await takenOffline(rig, run);
  gateway.state.up = true;
  await run.passTime(4);
  expect(new Set(gateway.state.keys).size).toBe(keys);
  expect(gateway.books).toHaveLength(keys);
  run.close();
  rig.remove();
});

test.each(['600.200.500', '800.900.300', '800.121.100'])(
  'a sale that was refused with %s, which the gateway lists, is sent once as a new request after the fix',
  async (code) => {
    const rig = tillRig(chipCard);
    const gateway = listing([{ code, means: 'refused' }]);
    const run = rig.open({ host: gateway.host });
    const sale = await takenOffline(rig, run);
    gateway.state.up = true;
    await run.drain();
    run.outbox.unpark(rig.clock.now());
    await run.passTime(3);
    expect([gateway.approved(), run.outbox.waiting(), run.outbox.parked()]).toEqual([1, [], []]);
    expect(run.says(sale)).toEqual({ ending: 'approved approvedOffline', charged: 1_000n });
    run.close();
    rig.remove();
  },
);

test('of an undecided request and a decline, the decline counts, and nothing more is sent', async () => {
  const rig = tillRig(chipCard);
  const gateway = listing([undecided, { code: '800.100.155', means: 'declined' }]);
  const run = rig.open({ host: gateway.host });
  const sale = await takenOffline(rig, run);
  gateway.state.up = true;
  await run.drain();
  gateway.state.losesAnswers = true;
  await run.passTime(1);
  gateway.state.losesAnswers = false;
  await run.passTime(2);
  expect([run.says(sale).ending, gateway.state.keys.length]).toEqual(['declined declinedOnForwarding', 2]);
  run.close();
  rig.remove();
});

/** A network that loses and delays messages, until it is calm. */
const withStorm = (gateway: ReturnType<typeof listing>, chance: Dice, storm: { on: boolean }) => {
  const late: { dueIn: number; take: () => void }[] = [];
  const host: Host = {
    ...gateway.host,
    async pay(parameters, key) {
      if (!storm.on) return gateway.host.pay(parameters, key);
      const fate = chance.one(['answered', 'requestLost', 'answerLost', 'takenLate', 'notReached'] as const);
      if (fate === 'notReached') return notSent();
      if (fate === 'takenLate')
        late.push({ dueIn: chance.between(0, 2), take: () => gateway.take(textParameters(parameters), key) });
      if (fate === 'requestLost' || fate === 'takenLate') return silent();
      const reply = await gateway.host.pay(parameters, key);
      return fate === 'answerLost' ? silent() : reply;
    },
  };
  const arrive = (all = false): void => {
    for (const one of late.splice(0)) {
      if (all || one.dueIn === 0) one.take();
      else late.push({ ...one, dueIn: one.dueIn - 1 });
    }
  };
  return { host, arrive };
};

/** The dead till's folder was revived elsewhere: both forward the same sale, at the same time, over one gateway. */
const runStory = async (seed: number): Promise<string> => {
  const chance = dice(seed);
  const gateway = listing(Array.from({ length: chance.between(0, 4) }, () => undecided));
  const storm = { on: false };
  const { host, arrive } = withStorm(gateway, chance, storm);
  const rigs = [tillRig(chipCard), tillRig(chipCard)] as const;
  const [first, second] = rigs;
  const before = first.open({ host });
  const sale = await takenOffline(first, before);
  before.close();
  copyFileSync(join(first.folder, 'journal.db'), join(second.folder, 'journal.db'));
  let lives = rigs.map((rig) => rig.open({ host }));
  const turn = async (index: number): Promise<void> => {
    await rigs[index]?.clock.advance(LIFE_MS / 4);
    await lives[index]?.drain();
  };
  gateway.state.up = true;
  storm.on = true;
  for (let round = 0; round < 12; round++) {
    const index = chance.between(0, 1);
    if (chance.percent(50)) await Promise.all([turn(0), turn(1)]);
    else await turn(index);
    arrive();
    // Power cut, and a start.
    if (chance.percent(20)) {
      lives[index]?.close();
      lives = lives.map((run, place) => (place === index ? (rigs[index] ?? first).open({ host }) : run));
      lives[index]?.till.recover();
    }
  }
  arrive(true);
  storm.on = false;
  for (let round = 0; round < 12; round++) for (const at of [0, 1]) await turn(at);
  const text = lives.map((run) => run.says(sale).ending).join(', ');
  const openCount = lives.map((run) => run.outbox.waiting().length + run.outbox.parked().length).join();
  for (const run of lives) run.close();
  for (const { folder } of rigs) rmSync(folder, { recursive: true, force: true });
  return `${gateway.approved()} charged; ${text}; waiting ${openCount}`;
};

test('messages lost, late, cut and sent by two tills at once: approved once, and both tills know it', async () => {
  for (let seed = 1; seed <= byNight({ day: 8, night: 100 }); seed++) {
    const outcome = await runStory(seed);
    const approvedText = 'approved approvedOffline';
    expect(outcome, `seed ${seed}`).toBe(`1 charged; ${approvedText}, ${approvedText}; waiting 0,0`);
  }
});
