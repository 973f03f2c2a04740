/** The same amount may have been charged already: the safe answer first. */
import { Button, Stack, Text } from '@mantine/core';
import type { SaleRow } from '../../../api/ports/selling.ts';
import { fill } from '../../../words/fill.ts';
import { SaleBadge } from '../../parts/state.tsx';
import { useWords } from '../../words/words.ts';
import css from '../cashier.module.css';
import type { Send } from '../intents.ts';
import type { Desk } from '../use-desk.ts';

export const LikelyDialog = ({ desk, rows, send }: { desk: Desk; rows: readonly SaleRow[]; send: Send }) => {
  const { t, time, money } = useWords('cashier');
  const isOther = (): void => {
    if (send.do !== 'begin') return;
    void desk.begin({ ...send, body: { ...send.body, again: rows.map(({ receipt }) => receipt) } });
  };
  return (
    <Stack>
      <Text>{t.likelyText}</Text>
      <ul className={css.rows}>
        {rows.map((row) => (
          <li key={row.id} className={css.row}>
            <bdi dir="ltr">{time(row.at)}</bdi>
            <span>{fill(t.receiptNumber, { receipt: row.receipt })}</span>
            <strong dir="ltr">{money(row.amount)}</strong>
            <SaleBadge sale={row} />
          </li>
        ))}
      </ul>
      <Button h={72} size="lg" data-autofocus onClick={() => desk.setOpen(undefined)}>
        {t.likelyNo}
      </Button>
      <Button h={56} variant="default" onClick={isOther}>
        {t.likelyYes}
      </Button>
    </Stack>
  );
};
