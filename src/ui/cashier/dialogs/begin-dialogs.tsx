/**
 * Dialogs before a sale begins: the terminal and how the card is presented, a likely duplicate, a gift card, held
 * amounts.
 */
import { Button, Chip, Group, PasswordInput, Stack, Switch, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Counter } from '../../../api/contract/counters.ts';
import { fill } from '../../../base/placeholders.ts';
import { modelName, useMessages, useWords } from '../../locale/use-words.ts';
import { Listed } from '../../parts/problem.tsx';
import { SaleBadge, StateBadge } from '../../parts/state.tsx';
import { entryMinor, narrow } from '../amount.ts';
import css from '../cashier.module.css';
import { useFacts } from '../facts.ts';
import type { Send } from '../intents.ts';
import type { LikelyProblem } from '../selling.ts';
import { useHolds } from '../till.ts';
import type { CashierState } from '../use-cashier.ts';
import type { Way } from '../way.ts';

const WAYS = ['chip', 'tap', 'swipe', 'manual'] as const;

export const TerminalDialog = ({ cashier }: { cashier: CashierState }) => {
  const { t, shared } = useWords('cashier');
  const wordsOf = useCounterWords();
  const { wanted, want, way, setWay } = cashier;
  const choose = (counter?: string): void => {
    want(counter);
    cashier.setOpen(undefined);
  };
  return (
    <Stack>
      <Stack gap="xs" role="group" aria-label={t.terminals}>
        <Choice isChosen={wanted === undefined} data-autofocus onClick={() => choose()}>
          {t.terminalAny}
        </Choice>
        {(cashier.counters.data ?? []).map((counter) => (
          <Choice key={counter.name} isChosen={wanted === counter.name} onClick={() => choose(counter.name)}>
            {wordsOf(counter)}
          </Choice>
        ))}
      </Stack>
      <Text fw={700}>
        {t.waysLabel} ({t.onceOnly})
      </Text>
      <Chip.Group
        multiple
        value={[...way.accept]}
        onChange={(accept) => accept.length > 0 && setWay({ ...way, accept: accept as Way['accept'] })}
      >
        <Group>
          {WAYS.map((way) => (
            <Chip key={way} value={way} size="xl">
              {t.ways[way]}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
      <Switch
        label={t.partial}
        checked={way.partial}
        onChange={({ currentTarget }) => setWay({ ...way, partial: currentTarget.checked })}
      />
      <Button size="sm" h={56} variant="default" onClick={() => cashier.setOpen(undefined)}>
        {shared.done}
      </Button>
    </Stack>
  );
};

const Choice = ({ isChosen, ...props }: { isChosen: boolean; children: string; onClick: () => void }) => (
  <Button size="sm" h={72} variant={isChosen ? 'filled' : 'default'} aria-pressed={isChosen} {...props} />
);

/** A counter's name, its terminal, its state, and what is wrong with it. */
const useCounterWords = (): ((counter: Counter) => string) => {
  const { t, shared } = useWords('cashier');
  const messages = useMessages();
  return ({ name, model, state, problem }) =>
    [name, model && modelName(model, shared), t.counterStates[state], problem && messages.fault(problem)]
      .filter(Boolean)
      .join(' · ');
};

/** The same may have been charged already: the till's text and the sales it means, with the safe answer first. */
export const LikelyDialog = ({
  cashier,
  problem,
  send,
}: {
  cashier: CashierState;
  problem: LikelyProblem;
  send: Send;
}) => {
  const { t, shared, time, money } = useWords('cashier');
  const messages = useMessages();
  const problemTexts = messages.problem(problem);
  const isOther = (): void => {
    const repeatOf = problem.sales.map(({ receipt }) => receipt);
    if (send.do === 'begin') void cashier.begin({ ...send, body: { ...send.body, again: repeatOf } });
    else void cashier.go({ ...send, body: { ...send.body, again: repeatOf } });
  };
  return (
    <Stack>
      <Text fw={600}>{problemTexts.says}</Text>
      <Text>{problemTexts.money}</Text>
      <Text>{problemTexts.next}</Text>
      <ul className={css.rows}>
        {problem.sales.map((row) => (
          <li key={row.id} className={css.row}>
            <bdi dir="ltr">{time(row.at)}</bdi>
            <span>{fill(shared.receiptNumber, { receipt: row.receipt })}</span>
            <strong dir="ltr">{money(row.amount)}</strong>
            <SaleBadge sale={row} />
          </li>
        ))}
      </ul>
      <Button h={72} data-autofocus onClick={() => cashier.setOpen(undefined)}>
        {t.likelyNo}
      </Button>
      <Button size="sm" h={56} variant="default" onClick={isOther}>
        {t.likelyYes}
      </Button>
    </Stack>
  );
};

/** Paying with a gift card: its number, and its PIN if it has one. */
export const GiftDialog = ({ cashier }: { cashier: CashierState }) => {
  const { t } = useWords('cashier');
  const { exponent, amountOf, shown } = useFacts();
  const [number, setNumber] = useState('');
  const [pin, setPin] = useState('');
  const [wrong, setWrong] = useState<{ number?: string; pin?: string }>({});
  const minor = entryMinor(cashier.entry, exponent);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const digits = narrow(number).replace(/[\s-]/g, '');
    const isBad = !/^\d{8,32}$/.test(digits);
    const isBadPin = pin !== '' && !/^\d{3,12}$/.test(pin);
    setWrong({ number: isBad ? t.giftWrong : undefined, pin: isBadPin ? t.giftPinWrong : undefined });
    if (isBad || isBadPin) return;
    const giftCard = { number: digits, pin: pin || undefined };
    const body = { operation: 'giftCard' as const, amount: amountOf(minor), giftCard, partial: true };
    void cashier.beginOnce({ do: 'begin', body: { ...body, ...cashier.bill.parts(amountOf) } }, cashier.take());
  };
  if (minor === 0n) return <Text>{t.amountFirst}</Text>;
  return (
    <form onSubmit={submit} autoComplete="off">
      <Stack>
        <TextInput
          label={t.giftNumber}
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
        <Button type="submit" h={72}>
          {fill(t.giftPay, { amount: shown(minor) })}
        </Button>
      </Stack>
    </form>
  );
};

/** Amounts held on cards: a new one with the typed amount, and those waiting to be completed or released. */
export const HoldsDialog = ({ cashier }: { cashier: CashierState }) => {
  const { t, shared, money, dateTime } = useWords('cashier');
  const { exponent, shown, isOwnOnly } = useFacts();
  const holds = useHolds();
  const amount = entryMinor(cashier.entry, exponent);
  return (
    <Stack>
      {amount > 0n ? (
        <Button h={72} data-autofocus onClick={() => cashier.sell('preauthorisation')}>
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
                  onClick={() => cashier.setOpen({ is: 'detail', receipt: row.receipt })}
                >
                  <span>{fill(shared.receiptNumber, { receipt: row.receipt })}</span>
                  <bdi dir="ltr">{row.last4}</bdi>
                  <strong dir="ltr">{money(row.left)}</strong>
                  {row.expired ? (
                    <StateBadge state="person" label={t.expired} />
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
