/** Settlement files of which nothing is stored, because the sender disconnects or only compares them. */
import { readdirSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { Fault } from '../../src/base/fault.ts';
import { cells, csv } from '../reconciliation/settlement-lines.ts';
import { booksRig, MERCHANT, max, type Rig } from './manager-rig.ts';

let rig: Rig;
afterEach(() => rig?.remove());

test('a sender who disconnects while a file is read or compared leaves nothing and delays nobody', async () => {
  rig = booksRig();
  const till = await rig.open();
  const agreeing = await till.sell(1_000n);
  const { intent, answer } = agreeing;
  const line = { MerchantId: MERCHANT, UniqueID: answer?.payment ?? '', TransactionId: intent.sale };
  const text = csv([cells({ ...line, SettlementDate: '2026-01-02' })]);
  const file = { name: 's.csv', bytes: Buffer.from(text) };
  const temporaryFiles = (): string[] => readdirSync(rig.folder).filter((name) => name.startsWith('settlement-'));

  // Virtual time stands still: the comparison waits for the gateway.
  const first = new AbortController();
  const comparing = till.service.reconcile(file, max, first.signal);
  const failed = comparing.catch((error: unknown) => error);
  while (temporaryFiles().length < 1) await rig.clock.settle();
  const waiting = new AbortController();
  const queued = till.service.reconcile(file, { ...max, name: 'Ana' }, waiting.signal).catch((error: unknown) => error);
  while (temporaryFiles().length < 2) await rig.clock.settle();
  waiting.abort(new Fault('till.reopening'));
  expect(await queued).toMatchObject({ code: 'till.reopening' });
  expect(temporaryFiles()).toHaveLength(1);
  first.abort(new Fault('till.reopening'));
  expect(await failed).toMatchObject({ code: 'till.reopening' });
  expect([temporaryFiles(), till.service.reconciliations()]).toEqual([[], []]);
  expect(await rig.done(till.service.reconcile(file, max))).toMatchObject({ differences: 0, times: 1 });
  await till.close();
});

test('an unsaved comparison returns every finding, and the file with its matches', async () => {
  rig = booksRig();
  const till = await rig.open();
  const [agreeing, differing] = [await till.sell(1_000n), await till.sell(1_000n)];
  const lines = [agreeing, differing].map(({ intent, answer }) => ({
    ...{ MerchantId: MERCHANT, UniqueID: answer?.payment ?? '', TransactionId: intent.sale },
    ...{ SettlementDate: '2026-01-02', SettlementTxId: `s${intent.receipt}` },
  }));
  const text = csv([cells(lines[0]), cells({ ...lines[1], SettlementAmount: '9.82' })]);
  const file = { name: 's.csv', bytes: Buffer.from(text) };
  let copy = '';
  const send = async ({ matched }: { matched: string }) => {
    copy += matched;
  };
  const compared = await rig.done(till.service.compareSettlement(file, { matched: 'true', tell: send }));
  expect(compared).toMatchObject({ records: 2, agreeing: 1, days: { first: '2026-01-02', last: '2026-01-02' } });
  expect(compared.findings.map(({ receipt, isOff }) => [receipt, isOff])).toEqual([
    [agreeing.intent.receipt, undefined],
    [differing.intent.receipt, true],
  ]);
  expect(copy.split('\n').filter((line) => line.includes(';MATCHED;'))).toHaveLength(2);
  const other = till.service.compareSettlement(file, { batch: '2', tell: send });
  await expect(rig.done(other)).rejects.toMatchObject({ code: 'books.notFound' });
  expect(till.service.reconciliations()).toEqual([]);
  await till.close();
});
