/**
 * The follow-ups of a sale: chosen first, then confirmed with their amount; nothing is offered that would be refused.
 */
import { Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react';
import type { FollowOperation, SaleDetail, UnpaidView } from '../../../api/contract/sales.ts';
import { fill } from '../../../base/placeholders.ts';
import { useWords } from '../../locale/use-words.ts';
import { minorOf } from '../amount.ts';
import { useFacts } from '../facts.ts';
import { useGuard } from '../guard.ts';
import type { Send } from '../intents.ts';
import { chargeAgain } from '../unpaid.tsx';
import type { CashierState } from '../use-cashier.ts';
import { AmountPad } from './amount-dialogs.tsx';

type Props = { cashier: CashierState; sale: SaleDetail };
type AllowedFollowUp = SaleDetail['may'][number];

/** Takes the focus when it appears: its data was read after the dialog had opened. */
const useFocused = (isFocused: boolean): RefObject<HTMLButtonElement | null> => {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isFocused) button.current?.focus();
  }, [isFocused]);
  return button;
};

export const FollowUps = ({ cashier, sale }: Props) => {
  const { t } = useWords('cashier');
  const [chosen, setChosen] = useState<AllowedFollowUp | undefined>(sale.may.length === 1 ? sale.may[0] : undefined);
  const first = useFocused(sale.may.length > 1);
  if (sale.unpaid?.mayCharge) return <ChargeAgain cashier={cashier} receipt={sale.receipt} unpaid={sale.unpaid} />;
  if (sale.may.length === 0) return <Text c="dimmed">{t.nothingFollows}</Text>;
  return (
    <Stack>
      {sale.may.length > 1 && (
        <Group gap="xs">
          {sale.may.map((may, index) => (
            <Button
              size="sm"
              key={may.operation}
              mih={56}
              variant={chosen?.operation === may.operation ? 'filled' : 'default'}
              aria-pressed={chosen?.operation === may.operation}
              ref={index === 0 ? first : undefined}
              onClick={() => setChosen(may)}
            >
              {t.follow[may.operation]}
            </Button>
          ))}
        </Group>
      )}
      {chosen && <Confirm key={chosen.operation} cashier={cashier} sale={sale} may={chosen} />}
    </Stack>
  );
};

const ChargeAgain = ({ cashier, receipt, unpaid }: { cashier: CashierState; receipt: number; unpaid: UnpaidView }) => {
  const { t, money } = useWords('cashier');
  const isOpen = useGuard(`after ${receipt}`);
  const button = useFocused(true);
  const isReady = isOpen && cashier.free !== undefined;
  return (
    <Stack>
      <Text>{fill(t.chargeAgainAsk, { missing: money(unpaid.missing) })}</Text>
      <Button
        h={72}
        ref={button}
        aria-disabled={!isReady}
        onClick={() => isReady && chargeAgain(cashier, receipt, unpaid)}
      >
        {t.chargeAgain} {money(unpaid.missing)}
      </Button>
    </Stack>
  );
};

/** Follow-ups with an amount; a void and a release concern the whole. */
const isOfAnAmount = (operation: FollowOperation): operation is 'refund' | 'increment' | 'completion' | 'tip' =>
  operation !== 'void' && operation !== 'release';

const Confirm = ({ cashier, sale, may }: Props & { may: AllowedFollowUp }) => {
  const { t, money } = useWords('cashier');
  const { amountOf, shown } = useFacts();
  const { operation } = may;
  const max = may.most && minorOf(may.most.amount);
  const isAmount = isOfAnAmount(operation);
  const preset = isAmount && operation !== 'increment' && operation !== 'tip' ? max : undefined;
  const [minor, setMinor] = useState<bigint | undefined>(preset);
  const [keepRest, setKeepRest] = useState(false);
  const remainder =
    operation === 'completion' && max !== undefined && minor !== undefined && minor < max ? max - minor : 0n;
  const isOpen = useGuard(`after ${sale.id}`);
  const button = useFocused(!isAmount);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!isOpen || (isAmount && minor === undefined)) return;
    const amount = minor === undefined ? undefined : amountOf(minor);
    void cashier.go(followOf(sale.receipt, operation, { amount, keepRest: remainder > 0n && keepRest }));
  };
  const facts = { amount: money(may.most ?? sale.amount), receipt: sale.receipt };
  return (
    <form onSubmit={submit}>
      <Stack>
        {isAmount ? (
          <AmountPad label={t.followAmount[operation]} preset={preset} max={max} onAmount={setMinor} takesFocus />
        ) : (
          <Text>{fill(operation === 'void' ? t.sureVoid : t.sureRelease, facts)}</Text>
        )}
        {remainder > 0n && (
          <Stack gap="xs">
            <Text>{fill(keepRest ? t.restHeld : t.restBack, { rest: shown(remainder) })}</Text>
            <Checkbox
              size="md"
              label={t.keepRest}
              checked={keepRest}
              onChange={(event) => setKeepRest(event.currentTarget.checked)}
            />
          </Stack>
        )}
        <Button
          type="submit"
          h={72}
          color={operation === 'completion' || operation === 'increment' ? 'blue' : 'red.9'}
          disabled={isAmount && minor === undefined}
          aria-disabled={!isOpen || (isAmount && minor === undefined)}
          ref={button}
        >
          {t.follow[operation]} {isAmount && minor !== undefined ? shown(minor) : ''}
        </Button>
      </Stack>
    </form>
  );
};

type FollowUpInput = { amount: Send['body']['amount'] | undefined; keepRest: boolean };

const followOf = (receipt: number, operation: FollowOperation, { amount, keepRest }: FollowUpInput): Send => ({
  do: 'follow',
  receipt,
  operation,
  body: { ...(amount && { [operation === 'tip' ? 'tip' : 'amount']: amount }), keepRest: keepRest || undefined },
});
