/** Sales with open money: receipt, some words about each, and its amount. */
import { Group, Stack, Text } from '@mantine/core';
import type { ClosingCheck } from '../../../api/contract/books.ts';
import { fill } from '../../../base/placeholders.ts';
import { useWords } from '../../locale/use-words.ts';
import { amountIn } from '../parts.tsx';

type Open = ClosingCheck['open'];
type Props = { open: Open; words(one: Open[number]): string };

export const OpenAmounts = ({ open, words }: Props) => {
  const { shared, money } = useWords('manager');
  return (
    <Stack gap={4}>
      {open.map((one) => (
        <Group key={one.sale} justify="space-between" wrap="nowrap" align="baseline">
          <Text style={{ overflowWrap: 'anywhere' }}>
            <b>{fill(shared.receiptNumber, { receipt: one.receipt })}</b> {words(one)}
          </Text>
          <Text fw={700} className="m-number">
            {money(amountIn(one.amount))}
          </Text>
        </Group>
      ))}
    </Stack>
  );
};
