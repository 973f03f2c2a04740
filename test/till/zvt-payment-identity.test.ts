/** Whose payment a ZVT terminal reports: tills that share one, terminals that are swapped, numbers that wrap. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { IntegratedTerminals } from '../../src/till/ports.ts';
import { openTill, type Till } from '../../src/till/till.ts';
import { type Rig, type TillRun, tapCard, tillRig } from '../support/till/till-rig.ts';
import { type ZvtLine, type ZvtTerminal, zvtTerminal } from '../support/till/zvt-counter.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';

let clock: ReturnType<typeof virtualClock>;
const rigs: Rig[] = [];
const lives: TillRun[] = [];
beforeEach(() => {
  clock = virtualClock();
});
afterEach(() => {
  for (const run of lives.splice(0)) run.close();
  for (const rig of rigs.splice(0)) rig.remove();
});

/** A separate till, with its own folder, at this terminal. */
const tillAt = (terminal: ZvtTerminal): { run: TillRun; line: ZvtLine } => {
  const rig = tillRig(tapCard, 'test', clock);
  const line = terminal.line();
  const run = rig.open({ parts: { integrated: line.keep() } });
  rigs.push(rig);
  lives.push(run);
  return { run, line };
};
const sell = (run: TillRun, minor: bigint) => clock.until(run.sell(minor).done);
const endingText = ({ ending, reason, reversal }: { ending: string; reason: string; reversal?: string }) =>
  `${ending} ${reason}${reversal === undefined ? '' : ` ${reversal}`}`;

test('two tills on one terminal: a payment whose end was lost is booked only by the till that made it', async () => {
  const terminal = zvtTerminal(clock);
  const one = tillAt(terminal);
  const other = tillAt(terminal);
  expect([endingText(await sell(one.run, 500n)), endingText(await sell(other.run, 500n))]).toEqual([
    'approved approved',
    'approved approved',
  ]);
  // The first till's payment never reaches the terminal; of the other's only the result is lost.
  one.line.breaks.push({ lost: '0601', downMs: 10_000 });
  other.line.breaks.push({ lost: '040F', after: '0601', downMs: 1_000 });
  const first = one.run.sell(1_250n).done;
  await clock.advance(500);
  const second = other.run.sell(1_250n).done;
  expect(endingText(await clock.until(second))).toBe('approved approved');
  expect(await clock.until(first)).toMatchObject({
    ending: 'unknown',
    reason: 'unclearAtTerminal',
    forPerson: true,
    why: 'it had not taken this payment when the line was lost',
  });
  expect(terminal.charged()).toEqual([500n, 500n, 1_250n]);
});

test('a request that was accepted, then lost: the number tells it from later ones of the same amount', async () => {
  const terminal = zvtTerminal(clock);
  const one = tillAt(terminal);
  const other = tillAt(terminal);
  await sell(one.run, 500n);
  // Accepted, and lost before the card: nothing was made. The other till then sells the same amount twice.
  one.line.breaks.push({ lost: '04FF', after: '0601', downMs: 11_000 });
  const first = one.run.sell(1_250n).done;
  await clock.advance(6_000);
  expect(endingText(await sell(other.run, 1_250n))).toBe('approved approved');
  expect(endingText(await sell(other.run, 1_250n))).toBe('approved approved');
  expect(await clock.until(first)).toMatchObject({
    ending: 'unknown',
    forPerson: true,
    why: 'its receipt number is 0003, not the one after 0001',
  });
  expect(terminal.charged()).toEqual([500n, 1_250n, 1_250n]);
});

type LostMessageRow = [
  says: string,
  dialects: readonly string[],
  lost: string,
  ends: object,
  charged: readonly bigint[],
];
const neverMade = { ending: 'notSent', reason: 'neverMade' };
const forPerson = (reason: string) => ({
  ending: 'unknown',
  reason: 'unclearAtTerminal',
  forPerson: true,
  why: reason,
});
const nobodyKnows = forPerson('it tells the payment before, and no totals that could confirm it');
test.each<LostMessageRow>([
  ['its totals confirm it', [], '04FF', neverMade, [500n]],
  [
    'its totals have one more, which it files late',
    ['repeat-acknowledged'],
    '040F',
    forPerson('it tells receipt number 0001 as its last, and its totals go to 0002'),
    [500n, 1_250n],
  ],
  ['accepted, without totals', ['totals-none'], '04FF', nobodyKnows, [500n]],
  ['accepted, with only a sum', ['totals-sum'], '04FF', nobodyKnows, [500n]],
  ['never accepted, without totals', ['totals-none'], '0601', neverMade, [500n]],
])('the line is lost, and the terminal reports the earlier payment: %s', async (_, dialects, lost, ends, charged) => {
  const terminal = zvtTerminal(clock, {}, dialects);
  const { run, line } = tillAt(terminal);
  await sell(run, 500n);
  line.breaks.push({ lost, after: lost === '0601' ? undefined : '0601' });
  expect(await sell(run, 1_250n)).toMatchObject(ends);
  expect(terminal.charged()).toEqual(charged);
  // The terminal was asked at most once more, and keeps selling.
  expect(endingText(await sell(run, 700n))).toBe('approved approved');
});

