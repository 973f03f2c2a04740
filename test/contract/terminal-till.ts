/**
 * The contract, last part: the driver under a real till with journal and queue. Whatever happens, each sale comes to
 * one of the four endings, and what the till reports as charged is what the host has booked.
 */
import assert from 'node:assert/strict';
import type { DeviceFault } from '../../drivers/simulation/faults.ts';
import type { Presentation } from '../../drivers/simulation/simulator.ts';
import type { Terminal } from '../../drivers/terminal.ts';
import { testCard } from '../../src/emv/test-cards.ts';
import { bookkeepingHost, type Fate } from '../support/till/bookkeeping-host.ts';
import { LIFE_MS, TIMEOUT_MS, tillRig } from '../support/till/till-rig.ts';
import { AMOUNT, type Case, Counter, type DriverUnderTest, type Setup, visa } from './terminal.ts';
import { chooseSteps, everyStep } from './terminal-steps.ts';

const endings = ['approved', 'declined', 'notSent', 'unknown'];

type Sale = { setup?: Setup; fates?: readonly Fate[]; declines?: boolean; cancelAtMs?: number };

/** A till that sells at one device after the other. */
class Shop {
  readonly #subject: DriverUnderTest;
  readonly #rig = tillRig();
  readonly #fates: Fate[] = [];
  readonly #yes = { approves: true };
  #counter: Counter | undefined;
  #terminal: Terminal | undefined;

  readonly #host = bookkeepingHost({
    mode: 'test',
    clock: this.#rig.clock,
    fate: () => this.#fates.shift() ?? 'answered',
    approves: () => this.#yes.approves,
    takesMs: () => 100,
    timeoutMs: TIMEOUT_MS,
    requestLifeMs: LIFE_MS,
  });
  readonly #life = this.#rig.open({
    host: this.#host,
    parts: { terminals: { get: () => this.#get(), drop: () => this.#drop() } },
  });
  #connected = 0;

  constructor(subject: DriverUnderTest) {
    this.#subject = subject;
  }

  /** One sale at a new device, to its final ending, followed by a good one on the same device. */
  async sell({ setup = {}, fates = [], declines = false, cancelAtMs }: Sale): Promise<string> {
    const { clock } = this.#rig;
    const counter = new Counter(this.#subject, { ...setup, clock });
    this.#counter = counter;
    this.#connected = 0;
    this.#yes.approves = !declines;
    this.#fates.push(...fates);
    const running = this.#life.sell(AMOUNT);
    if (cancelAtMs !== undefined) clock.after(cancelAtMs, () => running.cancel());
    const { ending } = await counter.wait(running.done);
    assert(endings.includes(ending), ending);
    this.#yes.approves = true;
    this.#fates.length = 0;
    await this.#life.passTime(3);
    const output = this.#agrees(running.sale);
    const isByChip = counter.customer.by === 'chip' && counter.customer.card.chip === 'good';
    if (isByChip && output.startsWith('approved')) assert.equal(counter.lastWord, 'TC', 'approved without the chip');

    counter.customer = visa;
    await this.#sellsAgain(counter);
    await this.#drop();
    await counter.close();
    return output;
  }

  /**
   * The next sale succeeds, or fails with a fault that came too late for the last one: then the one after it succeeds.
   */
  async #sellsAgain(counter: Counter): Promise<void> {
    const seenOutcomes: string[] = [];
    while (seenOutcomes.length < 2 && seenOutcomes.at(-1)?.startsWith('approved') !== true) {
      const next = this.#life.sell(AMOUNT);
      await counter.wait(next.done);
      await this.#life.passTime(3);
      seenOutcomes.push(this.#agrees(next.sale));
    }
    assert(seenOutcomes.at(-1)?.startsWith('approved') === true, `the next sales: ${seenOutcomes.join(', ')}`);
  }

  /** What the till reports about the sale, once the host's books agree. */
  #agrees(sale: string): string {
    const { ending, charged } = this.#life.says(sale);
    const booked = this.#host.books
      .filter(({ merchantTransactionId, code }) => merchantTransactionId === sale && code === '000.100.110')
      .reduce(
        (sum, { paymentType, amount }) => sum + (paymentType === 'DB' ? 1n : -1n) * BigInt(amount.replace('.', '')),
        0n,
      );
    assert.equal(charged, booked, `${ending}: charged is not what is booked`);
    return ending;
  }

  async #get(): Promise<Terminal> {
    assert(this.#counter !== undefined);
    if (this.#terminal !== undefined) return this.#terminal;
    this.#connected += 1;
    this.#terminal = await (this.#connected === 1 ? this.#counter.connect() : this.#counter.connect([]));
    return this.#terminal;
  }

  async #drop(): Promise<void> {
    const terminal = this.#terminal;
    this.#terminal = undefined;
    await terminal?.close();
  }

  close(): void {
    this.#life.close();
    this.#rig.remove();
  }
}

