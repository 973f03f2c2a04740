/** The strip of last sales, newest first, preceded by sales whose ending is still unknown. */
import type { SaleRow } from '../../api/contract/sales.ts';
import { fill } from '../../base/placeholders.ts';
import { cardName } from '../../locales/names.ts';
import { useMessages, useWords } from '../locale/use-words.ts';
import { ModeMark } from '../parts/bars.tsx';
import { stateIcons } from '../parts/state.tsx';
import { stateWord } from '../parts/state-words.ts';
import css from './cashier.module.css';
import { operationWord } from './live-sales.ts';
import { useLastSales } from './till.ts';

const LISTED_MAX = 12;

/** Unknown sales first; no more than fit in the strip. */
export const inStrip = (rows: readonly SaleRow[]): SaleRow[] => {
  const open = rows.filter(({ state }) => state === 'unknown' || state === 'person');
  return [...open, ...rows.filter((row) => !open.includes(row))].slice(0, LISTED_MAX);
};

export const LastSales = ({ onOpen }: { onOpen: (receipt: number) => void }) => {
  const { t, shared } = useWords('cashier');
  const { data, error } = useLastSales();
  return (
    <nav className={css.strip} aria-label={t.lastSales}>
      {data !== undefined && data.rows.length > 0 && <ModeMark />}
      {data === undefined && <p>{error === null ? shared.loading : t.noTill}</p>}
      {data?.rows.length === 0 && <p>{t.noSales}</p>}
      <ul>
        {inStrip(data?.rows ?? []).map((row) => (
          <li key={row.id}>
            <SaleChip row={row} onOpen={() => onOpen(row.receipt)} />
          </li>
        ))}
      </ul>
    </nav>
  );
};

const SaleChip = ({ row, onOpen }: { row: SaleRow; onOpen: () => void }) => {
  const { t, shared, time, money } = useWords('cashier');
  const messages = useMessages();
  const Icon = stateIcons[row.state];
  const label = row.operation === 'sale' ? stateWord(shared, row) : operationWord(t, row);
  return (
    <button
      type="button"
      className={css.saleChip}
      data-state={row.state}
      onClick={onOpen}
      title={messages.text(row.told, row.says)}
    >
      <span className={css.chipTime}>{time(row.at)}</span>
      <bdi dir="ltr" className={css.chipAmount}>
        {money(row.amount)}
      </bdi>
      <span className={css.chipState}>
        <Icon size="1.1em" /> {label}
        {row.waiting && ` · ${t.waiting}`}
        {row.unpaid?.state === 'open' && ` · ${t.unpaid}`}
      </span>
      {row.last4 && (
        <bdi dir="ltr" className={css.chipCard}>
          {fill(t.read, { brand: cardName(row.brand, t.giftTitle), last4: row.last4 })}
        </bdi>
      )}
    </button>
  );
};
