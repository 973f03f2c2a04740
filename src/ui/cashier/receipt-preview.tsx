/** What the receipt looks like, as the paper has it. */
import { useQuery } from '@tanstack/react-query';
import { Listed } from '../parts/listed.tsx';
import { useWords } from '../words/words.ts';
import css from './cashier.module.css';
import { receiptText } from './paper.ts';

export const ReceiptPreview = ({ receipt }: { receipt: number }) => {
  const { t } = useWords('cashier');
  const query = useQuery({
    queryKey: ['sales', 'paper', receipt],
    queryFn: () => receiptText(receipt),
  });
  return (
    <section className={css.paper} aria-label={t.receiptOf}>
      <Listed query={query}>
        {(text) => (
          // The paper's columns are its own: they do not turn with the page. It scrolls, so it takes the focus.
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling text must be reached by keyboard
          <pre dir="ltr" tabIndex={0}>
            {text}
          </pre>
        )}
      </Listed>
    </section>
  );
};
