/** Amounts that are held on cards: a new one of what was typed, and those that wait to be completed or released. */
import { Button, Stack, Text } from '@mantine/core';
import { fill } from '../../../words/fill.ts';
import { Listed } from '../../parts/listed.tsx';
import { StateBadge } from '../../parts/state.tsx';
import { useWords } from '../../words/words.ts';
import css from '../cashier.module.css';
import { entryMinor } from '../entry.ts';
import { useFacts } from '../facts.ts';
import { useHolds } from '../till.ts';
import type { CashierState } from '../use-desk.ts';

export const HoldsDialog = ({ desk }: { desk: CashierState }) => {
  const { t, money, dateTime } = useWords('cashier');
  const { exponent, shown, isOwnOnly } = useFacts();
  const holds = useHolds();
  const amount = entryMinor(desk.entry, exponent);
  return (
    <Stack>
      {amount > 0n ? (
        <Button h={72} size="lg" data-autofocus onClick={() => desk.sell('preauthorisation')}>
          {fill(t.holdNew, { amount: shown(amount) })}
        </Button>
      ) : (
        <Text>{t.holdNewHint}</Text>
      )}
      {isOwnOnly && <Text>{t.ownHoldsOnly}</Text>}
      <Listed query={holds} isEmpty={(rows) => rows.length === 0} empty={<Text>{t.noHolds}</Text>}>
        {(rows) => (
          <ul className={css.rows}>
            {rows.map((row) => (
              <li key={row.id}>
                <button
                  type="button"
                  className={css.row}
                  onClick={() => desk.setOpen({ is: 'detail', receipt: row.receipt })}
                >
                  <span>{fill(t.receiptNumber, { receipt: row.receipt })}</span>
                  <bdi dir="ltr">{row.last4}</bdi>
                  <strong dir="ltr">{money(row.left)}</strong>
                  {row.expired ? (
                    <StateBadge state="person" word={t.expired} />
                  ) : (
                    <span>{fill(t.until, { time: dateTime(row.until) })}</span>
                  )}
                </button>
              </li>
            ))}
          </ul>
        )}
      </Listed>
    </Stack>
  );
};
