/** The acquirer's number for a terminal and the counter that it serves; and the button that pairs it. */
import { Button, Checkbox, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import { fill } from '../../words/fill.ts';
import { modelName } from '../parts/model-name.ts';
import { ProblemNote } from '../parts/problem.tsx';
import { useWords } from '../words/words.ts';
import type { Naming } from './naming.ts';

export const PairName = ({ naming }: { naming: Naming }) => {
  const { t, shared } = useWords('technician');
  const { rows, free, counter, choose, terminalId, type, isGood } = naming;
  const taken = rows.map(({ counter: value = '', model = '' }) => ({
    value,
    label: fill(t.counterTaken, { counter: value, model: modelName(model, shared) }),
  }));
  return (
    <Group align="flex-start" gap="sm">
      <NativeSelect
        size="lg"
        label={t.counter}
        value={counter}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
        data={[...taken, { value: free, label: fill(t.counterNew, { counter: free }) }]}
        style={{ flex: '1 1 12rem' }}
      />
      <TextInput
        size="lg"
        label={t.terminalId}
        description={t.nameIntro}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        inputMode="numeric"
        autoComplete="off"
        value={terminalId}
        error={terminalId !== '' && !isGood && t.nameWrong}
        onChange={({ currentTarget }) => type(currentTarget.value.trim())}
        style={{ flex: '1 1 14rem' }}
      />
    </Group>
  );
};

export const PairDo = ({ naming }: { naming: Naming }) => {
  const { t } = useWords('technician');
  const { busy, error, hasOpenSales, isGood, pair, swap, setSwap, counter, terminalId } = naming;
  const { needsAlone, alone, setAlone } = naming;
  return (
    <Stack align="flex-start">
      {error !== undefined && <ProblemNote error={error} />}
      {needsAlone && (
        <Checkbox
          size="lg"
          label={t.alone}
          description={t.aloneWhy}
          checked={alone}
          onChange={({ currentTarget }) => setAlone(currentTarget.checked)}
        />
      )}
      {hasOpenSales && (
        <Checkbox
          size="lg"
          label={t.swap}
          checked={swap}
          onChange={({ currentTarget }) => setSwap(currentTarget.checked)}
        />
      )}
      <Button size="xl" loading={busy} disabled={!isGood || (needsAlone && !alone)} onClick={pair}>
        {isGood ? fill(t.pairDo, { counter, terminalId }) : t.pairNeedsId}
      </Button>
    </Stack>
  );
};
