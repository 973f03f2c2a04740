/** Settlement files at the manager's service: stored, recognised and resolved, across restarts; and invalid files. */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { settlementColumns } from '../../src/gateway/spec/settlement-columns.ts';
import type { Cells } from '../../src/reconciliation/settlement-columns.ts';
import type { EndedSale } from '../../src/till/machine/sale.ts';
import { cells, csv } from '../reconciliation/settlement-lines.ts';
import { booksRig, type Life, MERCHANT, max, type Rig } from './manager-rig.ts';

let rig: Rig;
afterEach(() => rig?.remove());

const lineOf = ({ intent, answer }: EndedSale, more: Cells = {}): Cells =>
  cells({
    MerchantId: MERCHANT,
    UniqueID: answer?.payment ?? '',
    TransactionId: intent.sale,
    SettlementDate: '2026-01-02',
    SettlementTxId: `s${intent.receipt}`,
    ...more,
  });
const file = (text: string | Uint8Array, name = 'settlement.csv') => ({
  name,
  bytes: typeof text === 'string' ? Buffer.from(text, 'utf8') : text,
});
const reconciled = (till: Life, text: string | Uint8Array, name?: string) =>
  rig.done(till.service.reconcile(file(text, name), max));
const temporaryFiles = (): string[] => readdirSync(rig.folder).filter((name) => name.startsWith('settlement-'));

test('one cent too little is a difference with an explanation, stored and resolved across a restart', async () => {
  rig = booksRig();
  const till = await rig.open();
  const agreeing = await till.sell(1_000n);
  const shortPaid = await till.sell(1_000n);
  const text = csv([lineOf(agreeing), lineOf(shortPaid, { SettlementAmount: '9.82' })]);
  const detail = await reconciled(till, text);
  expect(detail).toMatchObject({
    ...{ file: 'settlement.csv', by: 'Max', records: 2, differences: 1, resolved: 0, times: 1, more: 0 },
    days: { first: '2026-01-02', last: '2026-01-02' },
    payout: [{ amount: '19.65', currency: 'EUR' }],
    fine: [{ name: 'fee', count: 2, amount: { amount: '-0.34', currency: 'EUR' } }],
  });
  expect(detail.findings).toMatchObject([{ n: 1, receipt: shortPaid.intent.receipt, lines: [3] }]);
  expect(detail.findings[0]?.reasons[0]).toMatchObject({
    name: 'short',
    says: 'paid out less than the amount minus the fee',
    toDo: 'Ask the acquirer what was withheld.',
    amount: { amount: '-0.01', currency: 'EUR' },
  });
  expect(temporaryFiles()).toEqual([]);
  await till.close();

  const reopened = await rig.opened();
  expect(reopened.service.reconciliations()).toMatchObject([{ id: detail.id, differences: 1, resolved: 0 }]);
  const how = { choice: 'short', note: 'asked on the phone' };
  const settled = reopened.service.resolveDifference(detail.id, 1, how, max);
  expect(settled.findings[0]?.resolution).toMatchObject({ ...how, by: 'Max' });
  await reopened.close();
  const third = await rig.opened();
  expect(third.service.reconciliation(detail.id)).toEqual(settled);
  expect(third.service.reconciliations()).toMatchObject([{ resolved: 1 }]);
  const kinds = third.audit.page({ from: 0, most: 10 }).rows.map(({ kind }) => kind);
  expect(kinds.filter((kind) => kind === 'reconciled' || kind === 'differenceResolved')).toEqual([
    'differenceResolved',
    'reconciled',
  ]);
  await third.close();
});

