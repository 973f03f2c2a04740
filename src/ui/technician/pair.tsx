/** Pairing on one page: find, connect, name, test, done. Each step waits for the previous one. */
import { Alert, Button, Card, Collapse, Group, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import type { DeviceRow, MetDevice, PairingStep } from '../../api/contract/devices.ts';
import { fill } from '../../base/placeholders.ts';
import { api } from '../api.ts';
import { IconAlertTriangle, IconCheck } from '../icons/icons.ts';
import { useMessages, useWords } from '../locale/use-words.ts';
import { PairFind } from './pair-find.tsx';
import { PairDo, PairName, useNaming } from './pair-name.tsx';
import { Head, Hex, keyed, ProblemOrQuestion, VerdictNote } from './parts.tsx';
import { useJob } from './till.ts';

export const Pair = () => {
  const { t, shared } = useWords('technician');
  const [address, setAddress] = useState('');
  const meeting = useJob<MetDevice, PairingStep>('devices');
  const metDevice = meeting.result;
  const naming = useNaming(metDevice);
  const { paired } = naming;
  const begin = (deviceAddress: string, probe: boolean = false): void => {
    naming.reset();
    setAddress(deviceAddress);
    void meeting.follow((headers) => api.devices.meet.$post({ json: { address: deviceAddress, probe } }, { headers }));
  };
  const retry = (): void => {
    naming.reset();
    meeting.clear();
    setAddress('');
  };
  const stepsOf = (...steps: PairingStep['step'][]) => meeting.steps.filter(({ step }) => steps.includes(step));
  const isTalking = meeting.busy || meeting.error !== undefined;
  const namingState = naming.isGood ? 'done' : 'now';
  return (
    <>
      <Head title={t.sections.pair} intro={t.pairIntro} />
      <Stack component="ol" gap="md" p={0} m={0} style={{ listStyle: 'none' }}>
        <PairStep n={1} name={t.steps.find} state={metDevice || isTalking ? 'done' : 'now'}>
          <PairFind chosen={address} busy={meeting.busy} onChoose={(deviceAddress) => begin(deviceAddress)} />
        </PairStep>
        <PairStep n={2} name={t.meet} state={metDevice ? 'done' : isTalking ? 'now' : 'later'}>
          {meeting.busy && <Text>{fill(t.meeting, { address })}</Text>}
          <StepNews steps={stepsOf('find', 'talk')} />
          {meeting.error !== undefined && (
            <ProblemOrQuestion
              error={meeting.error}
              address={address}
              onYes={() => begin(address, true)}
              retry={() => begin(address)}
            />
          )}
        </PairStep>
        <PairStep n={3} name={t.steps.name} state={metDevice ? namingState : 'later'}>
          <StepNews steps={stepsOf('name')} />
          {metDevice && !paired && <PairName naming={naming} />}
        </PairStep>
        <PairStep n={4} name={t.steps.test} state={metDevice ? 'done' : 'later'}>
          <StepNews steps={stepsOf('test')} />
          {metDevice && <Echoes ms={metDevice.echoMs} />}
        </PairStep>
        <PairStep n={5} name={shared.done} state={paired ? 'done' : metDevice && naming.isGood ? 'now' : 'later'}>
          {paired ? <Paired device={paired} retry={retry} /> : <PairDo naming={naming} />}
        </PairStep>
      </Stack>
    </>
  );
};

const Echoes = ({ ms }: { ms: readonly number[] }) => {
  const { t, number } = useWords('technician');
  const each = ms.map((one) => number(Math.round(one * 10) / 10)).join(' · ');
  return <Text c="dimmed">{fill(t.tried, { each })}</Text>;
};

const Paired = ({ device: { counter = 'T1' }, retry }: { device: DeviceRow; retry: () => void }) => {
  const { t } = useWords('technician');
  return (
    <Stack align="stretch">
      <VerdictNote verdict="good" message={`${fill(t.pairedTitle, { counter })}. ${t.pairedSoon}`} />
      <Group gap="sm">
        <Button component={Link} href="/technician/devices">
          {t.toDevices}
        </Button>
        <Button variant="default" onClick={retry}>
          {t.pairAnother}
        </Button>
      </Group>
    </Stack>
  );
};

// One numbered step of pairing, with the till's reports and the bytes behind them.

type StepState = 'done' | 'now' | 'later';
const colours = { done: 'green', now: 'blue', later: 'gray' } as const;

const PairStep = (props: { n: number; name: string; state: StepState; children: ReactNode }) => {
  const { n, name, state, children } = props;
  const { t } = useWords('technician');
  return (
    <Card withBorder component="li" aria-current={state === 'now' ? 'step' : undefined}>
      <Group wrap="nowrap" align="flex-start" gap="md">
        <ThemeIcon size={44} radius="xl" color={colours[state]} variant={state === 'now' ? 'filled' : 'light'}>
          {state === 'done' ? <IconCheck /> : <span aria-hidden>{n}</span>}
        </ThemeIcon>
        <Stack gap="xs" style={{ flex: 1, minWidth: 0 }} aria-live="polite">
          <Title order={2} size="h4" lh="2.75rem" c={state === 'later' ? 'dimmed' : undefined}>
            {name}
          </Title>
          {state === 'later' ? <Text c="dimmed">{t.notYet}</Text> : children}
        </Stack>
      </Group>
    </Card>
  );
};

const StepNews = ({ steps }: { steps: readonly PairingStep[] }) => {
  const messages = useMessages();
  return (
    <>
      {steps.map((step) =>
        step.problem ? (
          <Alert key={step.says} role="note" color="yellow" icon={<IconAlertTriangle />}>
            {messages.text(step.told, step.says)}
          </Alert>
        ) : (
          <Stack key={step.says} gap={4} align="flex-start">
            <Text fw={500}>{messages.text(step.told, step.says)}</Text>
            <Bytes lines={step.hex ?? []} />
          </Stack>
        ),
      )}
    </>
  );
};

const Bytes = ({ lines }: { lines: readonly string[] }) => {
  const { t } = useWords('technician');
  const [shown, setShown] = useState(false);
  if (lines.length === 0) return null;
  return (
    <>
      <Button size="md" variant="subtle" aria-expanded={shown} onClick={() => setShown(!shown)}>
        {shown ? t.hideBytes : fill(t.showBytes, { count: lines.length })}
      </Button>
      <Collapse expanded={shown} transitionDuration={0}>
        <Text size="sm" c="dimmed">
          {t.bytesMasked}
        </Text>
        {keyed(lines, (line) => line).map(({ key, value }) => (
          <Group key={key} wrap="nowrap" gap="xs" align="flex-start">
            <Text fw={700} className="te-hex" dir="ltr">
              {value.slice(0, 1)}
            </Text>
            <Hex hex={value.slice(2)} maxBytes={96} />
          </Group>
        ))}
      </Collapse>
    </>
  );
};
