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
  const meet = useJob<MetDevice, PairingStep>('devices');
  const met = meet.result;
  const naming = useNaming(met);
  const { paired } = naming;
  const begin = (place: string, probe: boolean = false): void => {
    naming.reset();
    setAddress(place);
    void meet.follow((headers) => api.devices.meet.$post({ json: { address: place, probe } }, { headers }));
  };
  const again = (): void => {
    naming.reset();
    meet.clear();
    setAddress('');
  };
  const news = (...steps: PairingStep['step'][]) => meet.steps.filter(({ step }) => steps.includes(step));
  const isTalking = meet.busy || meet.error !== undefined;
  const named = naming.isGood ? 'done' : 'now';
  return (
    <>
      <Head title={t.sections.pair} intro={t.pairIntro} />
      <Stack component="ol" gap="md" p={0} m={0} style={{ listStyle: 'none' }}>
        <PairStep n={1} name={t.steps.find} state={met || isTalking ? 'done' : 'now'}>
          <PairFind chosen={address} busy={meet.busy} onChoose={(place) => begin(place)} />
        </PairStep>
        <PairStep n={2} name={t.meet} state={met ? 'done' : isTalking ? 'now' : 'later'}>
          {meet.busy && <Text>{fill(t.meeting, { address })}</Text>}
          <StepNews steps={news('find', 'talk')} />
          {meet.error !== undefined && (
            <ProblemOrQuestion
              error={meet.error}
              address={address}
              onYes={() => begin(address, true)}
              again={() => begin(address)}
            />
          )}
        </PairStep>
        <PairStep n={3} name={t.steps.name} state={met ? named : 'later'}>
          <StepNews steps={news('name')} />
          {met && !paired && <PairName naming={naming} />}
        </PairStep>
        <PairStep n={4} name={t.steps.test} state={met ? 'done' : 'later'}>
          <StepNews steps={news('test')} />
          {met && <Echoes ms={met.echoMs} />}
        </PairStep>
        <PairStep n={5} name={shared.done} state={paired ? 'done' : met && naming.isGood ? 'now' : 'later'}>
          {paired ? <Paired device={paired} again={again} /> : <PairDo naming={naming} />}
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

const Paired = ({ device: { counter = 'T1' }, again }: { device: DeviceRow; again: () => void }) => {
  const { t } = useWords('technician');
  return (
    <Stack align="stretch">
      <VerdictNote verdict="good" says={`${fill(t.pairedTitle, { counter })}. ${t.pairedSoon}`} />
      <Group gap="sm">
        <Button component={Link} href="/technician/devices">
          {t.toDevices}
        </Button>
        <Button variant="default" onClick={again}>
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
            <Hex hex={value.slice(2)} most={96} />
          </Group>
        ))}
      </Collapse>
    </>
  );
};
