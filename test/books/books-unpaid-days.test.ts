/**
 * Days with unpaid sales: open items, the close, X and Z reports agree on the amounts, and report each settlement once.
 */
import { afterEach, expect, test } from 'vitest';
import type { Amount } from '../../src/api/contract/wire.ts';
import { totalsOf } from '../../src/books/reports/print-parts.ts';
import { verifyZ } from '../../src/reconciliation/z-report.ts';
import { dice } from '../support/chance/dice.ts';
import { booksRig, type Life, max, type Rig } from './manager-rig.ts';

let rig: Rig;
afterEach(() => rig?.remove());

const eur = (minor: bigint) => ({ minor, currency: 'EUR' });
const amountText = ({ amount, currency }: Amount): string => `${amount} ${currency}`;
const openOf = (till: Life) => till.service.openItems().filter(({ kind }) => kind === 'task');

/** What can happen between two closes. */
const steps = {
  async declined(till: Life, minor: bigint) {
    rig.line.up = false;
    await till.sell(minor);
    rig.line.up = true;
    rig.approvals.push(false);
    await till.drain();
  },
  approved: (till: Life, minor: bigint) => till.sell(minor),
  async chargedAgain(till: Life, minor: bigint) {
    const [item] = openOf(till);
    if (!item?.actions.includes('chargeAgain')) return;
    const missing = BigInt(item.missing?.amount.replace('.', '') ?? '0');
    const amount = eur(minor < missing ? minor : missing);
    const chargesAgain = till.running.unpaid.toCharge(item.receipt, amount);
    if (minor % 3n === 0n) rig.approvals.push(false);
    await rig.done(till.running.till.sell({ amount, chargesAgain }, () => {}).done);
  },
  async voided(till: Life) {
    const openCount = till.service.openItems().length + till.running.ledger.sales(5).length;
    const tried = till.running.ledger.sales(openCount).find(({ intent }) => intent.chargesAgain !== undefined);
    if (
      tried?.at === 'ended' &&
      till.running.till.mayFollow(tried.intent.receipt).some((may) => may.operation === 'void')
    )
      await till.follow(tried.intent.receipt, 'void');
  },
  async settled(till: Life) {
    const item = openOf(till).at(-1);
    if (item !== undefined) await till.service.act(item.receipt, 'settleOtherwise', max, { reason: 'in cash' });
  },
  async writtenOff(till: Life) {
    const item = openOf(till).at(-1);
    if (item !== undefined) await till.service.act(item.receipt, 'writeOff', max, { reason: 'gone for good' });
  },
} as const;

test('whatever happens, each close lists the unpaid sales, and each sale settled since only once', async () => {
  rig = booksRig();
  const chance = dice(7);
  const till = await rig.open();
  const kinds = Object.keys(steps) as (keyof typeof steps)[];
  const mentioned = new Map<number, 'unpaid' | 'over'>();
  let namedCount = 0;
  for (let day = 0; day < 4; day++) {
    for (const kind of ['approved', 'declined', ...kinds.map(() => kinds[chance.between(0, kinds.length - 1)])]) {
      const minor = 500n + BigInt(chance.between(0, 39)) * 50n;
      await steps[kind as keyof typeof steps](till, minor);
    }
    const open = openOf(till).map(({ receipt, missing }) => [receipt, missing && amountText(missing)]);
    const { checks, mayClose } = await rig.done(till.service.closing());
    const check = checks.find(({ what }) => what === 'nothingUnpaid');
    expect(mayClose).toBe(true);
    expect(check?.ok).toBe(open.length === 0);
    expect(check?.open.map(({ receipt, amount }) => [receipt, amount])).toEqual(open);
    const x = till.running.books.x('Max');
    expect((x.unpaid ?? []).map(({ receipt, amount }) => [receipt, amount])).toEqual(open);
    const report = await rig.done(till.service.close({}, max));
    const z = till.running.books.batch(report.batch, report.terminalId).z;
    expect((z?.unpaid ?? []).map(({ receipt, amount }) => [receipt, amount])).toEqual(open);
    for (const total of totalsOf(open.map(([, amount]) => String(amount))))
      expect(report.paper?.join('\n')).toContain(total);
    for (const { receipt } of z?.unpaidOver ?? []) {
      expect([receipt, mentioned.get(receipt)]).not.toEqual([receipt, 'over']);
      mentioned.set(receipt, 'over');
      namedCount += 1;
    }
    for (const { receipt } of z?.unpaid ?? []) mentioned.set(receipt, 'unpaid');
    // Every sale that was ever declined later is listed, in its present state.
    const declined = [...till.running.ledger.all()].filter((sale) => till.running.unpaid.of(sale) !== undefined);
    for (const sale of declined) {
      const state = till.running.unpaid.of(sale)?.state;
      expect([sale.intent.receipt, mentioned.get(sale.intent.receipt)]).toEqual([
        sale.intent.receipt,
        state === 'open' || state === 'charging' ? 'unpaid' : 'over',
      ]);
    }
  }
  expect(namedCount).toBeGreaterThan(2);
  verifyZ(till.running.books.batches().flatMap(({ z }) => z ?? []));
  await till.close();
});

test('a part that was paid is not missing, and a sale that becomes unpaid again is listed again', async () => {
  rig = booksRig();
  const till = await rig.open();
  const charge = (minor: bigint) => {
    const chargesAgain = till.running.unpaid.toCharge(1, eur(minor));
    return rig.done(till.running.till.sell({ amount: eur(minor), chargesAgain }, () => {}).done);
  };
  const readReports = async () => {
    await till.sell(100n);
    const { batch, terminalId, paper = [] } = await rig.done(till.service.close({}, max));
    const { unpaid = [], unpaidOver = [] } = till.running.books.batch(batch, terminalId).z ?? {};
    const standing = unpaid.map(({ receipt, batch: of, amount, why }) => [receipt, of, amount, why].join(' '));
    return {
      messages: [...standing, ...unpaidOver.map(({ how, again: openCount, by }) => [how, openCount, by].join(' '))],
      paper,
    };
  };
  await steps.declined(till, 1_500n);
  await charge(1_000n);
  const first = await readReports();
  expect(first.messages).toEqual(['1 1 5.00 EUR declined']);
  expect(first.paper.join('\n')).toMatch(
    /TAKEN OFFLINE AND NOT PAID\n000001 of batch 1 +5\.00 EUR\n {2}declined when it was/,
  );
  const { intent } = await charge(500n);
  const second = await readReports();
  expect(second.messages).toEqual([`chargedAgain 2,${intent.receipt} `]);
  expect(second.paper.join('\n')).toContain('charged again, receipt 000002, 000004');
  await till.follow(intent.receipt, 'void');
  expect((await readReports()).messages).toEqual(['1 1 5.00 EUR declined']);
  await till.service.act(1, 'writeOff', max, { reason: 'gone for good' });
  const last = await readReports();
  expect(last.messages).toEqual([`writtenOff 2,${intent.receipt} Max`]);
  expect(last.paper.join('\n')).toContain('written off, Max: gone for good');
  expect((await readReports()).messages).toEqual([]);
  await till.close();
});
