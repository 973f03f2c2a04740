/** The keys of a terminal: which, where, and how long they are good for. */
import { Group, Progress, Stack, Text } from '@mantine/core';
import type { DeviceRow } from '../../api/ports/devices.ts';
import { fill } from '../../words/fill.ts';
import { useWords } from '../words/words.ts';

type Key = NonNullable<DeviceRow['keys']>[number];

/** A DUKPT key with triple DES serves about a million times (ANSI X9.24-1); a bar that is full stands for that. */
const FULL = 1_048_575;
const FEW = 10_000;

export const Keys = ({ keys }: { keys: readonly Key[] }) => (
  <Stack gap="xs">
    {keys.map((key) => (
      <KeyBar key={`${key.use} ${key.slot ?? ''} ${key.ksn ?? ''}`} of={key} />
    ))}
  </Stack>
);

const KeyBar = ({ of: { use, slot, ksn, usesLeft, ready } }: { of: Key }) => {
  const { t, number } = useWords('technician');
  const dead = !ready || usesLeft === 0;
  const few = usesLeft !== undefined && usesLeft < FEW;
  const name = [t.keyUses[use], slot !== undefined ? fill(t.keySlot, { slot }) : ''].filter(Boolean).join(', ');
  const left = dead ? t.keyMissing : usesLeft === undefined ? t.keyReady : fill(t.keyLeft, { uses: number(usesLeft) });
  const share = dead ? 0 : usesLeft === undefined ? 1 : Math.max(0.02, Math.min(1, usesLeft / FULL));
  return (
    <div>
      <Group justify="space-between" gap="xs">
        <Text size="sm" fw={600}>
          {name}
        </Text>
        <Text size="sm" fw={dead || few ? 700 : 400} {...(dead && { c: 'var(--mantine-color-error)' })}>
          {left}
        </Text>
      </Group>
      <Progress
        value={share * 100}
        size="lg"
        color={dead ? 'red' : few ? 'yellow' : 'green'}
        aria-label={`${name}: ${left}`}
      />
      {ksn !== undefined && (
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {fill(t.keyKsn, { ksn })}
        </Text>
      )}
    </div>
  );
};
