/** Settlement files whose sender disconnects: nothing of them is stored, and nobody else waits for them. */
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
  const good = await till.sell(1_000n);
  const { intent, answer } = good;
  const line = { MerchantId: MERCHANT, UniqueID: answer?.payment ?? '', TransactionId: intent.sale };
  const text = csv([cells({ ...line, SettlementDate: '2026-01-02' })]);
  const file = { name: 's.csv', bytes: Buffer.from(text) };
  const leftovers = (): string[] => readdirSync(rig.folder).filter((name) => name.startsWith('settlement-'));

  // Virtual time stands still: the comparison waits for the gateway.
  const first = new AbortController();
  const comparing = till.service.reconcile(file, max, first.signal);
  const failed = comparing.catch((error: unknown) => error);
  while (leftovers().length < 1) await rig.clock.settle();
  const waiting = new AbortController();
  const behind = till.service.reconcile(file, { ...max, name: 'Ana' }, waiting.signal).catch((error: unknown) => error);
  while (leftovers().length < 2) await rig.clock.settle();
  waiting.abort(new Fault('till.reopening'));
  expect(await behind).toMatchObject({ code: 'till.reopening' });
  expect(leftovers()).toHaveLength(1);
  first.abort(new Fault('till.reopening'));
  expect(await failed).toMatchObject({ code: 'till.reopening' });
  expect([leftovers(), till.service.reconciliations()]).toEqual([[], []]);
  expect(await rig.done(till.service.reconcile(file, max))).toMatchObject({ differences: 0, times: 1 });
  await till.close();
});
