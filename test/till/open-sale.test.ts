/** A sale begun before its amount is known: a card can be inserted meanwhile, and nothing is read before the amount. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Terminal } from '../../drivers/terminal.ts';
import type { EndedSale, Sale } from '../../src/till/machine/sale.ts';
import { eur, failing, type Rig, type TillRun, tillRig } from '../support/till/till-rig.ts';

let rig: Rig;
let run: TillRun;
let at: string[] = [];
beforeEach(() => {
  rig = tillRig();
  at = [];
});
afterEach(() => {
  run.close();
  rig.remove();
});

const timing = { presentedAfterMs: () => 2_000 };
const request = { currency: 'EUR', cashier: 'Ada' };
const begin = () =>
  run.till.openSale(request, (progress) => {
    if (progress.kind === 'sale') at.push(wordOf(progress.sale));
  });
const wordOf = (sale: Sale): string =>
  sale.at === 'ended' ? sale.ending : sale.at === 'awaitingAmount' && sale.presented ? 'presented' : sale.at;
const endingOf = ({ ending, reason }: EndedSale): string => `${ending} ${reason}`;

/** The terminal, noting reads that begin before the journal has the amount. */
const watch = (terminal: Terminal): Terminal => ({
  ...terminal,
  async read(ask, notify) {
    const [id = ''] = run.ledger.openSales();
    at.push(run.ledger.events(id).some(({ on }) => on === 'amountFixed') ? 'read' : 'read too early');
    return terminal.read(ask, notify);
  },
});

test('the card is inserted first, the amount comes later and is durable before the card is read', async () => {
  run = rig.open({ behaviour: timing, terminal: watch });
  const running = begin();
  await rig.clock.advance(60_000);
  expect(at).toEqual(['awaitingAmount', 'presented']);
  running.setAmount(eur(1_000n), eur(100n));
  const sale = await rig.clock.until(running.done);
  expect([endingOf(sale), sale.intent.amount, sale.intent.tip]).toEqual(['approved approved', eur(1_100n), eur(100n)]);
  expect(at).toEqual(['awaitingAmount', 'presented', 'presenting', 'read', 'authorising', 'completing', 'approved']);
  expect(rig.booked(sale.intent.sale)).toBe(1_100n);
  expect(run.till.findSale(running.sale).intent.cashier).toBe('Ada');
});

test('a terminal that cannot report cards is not asked, and the sale waits for its amount', async () => {
  run = rig.open({ terminal: watch });
  const running = begin();
  await rig.clock.advance(60_000);
  expect(at).toEqual(['awaitingAmount']);
  running.setAmount(eur(1_000n));
  expect(endingOf(await rig.clock.until(running.done))).toBe('approved approved');
});

test('the amount can come while the terminal still waits for a card, or before the terminal is open', async () => {
  for (const afterMs of [0, 500]) {
    run = rig.open({ behaviour: timing });
    const running = begin();
    await rig.clock.advance(afterMs);
    running.setAmount(eur(1_000n));
    expect(endingOf(await rig.clock.until(running.done))).toBe('approved approved');
    run.close();
  }
  run = rig.open();
});

test('cancelled before its amount, with or without a card: nothing was sent, and the next sale is free', async () => {
  run = rig.open({ behaviour: timing });
  for (const afterMs of [0, 500, 5_000]) {
    const running = begin();
    await rig.clock.advance(afterMs);
    running.cancel();
    expect(endingOf(await rig.clock.until(running.done))).toBe('notSent cancelledByTill');
    expect(() => running.setAmount(eur(1_000n))).toThrow('can no longer be set');
  }
  expect(rig.host.books).toEqual([]);
  expect(endingOf(await rig.clock.until(run.sell(1_000n).done))).toBe('approved approved');
  expect(run.reported).toEqual([]);
});

test('a second amount, no amount, and one in another currency are refused; the sale continues', async () => {
  run = rig.open({ behaviour: timing });
  const running = begin();
  expect(() => running.setAmount(eur(0n))).toThrow('0.00 EUR');
  expect(() => running.setAmount({ minor: 100n, currency: 'USD' })).toThrow('USD');
  running.setAmount(eur(1_000n));
  expect(() => running.setAmount(eur(2_000n))).toThrow('can no longer be set');
  const sale = await rig.clock.until(running.done);
  expect([endingOf(sale), rig.booked(running.sale)]).toEqual(['approved approved', 1_000n]);
});

test.each(['awaitingAmount', 'presented', 'presenting'])('after a crash while %s it was not sent', async (when) => {
  run = rig.open({ behaviour: timing });
  const running = begin();
  if (when !== 'awaitingAmount') await rig.clock.advance(3_000);
  if (when === 'presenting') running.setAmount(eur(1_000n));
  expect(at.at(-1)).toBe(when);
  run.close();
  run = rig.open();
  const [ended] = run.till.recover();
  expect(ended?.at === 'ended' && endingOf(ended)).toBe('notSent restarted');
  expect(ended?.intent.amount).toEqual(when === 'presenting' ? eur(1_000n) : eur(0n));
  expect([run.ledger.openSales(), rig.host.books]).toEqual([[], []]);
});

test.each(['before', 'after'] as const)(
  'an amount whose write fails (%s it is durable) charges nothing',
  async (when) => {
    run = rig.open({ behaviour: timing, ledger: failing('amountFixed', when) });
    const running = begin();
    await rig.clock.advance(500);
    expect(() => running.setAmount(eur(1_000n))).toThrow('disk full');
    await expect(rig.clock.until(running.done)).rejects.toThrow('disk full');
    // The till settles the failed sale from the journal before the next one.
    expect(endingOf(await rig.clock.until(run.sell(500n).done))).toBe('approved approved');
    expect(run.says(running.sale).ending).toBe('notSent restarted');
    expect(rig.host.books.map(({ amount }) => amount)).toEqual(['5.00']);
  },
);