const withShop = async (subject: DriverUnderTest, work: (shop: Shop) => Promise<string>): Promise<string> => {
  const shop = new Shop(subject);
  try {
    return await work(shop);
  } finally {
    shop.close();
  }
};

type Row = readonly [says: string, sale: Sale, ending: RegExp];

const chipSetup = (name: Parameters<typeof testCard>[0], acts: Partial<Presentation> = {}): Setup => ({
  customer: { card: testCard(name), by: 'chip', ...acts },
});

const sales: readonly Row[] = [
  ['a sale by chip', {}, /^approved/],
  ['a sale by tap', { setup: { customer: { ...visa, by: 'tap' } } }, /^approved/],
  ['a sale by stripe', { setup: chipSetup('visa-stripe', { by: 'swipe' }) }, /^approved/],
  ['a sale by fallback', { setup: chipSetup('visa-broken-chip') }, /^approved/],
  ['the host declines', { declines: true }, /^declined/],
  ['the host approves and the chip declines', { setup: chipSetup('visa-refusing-chip') }, /^declined/],
  [
    'the host approves a card that has left',
    { setup: chipSetup('visa-credit', { pullsCardAt: 'complete' }) },
    /^declined/,
  ],
  ['the card leaves while it is read', { setup: chipSetup('visa-credit', { pullsCardAt: 'read' }) }, /^notSent/],
  ['the customer cancels', { setup: chipSetup('visa-credit', { cancels: true }) }, /^notSent/],
  ['nobody comes', { setup: chipSetup('visa-credit', { never: true }) }, /^notSent/],
  ['the host’s answer is lost', { fates: ['answerLost'] }, /^(approved|declined|unknown)/],
  ['the host’s answer is lost, twice', { fates: ['answerLost', 'answerLost'] }, /^(approved|declined|unknown)/],
  ['the request is lost', { fates: ['requestLost', 'requestLost'] }, /^(declined|unknown|notSent)/],
  ['the host is not reached', { fates: ['notReached', 'notReached', 'notReached'] }, /./],
];

const ended: Case[] = sales.map(([text, sale, ending]) => ({
  says: `till: ${text}`,
  run: (subject) =>
    withShop(subject, async (shop) => {
      const outcome = await shop.sell(sale);
      assert.match(outcome, ending);
      return outcome;
    }),
}));

const steps = Array.from({ length: 24 }, (_, index) => index + 1);

const sweeps: readonly (readonly [says: string, fault: (step: number) => DeviceFault])[] = [
  ['the link drops before a message', (atMessage) => ({ kind: 'linkDrop', atMessage, when: 'before' })],
  ['the link drops after a message', (atMessage) => ({ kind: 'linkDrop', atMessage, when: 'after' })],
  ['the device is silent', (atCommand) => ({ kind: 'silence', atCommand })],
  ['the device restarts', (atCommand) => ({ kind: 'reset', atCommand })],
  ['a message has a wrong checksum', (atMessage) => ({ kind: 'wrongChecksum', atMessage })],
  ['a message comes twice', (atMessage) => ({ kind: 'duplicate', atMessage })],
];

const countResults = (results: readonly string[]): string => {
  const times = new Map<string, number>();
  for (const text of results) {
    const [ending = ''] = text.split(' ');
    times.set(ending, (times.get(ending) ?? 0) + 1);
  }
  return [...times].map(([outcome, count]) => `${outcome} ${count}`).join(', ');
};

const sweepCases: Case[] = sweeps.map(([text, fault]) => ({
  says: `till: ${text}, at every step`,
  run: (subject, chosenSteps = everyStep) =>
    withShop(subject, async (shop) => {
      const results: string[] = [];
      for (const step of chooseSteps(steps, chosenSteps)) {
        results.push(await shop.sell({ setup: { faults: [fault(step)], seed: step } }));
      }
      return countResults(results);
    }),
}));

/** Milliseconds of a sale. */
const moments = Array.from({ length: 31 }, (_, index) => index * 150);

const cancelled: Case = {
  says: 'till: it cancels, every 150 ms of a sale',
  run: (subject, chosenSteps = everyStep) =>
    withShop(subject, async (shop) => {
      const results: string[] = [];
      for (const ms of chooseSteps(moments, chosenSteps)) {
        results.push(await shop.sell({ cancelAtMs: ms, setup: { seed: ms + 1 } }));
      }
      return countResults(results);
    }),
};

export const tillCases: readonly Case[] = [...ended, ...sweepCases, cancelled];
