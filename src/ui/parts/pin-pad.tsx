/** A PIN by keyboard or by the pad on the screen. It is held here until it is given, and shown as dots alone. */
import { Button, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { IconBackspace } from '@tabler/icons-react';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useWords } from '../words/words.ts';

type Props = {
  label: string;
  /** On the button that gives it. */
  action: string;
  busy: boolean;
  /** Nobody may try now. */
  shut?: boolean;
  /** What was wrong with the last one. */
  error?: string | undefined;
  /** The same at more length: beside the keys where there is little height, above them otherwise. */
  note?: ReactNode;
  /** Called with 4 to 12 digits; the field is emptied. */
  onPin: (pin: string) => void;
};

const DIGITS = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];
const LEAST = 4;
const MOST = 12;

/** Digits of any script as 0 to 9; nothing else. */
const digitsOf = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 0xf))
    .replace(/\D/g, '')
    .slice(0, MOST);

export const PinPad = ({ label, action, busy, shut = false, error, note, onPin }: Props) => {
  const [pin, setPin] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const change = (to: (held: string) => string): void => {
    setPin((held) => digitsOf(to(held)));
    field.current?.focus();
  };
  // Also after a try: whoever types goes on typing.
  useEffect(() => {
    if (!busy && !shut) field.current?.focus();
  }, [busy, shut]);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (busy || shut || pin.length < LEAST) return;
    setPin('');
    onPin(pin);
  };
  return (
    <form onSubmit={submit} autoComplete="off">
      <Stack gap="sm" className="tg-pin">
        <TextInput
          type="password"
          ref={field}
          data-autofocus
          label={label}
          value={pin}
          onChange={({ currentTarget }) => setPin(digitsOf(currentTarget.value))}
          error={error}
          errorProps={{ role: 'alert' }}
          disabled={shut}
          inputMode="none"
          autoComplete="off"
          size="lg"
        />
        {note && <div className="tg-pin-note">{note}</div>}
        <Keys shut={shut} change={change} />
        <Button type="submit" className="tg-pin-go" size="lg" loading={busy} disabled={shut || pin.length < LEAST}>
          {action}
        </Button>
      </Stack>
    </form>
  );
};

const Keys = ({ shut, change }: { shut: boolean; change: (to: (held: string) => string) => void }) => {
  const { t } = useWords('signIn');
  return (
    <SimpleGrid cols={3} spacing="xs" dir="ltr" className="tg-pin-keys">
      {DIGITS.map((digit) => (
        <Key key={digit} word={digit} shut={shut} press={() => change((held) => held + digit)} />
      ))}
      <Button variant="default" className="tg-pin-key" disabled={shut} onClick={() => change(() => '')}>
        {t.clear}
      </Button>
      <Key word="0" shut={shut} press={() => change((held) => `${held}0`)} />
      <Button
        variant="default"
        className="tg-pin-key"
        aria-label={t.backspace}
        disabled={shut}
        onClick={() => change((held) => held.slice(0, -1))}
      >
        <IconBackspace aria-hidden />
      </Button>
    </SimpleGrid>
  );
};

const Key = ({ word, shut, press }: { word: string; shut: boolean; press: () => void }) => (
  <Button variant="default" className="tg-pin-key" size="xl" disabled={shut} onClick={press}>
    {word}
  </Button>
);