test('the same file again is the same reconciliation: resolutions stay, corrected differences disappear', async () => {
  rig = booksRig();
  const till = await rig.open();
  const one = await till.sell(1_000n);
  rig.line.up = false;
  const late = await till.sell(2_000n);
  const text = csv([
    lineOf(one, { SettlementAmount: '9.00' }),
    lineOf(late, { UniqueID: '', Amount: '20.00', SettlementAmount: '19.83' }),
  ]);
  const first = await reconciled(till, text, 'monday.csv');
  expect(first.differences).toBe(2);
  const shortPaid = first.findings.find(({ receipt }) => receipt === one.intent.receipt);
  till.service.resolveDifference(first.id, shortPaid?.n ?? 0, { choice: 'short', note: '' }, max);
  rig.line.up = true;
  await till.drain();
  const second = await reconciled(till, text, 'C:\\files\\monday.csv');
  expect(second).toMatchObject({ id: first.id, file: 'monday.csv', times: 2, differences: 1, resolved: 1 });
  expect(second.findings.map(({ n }) => n)).toEqual([shortPaid?.n]);
  expect(till.service.reconciliations()).toHaveLength(1);
  // The number of a difference that no longer exists resolves nothing.
  const otherNumber = first.findings.find(({ n }) => n !== shortPaid?.n)?.n ?? 0;
  expect(() => till.service.resolveDifference(first.id, otherNumber, { choice: 'x', note: '' }, max)).toThrow(
    expect.objectContaining({ code: 'settlement.notFound' }),
  );
  await till.close();
});

test('two people who upload the same file at once get one reconciliation', async () => {
  rig = booksRig();
  const till = await rig.open();
  const text = csv([lineOf(await till.sell(1_000n), { SettlementAmount: '9.00' })]);
  const [one, other] = await rig.done(
    Promise.all([till.service.reconcile(file(text), max), till.service.reconcile(file(text), { ...max, name: 'Mia' })]),
  );
  expect(one?.id).toBe(other?.id);
  expect(till.service.reconciliations()).toMatchObject([{ by: expect.stringMatching(/^(Max|Mia)$/), differences: 1 }]);
  await till.close();
});

test('an invalid settlement file is refused under its original name, and nothing of it is left', async () => {
  rig = booksRig();
  const till = await rig.open();
  await till.sell(1_000n);
  const header = settlementColumns.filter((name) => name !== 'Amount');
  const rows: [string | Uint8Array, RegExp][] = [
    ['', /it is empty/],
    [csv([cells()], header), /line 1: the column Amount is missing/],
    [csv([cells()]).replaceAll(';', ','), /line 1: its header is not parted by semicolons/],
    [Buffer.from(`${csv([cells()])}\nGr\xfc\xdfe`, 'latin1'), /line \d/],
    [Buffer.from(csv([cells()]).replace(/$/, '\uD800'), 'utf16le'), /line \d+: it ends inside a character/],
  ];
  for (const [bytes, message] of rows) {
    const refused = {
      code: 'settlement.unreadable',
      facts: { file: 'march.csv' },
      message: expect.stringMatching(message),
    };
    await expect(reconciled(till, bytes, 'march.csv')).rejects.toMatchObject(refused);
  }
  expect(till.service.reconciliations()).toEqual([]);
  expect(temporaryFiles()).toEqual([]);
  await till.close();
});

test('lines with formulas, duplicates and short lines are named by number, and the others are compared', async () => {
  rig = booksRig();
  const till = await rig.open();
  const sale = await till.sell(1_000n);
  const text = `${csv([
    lineOf(sale),
    lineOf(sale),
    lineOf(sale, { SettlementTxId: 'x', Descriptor: '=HYPERLINK("http://evil")' }),
  ])}SETTLED;DEBIT\n`;
  const detail = await reconciled(till, text);
  expect(detail).toMatchObject({ records: 1, agreeing: 1, differences: 0, refusedCount: 3 });
  expect(detail.refused.map(({ line, why }) => [line, why])).toEqual([
    [3, 'doubled'],
    [4, 'formula'],
    [5, 'ragged'],
  ]);
  await till.close();
});

