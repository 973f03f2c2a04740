/** The left half: the amount, the keypad, other functions, and the large button that sells. */
import { Text } from '@mantine/core';
import type { MouseEvent } from 'react';
import { fill } from '../../base/placeholders.ts';
import { IconBackspace } from '../icons/icons.ts';
import { useWords } from '../locale/use-words.ts';
import { type EntryKey, entryMinor, isEmpty } from './amount.ts';
import css from './cashier.module.css';
import { useFacts } from './facts.ts';
import keypadCss from './keypad.module.css';
import { type Command, keyNames } from './keys.ts';
import { isCardIn, whyNotFree } from './live-sales.ts';
import type { CashierState } from './use-cashier.ts';
import { isUsual, wayText } from './way.ts';

type Props = { cashier: CashierState; onCommand: (command: Command) => void };

const functions = ['tip', 'split', 'preauth', 'refund', 'find', 'claim', 'giftCard', 'terminal'] as const;

const entryKey = (key: KeypadKey): EntryKey => (key === 'back' ? { key } : { key: 'digit', digit: key });

export const EntryPanel = ({ cashier, onCommand }: Props) => {
  const { t, shared } = useWords('cashier');
  return (
    <section className={css.entry} aria-label={shared.fields.amount}>
      <AmountDisplay cashier={cashier} />
      <div className={css.keys}>
        <Keypad label={t.keypad} back={shared.backspace} onKey={(key) => cashier.press(entryKey(key))} />
        <div className={css.functions}>
          {functions.map((command) => (
            <KeyButton key={command} command={command} onPress={() => onCommand(command)} />
          ))}
        </div>
      </div>
      <SellButton cashier={cashier} onPress={() => onCommand('sell')} />
    </section>
  );
};

const KeyButton = ({ command, onPress }: { command: (typeof functions)[number]; onPress: () => void }) => {
  const { t } = useWords('cashier');
  return (
    <button type="button" className={css.function} onClick={onPress} aria-keyshortcuts={keyNames[command]}>
      <span>{t.commands[command]}</span>
      <kbd aria-hidden>{keyNames[command]}</kbd>
    </button>
  );
};

/** What the large button would charge; for a bill without a typed amount, its next part. */
const toCharge = ({ entry, bill, tip }: CashierState, exponent: number): bigint => {
  const typed = isEmpty(entry) && bill.owes ? (bill.next ?? 0n) : entryMinor(entry, exponent);
  return typed + (tip ?? 0n);
};

const AmountDisplay = ({ cashier }: { cashier: CashierState }) => {
  const { t, shared, money } = useWords('cashier');
  const { exponent, amountOf, shown, currency } = useFacts();
  const { entry, tip, way, bill } = cashier;
  const typed = isEmpty(entry) && bill.owes ? (bill.next ?? 0n) : entryMinor(entry, exponent);
  const text = money(amountOf(typed));
  const refusalText = entry.refused && fill(t.amountRefused[entry.refused], { currency });
  const extras = [tip !== undefined && fill(t.withTip, { tip: shown(tip) }), !isUsual(way) && wayText(t, way)];
  const hint = extras.filter(Boolean).join(' · ') || (bill.owes ? t.partHint : t.amountHint);
  return (
    <div className={css.amount} data-empty={isEmpty(entry) && !bill.owes} data-refused={refusalText !== undefined}>
      <output className={css.figure} data-long={text.length > 13} aria-label={shared.fields.amount}>
        <bdi dir="ltr">{text}</bdi>
      </output>
      <Text component="p" className={css.amountNote} role={refusalText === undefined ? undefined : 'alert'}>
        {refusalText ?? hint}
      </Text>
    </div>
  );
};

const SellButton = ({ cashier, onPress }: { cashier: CashierState; onPress: () => void }) => {
  const { t, shared } = useWords('cashier');
  const { exponent, shown } = useFacts();
  const isSending = cashier.selling.unanswered.length > 0;
  const minor = toCharge(cashier, exponent);
  const buttonText = cashier.bill.owes ? t.payPart : t.sell;
  const isTaken = cashier.free === undefined && cashier.counters.data !== undefined;
  const isWaiting = isTaken || cashier.holdsBack;
  const reason = cashier.panels.some(isCardIn) ? t.phases.removeCard : t[whyNotFree(cashier.counters.data ?? [])];
  return (
    <button
      type="button"
      className={css.sell}
      aria-disabled={isSending || isWaiting}
      data-empty={minor === 0n}
      aria-keyshortcuts={keyNames.sell}
      onClick={onPress}
    >
      <span>{isSending ? shared.sending : isWaiting ? reason : buttonText}</span>
      <bdi dir="ltr">{minor > 0n ? shown(minor) : ''}</bdi>
      <kbd aria-hidden>{keyNames.sell}</kbd>
    </button>
  );
};

type KeypadKey = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9' | '00' | 'back';

type KeypadProps = {
  label: string;
  /** The label of the delete key. */
  back: string;
  onKey: (key: KeypadKey) => void;
};

const rows: readonly KeypadKey[] = ['7', '8', '9', '4', '5', '6', '1', '2', '3', '00', '0', 'back'];

const keepFocus = (event: MouseEvent): void => event.preventDefault();

/** A keypad for amounts that fills its place; a press leaves the focus where it was. */
export const Keypad = ({ label, back, onKey }: KeypadProps) => (
  <fieldset aria-label={label} className={keypadCss.pad} dir="ltr">
    {rows.map((name) => (
      <button
        key={name}
        type="button"
        className={keypadCss.key}
        aria-label={name === 'back' ? back : undefined}
        onMouseDown={keepFocus}
        onClick={() => onKey(name)}
      >
        {name === 'back' ? <IconBackspace size="1.6em" /> : name}
      </button>
    ))}
  </fieldset>
);
