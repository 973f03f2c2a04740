/** What a scanned code means: a sale of this till, or one of another till. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { events, intent } from '../reconciliation/sale-cases.ts';
import { counterRig, type Rig } from './counter-rig.ts';

const idOf = (receipt: number): string => `a${receipt.toString(16).padStart(31, '0')}`;
let rig: Rig;
let till: Awaited<ReturnType<Rig['open']>>;
let first: string;

// Receipts 1 to 3 at the first terminal, 4 at the second, 5 at one that was removed from the till.
beforeAll(async () => {
  rig = counterRig();
  till = await rig.open({ counters: 2 });
  first = till.running.config.terminalId;
  const takenAt = [first, first, first, '20000000', '30000000'];
  const entries = takenAt.flatMap((terminalId, index) => {
    const receipt = index + 1;
    const sale = idOf(receipt);
    const created = intent({ ...{ sale, key: sale, receipt, sequence: receipt, terminalId, at: rig.clock.now() } });
    return [{ on: 'intended', intent: created } as const, events.read, events.approved, events.done].map((event) => ({
      sale,
      event,
    }));
  });
  till.running.ledger.recordAll(entries);
});
afterAll(async () => {
  await till.close();
  rig.remove();
});

test.each([
  ['the id on a receipt', () => idOf(3), 3],
  ['the id as some scanners type it', () => idOf(4).toUpperCase(), 4],
  ['the terminal that took it', () => `${first}-000002`, 2],
  ['the second terminal', () => '20000000-4', 4],
  ['a terminal that was removed', () => '30000000-000005', 5],
  ['an old screen’s code, with the first terminal of the till', () => `${first}-000004`, 4],
])('%s', (_, code, receipt) => expect(till.service.receiptOfCode(code())).toBe(receipt));

test.each([
  ['another till’s receipt whose number exists here too', () => '87654321-000002', 'receipt.elsewhere'],
  ['another till’s receipt whose number does not exist here', () => '87654321-000099', 'receipt.elsewhere'],
  ['the second terminal with a receipt number of the first', () => '20000000-000002', 'receipt.elsewhere'],
  ['the first terminal with a sale of a removed one', () => `${first}-000005`, 'receipt.elsewhere'],
  ['this till’s terminal with an unknown receipt', () => `${first}-000099`, 'till.notFound'],
  ['an id of another till', () => idOf(77), 'receipt.unknown'],
  ['no code at all', () => 'hello', 'receipt.unknown'],
])('%s opens no sale', (_, code, fault) => {
  expect(() => till.service.receiptOfCode(code())).toThrow(expect.objectContaining({ code: fault }));
});
