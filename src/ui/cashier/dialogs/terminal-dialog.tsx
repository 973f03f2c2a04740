/** Which terminal takes the next card, and how the card may be presented to it. */
import { Button, Chip, Group, Stack, Switch, Text } from '@mantine/core';
import type { Counter } from '../../../api/ports/selling.ts';
import { modelName } from '../../parts/model-name.ts';
import { useSaid } from '../../words/said.ts';
import { useWords } from '../../words/words.ts';
import type { CashierState } from '../use-desk.ts';
import type { Way } from '../way.ts';

const WAYS = ['chip', 'tap', 'swipe', 'manual'] as const;

export const TerminalDialog = ({ desk }: { desk: CashierState }) => {
  const { t, shared } = useWords('cashier');
  const wordsOf = useCounterWords();
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
        {(desk.counters.data ?? []).map((counter) => (
          <Button
            key={counter.name}
            h={72}
            variant={wanted === counter.name ? 'filled' : 'default'}
            aria-pressed={wanted === counter.name}
            onClick={() => choose(counter.name)}
          >
            {wordsOf(counter)}
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

/** A counter's name, its terminal, how that is, and what is wrong with it. */
const useCounterWords = (): ((counter: Counter) => string) => {
  const { t, shared } = useWords('cashier');
  const said = useSaid();
  return ({ name, model, state, problem }) =>
    [name, model && modelName(model, shared), t.counterStates[state], problem && said.fault(problem)]
      .filter(Boolean)
      .join(' · ');
};
