/** Whole sales at a terminal that authorises by itself: the order of requests, and the records of both sides. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { audit } from '../../src/recovery/audit.ts';
import type { Progress } from '../../src/till/running.ts';
import { scanForCardData } from '../support/leaks/leak-scan.ts';
import {
  type Device,
  type DeviceTurn,
  integratedDevice,
  type Question,
} from '../support/till/scripted-integrated-terminal.ts';
import { eur, failing, type Rig, type TillRun, tillRig } from '../support/till/till-rig.ts';

const PAN = '4761739001010010';
const DAY_MS = 86_400_000;

let rig: Rig;
let device: Device;
let turns: Partial<Record<Question, DeviceTurn[]>>;
beforeEach(() => {
  rig = tillRig();
  turns = {};
  device = integratedDevice({
    clock: rig.clock,
    nextTurn: (question) => turns[question]?.shift() ?? 'works',
    outcomeFields: { cardName: `VISA ${PAN}`, maskedPan: PAN, verification: 'onlinePin' },
    lines: { customer: [`CARD ${PAN}`, '4761 7390', '0101 0010', 'AID A0000000031010'], merchant: [PAN] },
  });
  device.payByHand(eur(1_000n));
});
afterEach(() => rig.remove());

const open = (around: Parameters<Rig['open']>[0] = {}): TillRun => {
  const run = rig.open({ ...around, parts: { integrated: device.keep() } });
  run.till.recover();
  return run;
};
const sell = (run: TillRun, minor = 1_000n, notify: (progress: Progress) => void = () => {}) =>
  rig.clock.until(run.sell(minor, notify).done);
/** Makes receipt 1, which the device reports at once: from then on the till knows how the device's clock differs. */
const teachClock = async () => {
  const run = open();
  expect(endingText(await sell(run, 300n))).toBe('approved approved');
  run.close();
  device.asked.length = 0;
};
const refund = (run: TillRun, receipt: number, minor?: bigint) =>
  rig.clock.until(run.till.refund({ receipt, amount: minor === undefined ? undefined : eur(minor) }, () => {}).done);
const endingText = ({ ending, reason, reversal }: { ending: string; reason: string; reversal?: string }) =>
  `${ending} ${reason}${reversal === undefined ? '' : ` ${reversal}`}`;

test('an approval: the last payment is recorded before the amount is sent; gateway and queue get nothing', async () => {
  const run = open();
  const sale = await sell(run);
  expect(endingText(sale)).toBe('approved approved');
  expect(device.asked).toEqual(['open', 'info', 'last', 'pay']);
  expect(run.ledger.events(sale.intent.sale).map(({ on }) => on)).toEqual([
    'intended',
    'terminalNoted',
    'terminalTook',
    'terminalApproved',
  ]);
  expect([rig.host.books, run.outbox.waiting(), run.ledger.openSales()]).toEqual([[], [], []]);
  run.close();
});

const losses: [DeviceTurn, string, boolean][] = [
  ['lostAfter', 'approved approved', true],
  ['lostDuring', 'approved approved', true],
  ['lostBefore', 'notSent neverMade', false],
];
test.each(losses)('a link %s: %s, inquired about and not paid again', async (how, ends, booked) => {
  await teachClock();
  const run = open();
  // The previous payment has the same amount.
  device.payByHand(eur(1_000n));
  turns = { pay: [how] };
  expect(endingText(await sell(run))).toBe(ends);
  expect(device.asked.filter((question) => question === 'pay')).toHaveLength(1);
  expect(device.books).toHaveLength(booked ? 4 : 3);
  run.close();
});

test('a till that died during a payment inquires before it takes the next one, and reports the answer', async () => {
  await teachClock();
  const first = open({ ledger: failing('terminalApproved') });
  await expect(sell(first, 700n)).rejects.toMatchObject({ code: 'till.unrecorded' });
  first.close();
  device.asked.length = 0;

  const run = open();
  expect(run.till.find(2)).toMatchObject({ ending: 'unknown', reason: 'unansweredAtTerminal' });
  const received: string[] = [];
  const sale = await sell(run, 800n, (progress) => {
    if (progress.kind === 'earlier') received.push(`${progress.sale.intent.receipt} ${endingText(progress.sale)}`);
  });
  expect(received).toEqual(['2 approved approved']);
  expect(device.asked).toEqual(['open', 'info', 'last', 'last', 'pay']);
  expect([endingText(sale), device.charged(700n), device.charged(800n)]).toEqual(['approved approved', 700n, 800n]);
  run.close();
});

