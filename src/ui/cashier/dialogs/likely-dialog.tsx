/** The same may have been charged already: the till's own words and the sales it means, and the safe answer first. */
import { Button, Stack, Text } from '@mantine/core';
import { fill } from '../../../words/fill.ts';
import { SaleBadge } from '../../parts/state.tsx';
import { useSaid } from '../../words/said.ts';
import { useWords } from '../../words/words.ts';
import css from '../cashier.module.css';
import type { Send } from '../intents.ts';
import type { LikelyProblem } from '../selling.ts';
import type { CashierState } from '../use-desk.ts';

export const LikelyDialog = ({ desk, problem, send }: { desk: CashierState; problem: LikelyProblem; send: Send }) => {
  const { t, time, money } = useWords('cashier');
  const said = useSaid();
  const words = said.problem(problem);
  const isOther = (): void => {
    const again = problem.sales.map(({ receipt }) => receipt);
    if (send.do === 'begin') void desk.begin({ ...send, body: { ...send.body, again } });
    else void desk.go({ ...send, body: { ...send.body, again } });
  };
  return (
    <Stack>
      <Text fw={600}>{words.says}</Text>
      <Text>{words.money}</Text>
      <Text>{words.next}</Text>
      <ul className={css.rows}>
        {problem.sales.map((row) => (
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
