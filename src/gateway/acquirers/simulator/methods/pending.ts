/** A payment that waits for its shopper, and how it ends. */
import { codes } from '../../../../base/result-codes.ts';
import type { AcquirerAnswer } from '../../acquirer.ts';
import { answerOf, refusal } from '../answers.ts';
import type { DocumentChange, OperationOutcome } from '../documents.ts';
import type { LedgerTransaction } from '../ledger.ts';
import { opened, taken } from '../purse.ts';
import { type AccountOrPurse, holdingOf, type SimulatorContext } from '../record.ts';

export type Decision = 'pays' | 'refuses' | 'leaves' | 'timesOut';

export type PendingRooms = Pick<SimulatorContext, 'ledger' | 'clock' | 'random'>;

/** So long the simulated bank waits for the shopper's answer, from the beginning of the payment. */
export const PATIENCE_MS = 30 * 60_000;

/**
 * `cancelled by user`, that it is uncertain but probably so (here it is certain, for the payment ends with it), and
 * that it waited too long.
 */
const endings = {
  refuses: codes.cancelledByShopper,
  leaves: codes.withdrawnPending,
  timesOut: codes.timedOutPending,
} as const;

/**
 * Ends the pending payment of this id as its shopper decided, and gives its final answer; of one that has ended
 * already, the answer that it has. Undefined if there is no such payment. Paying takes the money, if the purse still
 * has it: 51 (800.100.155) otherwise.
 */
export const decidePending = async (
  rooms: PendingRooms,
  id: string,
  decision: Decision,
): Promise<AcquirerAnswer | undefined> => {
  const before = await rooms.ledger.read('outcome', id);
  if (before?.pending !== true) return before?.answer;
  // An outcome that waits keeps its purse, so this name stays right until the turn has come.
  const names = [`outcome ${id}`, ...(before.purse === undefined ? [] : [`purse ${before.purse}`])];
  return rooms.ledger.exclusively(names, async (transaction) => {
    const seen = await transaction.read('outcome', id);
    if (seen?.pending !== true) return seen?.answer;
    const { pending: _, ...rest } = seen;
    const ended = decision === 'pays' ? await paid(rooms, transaction, rest) : { answer: refusal(endings[decision]) };
    const { answer, moved, changes = [] } = ended;
    const document: OperationOutcome = { ...rest, answer, ...(moved && { moved }) };
    await transaction.write([...changes, { kind: 'outcome', name: id, document }]);
    return answer;
  });
};

type Ended = { answer: AcquirerAnswer; moved?: OperationOutcome['moved']; changes?: readonly DocumentChange[] };

const paid = async (
  { clock, random }: PendingRooms,
  transaction: LedgerTransaction,
  outcome: OperationOutcome,
): Promise<Ended> => {
  const { operation, minor, currency, purse, answer: before } = outcome;
  const moved = opened(operation === 'PA' ? 'PA' : 'DB', { minor, currency });
  const place: AccountOrPurse = purse === undefined ? {} : { purse };
  const money = await holdingOf(transaction, place);
  const enough = money === undefined || money.available >= taken(moved);
  const parts = { at: clock.now(), random, account: before.account };
  if (!enough) return { answer: answerOf({ code: '51', ...parts }) };
  const changes = money === undefined ? [] : [money.holding(money.available - taken(moved))];
  return { answer: answerOf({ code: '00', ...parts }), moved, changes };
};