test('after the highest number comes the first again, and a payment there is recognised as well', async () => {
  const terminal = zvtTerminal(clock, { clockOffsetMs: -3_600_000 });
  terminal.memory.numbers.receipt = 9_997;
  const { run, line } = tillAt(terminal);
  expect(endingText(await sell(run, 500n))).toBe('approved approved');
  expect(endingText(await sell(run, 600n))).toBe('approved approved');
  line.breaks.push({ lost: '040F', after: '0601' });
  expect(await sell(run, 700n)).toMatchObject({
    ending: 'approved',
    terminal: { before: { receiptNumber: '9999' }, payment: { receiptNumber: '0001' } },
  });
  expect(terminal.charged()).toEqual([500n, 600n, 700n]);
});

test('one register is served at a time: the other waits some seconds, without disturbing anything', async () => {
  const terminal = zvtTerminal(clock);
  const one = tillAt(terminal);
  const other = tillAt(terminal);
  await sell(other.run, 100n);
  const first = one.run.sell(500n).done;
  await clock.advance(500);
  expect(endingText(await sell(other.run, 600n))).toBe('approved approved');
  expect(endingText(await clock.until(first))).toBe('approved approved');
  expect(terminal.charged()).toEqual([100n, 500n, 600n]);
});

/** What the till reports about a void, by its receipt. */
const voided = (till: Till, receipt: number) =>
  clock.until(till.follow({ operation: 'void', receipt }, () => {}).done).then(endingText);

test('a swapped terminal: a void reverses nothing there, and no other customer’s payment', async () => {
  const [old, fresh] = [zvtTerminal(clock, { serial: '17000001' }), zvtTerminal(clock, { serial: '17000002' })];
  const lines = [old.line(), fresh.line()];
  let now = lines[0]?.keep();
  const rig = tillRig(tapCard, 'test', clock);
  rigs.push(rig);
  const integrated = { get: () => now?.get() ?? Promise.reject(now), drop: async () => now?.drop() };
  const run = rig.open({ parts: { integrated } });
  lives.push(run);
  await sell(run, 820n);
  // Another customer has the same receipt number on the other device, and paid the same amount.
  const neighbour = tillAt(fresh);
  await sell(neighbour.run, 820n);
  now = lines[1]?.keep();
  expect(await voided(run.till, 1)).toBe('notSent otherTerminal');
  expect(lines[1]?.lines.filter((hex) => hex.startsWith('0630'))).toEqual([]);
  expect([old.charged(), fresh.charged()]).toEqual([[820n], [820n]]);
});

test('a terminal that reports neither serial number nor terminal id reverses nothing: it could be any', async () => {
  const terminal = zvtTerminal(clock);
  const line = terminal.line();
  const rig = tillRig(tapCard, 'test', clock);
  rigs.push(rig);
  const run = rig.open({ parts: { integrated: unnamed(line.keep()) } });
  lives.push(run);
  await sell(run, 100n);
  expect(await lateCancel(run.till, line, 500n)).toMatchObject({
    ending: 'approved',
    reason: 'reversalRefused',
    why: 'it tells no serial number by which it could be known again',
  });
  expect(await voided(run.till, 1)).toBe('notSent otherTerminal');
  expect(line.lines.filter((hex) => hex.startsWith('0630'))).toEqual([]);
  expect(terminal.charged()).toEqual([100n, 500n]);
});

/** The result is lost, and a cancel is requested before the line is back. */
const lateCancel = (till: Till, line: ZvtLine | undefined, minor: bigint) => {
  line?.breaks.unshift({ lost: '040F', after: '0601', downMs: 4_000 });
  const running = till.sell({ amount: { minor, currency: 'EUR' } }, () => {});
  clock.after(4_000, () => running.cancel());
  return clock.until(running.done);
};

/** A terminal that does not identify itself. */
const unnamed = ({ get, drop }: IntegratedTerminals): IntegratedTerminals => ({
  drop,
  async get() {
    const open = await get();
    const info = async () => ({ ...(await open.info()), serial: '' });
    return new Proxy(open, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        return name === 'info' ? info : typeof value === 'function' ? value.bind(target) : value;
      },
    });
  },
});

