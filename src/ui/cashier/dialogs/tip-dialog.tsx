/** A tip: none, some percent of the amount, or an amount of its own. */
import { Button, SimpleGrid, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { fill } from '../../../words/fill.ts';
import { useWords } from '../../words/words.ts';
import { entryMinor } from '../entry.ts';
import { useFacts } from '../facts.ts';
import { percentOf } from '../tip.ts';
import type { CashierState } from '../use-desk.ts';
import { AmountPad } from './amount-pad.tsx';

export const TipDialog = ({ desk }: { desk: CashierState }) => {
  const { t } = useWords('cashier');
  const { exponent, shown, shop } = useFacts();
  const [other, setOther] = useState<bigint>();
  const amount = entryMinor(desk.entry, exponent);
  const take = (tip: bigint | undefined): void => {
    desk.setTip(tip);
    desk.setOpen(undefined);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (other !== undefined) take(other);
  };
  if (amount === 0n) return <Text>{t.tipFirst}</Text>;
  return (
    <Stack>
      <SimpleGrid cols={{ base: 2, sm: 5 }} spacing="xs">
        {shop.tipPercents.map((percent, index) => (
          <Button
            key={percent}
            h={72}
            variant="default"
            onClick={() => take(percentOf(amount, percent))}
            data-autofocus={index === 0 || undefined}
          >
            <Stack gap={0} align="center">
              <Text span fw={700}>
                {fill(t.percent, { percent })}
              </Text>
              <Text span size="sm">
                {shown(percentOf(amount, percent))}
              </Text>
            </Stack>
          </Button>
        ))}
        <Button h={72} variant="default" onClick={() => take(undefined)}>
          {t.noTip}
        </Button>
      </SimpleGrid>
      <form onSubmit={submit}>
        <Stack>
          <AmountPad label={t.otherTip} onAmount={setOther} />
          <Button type="submit" h={72} size="lg" disabled={other === undefined}>
            {t.useTip}
          </Button>
        </Stack>
      </form>
    </Stack>
  );
};
