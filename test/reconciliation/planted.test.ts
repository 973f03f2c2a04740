/**
 * Correct sales of many kinds, with differences planted in them: each difference is found by name, and nothing else.
 */
import { expect, test } from 'vitest';
import { rowOf } from '../../src/locales/messages/en/settlement.ts';
import { reconciler } from '../../src/reconciliation/reconcile.ts';
import type { Cells } from '../../src/reconciliation/settlement-columns.ts';
import type { Finding } from '../../src/reconciliation/settlement-explain.ts';
import type { ExpectedSale } from '../../src/reconciliation/settlement-match.ts';
import { type Dice, dice, SEED } from '../support/chance/dice.ts';
import { byNight } from '../support/night/night.ts';
import { type Booked, exact, kinds, lineOf, plain, soldSale } from './planted-kinds.ts';
import { cells, csv, expected, id, read } from './settlement-lines.ts';

const truth: (typeof kinds)[number] = ['nothing', plain, []];

const shuffle = <T>(all: readonly T[], chance: Dice): T[] => {
  const left = [...all];
  return all.map(() => left.splice(chance.between(0, left.length - 1), 1)[0] as T);
};

const reasonNames = ({ reasons }: Finding): string[] =>
  reasons.flatMap(({ name }) => (rowOf(name).isFine === true ? [] : [name])).sort();

/** A sale of another till, after all the others, so that sales missing from the file count as missing. */
const last = cells({
  UniqueID: id(0xffff),
  TransactionId: '',
  SettlementDate: '2026-11-25',
  SettlementFee: '',
  SettlementAmount: '10.00',
});

const settle = async (sales: readonly ExpectedSale[], lines: readonly Cells[]) => {
  const books = reconciler(sales);
  for (const line of await read(csv([last, ...lines]))) books.take(line);
  return books.end();
};

const reconcileLines = async (sales: readonly ExpectedSale[], lines: readonly Cells[]) => {
  const { findings, refused } = await settle(sales, lines);
  expect(refused).toEqual([]);
  return new Map(
    findings.flatMap((one) =>
      one.receipt !== undefined && reasonNames(one).length > 0 ? [[one.receipt, reasonNames(one).join()]] : [],
    ),
  );
};

test.each(kinds)('%s', async (_, book, expected) => {
  for (let seed = 1; seed <= 12; seed += 1) {
    const { sale, lines } = book(dice(seed), seed);
    const all = await reconcileLines([sale], lines);
    expect([...all], `seed ${SEED}`).toEqual(expected.length === 0 ? [] : [[seed, expected.join()]]);
  }
});

/** Pairs with swapped payment ids, with and without their references. */
const pairs = (chance: Dice, from: number): { books: Booked[]; candidates: [number, string][] } => {
  const [one, other] = [from, from + 1].map((n) => soldSale(chance, n, { currency: 'EUR' })) as [
    ExpectedSale,
    ExpectedSale,
  ];
  const [third, fourth] = [from + 2, from + 3].map((n) => soldSale(chance, n, { currency: 'EUR' })) as [
    ExpectedSale,
    ExpectedSale,
  ];
  const withReferences = (sale: ExpectedSale, payment = '', TransactionId = '') =>
    lineOf(sale, chance, { UniqueID: payment, TransactionId });
  return {
    books: [
      { sale: one, lines: [withReferences(one, other.payment)] },
      { sale: other, lines: [withReferences(other, one.payment)] },
      { sale: third, lines: [withReferences(third, fourth.payment, third.sale)] },
      { sale: fourth, lines: [withReferences(fourth, third.payment, fourth.sale)] },
    ],
    candidates: [
      [from, 'swapped'],
      [from + 1, 'swapped'],
      [from + 2, 'namesCrossed'],
      [from + 3, 'namesCrossed'],
    ],
  };
};