test('no new sale begins while the terminal cannot be asked about the previous one', async () => {
  await teachClock();
  const first = open({ ledger: failing('terminalApproved') });
  await expect(sell(first, 700n)).rejects.toMatchObject({ code: 'till.unrecorded' });
  first.close();
  const run = open();
  turns = { last: ['lostBefore', 'lostBefore'] };
  device.asked.length = 0;
  expect(endingText(await sell(run, 800n))).toBe('notSent terminalFailed');
  expect(device.asked).not.toContain('pay');
  expect(endingText(await sell(run, 900n))).toBe('approved approved');
  expect(run.says(run.till.find(2).intent.sale).ending).toBe('approved approved');
  run.close();
});

test('a late cancel: the reversal of the approval is repeated until the terminal has answered', async () => {
  const run = open();
  turns = { reverse: ['lostBefore', 'notBegun'] };
  const running = run.sell(700n);
  rig.clock.after(1_700, () => running.cancel());
  expect(endingText(await rig.clock.until(running.done))).toBe('declined cancelledAfterApproval due');
  expect(device.charged(700n)).toBe(700n);
  await rig.clock.until(run.till.settleAtTerminal());
  expect(device.charged(700n)).toBe(700n);
  device.asked.length = 0;
  expect(endingText(await sell(run, 800n))).toBe('approved approved');
  expect(device.asked.filter((question) => question === 'reverse' || question === 'pay')).toEqual(['reverse', 'pay']);
  expect([device.charged(700n), run.ledger.openSales()]).toEqual([0n, []]);
  run.close();
});

test('a cancel in time: the terminal declines, nothing is to be reversed', async () => {
  const run = open();
  const running = run.sell(700n);
  rig.clock.after(500, () => running.cancel());
  expect(endingText(await rig.clock.until(running.done))).toBe('declined cancelledByTill');
  expect([device.charged(700n), device.asked.includes('reverse')]).toEqual([0n, false]);
  run.close();
});

test('a terminal refuses to reverse an unwanted approval: the sale is charged, and can be refunded', async () => {
  const run = open();
  turns = { reverse: ['declined'] };
  const running = run.sell(700n);
  rig.clock.after(1_700, () => running.cancel());
  expect(endingText(await rig.clock.until(running.done))).toBe('approved reversalRefused');
  expect([endingText(await refund(run, 1)), device.charged(700n)]).toEqual(['approved reversedAtTerminal', 0n]);
  run.close();
});

test('a reversal that the terminal neither makes nor declines goes to a person and blocks nothing', async () => {
  const run = open();
  turns = { reverse: ['refused', 'refused'] };
  const running = run.sell(700n);
  rig.clock.after(1_700, () => running.cancel());
  expect(endingText(await rig.clock.until(running.done))).toBe('declined cancelledAfterApproval due');
  expect(endingText(await sell(run, 800n))).toBe('approved approved');
  expect(run.till.find(1)).toMatchObject({ ending: 'unknown', reason: 'unclearAtTerminal', forPerson: true });
  expect([endingText(run.till.forceEnding(1, true)), device.charged(700n)]).toEqual(['approved approved', 700n]);
  run.close();
});

test('a full refund today needs no card; a partial one, or one on another day, does', async () => {
  const run = open();
  for (const minor of [700n, 800n, 900n]) await sell(run, minor);
  expect(endingText(await refund(run, 1))).toBe('approved reversedAtTerminal');
  expect(endingText(await refund(run, 2, 300n))).toBe('approved refunded');
  // What is left of it is no longer a whole payment.
  expect(endingText(await refund(run, 2))).toBe('approved refunded');
  await rig.clock.advance(DAY_MS);
  expect(endingText(await refund(run, 3))).toBe('approved refunded');
  expect(() => run.till.refund({ receipt: 3 }, () => {})).toThrow('all of it was given back');
  expect(device.asked.filter((question) => question === 'reverse' || question === 'refund')).toEqual([
    'reverse',
    'refund',
    'refund',
    'refund',
  ]);
  run.close();
});

test('a reversal that was refused, or is of another device, becomes a refund with the card', async () => {
  const run = open();
  await sell(run, 700n);
  await sell(run, 800n);
  turns = { reverse: ['declined'] };
  expect(endingText(await refund(run, 1))).toBe('declined reversalDeclined');
  expect(endingText(await refund(run, 1))).toBe('approved refunded');
  device.replace('TWIN-2');
  expect(endingText(await refund(run, 2))).toBe('notSent otherTerminal');
  expect(endingText(await refund(run, 2))).toBe('approved refunded');
  expect([device.charged(700n), device.charged(800n)]).toEqual([0n, 0n]);
  run.close();
});