/** Two counters of one till over one ledger, each with its own terminal; the terminals have the same name. */
const counters = () => {
  const terminals = [zvtTerminal(clock), zvtTerminal(clock)] as const;
  const rig = tillRig(tapCard, 'test', clock);
  rigs.push(rig);
  const lines = terminals.map((terminal) => terminal.line());
  const underWay = new Set<string>();
  const run = rig.open({ parts: { integrated: lines[0]?.keep() as IntegratedTerminals, underWay } });
  lives.push(run);
  const second = openTill({ ...run.parts, integrated: lines[1]?.keep() as IntegratedTerminals, terminalId: '2' });
  return { terminals, lines, tills: [run.till, second] as const, run };
};

test('two counters with terminals of the same name: late cancels are reversed where they were charged', async () => {
  const { terminals, lines, tills, run } = counters();
  const sellAt = (till: Till, minor: bigint) => till.sell({ amount: { minor, currency: 'EUR' } }, () => {});
  const asksBack = (index: number) => (lines[index]?.lines ?? []).filter((hex) => hex.startsWith('0630'));
  // The same numbers and amounts at both, and at the first counter a late cancel, three times.
  for (const till of tills) await clock.until(sellAt(till, 820n).done);
  for (let n = 0; n < 3; n++) {
    lines[0]?.breaks.push({ lost: '0630', downMs: 60_000 });
    expect(endingText(await lateCancel(tills[0], lines[0], 820n))).toBe('declined cancelledAfterApproval due');
    // The other counter keeps selling: a due reversal is not requested from its terminal.
    expect(endingText(await clock.until(sellAt(tills[1], 300n).done))).toBe('approved approved');
    await clock.until(tills[1].settleAtTerminal());
    expect(asksBack(1)).toEqual([]);
    await clock.advance(61_000);
    expect((await clock.until(tills[0].settleAtTerminal())).map(endingText)).toEqual([
      'declined cancelledAfterApproval done',
    ]);
  }
  expect([asksBack(0).length, asksBack(1).length]).toEqual([3, 0]);
  expect([terminals[0].charged(), terminals[1].charged()]).toEqual([[820n], [820n, 300n, 300n, 300n]]);
  expect([run.till.openAtTerminal(), run.ledger.openSales()]).toEqual([[], []]);
});

test('a void at the other counter is refused with a reason, whatever its terminal’s name', async () => {
  const { terminals, tills } = counters();
  for (const till of tills) await clock.until(till.sell({ amount: { minor: 820n, currency: 'EUR' } }, () => {}).done);
  expect(() => tills[1].follow({ operation: 'void', receipt: 1 }, () => {})).toThrow(
    'only the terminal of its own counter can take it back',
  );
  expect(await voided(tills[0], 1)).toBe('approved reversedAtTerminal');
  expect([terminals[0].charged(), terminals[1].charged()]).toEqual([[], [820n]]);
});

test('a payment with a number that the terminal gave twice today is not reversed', async () => {
  const terminal = zvtTerminal(clock);
  const { run, line } = tillAt(terminal);
  await sell(run, 820n);
  // The terminal's numbers start again, as after a repair, and it has forgotten the first payment.
  terminal.memory.numbers.receipt = 0;
  terminal.memory.day.length = 0;
  await sell(run, 820n);
  expect(() => run.till.follow({ operation: 'void', receipt: 1 }, () => {})).toThrow('0001 more than once today');
  expect(line.lines.filter((hex) => hex.startsWith('0630'))).toEqual([]);
  expect(terminal.charged()).toEqual([820n]);
});

test('reverses nothing under a number with another amount: the amount is sent too', async () => {
  const terminal = zvtTerminal(clock);
  const { run, line } = tillAt(terminal);
  await sell(run, 820n);
  // The till does not know this payment: somebody was paid by hand after the numbers started again.
  const [transaction] = terminal.memory.day;
  if (transaction === undefined) throw new Error('it was not kept');
  transaction.amountMinor = 9_900n;
  expect(await voided(run.till, 1)).toBe('declined reversalDeclined');
  expect(line.lines.find((hex) => hex.startsWith('0630'))).toBe(
    '063010000000870001040000000008204909 78'.replace(' ', ''),
  );
  expect(terminal.charged()).toEqual([9_900n]);
});

test('the reversed payment must be the right one: with another card it is left to a person', async () => {
  const terminal = zvtTerminal(clock);
  const { run } = tillAt(terminal);
  await sell(run, 820n);
  const [transaction] = terminal.memory.day;
  if (transaction === undefined) throw new Error('it was not kept');
  transaction.card = { ...transaction.card, pan: '4761739001010119' };
  expect(await clock.until(run.till.follow({ operation: 'void', receipt: 1 }, () => {}).done)).toMatchObject({
    ending: 'unknown',
    reason: 'unclearAtTerminal',
    forPerson: true,
    why: expect.stringMatching(/^it took back a payment with card \*+0119, not \*+0010$/),
  });
});
