/** Whose sale it is, and what the audit list says about somebody who opens other people's sales. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Actor } from '../../src/api/ports/session.ts';
import { openAudit } from '../../src/staff/audit/audit.ts';
import { events, intent } from '../reconciliation/sale-cases.ts';
import { anna, counterRig, eur, type Rig } from './counter-rig.ts';

let rig: Rig;
beforeEach(() => {
  rig = counterRig();
});
afterEach(() => rig.remove());

const ben: Actor = { name: 'Ben', permissions: [] };
const max: Actor = { name: 'Max', permissions: [] };
const kiosk: Actor = { program: 'Kiosk', permissions: [] };
const pos: Actor = { program: 'Kiosk 2', permissions: [] };
const sale = { operation: 'sale', amount: eur('10.00') } as const;

test('a sale belongs to the person who made it, and to a program even when a manager approved it', async () => {
  const { service, ended, close } = await rig.open();
  const sellAs = async (actor: Actor, key: string) => (await ended(await service.begin(sale, actor, key))).receipt;
  const [annas, kiosks, approved] = [
    await sellAs(anna, 'key-00000001'),
    await sellAs(kiosk, 'key-00000001'),
    await sellAs({ ...max, program: 'Kiosk' }, 'key-00000002'),
  ];
  const ownSales = (actor: Actor) =>
    [annas, kiosks, approved].map(
      (receipt) => service.isOwn({ receipt }, actor) && service.isOwn(service.sale(receipt), actor),
    );
  expect(ownSales(anna)).toEqual([true, false, false]);
  expect(ownSales(kiosk)).toEqual([false, true, true]);
  expect(ownSales(pos)).toEqual([false, false, false]);
  expect(ownSales(max)).toEqual([false, false, true]);
  expect(ownSales(ben)).toEqual([false, false, false]);
  expect(() => service.isOwn({ receipt: 99 }, ben)).toThrow(expect.objectContaining({ code: 'till.notFound' }));
  expect(service.isOwn({ id: 'f'.repeat(32) }, ben)).toBe(false);
  await close();
});

test('opening another person’s sale is in the audit list once, and so is opening too many', async () => {
  const { service, close, running } = await rig.open();
  const entries = Array.from({ length: 61 }, (_, index) => {
    const id = (index + 1).toString(16).padStart(32, '0');
    const facts = { sale: id, key: id, receipt: index + 1, sequence: index + 1, terminalId: running.config.terminalId };
    const created = intent({ ...facts, at: rig.clock.now(), cashier: 'Anna' });
    return [{ on: 'intended', intent: created } as const, events.read, events.approved, events.done].map((event) => ({
      ...{ sale: id, event },
    }));
  });
  running.ledger.recordAll(entries.flat());
  await rig.clock.advance(1_000);
  const audit = openAudit(running.journal);
  const opened = (receipt: number) => service.openOthers({ receipt }, ben);
  expect([opened(7), opened(7), opened(8)]).toEqual([true, true, true]);
  const auditTexts = () => audit.page({ from: 0, most: 5, by: 'Ben' }).rows.map((row) => row.words);
  expect(auditTexts()).toEqual(['opened receipt 8, a sale by Anna', 'opened receipt 7, a sale by Anna']);
  for (let receipt = 1; receipt <= 60; receipt++) expect(opened(receipt)).toBe(true);
  expect([opened(61), opened(61), opened(60)]).toEqual([false, false, true]);
  expect(audit.page({ from: 0, most: 100, by: 'Ben' }).total).toBe(61);
  expect(auditTexts()[0]).toBe('opened 60 colleagues’ sales within an hour: for more, a manager’s approval is needed');
  service.allowOthers(ben);
  expect(opened(61)).toBe(true);
  await close();
});
