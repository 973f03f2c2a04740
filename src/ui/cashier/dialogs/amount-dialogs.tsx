/** Dialogs about the amount of the next sale: a tip (none, a percentage, or an amount), and a bill in parts. */
import { Button, Input, SimpleGrid, Stack, Text } from '@mantine/core';
import { type ClipboardEvent, type FormEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { fill } from '../../../base/placeholders.ts';
import { useWords } from '../../locale/use-words.ts';
import { type AmountEntry, afterKey, type EntryKey, entryMinor, entryText, equalParts, percentOf } from '../amount.ts';
import css from '../cashier.module.css';
import { Keypad } from '../entry-panel.tsx';
import { useFacts } from '../facts.ts';
import { keyAction } from '../keys.ts';
import type { CashierState } from '../use-cashier.ts';

export const TipDialog = ({ cashier }: { cashier: CashierState }) => {
  const { t, shared } = useWords('cashier');
  const { exponent, shown, shop } = useFacts();
  const [otherTip, setOtherTip] = useState<bigint>();
  const amount = entryMinor(cashier.entry, exponent);
  const take = (tip: bigint | undefined): void => {
    cashier.setTip(tip);
    cashier.setOpen(undefined);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (otherTip !== undefined) take(otherTip);
  };
  if (amount === 0n) return <Text>{t.tipFirst}</Text>;
  return (
    <Stack>
      <SimpleGrid cols={{ base: 2, sm: 5 }} spacing="xs">
        {shop.tipPercents.map((percent, index) => (
          <Button
            size="sm"
            key={percent}
            h={72}
            variant="default"
            onClick={() => take(percentOf(amount, percent))}
            data-autofocus={index === 0 || undefined}
          >
            <Stack gap={0} align="center">
              <Text span fw={700}>
                {fill(shared.percent, { percent })}
              </Text>
              <Text span size="sm">
                {shown(percentOf(amount, percent))}
              </Text>
            </Stack>
          </Button>
        ))}
        <Button size="sm" h={72} variant="default" onClick={() => take(undefined)}>
          {t.noTip}
        </Button>
      </SimpleGrid>
      <form onSubmit={submit}>
        <Stack>
          <AmountPad label={t.otherTip} onAmount={setOtherTip} />
          <Button type="submit" h={72} disabled={otherTip === undefined}>
            {t.useTip}
          </Button>
        </Stack>
      </form>
    </Stack>
  );
};

type Props = {
  label: string;
  /** The initial amount; the first digit typed replaces it. */
  preset?: bigint | undefined;
  max?: bigint | undefined;
  /** Called with each change, in minor units; undefined while the amount is not acceptable. */
  onAmount: (minor: bigint | undefined) => void;
  /** Takes the focus at once, when it is what the dialog is about. */
  takesFocus?: boolean;
};

const digitsOf = (minor: bigint | undefined): AmountEntry => ({ digits: minor === undefined ? '' : String(minor) });

/** An amount in a dialog, typed with the same keys and rules as on the screen behind it. */
export const AmountPad = ({ label, preset, max, onAmount, takesFocus = false }: Props) => {
  const { t, shared, money } = useWords('cashier');
  const { currency, exponent, amountOf, shown } = useFacts();
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (takesFocus) field.current?.focus();
  }, [takesFocus]);
  const [typed, setTyped] = useState({ entry: digitsOf(preset), isPreset: preset !== undefined });
  const { entry } = typed;
  const minor = entryMinor(entry, exponent);
  const isOver = max !== undefined && minor > max;
  const take = (key: EntryKey): void => {
    const replaces = typed.isPreset && (key.key === 'digit' || key.key === 'sign');
    const next = afterKey(replaces ? { digits: '' } : entry, key, { currency, exponent });
    setTyped({ entry: next, isPreset: false });
    const minorNow = entryMinor(next, exponent);
    onAmount(minorNow > 0n && (max === undefined || minorNow <= max) ? minorNow : undefined);
  };
  const down = (event: KeyboardEvent): void => {
    const action = keyAction(event, 'page');
    if (action === undefined || !('entry' in action)) return;
    event.preventDefault();
    take(action.entry);
  };
  const paste = (event: ClipboardEvent): void => {
    event.preventDefault();
    take({ key: 'text', text: event.clipboardData.getData('text/plain') });
  };
  const limit = max === undefined ? undefined : fill(t.atMost, { most: shown(max) });
  const refused = entry.refused ? fill(t.amountRefused[entry.refused], { currency }) : isOver && limit;
  return (
    <div className={css.pad}>
      <Input.Wrapper id={id} label={label} description={limit} error={refused} errorProps={{ role: 'alert' }}>
        <Input
          id={id}
          size="lg"
          readOnly
          inputMode="none"
          ref={field}
          dir="ltr"
          data-amount={entryText(entry, exponent)}
          value={money(amountOf(minor))}
          onKeyDown={down}
          onPaste={paste}
        />
      </Input.Wrapper>
      <Keypad
        label={t.keypad}
        back={shared.backspace}
        onKey={(key) => take(key === 'back' ? { key } : { key: 'digit', digit: key })}
      />
    </div>
  );
};

