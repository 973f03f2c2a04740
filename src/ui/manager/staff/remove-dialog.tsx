/** A person leaves; whoever removes a manager says what becomes of the keys that hang on them. */
import { Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { fill } from '../../../words/fill.ts';
import { api, got } from '../../api.ts';
import type { OverrideHeaders } from '../../parts/override.ts';
import { useSession } from '../../session.ts';
import { useWords } from '../../words/words.ts';
import { useDoing } from '../doing.tsx';
import { type Done, FormDialog } from './dialogs.tsx';
import { approveKey, endKey, useKeys } from './key-actions.tsx';

const choices = ['takeOver', 'end', 'later'] as const;
type Choice = (typeof choices)[number];
type Choices = Readonly<Record<string, Choice>>;

/** Programs whose keys this person approved: whoever is removed stands for none of them any more. */
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

export const RemoveDialog = ({ name, done }: Done & { name: string }) => {
  const { t } = useWords('manager');
  const doing = useDoing('staff', 'audit', 'posKeys');
  const hanging = useHanging(name);
  const isOwn = isSame(useSession().data?.signedIn?.name ?? '', name);
  const [chosen, choose] = useState<Choices>({});
  const send = async (): Promise<void> => {
    const removed = await doing.run(async (headers) => {
      await got(api.staff[':name'].$delete({ param: { name: encodeURIComponent(name) } }, { headers }));
      // Whoever has left cannot take over anything: the other managers are asked.
      for (const key of isOwn ? [] : hanging) await doneTo[chosen[key] ?? 'takeOver'](key, {});
      return true;
    });
    if (removed) done(fill(t.staff.removed, { name }));
  };
  return (
    <FormDialog
      title={fill(t.staff.removeTitle, { name })}
      go={t.staff.remove}
      doing={doing}
      isReady
      send={() => void send()}
      close={() => done()}
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
  const { t } = useWords('manager');
  if (isOwn) return <Text>{fill(t.staff.removeOwnKeys, { keys: hanging.join(', ') })}</Text>;
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