test('a reversal whose answer was lost is repeated, and counted once', async () => {
  const run = open();
  await sell(run, 700n);
  turns = { reverse: ['lostAfter'] };
  expect(endingText(await refund(run, 1))).toBe('approved reversedAtTerminal');
  expect([device.charged(700n), device.asked.filter((question) => question === 'reverse')]).toEqual([0n, ['reverse']]);
  run.close();
});

test('a replacement device does not know the sale: it sells, and the sale waits for its own device', async () => {
  const first = open({ ledger: failing('terminalApproved') });
  await expect(sell(first, 700n)).rejects.toMatchObject({ code: 'till.unrecorded' });
  first.close();
  device.replace('TWIN-2');
  const run = open();
  expect(endingText(await sell(run, 800n))).toBe('approved approved');
  expect(run.till.find(1)).toMatchObject({ ending: 'unknown' });
  run.close();
});

test('a terminal that forgot the payment, or was used by hand since: a person looks and decides', async () => {
  const sales: [spoil: () => void, charged: boolean, ends: string][] = [
    [() => device.payByHand(eur(55n)), true, 'approved approved'],
    [() => device.forget(), false, 'notSent personSaidNot'],
  ];
  for (const [at, [spoil, charged, ends]] of sales.entries()) {
    const dying = open({ ledger: failing('terminalApproved') });
    await expect(sell(dying, 700n)).rejects.toMatchObject({ code: 'till.unrecorded' });
    dying.close();
    spoil();
    const run = open();
    const receipt = at + 1;
    expect((await rig.clock.until(run.till.settleAtTerminal())).map(endingText)).toEqual(['unknown unclearAtTerminal']);
    // The terminal is asked once, because it can never tell.
    expect(await rig.clock.until(run.till.settleAtTerminal())).toEqual([]);
    expect(run.till.openAtTerminal().map(({ intent }) => intent.receipt)).toEqual([receipt]);
    expect(() => run.till.refund({ receipt }, () => {})).toThrow('not known yet');
    expect(endingText(run.till.forceEnding(receipt, charged))).toBe(ends);
    expect(() => run.till.forceEnding(receipt, charged)).toThrow('needs no decision by a person');
    run.close();
  }
});

test('a terminal that does not report its last payment can sell; only a person can resolve a lost sale', async () => {
  turns = { last: new Array<DeviceTurn>(30).fill('refused') };
  const run = open();
  expect(endingText(await sell(run, 700n))).toBe('approved approved');
  turns.pay = ['lostAfter'];
  expect(endingText(await sell(run, 800n))).toBe('unknown unclearAtTerminal');
  // The sale waits for a person, and blocks no other: the terminal would give the same answer for ever.
  expect(endingText(await sell(run, 900n))).toBe('approved approved');
  expect(endingText(run.till.forceEnding(2, true))).toBe('approved approved');
  expect([device.charged(700n), device.charged(800n), device.charged(900n)]).toEqual([700n, 800n, 900n]);
  run.close();
});

test('without such a terminal its sales cannot be refunded, and that is reported before anything begins', async () => {
  const run = open();
  await sell(run);
  run.close();
  const reader = rig.open();
  expect(() => reader.till.refund({ receipt: 1 }, () => {})).toThrow('authorises by itself');
  expect(reader.ledger.nextNumbers('1').receipt).toBe(2);
  reader.close();
});

test('the audit does not search for terminal sales at the gateway; they agree once decided', async () => {
  await teachClock();
  const dying = open({ ledger: failing('terminalApproved') });
  await expect(sell(dying, 700n)).rejects.toMatchObject({ code: 'till.unrecorded' });
  dying.close();
  const run = open();
  const account = async () =>
    (await Array.fromAsync(audit(run.ledger, rig.host))).map(({ heldBy, till, agrees }) => [
      heldBy,
      till.minor,
      agrees,
    ]);
  expect(await account()).toEqual([
    ['terminal', 300n, true],
    ['terminal', 0n, false],
  ]);
  await sell(run, 800n);
  await refund(run, 3);
  expect(await account()).toEqual([
    ['terminal', 300n, true],
    ['terminal', 700n, true],
    ['terminal', 800n, true],
    ['terminal', -800n, true],
  ]);
  run.close();
});

test('no card number from the terminal reaches the journal, not even one across a line break', async () => {
  const run = open();
  const { terminal } = await sell(run);
  expect(terminal?.slip?.customer).toEqual(['CARD ************0010', '**** ****', '**** ****', 'AID A0000000031010']);
  expect(scanForCardData({ roots: [rig.folder], needles: [PAN, '4761 7390'] })).toEqual([]);
  run.close();
});
