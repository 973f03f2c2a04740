/** Pairing on one page: find, talk, name, test, done. Each step waits for the one before, and none jumps. */
import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import type { DeviceRow, MetDevice, PairingStep } from '../../api/ports/devices.ts';
import { fill } from '../../words/fill.ts';
import { api } from '../api.ts';
import { useWords } from '../words/words.ts';
import { useJob } from './job.ts';
import { useNaming } from './naming.ts';
import { PairFind } from './pair-find.tsx';
import { PairDo, PairName } from './pair-name.tsx';
import { PairStep, StepNews } from './pair-step.tsx';
import { Head, VerdictNote } from './parts.tsx';
import { ProblemOrQuestion } from './probe-question.tsx';

export const Pair = () => {
  const { t } = useWords('technician');
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
        <PairStep n={2} name={t.steps.talk} state={met ? 'done' : isTalking ? 'now' : 'later'}>
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
        <PairStep n={5} name={t.steps.done} state={paired ? 'done' : met && naming.isGood ? 'now' : 'later'}>
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
        <Button size="lg" component={Link} href="/technician/devices">
          {t.toDevices}
        </Button>
        <Button size="lg" variant="default" onClick={again}>
          {t.pairAnother}
        </Button>
      </Group>
    </Stack>
  );
};
