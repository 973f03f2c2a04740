/** Print, second copy, e-mail and code of a receipt, and what became of the printing. */
import { useMutation } from '@tanstack/react-query';
import type { LiveSale } from '../../api/ports/selling.ts';
import { fill } from '../../words/fill.ts';
import { Refused } from '../api.ts';
import { announce } from '../parts/live-text.tsx';
import { useSaid } from '../words/said.ts';
import { useWords } from '../words/words.ts';
import css from './cashier.module.css';
import { keyNames } from './keys.ts';
import { type PrintedCopy, printReceipt } from './paper.ts';
import type { CashierState } from './use-desk.ts';

type Print = { copy: PrintedCopy; duplicate: boolean };

/** Printing of one receipt: one at a time, with its words. */
export const usePrint = (receipt: number) => {
  const { t } = useWords('cashier');
  const said = useSaid();
  const print = useMutation({
    mutationFn: ({ copy, duplicate }: Print) => printReceipt(receipt, copy, duplicate),
    onSuccess: ({ name }) => announce(fill(t.printed, { printer: name })),
  });
  const problem = print.error instanceof Refused ? said.problem(print.error.problem) : undefined;
  return {
    print: (what: Print) => {
      if (!print.isPending) print.mutate(what);
    },
    isBusy: print.isPending,
    words: print.isPending
      ? t.printing
      : print.data
        ? fill(t.printed, { printer: print.data.name })
        : problem && `${problem.says}. ${problem.next}`,
    failed: print.error !== null,
    /** It was on paper before: another one is a duplicate. */
    isPrinted: print.data !== undefined,
  };
};

export const PaperButtons = ({ sale, desk }: { sale: Pick<LiveSale, 'receipt' | 'result'>; desk: CashierState }) => {
  const { t } = useWords('cashier');
  const { print, isBusy, words, failed, isPrinted } = usePrint(sale.receipt);
  const needsMerchant = sale.result?.signature === true;
  return (
    <div className={css.paperButtons}>
      <button
        type="button"
        className={css.small}
        aria-disabled={isBusy}
        aria-keyshortcuts={keyNames.print}
        data-print
        onClick={() => print({ copy: 'customer', duplicate: isPrinted })}
      >
        {t.print} <kbd aria-hidden>{keyNames.print}</kbd>
      </button>
      <button
        type="button"
        className={css.small}
        data-wanted={needsMerchant}
        aria-disabled={isBusy}
        onClick={() => print({ copy: 'merchant', duplicate: false })}
      >
        {needsMerchant ? t.merchantCopy : t.secondCopy}
      </button>
      <button
        type="button"
        className={css.small}
        onClick={() => desk.setOpen({ is: 'receipt', receipt: sale.receipt })}
      >
        {t.receipt}
      </button>
      <p className={css.printed} data-failed={failed} role="status">
        {words}
      </p>
    </div>
  );
};
