/** A bill in parts: equal ones, or an amount first and then what is left. */
import { Button, SimpleGrid, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { fill } from '../../../words/fill.ts';
import { useWords } from '../../words/words.ts';
import { entryMinor } from '../entry.ts';
import { useFacts } from '../facts.ts';
import { equalParts } from '../tip.ts';
import type { CashierState } from '../use-desk.ts';
import { AmountPad } from './amount-pad.tsx';

const COUNTS = [2, 3, 4, 5, 6, 8];
/** Minor units: less has no two parts. */
const LEAST = 2n;

/** A bill that is not paid is given up for another one only after a yes. */
export const SplitDialog = ({ desk }: { desk: CashierState }) => {
  const [isGivenUp, giveUp] = useState(false);
  const { exponent } = useFacts();
  const total = entryMinor(desk.entry, exponent);
  const isStanding = desk.bill.bill !== undefined && !desk.bill.isPaid;
  return isStanding && !isGivenUp && total >= LEAST ? (
    <OtherBill desk={desk} total={total} giveUp={() => giveUp(true)} />
  ) : (
    <Split desk={desk} />
  );
};

type OtherBillProps = { desk: CashierState; total: bigint; giveUp: () => void };

const OtherBill = ({ desk, total, giveUp }: OtherBillProps) => {
  const { t } = useWords('cashier');
  const { shown } = useFacts();
  const { bill, sums } = desk.bill;
  const left = (sums?.left ?? 0n) + (sums?.unknown ?? 0n);
  return (
    <Stack>
      <Text fw={700}>{t.splitOpen}</Text>
      <Text>{fill(t.splitOpenWhy, { left: shown(left), total: shown(bill?.total ?? 0n) })}</Text>
      <Button h={72} size="lg" data-autofocus onClick={() => desk.setOpen(undefined)}>
        {t.splitKeep}
      </Button>
      <Button h="auto" mih={56} variant="default" onClick={giveUp}>
        {fill(t.splitAnew, { amount: shown(total) })}
      </Button>
    </Stack>
  );
};

const Split = ({ desk }: { desk: CashierState }) => {
  const { t } = useWords('cashier');
  const { exponent, shown } = useFacts();
  const [first, setFirst] = useState<bigint>();
  const total = entryMinor(desk.entry, exponent);
  const start = (parts: readonly bigint[]): void => {
    desk.bill.set({ total, parts });
    desk.clear();
    desk.setOpen(undefined);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (first !== undefined) start([first, total - first]);
  };
  if (total < LEAST) return <Text>{t.amountFirst}</Text>;
  return (
    <Stack>
      <Text fw={700}>
        {t.splitTotal} {shown(total)}
      </Text>
      <SimpleGrid cols={{ base: 2, sm: 3 }} spacing="xs" role="group" aria-label={t.splitEqual}>
        {COUNTS.map((count) => (
          <Button
            key={count}
            h={72}
            variant="default"
            onClick={() => start(equalParts(total, count))}
            data-autofocus={count === COUNTS[0] || undefined}
            // Also behind the question, where the dialog was open already.
            autoFocus={count === COUNTS[0]}
          >
            <Stack gap={0} align="center">
              <Text span fw={700}>
                {fill(t.splitParts, { count })}
              </Text>
              <Text span size="sm">
                {shown(equalParts(total, count)[0] ?? 0n)}
              </Text>
            </Stack>
          </Button>
        ))}
      </SimpleGrid>
      <form onSubmit={submit}>
        <Stack>
          <AmountPad label={t.splitAmount} most={total - 1n} onAmount={setFirst} />
          <Button type="submit" h={72} size="lg" disabled={first === undefined}>
            {fill(t.splitStart, { amount: shown(first ?? 0n) })}
          </Button>
        </Stack>
      </form>
    </Stack>
  );
};