test('among hundreds of sales in any order exactly the planted ones are found', { timeout: 60_000 }, async () => {
  const chance = dice(SEED);
  for (let round = 0; round < byNight({ day: 4, night: 40 }); round += 1) {
    const swapped = pairs(chance, 1_000);
    const expected = new Map<number, string>(swapped.candidates);
    const books = [...swapped.books];
    for (let n = 1; n <= 200; n += 1) {
      const isTrue = chance.percent(60);
      const [, book, names] = isTrue ? truth : (kinds[chance.between(0, kinds.length - 1)] ?? truth);
      books.push(book(chance, n));
      if (names.length > 0) expected.set(n, names.join());
    }
    // Five sales of their own day, paid out as one sum without an id.
    const together = [2_001, 2_002, 2_003, 2_004, 2_005].map((n) =>
      soldSale(chance, n, { currency: 'EUR', date: '2026-11-19' }),
    );
    const total = together.reduce((sum, { till }) => sum + till, 0n);
    const batchLine = { UniqueID: '', TransactionId: '', AccountNumberLast4: '', PaymentType: 'BATCH' };
    const sum = cells({
      ...batchLine,
      ...exact(together[0] as ExpectedSale, total),
      TxRequestTime: '2026-11-19 12:00:00',
    });
    const sales = [...books.map(({ sale }) => sale), ...together];
    const lines = [...books.flatMap((one) => one.lines), sum];
    const sorted = (all: Map<number, string>) => [...all].sort(([left], [right]) => left - right);
    const first = await reconcileLines(sales, lines);
    expect(sorted(first), `seed ${SEED}, round ${round}`).toEqual(sorted(expected));
    const repeated = await reconcileLines(shuffle(sales, chance), shuffle(lines, chance));
    expect(sorted(repeated), `seed ${SEED}, round ${round}, shuffled`).toEqual(sorted(expected));
    const { agreeing } = await settle(sales, lines);
    const silent = books.filter(({ lines: of, sale }) => of.length === 0 && !expected.has(sale.receipt)).length;
    expect(agreeing, `seed ${SEED}, round ${round}`).toBe(sales.length - expected.size - silent);
  }
});

test('a line of another store is refused, and one of another till is reported as such', async () => {
  const { sale, lines } = plain(dice(1), 1);
  const books = reconciler([sale]);
  const strangeLines = [
    { ...lines[0], MerchantId: 'f'.repeat(32), SettlementTxId: 'x' },
    cells({ UniqueID: id(77), TransactionId: '' }),
  ];
  for (const line of await read(csv([...lines, ...strangeLines]))) books.take(line);
  const { refused, findings } = books.end();
  expect(refused).toMatchObject([{ line: 3, why: 'otherStore' }]);
  expect(findings.filter((one) => one.sale === undefined).map(reasonNames)).toEqual([['otherTill']]);
});

test('ten thousand lines for one sale are read quickly and counted', async () => {
  const sale = expected(1);
  const lines = Array.from({ length: 10_000 }, (_, n) => lineOf(sale, dice(1), { SettlementTxId: String(n) }));
  const { findings, more } = await settle([sale], lines);
  expect(findings.filter((one) => one.receipt === 1).map(reasonNames)).toEqual([['settledTwice']]);
  expect(more.get('settledTwice')).toBe(9_000);
});

test('however its bytes are corrupted, no line is matched with a sale that it does not name', {
  timeout: 60_000,
}, async () => {
  const chance = dice(SEED);
  const books = Array.from({ length: 12 }, (_, n) => plain(chance, n + 1));
  const file = new TextEncoder().encode(csv(books.flatMap(({ lines }) => lines)));
  const sales = books.map(({ sale }) => sale);
  for (let round = 0; round < byNight({ day: 100, night: 1_000 }); round += 1) {
    const bytes = [...file];
    for (let n = chance.between(1, 6); n > 0; n -= 1) {
      const index = chance.between(0, bytes.length - 1);
      const cut = chance.between(1, 40);
      const what = chance.between(0, 3);
      if (what === 0) bytes[index] = chance.between(0, 255);
      else if (what === 1) bytes.splice(index, cut);
      else if (what === 2) bytes.splice(index, 0, ...bytes.slice(index, index + cut));
      else
        bytes.splice(
          index,
          0,
          ...new TextEncoder().encode(chance.one([';', '"', '\n', '\r\n', '=', '-', '\u{1F4B6}'])),
        );
    }
    const reconciling = reconciler(sales);
    try {
      for (const line of await read(Uint8Array.from(bytes), 61)) {
        const match = reconciling.take(line);
        if (match === undefined || 'why' in line) continue;
        for (const { sale, payment, till, currency } of match.found) {
          const isNamed = line.payment === payment || line.merchantTransactionId === sale;
          const isLike = line.amount.minor === till && line.amount.currency === currency;
          expect(isNamed || isLike, `seed ${SEED}, round ${round}, line ${line.line}`).toBe(true);
        }
      }
      reconciling.end();
    } catch (error) {
      expect(error, `seed ${SEED}, round ${round}`).toMatchObject({ code: 'settlement.unreadable' });
    }
  }
});
