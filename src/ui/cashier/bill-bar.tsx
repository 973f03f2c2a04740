/** The bill being split: what is paid, what is left, and each part with its own state. */
import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { fill } from '../../base/placeholders.ts';
import { api, got } from '../api.ts';
import { useWords } from '../locale/use-words.ts';
import { Dialog } from '../parts/dialog.tsx';
import { StateBadge } from '../parts/state.tsx';
import { stateWord } from '../parts/state-words.ts';
import { isEmpty } from './amount.ts';
import css from './cashier.module.css';
import { useFacts } from './facts.ts';
import { keyNames } from './keys.ts';
import { keys } from './till.ts';
import type { CashierState } from './use-cashier.ts';

export const BillBar = ({ cashier }: { cashier: CashierState }) => {
  const { t, shared } = useWords('cashier');
  const { shown } = useFacts();
  const [isAsking, ask] = useState(false);
  const { bill, sums, set, isPaid } = cashier.bill;
  if (bill === undefined || sums === undefined) return null;
  const { paid, left, unknown } = sums;
  return (
    <section className={css.bill} data-paid={isPaid} aria-label={t.splitTitle}>
      <p role="status">
        <strong>{fill(t.bill, { total: shown(bill.total) })}</strong>
        <span>{fill(t.billPaid, { paid: shown(paid) })}</span>
        {unknown > 0n && <span data-state="unknown">{fill(t.billUnknown, { unknown: shown(unknown) })}</span>}
        <strong>{isPaid ? t.billDone : fill(t.billLeft, { left: shown(left) })}</strong>
      </p>
      <Parts receipts={cashier.bill.receipts ?? []} />
      <button type="button" className={css.small} onClick={() => (isPaid ? set(undefined) : ask(true))}>
        {t.billClose} {isPaid && isEmpty(cashier.entry) && <kbd aria-hidden>{keyNames.sell}</kbd>}
      </button>
      <Dialog
        opened={isAsking}
        title={t.billClose}
        onClose={() => ask(false)}
        actions={
          <>
            <button type="button" className={css.small} onClick={() => ask(false)} data-autofocus>
              {shared.back}
            </button>
            <button type="button" className={css.danger} onClick={() => set(undefined)}>
              {t.billClose}
            </button>
          </>
        }
      >
        <p>{fill(t.billSure, { left: shown(left + unknown) })}</p>
      </Dialog>
    </section>
  );
};

const Parts = ({ receipts }: { receipts: readonly number[] }) => {
  const { t, shared, money } = useWords('cashier');
  const parts = useQueries({
    queries: receipts.map((receipt) => ({
      queryKey: [...keys.sales, 'one', receipt],
      queryFn: async () => {
        const param = { receipt: String(receipt) };
        return await got(api.sales[':receipt{[0-9]{1,9}}'].$get({ param }));
      },
    })),
  });
  return (
    <ol aria-label={t.billParts}>
      {parts.map(
        ({ data }) =>
          data && (
            <li key={data.id}>
              <StateBadge state={data.state} label={`${money(data.amount)} ${stateWord(shared, data)}`} />
            </li>
          ),
      )}
    </ol>
  );
};
