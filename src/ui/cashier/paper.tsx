/**
 * A receipt on the screen: its appearance, and buttons for printing, a second copy, e-mail and code, with the printing
 * result.
 */
import { useMutation, useQuery } from '@tanstack/react-query';
import type { PrinterState } from '../../api/contract/paper.ts';
import type { LiveSale } from '../../api/contract/sales.ts';
import { fill } from '../../base/placeholders.ts';
import { api, got, RequestRefused, refusalIn } from '../api.ts';
import { useMessages, useWords } from '../locale/use-words.ts';
import { announce } from '../parts/live-text.tsx';
import { Listed } from '../parts/problem.tsx';
import css from './cashier.module.css';
import { keyNames } from './keys.ts';
import type { CashierState } from './use-cashier.ts';

type PrintedCopy = 'customer' | 'merchant';

/** The receipt as lines of text. Throws `RequestRefused`. */
export const receiptText = async (receipt: number, copy: PrintedCopy = 'customer'): Promise<string> => {
  const response = await api.sales[':receipt{[0-9]{1,9}}'].receipt.$get({
    param: { receipt: String(receipt) },
    query: { form: 'text', copy, width: '80' },
  });
  if (response.ok) return response.text();
  throw await refusalIn(response);
};

/** Prints; a repeated print of the same copy is marked as a duplicate. Throws `RequestRefused` for printer problems. */
const printReceipt = (receipt: number, copy: PrintedCopy, duplicate: boolean): Promise<PrinterState> =>
  got(
    api.sales[':receipt{[0-9]{1,9}}'].print.$post({
      param: { receipt: String(receipt) },
      json: { copy, width: 80, duplicate: duplicate || undefined },
    }),
  );

type Print = { copy: PrintedCopy; duplicate: boolean };

/** Printing a receipt, one request at a time, with its messages. */
export const usePrint = (receipt: number) => {
  const { t } = useWords('cashier');
  const messages = useMessages();
  const print = useMutation({
    mutationFn: ({ copy, duplicate }: Print) => printReceipt(receipt, copy, duplicate),
    onSuccess: ({ name }) => announce(fill(t.printed, { printer: name })),
  });
  const problem = print.error instanceof RequestRefused ? messages.problem(print.error.problem) : undefined;
  return {
    print: (form: Print) => {
      if (!print.isPending) print.mutate(form);
    },
    isBusy: print.isPending,
    words: print.isPending
      ? t.printing
      : print.data
        ? fill(t.printed, { printer: print.data.name })
        : problem && `${problem.says}. ${problem.next}`,
    failed: print.error !== null,
    /** The receipt was printed before, so another print is a duplicate. */
    isPrinted: print.data !== undefined,
  };
};

export const PaperButtons = ({
  sale,
  cashier,
}: {
  sale: Pick<LiveSale, 'receipt' | 'result'>;
  cashier: CashierState;
}) => {
  const { t, shared } = useWords('cashier');
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
        {shared.print} <kbd aria-hidden>{keyNames.print}</kbd>
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
        onClick={() => cashier.setOpen({ is: 'receipt', receipt: sale.receipt })}
      >
        {t.receipt}
      </button>
      <p className={css.printed} data-failed={failed} role="status">
        {words}
      </p>
    </div>
  );
};

export const ReceiptPreview = ({ receipt }: { receipt: number }) => {
  const { t } = useWords('cashier');
  const query = useQuery({ queryKey: ['sales', 'paper', receipt], queryFn: () => receiptText(receipt) });
  return (
    <section className={css.paper} aria-label={t.receiptOf}>
      <Listed query={query}>
        {(text) => (
          // The receipt's columns do not change direction with the page. The text scrolls, so it takes the focus.
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling text must be reached by keyboard
          <pre dir="ltr" tabIndex={0}>
            {text}
          </pre>
        )}
      </Listed>
    </section>
  );
};