// A bill in parts: equal parts, or one amount first and then the rest.

const COUNTS = [2, 3, 4, 5, 6, 8];
/** Minor units: a smaller amount cannot be split in two. */
const LEAST = 2n;

/** An unpaid bill is replaced by another only after a yes. */
export const SplitDialog = ({ cashier }: { cashier: CashierState }) => {
  const [isGivenUp, giveUp] = useState(false);
  const { exponent } = useFacts();
  const total = entryMinor(cashier.entry, exponent);
  const isStanding = cashier.bill.bill !== undefined && !cashier.bill.isPaid;
  return isStanding && !isGivenUp && total >= LEAST ? (
    <OtherBill cashier={cashier} total={total} giveUp={() => giveUp(true)} />
  ) : (
    <Split cashier={cashier} />
  );
};

type OtherBillProps = { cashier: CashierState; total: bigint; giveUp: () => void };

const OtherBill = ({ cashier, total, giveUp }: OtherBillProps) => {
  const { t } = useWords('cashier');
  const { shown } = useFacts();
  const { bill, sums } = cashier.bill;
  const left = (sums?.left ?? 0n) + (sums?.unknown ?? 0n);
  return (
    <Stack>
      <Text fw={700}>{t.splitOpen}</Text>
      <Text>{fill(t.splitOpenWhy, { left: shown(left), total: shown(bill?.total ?? 0n) })}</Text>
      <Button h={72} data-autofocus onClick={() => cashier.setOpen(undefined)}>
        {t.splitKeep}
      </Button>
      <Button size="sm" h="auto" mih={56} variant="default" onClick={giveUp}>
        {fill(t.splitAnew, { amount: shown(total) })}
      </Button>
    </Stack>
  );
};

const Split = ({ cashier }: { cashier: CashierState }) => {
  const { t, shared, format } = useWords('cashier');
  const { exponent, shown } = useFacts();
  const [first, setFirst] = useState<bigint>();
  const total = entryMinor(cashier.entry, exponent);
  const start = (parts: readonly bigint[]): void => {
    cashier.bill.set({ total, parts });
    cashier.clear();
    cashier.setOpen(undefined);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (first !== undefined) start([first, total - first]);
  };
  if (total < LEAST) return <Text>{t.amountFirst}</Text>;
  return (
    <Stack>
      <Text fw={700}>
        {shared.fields.billTotal} {shown(total)}
      </Text>
      <SimpleGrid cols={{ base: 2, sm: 3 }} spacing="xs" role="group" aria-label={t.splitEqual}>
        {COUNTS.map((count) => (
          <Button
            size="sm"
            key={count}
            h={72}
            variant="default"
            onClick={() => start(equalParts(total, count))}
            data-autofocus={count === COUNTS[0] || undefined}
            // It also takes the focus after the confirmation, when the dialog was already open.
            autoFocus={count === COUNTS[0]}
          >
            <Stack gap={0} align="center">
              <Text span fw={700}>
                {format(t.splitParts, { count })}
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
          <AmountPad label={t.splitAmount} max={total - 1n} onAmount={setFirst} />
          <Button type="submit" h={72} disabled={first === undefined}>
            {fill(t.splitStart, { amount: shown(first ?? 0n) })}
          </Button>
        </Stack>
      </form>
    </Stack>
  );
};
