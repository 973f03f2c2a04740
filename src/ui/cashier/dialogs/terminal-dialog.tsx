/** Which terminal takes the next card, and how the card may be presented to it. */
import { Button, Chip, Group, Stack, Switch, Text } from '@mantine/core';
import { useSaid } from '../../words/said.ts';
import { useWords } from '../../words/words.ts';
import type { Desk } from '../use-desk.ts';
import type { Way } from '../way.ts';

const WAYS = ['chip', 'tap', 'swipe', 'manual'] as const;

export const TerminalDialog = ({ desk }: { desk: Desk }) => {
  const { t, shared } = useWords('cashier');
  const said = useSaid();
  const { wanted, want, way, setWay } = desk;
  const choose = (counter?: string): void => {
    want(counter);
    desk.setOpen(undefined);
  };
  return (
    <Stack>
      <Stack gap="xs" role="group" aria-label={t.terminals}>
        <Button
          h={72}
          variant={wanted === undefined ? 'filled' : 'default'}
          aria-pressed={wanted === undefined}
          data-autofocus
          onClick={() => choose()}
        >
          {t.terminalAny}
        </Button>
        {(desk.counters.data ?? []).map(({ name, model, state, problem }) => (
          <Button
            key={name}
            h={72}
            variant={wanted === name ? 'filled' : 'default'}
            aria-pressed={wanted === name}
            onClick={() => choose(name)}
          >
            {[name, model, t.counterStates[state], problem && said.fault(problem)].filter(Boolean).join(' · ')}
          </Button>
        ))}
      </Stack>
      <Text fw={700}>
        {t.waysLabel} ({t.onceOnly})
      </Text>
      <Chip.Group
        multiple
        value={[...way.accept]}
        onChange={(accept) => accept.length > 0 && setWay({ ...way, accept: accept as Way['accept'] })}
      >
        <Group>
          {WAYS.map((way) => (
            <Chip key={way} value={way} size="xl">
              {t.ways[way]}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
      <Switch
        size="lg"
        label={t.partial}
        checked={way.partial}
        onChange={({ currentTarget }) => setWay({ ...way, partial: currentTarget.checked })}
      />
      <Button h={56} variant="default" onClick={() => desk.setOpen(undefined)}>
        {shared.done}
      </Button>
    </Stack>
  );
};
