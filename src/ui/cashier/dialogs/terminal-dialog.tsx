/** Which terminal takes the next card, and how the card may be presented to it. */
import { Button, Chip, Group, Stack, Switch, Text } from '@mantine/core';
import { useSaid } from '../../words/said.ts';
import { useWords } from '../../words/words.ts';
import type { Desk, Wish } from '../use-desk.ts';

const WAYS = ['chip', 'tap', 'swipe', 'manual'] as const;

export const TerminalDialog = ({ desk }: { desk: Desk }) => {
  const { t, shared } = useWords('cashier');
  const said = useSaid();
  const { wish, setWish } = desk;
  const { counter: _, ...any } = wish;
  const choose = (next: Wish): void => {
    setWish(next);
    desk.setOpen(undefined);
  };
  return (
    <Stack>
      <Stack gap="xs" role="group" aria-label={t.terminals}>
        <Button
          h={72}
          variant={wish.counter === undefined ? 'filled' : 'default'}
          aria-pressed={wish.counter === undefined}
          data-autofocus
          onClick={() => choose(any)}
        >
          {t.terminalAny}
        </Button>
        {(desk.counters.data ?? []).map(({ name, model, state, problem }) => (
          <Button
            key={name}
            h={72}
            variant={wish.counter === name ? 'filled' : 'default'}
            aria-pressed={wish.counter === name}
            onClick={() => choose({ ...wish, counter: name })}
          >
            {[name, model, t.counterStates[state], problem && said.fault(problem)].filter(Boolean).join(' · ')}
          </Button>
        ))}
      </Stack>
      <Text fw={700}>{t.waysLabel}</Text>
      <Chip.Group
        multiple
        value={[...wish.accept]}
        onChange={(accept) => accept.length > 0 && setWish({ ...wish, accept: accept as Wish['accept'] })}
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
        checked={wish.partial}
        onChange={({ currentTarget }) => setWish({ ...wish, partial: currentTarget.checked })}
      />
      <Button h={56} variant="default" onClick={() => desk.setOpen(undefined)}>
        {shared.done}
      </Button>
    </Stack>
  );
};
