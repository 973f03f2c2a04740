/** What the cashier's page remembers and shows: intents and their keys, terminals, bills. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Counter } from '../../src/api/contract/counters.ts';
import type { LiveSale, SaleDetail } from '../../src/api/contract/sales.ts';
import { billStore, nextPart, sumsOf } from '../../src/ui/cashier/bill.ts';
import { isRefusedUnread, openIntents, type Send } from '../../src/ui/cashier/intents.ts';
import {
  currentPanel,
  nextCounter,
  panelsOf,
  progress,
  whyNotFree,
  withSale,
} from '../../src/ui/cashier/live-sales.ts';
import { endings, eur, pastSales } from '../support/screens/scripted/selling-facts.ts';

const memoryStorage = () => {
  const values = new Map<string, string>();
  return {
    getItem: (name: string) => values.get(name) ?? null,
    setItem: (name: string, value: string) => void values.set(name, value),
    removeItem: (name: string) => void values.delete(name),
  };
};

const sell = (amount: string): Send => ({ do: 'begin', body: { operation: 'sale', amount: eur(amount) } });

describe('intents', () => {
  test('the same request without an answer keeps its key; another request has another', () => {
    const intents = openIntents(memoryStorage());
    const first = intents.open(sell('12.50'), { key: 'key-0001', at: 1 });
    expect(intents.open(sell('12.50'), { key: 'key-0002', at: 2 })).toEqual(first);
    expect(intents.open(sell('12.51'), { key: 'key-0003', at: 3 }).key).toBe('key-0003');
  });

  test('an intent sent before may have arrived: a refusal before the key is looked up does not end it', () => {
    const storage = memoryStorage();
    const intents = openIntents(storage);
    intents.open(sell('12.50'), { key: 'key-0001', at: 1 });
    expect(intents.markSent('key-0001')).toBe(false);
    expect(openIntents(storage).markSent('key-0001')).toBe(true);
    for (const code of ['session.needed', 'session.changed', 'request.foreign', 'till.stopping'])
      expect(isRefusedUnread(code), code).toBe(true);
    for (const code of ['session.notAllowed', 'terminal.busy', 'request.keyReused'])
      expect(isRefusedUnread(code), code).toBe(false);
  });

  test('once it is a sale, the same amount is a new request', () => {
    const intents = openIntents(memoryStorage());
    intents.open(sell('12.50'), { key: 'key-0001', at: 1 });
    intents.linkSale('key-0001', 'sale-1');
    expect(intents.open(sell('12.50'), { key: 'key-0002', at: 2 }).key).toBe('key-0002');
  });

  test('a reloaded page finds them; a refusal or an ending removes them', () => {
    const storage = memoryStorage();
    openIntents(storage).open(sell('12.50'), { key: 'key-0001', at: 1 });
    openIntents(storage).open(sell('3.00'), { key: 'key-0002', at: 2 });
    openIntents(storage).linkSale('key-0001', 'sale-1');
    const reopened = openIntents(storage);
    expect(reopened.all().map(({ key, sale }) => [key, sale])).toEqual([
      ['key-0001', 'sale-1'],
      ['key-0002', undefined],
    ]);
    reopened.forget('key-0002');
    reopened.forgetSale('sale-1');
    expect(reopened.all()).toEqual([]);
  });

  test.each(['', 'x', '{}', 'null'])('stored data of the form %j is ignored', (text) => {
    const storage = memoryStorage();
    storage.setItem('tillgate.intents', text);
    expect(openIntents(storage).all()).toEqual([]);
  });
});

const live = (id: string, counter: string, fields: Partial<LiveSale> = {}): LiveSale => ({
  mode: 'test',
  id,
  receipt: 1,
  operation: 'sale',
  counter,
  amount: eur('12.50'),
  accept: ['chip'],
  phase: 'presentCard',
  startedAt: 0,
  phaseAt: 0,
  ahead: [],
  cancelling: false,
  terminalFree: false,
  ...fields,
});
const ended = { result: endings.approved };

describe('panels', () => {
  test.each([
    ['a sale in progress is shown', [live('a', 'T1')], [], ['a']],
    ['a result that nobody here has seen is not shown', [live('a', 'T1', ended)], [], []],
    ['a kept result is shown', [live('a', 'T1', ended)], ['a'], ['a']],
    ['two terminals are shown side by side', [live('b', 'T2'), live('a', 'T1')], [], ['a', 'b']],
    [
      'an operation that another began beside a sale is not shown',
      [live('a', 'T1'), live('b', 'T1', { beside: true })],
      [],
      ['a'],
    ],
    [
      'one’s own operation beside a sale is shown beside it',
      [live('a', 'T1'), live('b', 'T1', { beside: true, startedAt: 5 })],
      ['b'],
      ['a', 'b'],
    ],
    [
      'the newer sale takes the terminal’s place',
      [live('a', 'T1', ended), live('b', 'T1', { startedAt: 5 })],
      ['a'],
      ['b'],
    ],
  ])('%s', (_, sales, stored, shown) => {
    expect(panelsOf(sales, new Set(stored)).map(({ id }) => id)).toEqual(shown);
  });

  test('news of a sale replaces it, and sales of other terminals stay', () => {
    const previous = [live('a', 'T1', ended), live('b', 'T2')];
    expect(withSale(previous, live('b', 'T2', ended)).map(({ id, result }) => [id, result !== undefined])).toEqual([
      ['a', true],
      ['b', true],
    ]);
    expect(withSale(previous, live('c', 'T1')).map(({ id }) => id)).toEqual(['b', 'c']);
  });

  test('an operation beside a sale does not dismiss it, nor the reverse', () => {
    const previous = [live('a', 'T1'), live('b', 'T1', { beside: true })];
    const after = withSale(previous, live('b', 'T1', { ...ended, beside: true, startedAt: 5 }));
    expect(after.map(({ id, result }) => [id, result !== undefined])).toEqual([
      ['a', false],
      ['b', true],
    ]);
    expect(withSale(after, live('a', 'T1', ended)).map(({ id }) => id)).toEqual(['b', 'a']);
  });

  test('news of an older sale does not dismiss a newer one of its terminal', () => {
    const newer = [live('b', 'T1', { ...ended, startedAt: 5 }), live('c', 'T2')];
    expect(withSale(newer, live('a', 'T1', ended)).map(({ id }) => id)).toEqual(['b', 'c']);
    expect(withSale(newer, live('b', 'T1', { ...ended, startedAt: 5 })).map(({ id }) => id)).toEqual(['c', 'b']);
    expect(withSale(newer, live('d', 'T1', { startedAt: 6 })).map(({ id }) => id)).toEqual(['c', 'd']);
  });

  test('keys go to the chosen panel, else to the one in progress', () => {
    const panels = [live('a', 'T1', ended), live('b', 'T2')];
    expect(currentPanel(panels, 'a')?.id).toBe('a');
    expect(currentPanel(panels, 'gone')?.id).toBe('b');
    expect(currentPanel([], undefined)).toBeUndefined();
  });

  test('the next sale goes to the preferred terminal if it is free, else to a free one', () => {
    const counter = (name: string, state: Counter['state']): Counter => ({ name, state, integrated: false });
    const counters = [counter('T1', 'busy'), counter('T2', 'ready'), counter('T3', 'ready')];
    expect(nextCounter(counters, undefined)?.name).toBe('T2');
    expect(nextCounter(counters, 'T3')?.name).toBe('T3');
    expect(nextCounter(counters, 'T1')?.name).toBe('T2');
    expect(nextCounter([counter('T1', 'away')], undefined)).toBeUndefined();
  });

  test.each<[states: Counter['state'][], why: ReturnType<typeof whyNotFree>]>([
    [['busy'], 'noTerminalFree'],
    [['busy', 'away'], 'noTerminalFree'],
    [['away'], 'terminalAway'],
    [['away', 'unpaired'], 'terminalAway'],
    [['unpaired'], 'noTerminalPaired'],
    [[], 'noTerminalPaired'],
  ])('with terminals that are %j the next sale has none: %s', (states, reason) => {
    const counters = states.map((state, index): Counter => ({ name: `T${index + 1}`, state, integrated: false }));
    expect(whyNotFree(counters)).toBe(reason);
  });

  test('a progress bar never exceeds its place, and is absent without a usual time', () => {
    expect(progress(5, { from: 1, to: 10 })).toBe(0.5);
    expect(progress(50, { from: 1, to: 10 })).toBe(1);
    expect(progress(-5, { from: 1, to: 10 })).toBe(0);
    expect(progress(5, undefined)).toBeUndefined();
  });
});

describe('bills', () => {
  const minors = fc.bigInt({ min: 1n, max: 10n ** 9n });

  test('parts are paid one by one, never more than what is left', () => {
    fc.assert(
      fc.property(fc.array(minors, { minLength: 1, maxLength: 8 }), minors, (parts, extra) => {
        const total = parts.reduce((sum, part) => sum + part, 0n) + extra;
        let paid = 0n;
        const amounts: bigint[] = [];
        while (paid < total) {
          const next = nextPart({ total, parts }, { paid, left: total - paid, unknown: 0n });
          expect(next > 0n && next <= total - paid).toBe(true);
          amounts.push(next);
          paid += next;
        }
        expect(amounts).toEqual([...parts, extra]);
      }),
    );
  });

  test('after a partial approval the rest of that part comes next', () => {
    const bill = { total: 6000n, parts: [3000n, 3000n] };
    expect(nextPart(bill, { paid: 1000n, left: 5000n, unknown: 0n })).toBe(2000n);
    expect(nextPart(bill, { paid: 0n, left: 2500n, unknown: 3500n })).toBe(2500n);
  });

  test('a bill’s sums come from the books', () => {
    const [sale] = pastSales(1, 0) as [SaleDetail];
    const bill = { total: eur('60.00'), paid: eur('20.00'), left: eur('30.00'), unknown: eur('10.00'), receipts: [1] };
    expect(sumsOf({ total: 6000n, parts: [] }, { ...sale, bill })).toEqual({
      paid: 2000n,
      left: 3000n,
      unknown: 1000n,
    });
    expect(sumsOf({ total: 6000n, parts: [] }, undefined)).toEqual({ paid: 0n, left: 6000n, unknown: 0n });
  });

  test('a bill is found again after a reload, and is gone once closed', () => {
    const storage = memoryStorage();
    const bill = { total: 6000n, parts: [3000n, 3000n], first: 417 };
    billStore(storage).set(bill);
    expect(billStore(storage).get()).toEqual(bill);
    billStore(storage).set(undefined);
    expect(billStore(storage).get()).toBeUndefined();
    storage.setItem('tillgate.bill', '{"total":"x"}');
    expect(billStore(storage).get()).toBeUndefined();
  });
});
