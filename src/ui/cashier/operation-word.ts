/** What a sale is called: by its operation, and a tip that did not come about by what it was asked for as. */
import type { SaleRow } from '../../api/ports/selling.ts';
import type { Words } from '../../words/tables.ts';

type Named = Pick<SaleRow, 'operation' | 'asTip'> & { ending?: SaleRow['ending']; result?: { ending: string } };

export const operationWord = (t: Words['cashier'], { operation, asTip, ending, result }: Named): string => {
  const isMade = (result?.ending ?? ending) === 'approved';
  return asTip === true && !isMade ? t.followAmount.tip : t.operations[operation];
};