test('a file is written while it arrives; one whose sender disconnects leaves nothing', async () => {
  rig = booksRig();
  const till = await rig.open();
  const text = csv([lineOf(await till.sell(1_000n))]);
  async function* piecesOf(fails: boolean): AsyncGenerator<Uint8Array> {
    for (let index = 0; index < text.length; index += 7) {
      if (fails && index > 100) throw new Error('gone');
      yield Buffer.from(text.slice(index, index + 7));
    }
  }
  const dropped = (fails: boolean) => rig.done(till.service.reconcile({ name: 's.csv', bytes: piecesOf(fails) }, max));
  await expect(dropped(true)).rejects.toMatchObject({ code: 'settlement.unreadable' });
  expect(till.service.reconciliations()).toEqual([]);
  expect(temporaryFiles()).toEqual([]);
  expect(await dropped(false)).toMatchObject({ records: 1, differences: 0 });
  await till.close();
});

test('an upload left by a crash is deleted, and nothing else', async () => {
  rig = booksRig();
  const till = await rig.open();
  writeFileSync(join(rig.folder, `settlement-${'a'.repeat(32)}.tmp`), 'half a file');
  writeFileSync(join(rig.folder, 'settlement-mine.csv'), 'kept');
  till.newService();
  expect(temporaryFiles()).toEqual(['settlement-mine.csv']);
  await till.close();
});

test('a reconciliation that cannot be written to the journal does not exist', async () => {
  rig = booksRig();
  const till = await rig.open();
  const text = csv([lineOf(await till.sell(1_000n), { SettlementAmount: '9.00' })]);
  const { write } = till.running.journal;
  till.running.journal.write = (entries, also) => {
    if (entries.some(({ kind }) => kind === 'reconciled')) throw new Error('the disk is full');
    write(entries, also);
  };
  await expect(reconciled(till, text)).rejects.toMatchObject({ message: expect.stringContaining('the disk is full') });
  till.running.journal.write = write;
  expect(till.service.reconciliations()).toEqual([]);
  expect(temporaryFiles()).toEqual([]);
  await till.close();
});

test('a card number in a file’s name or in a note is masked before it is stored', async () => {
  rig = booksRig();
  const till = await rig.open();
  const text = csv([lineOf(await till.sell(1_000n), { SettlementAmount: '9.00' })]);
  const { id } = await reconciled(till, text, '4761739001010010.csv');
  till.service.resolveDifference(id, 1, { choice: 'other', note: 'card 4761 7390 0101 0010' }, max);
  const journalText = [...till.running.journal.entries()].map(({ body }) => body).join('\n');
  expect(journalText).not.toMatch(/4761 ?7390 ?0101 ?0010/);
  await till.close();
});

test('a sale after midnight is compared with the file of its own date, whatever its business day', async () => {
  rig = booksRig();
  const till = await rig.open();
  const before = await till.sell(1_000n);
  // 01:00 UTC: the business day continues until 04:00.
  await rig.clock.advance(13 * 3_600_000);
  const night = await till.sell(1_000n);
  expect(till.running.books.batches()).toHaveLength(1);
  const first = await reconciled(till, csv([lineOf(before)]), 'first.csv');
  expect(first).toMatchObject({ agreeing: 1, differences: 0 });
  const nextDay = { SettlementDate: '2026-01-03', TxRequestTime: '2026-01-03 01:00:00' };
  expect(await reconciled(till, csv([lineOf(night, nextDay)]), 'good.csv')).toMatchObject({ agreeing: 1 });
  const second = await reconciled(till, csv([lineOf(night, { ...nextDay, SettlementAmount: '9.82' })]), 'second.csv');
  expect(second).toMatchObject({ days: { first: '2026-01-03', last: '2026-01-03' }, differences: 1 });
  expect(second.findings).toMatchObject([{ receipt: night.intent.receipt }]);
  expect(second.findings[0]?.reasons.map(({ name }) => name)).toContain('short');
  await till.close();
});

const DAY_MS = 24 * 3_600_000;
const nextDay = { SettlementDate: '2026-01-03', TxRequestTime: '2026-01-03 12:00:00' };

