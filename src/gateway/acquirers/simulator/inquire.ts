/** What became of an operation; and that nothing will, if nothing did. */
import type { AcquirerAnswer } from '../acquirer.ts';
import type { OperationOutcome } from './documents.ts';
import { decidePending, PATIENCE_MS } from './methods/pending.ts';
import { closing } from './record.ts';
import type { SimulatorContext } from './rooms.ts';

/**
 * The answer to the operation with this id, a pending one too; one that waited for its shopper too long ends here.
 * Undefined: it never came, and the id is closed in the same exclusive work, so that a request still on its way is
 * declined when it arrives. Asked again, the same.
 */
export const inquire = async (
  rooms: SimulatorContext,
  id: string,
  began: number,
): Promise<AcquirerAnswer | undefined> => {
  const early = await rooms.ledger.read('outcome', id);
  // Nobody decided in time. Whoever pays at this very moment comes before this, or finds the payment ended.
  if (early?.pending === true && rooms.clock.now() >= began + PATIENCE_MS) return decidePending(rooms, id, 'timesOut');
  if (early !== undefined) return answerUnlessClosed(early);
  return rooms.ledger.exclusively([`outcome ${id}`], async (transaction) => {
    const seen = await transaction.read('outcome', id);
    if (seen !== undefined) return answerUnlessClosed(seen);
    // Nobody said of how much it would have been.
    const amount = { minor: 0n, currency: 'XXX' };
    await transaction.write([closing(rooms, id, { by: 'inquiry', at: began, amount })]);
    return undefined;
  });
};

const answerUnlessClosed = ({ closedBy, answer }: OperationOutcome): AcquirerAnswer | undefined =>
  closedBy === 'inquiry' ? undefined : answer;
