/** Paying with a gift card: its number, and its PIN if it has one. */
import { Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { fill } from '../../../words/fill.ts';
import { useWords } from '../../words/words.ts';
import { narrow } from '../amount.ts';
import { entryMinor } from '../entry.ts';
import { useFacts } from '../facts.ts';
import type { CashierState } from '../use-desk.ts';

export const GiftDialog = ({ desk }: { desk: CashierState }) => {
  const { t } = useWords('cashier');
  const { exponent, amountOf, shown } = useFacts();
  const [number, setNumber] = useState('');
  const [pin, setPin] = useState('');
  const [wrong, setWrong] = useState<{ number?: string; pin?: string }>({});
  const minor = entryMinor(desk.entry, exponent);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const digits = narrow(number).replace(/[\s-]/g, '');
    const isBad = !/^\d{8,32}$/.test(digits);
    const isBadPin = pin !== '' && !/^\d{3,12}$/.test(pin);
    setWrong({ ...(isBad && { number: t.giftWrong }), ...(isBadPin && { pin: t.giftPinWrong }) });
    if (isBad || isBadPin) return;
    const giftCard = { number: digits, ...(pin !== '' && { pin }) };
    const body = { operation: 'giftCard' as const, amount: amountOf(minor), giftCard, partial: true };
    void desk.beginOnce({ do: 'begin', body: { ...body, ...desk.bill.parts(amountOf) } }, desk.take());
  };
  if (minor === 0n) return <Text>{t.amountFirst}</Text>;
  return (
    <form onSubmit={submit} autoComplete="off">
      <Stack>
        <TextInput
          label={t.giftNumber}
          size="lg"
          data-autofocus
          inputMode="numeric"
          autoComplete="off"
          maxLength={40}
          value={number}
          error={wrong.number}
          errorProps={{ role: 'alert' }}
          onChange={({ currentTarget }) => setNumber(currentTarget.value)}
        />
        <PasswordInput
          label={t.giftPin}
          size="lg"
          inputMode="numeric"
          autoComplete="off"
          maxLength={12}
          visible={false}
          rightSection={null}
          value={pin}
          error={wrong.pin}
          errorProps={{ role: 'alert' }}
          onChange={({ currentTarget }) => setPin(currentTarget.value)}
        />
        <Button type="submit" h={72} size="lg">
          {fill(t.giftPay, { amount: shown(minor) })}
        </Button>
      </Stack>
    </form>
  );
};