test('a sale missing from the file of its last day is looked for in the next file, and reported once', async () => {
  rig = booksRig();
  const till = await rig.open();
  const [settled, late, never] = [await till.sell(1_000n), await till.sell(1_000n), await till.sell(1_000n)];
  await rig.clock.advance(DAY_MS);
  const nextDaySale = await till.sell(1_000n);
  const first = await reconciled(till, csv([lineOf(settled)]), 'first.csv');
  expect(first).toMatchObject({ agreeing: 1, differences: 0, fine: [{ name: 'fee' }, { count: 2 }] });
  expect(first.fine?.[1]?.name).toBe('settledTomorrow');
  const theNext = csv([lineOf(late, { SettlementDate: '2026-01-03' }), lineOf(nextDaySale, nextDay)]);
  const second = await reconciled(till, theNext, 'second.csv');
  expect(second).toMatchObject({ agreeing: 2, differences: 1 });
  expect(second.findings).toMatchObject([{ receipt: never.intent.receipt, reasons: [{ name: 'notSettled' }] }]);
  // The next day's file does not report the missing sale again; the same file does.
  await rig.clock.advance(DAY_MS);
  const last = await till.sell(1_000n);
  const after = { SettlementDate: '2026-01-04', TxRequestTime: '2026-01-04 12:00:00' };
  const third = await reconciled(till, csv([lineOf(last, after)]), 'third.csv');
  expect(third).toMatchObject({ agreeing: 1, differences: 0 });
  expect(await reconciled(till, theNext, 'second.csv')).toMatchObject({ agreeing: 2, differences: 1, times: 2 });
  await till.close();
});

test('an acquirer’s corrected file is compared completely, and so is an overlapping one', async () => {
  rig = booksRig();
  const till = await rig.open();
  const [one, other] = [await till.sell(1_000n), await till.sell(1_000n)];
  await reconciled(till, csv([lineOf(one, { SettlementAmount: '9.00' }), lineOf(other)]), 'first.csv');
  const corrected = await reconciled(till, csv([lineOf(one), lineOf(other)]), 'corrected.csv');
  expect(corrected).toMatchObject({ agreeing: 2, differences: 0 });
  await rig.clock.advance(DAY_MS);
  const nextDaySale = await till.sell(1_000n);
  const week = await reconciled(till, csv([lineOf(one), lineOf(other), lineOf(nextDaySale, nextDay)]), 'week.csv');
  expect(week).toMatchObject({ agreeing: 3, differences: 0 });
  await till.close();
});

test('a sale that a corrected file leaves out is missing', async () => {
  rig = booksRig();
  const till = await rig.open();
  const [one, other] = [await till.sell(1_000n), await till.sell(1_000n)];
  await rig.clock.advance(DAY_MS);
  const nextDaySale = lineOf(await till.sell(1_000n), nextDay);
  const both = await reconciled(till, csv([lineOf(one), lineOf(other), nextDaySale]), 'both.csv');
  expect(both).toMatchObject({ agreeing: 3, differences: 0 });
  const less = await reconciled(till, csv([lineOf(one), nextDaySale]), 'corrected.csv');
  expect(less).toMatchObject({ agreeing: 2, differences: 1, findings: [{ receipt: other.intent.receipt }] });
  await till.close();
});

test('a late line in the next file does not turn the rest of its day into differences', async () => {
  rig = booksRig();
  const till = await rig.open();
  const [settled, late] = [await till.sell(1_000n), await till.sell(1_000n)];
  await rig.clock.advance(DAY_MS);
  const nextDaySale = await till.sell(1_000n);
  expect(await reconciled(till, csv([lineOf(settled)]), 'first.csv')).toMatchObject({ differences: 0 });
  // The line of the late sale has the day of the request, so the file covers both days.
  const of = { SettlementDate: '2026-01-03', TxRequestTime: '2026-01-02 12:00:00' };
  const second = await reconciled(till, csv([lineOf(late, of), lineOf(nextDaySale, nextDay)]), 'second.csv');
  expect(second).toMatchObject({ agreeing: 2, differences: 0 });
  await till.close();
});
