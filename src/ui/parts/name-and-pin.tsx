/**
 * Identifies a person: a PIN from the keyboard or the on-screen pad, held only until it is submitted and shown as dots;
 * and the person, chosen from tiles or typed.
 */
import { Alert, Button, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import type { Role } from '../../api/contract/roles.ts';
import { after } from '../clock.ts';
import { IconBackspace } from '../icons/icons.ts';
import { useWords } from '../locale/use-words.ts';

type Props = {
  label: string;
  /** The label of the submit button. */
  action: string;
  busy: boolean;
  /** Nobody may try now. */
  isDisabled?: boolean;
  /** What was wrong with the last try. */
  error?: string | undefined;
  /** A longer explanation: beside the keys on low screens, above them otherwise. */
  note?: ReactNode;
  /** Called with 4 to 12 digits; the field is emptied. */
  onPin: (pin: string) => void;
};

const DIGITS = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];
const MIN_DIGITS = 4;
const MAX_DIGITS = 12;

/** Digits of any script as 0 to 9; everything else is dropped. */
const digitsOf = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 0xf))
    .replace(/\D/g, '')
    .slice(0, MAX_DIGITS);

export const PinPad = ({ label, action, busy, isDisabled = false, error, note, onPin }: Props) => {
  const [pin, setPin] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const change = (to: (digits: string) => string): void => {
    setPin((previous) => digitsOf(to(previous)));
    field.current?.focus();
  };
  // The field also takes the focus after a try, so that typing can continue.
  useEffect(() => {
    if (!busy && !isDisabled) field.current?.focus();
  }, [busy, isDisabled]);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (busy || isDisabled || pin.length < MIN_DIGITS) return;
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
          disabled={isDisabled}
          inputMode="none"
          autoComplete="off"
        />
        {note && <div className="tg-pin-note">{note}</div>}
        <Keys isDisabled={isDisabled} change={change} />
        <Button type="submit" className="tg-pin-go" loading={busy} disabled={isDisabled || pin.length < MIN_DIGITS}>
          {action}
        </Button>
      </Stack>
    </form>
  );
};

const Keys = ({ isDisabled, change }: { isDisabled: boolean; change: (to: (digits: string) => string) => void }) => {
  const { t, shared } = useWords('signIn');
  return (
    <SimpleGrid cols={3} spacing="xs" dir="ltr" className="tg-pin-keys">
      {DIGITS.map((digit) => (
        <Key key={digit} label={digit} isDisabled={isDisabled} press={() => change((previous) => previous + digit)} />
      ))}
      <Button size="sm" variant="default" className="tg-pin-key" disabled={isDisabled} onClick={() => change(() => '')}>
        {t.clear}
      </Button>
      <Key label="0" isDisabled={isDisabled} press={() => change((previous) => `${previous}0`)} />
      <Button
        size="sm"
        variant="default"
        className="tg-pin-key"
        aria-label={shared.backspace}
        disabled={isDisabled}
        onClick={() => change((previous) => previous.slice(0, -1))}
      >
        <IconBackspace />
      </Button>
    </SimpleGrid>
  );
};

const Key = ({ label, isDisabled, press }: { label: string; isDisabled: boolean; press: () => void }) => (
  <Button variant="default" className="tg-pin-key" size="xl" disabled={isDisabled} onClick={press}>
    {label}
  </Button>
);

/** Returns the signal for the next request; it is aborted when the component is removed or makes another request. */
export const useLeaveSignal = (): (() => AbortSignal) => {
  const last = useRef<AbortController>(undefined);
  useEffect(() => () => last.current?.abort(), []);
  return () => {
    last.current?.abort();
    last.current = new AbortController();
    return last.current.signal;
  };
};

/** An ordinary try is answered sooner, even on a slow machine. */
const LONG_MS = 4000;

/** A try that the till delays because of too many wrong PINs. */
export const DelayNote = ({ busy }: { busy: boolean }) => {
  const { t } = useWords('signIn');
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    setLong(false);
    return busy ? after(LONG_MS, () => setLong(true)) : undefined;
  }, [busy]);
  return (
    isLong && (
      <Alert color="orange" role="status">
        {t.held}
      </Alert>
    )
  );
};

/** `before`: what was typed last, for correction. */
type TypedNameProps = { before?: string | undefined; onName: (name: string) => void };

/** A typed name: in a browser that no manager has signed in at, the till shows no names. */
export const TypedName = ({ before = '', onName }: TypedNameProps) => {
  const { t } = useWords('signIn');
  const [input, setTyped] = useState(before);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.select(), []);
  const name = input.trim();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (name !== '') onName(name);
  };
  return (
    <form onSubmit={submit} autoComplete="off">
      <Stack gap="md" maw={480}>
        <TextInput
          ref={field}
          label={t.typedName}
          description={t.typedWhy}
          value={input}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          maxLength={40}
          autoComplete="off"
          autoCapitalize="words"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="next"
          dir="auto"
        />
        <Button type="submit" h={64} disabled={name === ''}>
          {t.typedNext}
        </Button>
      </Stack>
    </form>
  );
};

export type PersonTile = { name: string; role: Role };

type PeopleProps = { people: readonly PersonTile[]; chosen?: string | undefined; onChoose: (name: string) => void };

/** The people of this till as tiles; a locked-out person's tile says for how long. */
export const People = ({ people, chosen, onChoose }: PeopleProps) => {
  const { shared } = useWords('signIn');
  return (
    <fieldset className="tg-people" aria-label={shared.people}>
      {people.map(({ name, role }) => (
        <Button
          size="sm"
          key={name}
          variant={name === chosen ? 'filled' : 'default'}
          aria-pressed={name === chosen}
          mih={84}
          onClick={() => onChoose(name)}
        >
          <Stack gap={2} align="center">
            <Text span size="lg" fw={600} dir="auto" className="tg-wrap">
              {name}
            </Text>
            <Text span size="sm">
              {shared.roles[role]}
            </Text>
          </Stack>
        </Button>
      ))}
    </fieldset>
  );
};
