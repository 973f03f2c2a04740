/** An amount in a dialog: the same keys and the same meaning of digits as on the screen behind it. */
import { Input } from '@mantine/core';
import { type ClipboardEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { fill } from '../../../words/fill.ts';
import { Keypad } from '../../parts/keypad.tsx';
import { useWords } from '../../words/words.ts';
import css from '../cashier.module.css';
import { type AmountEntry, afterKey, type EntryKey, entryMinor, entryText } from '../entry.ts';
import { useFacts } from '../facts.ts';
import { meantBy } from '../keys.ts';

type Props = {
  label: string;
  /** Stands there at first; the first digit that is typed replaces it. */
  preset?: bigint | undefined;
  most?: bigint | undefined;
  /** Told each change, minor units; nothing while it cannot be taken. */
  onAmount: (minor: bigint | undefined) => void;
  /** It is what the dialog is about: keys go to it at once. */
  takesFocus?: boolean;
};

const digitsOf = (minor: bigint | undefined): AmountEntry => ({ digits: minor === undefined ? '' : String(minor) });

export const AmountPad = ({ label, preset, most, onAmount, takesFocus = false }: Props) => {
  const { t, money } = useWords('cashier');
  const { currency, exponent, amountOf, shown } = useFacts();
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (takesFocus) field.current?.focus();
  }, [takesFocus]);
  const [held, setHeld] = useState({ entry: digitsOf(preset), isPreset: preset !== undefined });
  const { entry } = held;
  const minor = entryMinor(entry, exponent);
  const isOver = most !== undefined && minor > most;
  const take = (key: EntryKey): void => {
    const replaces = held.isPreset && (key.key === 'digit' || key.key === 'sign');
    const next = afterKey(replaces ? { digits: '' } : entry, key, { currency, exponent });
    setHeld({ entry: next, isPreset: false });
    const now = entryMinor(next, exponent);
    onAmount(now > 0n && (most === undefined || now <= most) ? now : undefined);
  };
  const down = (event: KeyboardEvent): void => {
    const meant = meantBy(event, 'page');
    if (meant === undefined || !('entry' in meant)) return;
    event.preventDefault();
    take(meant.entry);
  };
  const paste = (event: ClipboardEvent): void => {
    event.preventDefault();
    take({ key: 'text', text: event.clipboardData.getData('text/plain') });
  };
  const limit = most === undefined ? undefined : fill(t.atMost, { most: shown(most) });
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
        back={t.backspace}
        onKey={(key) => take(key === 'back' ? { key } : { key: 'digit', digit: key })}
      />
    </div>
  );
};
