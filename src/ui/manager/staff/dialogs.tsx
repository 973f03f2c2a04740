/** Adds a person, or gives them a new PIN. */
import { Group, PasswordInput, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { PersonRow } from '../../../api/contract/store.ts';
import { fill } from '../../../base/placeholders.ts';
import { api, got } from '../../api.ts';
import { useWords } from '../../locale/use-words.ts';
import type { OverrideHeaders } from '../../parts/override.ts';
import { useSession } from '../../session.ts';
import { type Pins, pinFault } from '../form-checks.ts';
import { FormDialog } from '../form-dialog.tsx';
import { useAction } from '../use-action.tsx';
import { approveKey, endKey, useKeys } from './key-actions.tsx';

/** `onDone` is called with the result, or without one if the person cancelled. */
type DoneProps = { onDone(text?: string): void };

const PinFields = ({ pins, setPins }: { pins: Pins; setPins(pins: Pins): void }) => {
  const { t, shared } = useWords('manager');
  const fault = pinFault(pins);
  const field = (name: keyof Pins, label: string, error?: string) => (
    <PasswordInput
      size="md"
      label={label}
      description={name === 'pin' ? t.staff.pinHint : undefined}
      value={pins[name]}
      inputMode="numeric"
      autoComplete="new-password"
      maxLength={12}
      required
      onChange={({ currentTarget }) => setPins({ ...pins, [name]: currentTarget.value.replace(/\D/g, '') })}
      error={error}
    />
  );
  return (
    <>
      {field('pin', shared.newPin, fault === 'short' && pins.again !== '' ? t.staff.pinShort : undefined)}
      {field('again', t.staff.pinAgain, fault === 'differs' ? shared.pinsDiffer : undefined)}
    </>
  );
};

const roles: readonly PersonRow['role'][] = ['cashier', 'manager', 'technician'];

export const AddDialog = ({ onDone }: DoneProps) => {
  const { t, shared } = useWords('manager');
  const runner = useAction('staff', 'audit');
  const [name, setName] = useState('');
  const [role, setRole] = useState<PersonRow['role']>('cashier');
  const [pins, setPins] = useState<Pins>({ pin: '', again: '' });
  const send = async (): Promise<void> => {
    const json = { name: name.trim(), role, pin: pins.pin };
    const added = await runner.run((headers) => got(api.staff.$post({ json }, { headers })));
    if (added !== undefined) onDone(fill(t.staff.added, { name: added.name }));
  };
  return (
    <FormDialog
      title={t.staff.add}
      go={t.staff.addGo}
      runner={runner}
      isReady={name.trim() !== '' && pinFault(pins) === undefined}
      send={send}
      close={() => onDone()}
    >
      <TextInput
        size="md"
        label={shared.fields.name}
        value={name}
        maxLength={40}
        required
        data-autofocus
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <div>
        <Text fw={500} mb={4} id="m-role">
          {t.staff.role}
        </Text>
        <SegmentedControl
          fullWidth
          size="md"
          aria-labelledby="m-role"
          value={role}
          onChange={(value) => setRole(value as PersonRow['role'])}
          data={roles.map((value) => ({ value, label: shared.roles[value] }))}
        />
      </div>
      <PinFields pins={pins} setPins={setPins} />
    </FormDialog>
  );
};

export const PinDialog = ({ name, onDone }: DoneProps & { name: string }) => {
  const { t } = useWords('manager');
  const runner = useAction('staff', 'audit');
  const [pins, setPins] = useState<Pins>({ pin: '', again: '' });
  const send = async (): Promise<void> => {
    const changed = await runner.run(async (headers) => {
      await got(
        api.staff[':name'].pin.$put(
          { param: { name: encodeURIComponent(name) }, json: { pin: pins.pin } },
          { headers },
        ),
      );
      return true;
    });
    if (changed) onDone(fill(t.staff.pinChanged, { name }));
  };
  return (
    <FormDialog
      title={fill(t.staff.changePinOf, { name })}
      go={t.staff.changePin}
      runner={runner}
      isReady={pinFault(pins) === undefined}
      send={send}
      close={() => onDone()}
    >
      <PinFields pins={pins} setPins={setPins} />
    </FormDialog>
  );
};

const choices = ['takeOver', 'end', 'later'] as const;
type Choice = (typeof choices)[number];
type Choices = Readonly<Record<string, Choice>>;

/** Programs whose keys this person approved: a removed person is no longer responsible for any. */
const useHanging = (person: string): string[] =>
  (useKeys().data ?? [])
    .filter(({ state, approvedBy = '' }) => state === 'approved' && isSame(approvedBy, person))
    .map(({ name }) => name);

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

const doneTo: Readonly<Record<Choice, (name: string, headers: OverrideHeaders) => Promise<unknown>>> = {
  takeOver: approveKey,
  end: endKey,
  later: async () => undefined,
};

/** Removes a person; for a manager, also decides what becomes of the keys they approved. */
export const RemoveDialog = ({ name, onDone }: DoneProps & { name: string }) => {
  const { t, shared } = useWords('manager');
  const runner = useAction('staff', 'audit', 'posKeys');
  const hanging = useHanging(name);
  const isOwn = isSame(useSession().data?.signedIn?.name ?? '', name);
  const [chosen, choose] = useState<Choices>({});
  const send = async (): Promise<void> => {
    const removed = await runner.run(async (headers) => {
      await got(api.staff[':name'].$delete({ param: { name: encodeURIComponent(name) } }, { headers }));
      // A removed person cannot take over keys: the other managers are asked.
      for (const key of isOwn ? [] : hanging) await doneTo[chosen[key] ?? 'takeOver'](key, {});
      return true;
    });
    if (removed) onDone(fill(t.staff.removed, { name }));
  };
  return (
    <FormDialog
      title={fill(t.staff.removeTitle, { name })}
      go={shared.remove}
      runner={runner}
      isReady
      send={send}
      close={() => onDone()}
    >
      <Text>{fill(t.staff.removeSays, { name })}</Text>
      {hanging.length > 0 && (
        <Hanging {...{ name, isOwn, hanging, chosen }} choose={(key, choice) => choose({ ...chosen, [key]: choice })} />
      )}
    </FormDialog>
  );
};

type HangingProps = {
  name: string;
  isOwn: boolean;
  hanging: readonly string[];
  chosen: Choices;
  choose(key: string, choice: Choice): void;
};

const Hanging = ({ name, isOwn, hanging, chosen, choose }: HangingProps) => {
  const { t, list } = useWords('manager');
  if (isOwn) return <Text>{fill(t.staff.removeOwnKeys, { keys: list(hanging) })}</Text>;
  return (
    <Stack gap="sm">
      <Text>{fill(t.staff.removeKeys, { name })}</Text>
      {hanging.map((key) => (
        <Group key={key} justify="space-between" gap="xs">
          <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
            <bdi>{key}</bdi>
          </Text>
          <SegmentedControl
            size="md"
            aria-label={key}
            value={chosen[key] ?? 'takeOver'}
            onChange={(value) => choose(key, value as Choice)}
            data={choices.map((value) => ({ value, label: t.staff.keyChoices[value] }))}
          />
        </Group>
      ))}
    </Stack>
  );
};
