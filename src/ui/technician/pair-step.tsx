/** One step of pairing, numbered, with what the till tells of it and the bytes behind that. */
import { Alert, Button, Card, Collapse, Group, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import type { PairingStep } from '../../api/ports/devices.ts';
import { fill } from '../../words/fill.ts';
import { useSaid } from '../words/said.ts';
import { useWords } from '../words/words.ts';
import { keyed } from './keyed.ts';
import { Hex } from './parts.tsx';

type StepState = 'done' | 'now' | 'later';
const colours = { done: 'green', now: 'blue', later: 'gray' } as const;

export const PairStep = (props: { n: number; name: string; state: StepState; children: ReactNode }) => {
  const { n, name, state, children } = props;
  const { t } = useWords('technician');
  return (
    <Card withBorder component="li" {...(state === 'now' && { 'aria-current': 'step' as const })}>
      <Group wrap="nowrap" align="flex-start" gap="md">
        <ThemeIcon size={44} radius="xl" color={colours[state]} variant={state === 'now' ? 'filled' : 'light'}>
          {state === 'done' ? <IconCheck aria-hidden /> : <span aria-hidden>{n}</span>}
        </ThemeIcon>
        <Stack gap="xs" style={{ flex: 1, minWidth: 0 }} aria-live="polite">
          <Title order={2} size="h4" lh="2.75rem" {...(state === 'later' && { c: 'dimmed' })}>
            {name}
          </Title>
          {state === 'later' ? <Text c="dimmed">{t.notYet}</Text> : children}
        </Stack>
      </Group>
    </Card>
  );
};

export const StepNews = ({ steps }: { steps: readonly PairingStep[] }) => {
  const said = useSaid();
  return (
    <>
      {steps.map((step) =>
        step.problem ? (
          <Alert key={step.says} role="note" color="yellow" icon={<IconAlertTriangle aria-hidden />}>
            {said.told(step.told, step.says)}
          </Alert>
        ) : (
          <Stack key={step.says} gap={4} align="flex-start">
            <Text fw={500}>{said.told(step.told, step.says)}</Text>
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
