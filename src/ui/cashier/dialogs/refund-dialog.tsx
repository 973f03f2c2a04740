/** The way to a refund or void: the receipt's number, typed or scanned; and to a credit for who has none. */
import { Button, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { fill } from '../../../words/fill.ts';
import { useWords } from '../../words/words.ts';
import { entryMinor } from '../entry.ts';
import { useFacts } from '../facts.ts';
import { receiptIn } from '../scan.ts';
import type { CashierState } from '../use-desk.ts';

export const RefundDialog = ({ desk }: { desk: CashierState }) => {
  const { t } = useWords('cashier');
  const [text, setText] = useState('');
  const [isWrong, setWrong] = useState(false);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const receipt = receiptIn(text);
    if (receipt === undefined) setWrong(true);
    else desk.setOpen({ is: 'detail', ...receipt });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label={t.refundLabel}
          size="lg"
          data-autofocus
          inputMode="numeric"
          autoComplete="off"
          maxLength={40}
          value={text}
          error={isWrong && t.notReceipt}
          errorProps={{ role: 'alert' }}
          onChange={({ currentTarget }) => {
            setWrong(false);
            setText(currentTarget.value);
          }}
        />
        <Button type="submit" h={72} size="lg">
          {t.look}
        </Button>
        <Credit desk={desk} />
      </Stack>
    </form>
  );
};

/** Money to a card without an earlier payment, of what was typed. Whoever may not do it asks somebody who may. */
const Credit = ({ desk }: { desk: CashierState }) => {
  const { t } = useWords('cashier');
  const { exponent, amountOf, shown } = useFacts();
  const minor = entryMinor(desk.entry, exponent);
  if (minor === 0n) return <Text c="dimmed">{t.creditHint}</Text>;
  const give = (): void => {
    const counter = desk.free && { counter: desk.free.name };
    void desk.begin({ do: 'begin', body: { operation: 'credit', amount: amountOf(minor), ...counter } }, desk.take());
  };
  return (
    <Button h={56} variant="default" disabled={desk.free === undefined} onClick={give}>
      {fill(t.creditTo, { amount: shown(minor) })}
    </Button>
  );
};
