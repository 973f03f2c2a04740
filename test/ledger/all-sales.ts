/** A journal with something for each index of a till, written while none of them was open. */
import type { Journal } from '../../src/journal/journal.ts';
import { entryOf } from '../../src/till/machine/event-text.ts';
import type { SaleEvent } from '../../src/till/machine/events.ts';
import type { Intent } from '../../src/till/machine/facts.ts';
import { fixedMoment } from '../books/books-rig.ts';
import { cases, events, intent } from '../reconciliation/sale-cases.ts';

const saleOf = (receipt: number): string => receipt.toString(16).padStart(32, '0');
const stored = [events.chipRead, events.unreached, { on: 'chipApproved', chip: {} }] as const;
const device = 'ZVT 4711';

/** Sales in each place, and for each index something that only it contains. */
const first: readonly [more: Partial<Intent>, events: readonly SaleEvent[]][] = [
  ...Object.values(cases).map((some): [Partial<Intent>, readonly SaleEvent[]] => [{}, some]),
  [{ cashier: 'Anna', asked: { key: 'order 7', of: 'hash' } }, [events.read, events.approved, events.done]],
  [{ operation: 'preauthorisation' }, [events.read, events.approved, events.done]],
  [{}, [...stored, { on: 'forwarded', approved: false, answer: events.answer }]],
  [{}, [events.read, events.silent, events.silent, { on: 'reversed', how: 'notFound' }]],
  [
    { by: 'terminal' },
    [
      { on: 'terminalNoted', device, before: { text: '' } },
      { on: 'terminalTook', askedAt: 1 },
    ],
  ],
  [
    { by: 'terminal' },
    [
      { on: 'terminalNoted', device, before: { text: '' } },
      { on: 'terminalTook', askedAt: 1 },
      { on: 'terminalSilent', why: 'cut' },
      { on: 'restarted' },
    ],
  ],
  [{ chargesAgain: { sale: saleOf(15), receipt: 15 } }, [events.read, events.approved, events.done]],
  [{}, [events.read, { on: 'surchargeAdded' } as unknown as SaleEvent]],
];

/**
 * Writes a sale of each kind after this receipt, then refunds of all, one of them too large, and entries about no sale.
 */
export const writeSales = (journal: Pick<Journal, 'write'>, after = 0): void => {
  const written: Intent[] = [];
  const write = (overrides: Partial<Intent>, some: readonly SaleEvent[]): void => {
    const receipt = after + written.length + 1;
    const sale = saleOf(receipt);
    const numbers = { sale, key: sale, receipt, sequence: receipt, at: fixedMoment().at + receipt * 60_000 };
    const created = intent({ ...numbers, ...overrides });
    written.push(created);
    for (const event of [{ on: 'intended', intent: created } as SaleEvent, ...some])
      journal.write([{ subject: sale, ...entryOf(event) }]);
    journal.write([{ subject: 'staff', kind: 'staffAdmitted', body: '{"on":"staffAdmitted"}' }]);
  };
  for (const [overrides, some] of first) write(overrides, some);
  for (const { sale, receipt, operation } of written.slice()) {
    const follows = { sale, payment: 'c'.repeat(32), receipt };
    const amount = { minor: receipt === 10 ? 3_000n : 300n, currency: 'EUR' };
    const created = receipt % 2 === 0 ? [events.approved] : [events.silent];
    write({ operation: operation === 'preauthorisation' ? 'completion' : 'refund', amount, follows }, created);
  }
};
