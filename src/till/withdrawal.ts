/** A stored sale that nobody but the till has heard of is taken back where it lies: at once, and for nothing. */
import { intend, type Wanted } from './intend.ts';
import { operations } from './machine/operations.ts';
import { replay } from './machine/sale.ts';
import type { TillParts } from './ports.ts';
import type { Running, Tell } from './running.ts';

/**
 * Writes the void, the end of the sale it voids, and the end of that sale's message in one durable step. Undefined if
 * the message was tried, or this is no void of a stored sale: then it takes its ordinary way.
 */
export const withdrawalOf = (parts: TillParts, wanted: Wanted, tell: Tell): Running | undefined => {
  const { ledger, report } = parts;
  const { follows, operation } = wanted;
  if (follows?.payment !== '' || wanted.by === 'terminal' || operations[operation].paymentType !== 'RV')
    return undefined;
  const withdraw = ledger.untried(follows.sale);
  if (withdraw === undefined) return undefined;
  const intent = intend(wanted, parts);
  const { sale } = intent;
  ledger.recordAll([
    { sale, event: { on: 'intended', intent } },
    { sale, event: { on: 'withdrawn' } },
    { sale: follows.sale, event: { on: 'withdrawn' }, withdraw },
  ]);
  const ended = replay([{ on: 'intended', intent }, { on: 'withdrawn' }]);
  if (ended?.at !== 'ended') throw new Error('a withdrawn void has ended');
  try {
    tell({ kind: 'sale', sale: ended });
  } catch (error) {
    report(error);
  }
  return { sale, done: Promise.resolve(ended), cancel: () => {} };
};
