/**
 * Draws the connection between till and terminal: a serial cable, a USB cable, or a network; intact, in use, or cut.
 */
import { Alert, Button, Group, Progress, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { DeviceRow, LinkKind } from '../../api/contract/devices.ts';
import { fill } from '../../base/placeholders.ts';
import { api, got } from '../api.ts';
import { IconAlertTriangle } from '../icons/icons.ts';
import { useWords } from '../locale/use-words.ts';
import { ProblemNote } from '../parts/problem.tsx';
import { ConfirmDialog } from './parts.tsx';
import { useJob } from './till.ts';

export type LinkState = 'ready' | 'busy' | 'away';

const colours = {
  ready: 'var(--mantine-color-green-6)',
  busy: 'var(--mantine-color-blue-6)',
  away: 'var(--mantine-color-red-6)',
} as const;

const Till = () => (
  <g>
    <rect x="6" y="14" width="58" height="38" rx="5" />
    <path d="M20 62h30M35 52v10" />
    <path d="M16 26h24M16 34h14" strokeWidth="2" />
  </g>
);

const Terminal = () => (
  <g>
    <rect x="232" y="6" width="42" height="64" rx="7" />
    <rect x="239" y="13" width="28" height="17" rx="3" strokeWidth="2" />
    {[38, 47, 56].map((y) =>
      [244, 253, 262].map((x) => <circle key={`${x} ${y}`} cx={x} cy={y} r="2" fill="currentColor" stroke="none" />),
    )}
  </g>
);

/** The middle of the drawing. */
const middles: Readonly<Record<LinkKind, React.ReactNode>> = {
  serial: (
    <g>
      <path d="M126 26h48l-7 24h-34z" />
      {[136, 145, 154, 163].map((x) => (
        <circle key={x} cx={x} cy="33" r="2" fill="currentColor" stroke="none" />
      ))}
      {[141, 150, 159].map((x) => (
        <circle key={x} cx={x} cy="42" r="2" fill="currentColor" stroke="none" />
      ))}
    </g>
  ),
  hid: (
    <g>
      <rect x="122" y="26" width="38" height="24" rx="4" />
      <rect x="160" y="30" width="18" height="16" rx="2" />
      <path d="M131 38h18M143 33l7 5-7 5" strokeWidth="2" />
    </g>
  ),
  tcp: (
    <g>
      <circle cx="150" cy="38" r="19" />
      <ellipse cx="150" cy="38" rx="8" ry="19" strokeWidth="2" />
      <path d="M131 38h38M134 29h32M134 47h32" strokeWidth="2" />
    </g>
  ),
};

export const LinkPicture = ({ link, state, message }: { link: LinkKind; state: LinkState; message: string }) => (
  <svg
    viewBox="0 0 280 76"
    role="img"
    aria-label={message}
    style={{ width: '100%', maxHeight: '5rem' }}
    fill="none"
    stroke="currentColor"
    strokeWidth="2.5"
    strokeLinecap="round"
    strokeLinejoin="round"
  >
    <Till />
    <g style={{ color: colours[state] }} stroke="currentColor">
      <path d="M66 38H120M182 38h46" strokeWidth="4" strokeDasharray={state === 'away' ? '2 10' : undefined} />
      {middles[link]}
      {state === 'away' && <path d="M196 28l20 20M216 28l-20 20" strokeWidth="4" />}
    </g>
    <Terminal />
  </svg>
);

// The keys of a terminal: which, where, and how long they last.

type Key = NonNullable<DeviceRow['keys']>[number];

/** A DUKPT key with triple DES lasts for about a million uses (ANSI X9.24-1), which a full bar stands for. */
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
  const { t, format } = useWords('technician');
  const isDead = !ready || usesLeft === 0;
  const few = usesLeft !== undefined && usesLeft < FEW;
  const name = [t.keyUses[use], slot !== undefined ? fill(t.keySlot, { slot }) : ''].filter(Boolean).join(', ');
  const text = isDead ? t.keyMissing : usesLeft === undefined ? t.keyReady : format(t.keyLeft, { uses: usesLeft });
  const share = isDead ? 0 : usesLeft === undefined ? 1 : Math.max(0.02, Math.min(1, usesLeft / FULL));
  return (
    <div>
      <Group justify="space-between" gap="xs">
        <Text size="sm" fw={600}>
          {name}
        </Text>
        <Text size="sm" fw={isDead || few ? 700 : 400} c={isDead ? 'var(--mantine-color-error)' : undefined}>
          {text}
        </Text>
      </Group>
      <Progress
        value={share * 100}
        size="lg"
        color={isDead ? 'red' : few ? 'yellow' : 'green'}
        aria-label={`${name}: ${text}`}
      />
      {ksn !== undefined && (
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {fill(t.keyKsn, { ksn })}
        </Text>
      )}
    </div>
  );
};

/** A real terminal at a test till: why it does not sell, and a manager's statement that it is at a test host. */
export const TestHost = ({ device: { counter = '', atTestHost, busy } }: { device: DeviceRow }) => {
  const { t } = useWords('technician');
  const [asks, setAsks] = useState(false);
  const job = useTestHost(counter);
  if (atTestHost === undefined) return null;
  return (
    <Alert color="yellow" role="note" icon={<IconAlertTriangle />}>
      <Stack align="flex-start">
        <Text>{atTestHost ? t.testHostIs : t.testHostNot}</Text>
        {job.error !== undefined && <ProblemNote error={job.error} />}
        <Button
          variant="default"
          disabled={busy === true}
          loading={job.busy}
          onClick={() => (atTestHost ? void job.setHost(false) : setAsks(true))}
        >
          {atTestHost ? t.testHostEnd : t.testHostSay}
        </Button>
      </Stack>
      {asks && <ConfirmTestHost counter={counter} onClose={() => setAsks(false)} />}
    </Alert>
  );
};

/** Needs a manager's approval, unless the person is one. */
const useTestHost = (counter: string) => {
  const job = useJob<unknown>('devices');
  const setHost = (atTestHost: boolean): Promise<boolean> =>
    job.run(async (headers) =>
      got(api.devices[':counter']['test-host'].$post({ param: { counter }, json: { atTestHost } }, { headers })),
    );
  return { ...job, setHost };
};

const ConfirmTestHost = ({ counter, onClose }: { counter: string; onClose: () => void }) => {
  const { t } = useWords('technician');
  const job = useTestHost(counter);
  const title = fill(t.testHostTitle, { counter });
  const setHost = (): Promise<boolean> => job.setHost(true);
  return (
    <ConfirmDialog {...{ title, job, onClose }} message={t.testHostWarns} label={t.testHostSay} onConfirm={setHost} />
  );
};
