/** The acquirer's id for a terminal and the counter that it serves; and the button that pairs it. */
import { Button, Checkbox, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { DeviceRow } from '../../api/contract/devices.ts';
import { fill } from '../../base/placeholders.ts';
import { api, got, RequestRefused } from '../api.ts';
import { modelName, useWords } from '../locale/use-words.ts';
import type { OverrideHeaders } from '../parts/override.ts';
import { ProblemNote } from '../parts/problem.tsx';
import { useDevices, useJob } from './till.ts';

export const PairName = ({ naming }: { naming: NamingForm }) => {
  const { t, shared } = useWords('technician');
  const { rows, free, counter, choose: setCounter, terminalId, type, isGood } = naming;
  const usedCounters = rows.map(({ counter: value = '', model = '' }) => ({
    value,
    label: fill(t.counterTaken, { counter: value, model: modelName(model, shared) }),
  }));
  return (
    <Group align="flex-start" gap="sm">
      <NativeSelect
        label={t.counter}
        value={counter}
        onChange={({ currentTarget }) => setCounter(currentTarget.value)}
        data={[...usedCounters, { value: free, label: fill(t.counterNew, { counter: free }) }]}
        style={{ flex: '1 1 12rem' }}
      />
      <TextInput
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

export const PairDo = ({ naming }: { naming: NamingForm }) => {
  const { t } = useWords('technician');
  const { busy, error, hasOpenSales, isGood, pair, swap, setSwap, counter, terminalId } = naming;
  const { needsAlone, alone, setAlone } = naming;
  return (
    <Stack align="flex-start">
      {error !== undefined && <ProblemNote error={error} />}
      {needsAlone && (
        <Checkbox
          label={t.alone}
          description={t.aloneWhy}
          checked={alone}
          onChange={({ currentTarget }) => setAlone(currentTarget.checked)}
        />
      )}
      {hasOpenSales && (
        <Checkbox label={t.swap} checked={swap} onChange={({ currentTarget }) => setSwap(currentTarget.checked)} />
      )}
      <Button size="xl" loading={busy} disabled={!isGood || (needsAlone && !alone)} onClick={pair}>
        {isGood ? fill(t.pairDo, { counter, terminalId }) : t.pairNeedsId}
      </Button>
    </Stack>
  );
};

/** The first counter number that is free. */
const freeCounter = (rows: readonly DeviceRow[]): string => {
  const usedCounters = rows.map(({ counter }) => counter);
  for (let n = 1; ; n += 1) if (!usedCounters.includes(`T${n}`)) return `T${n}`;
};

/** A known device keeps its counter; another one replaces the terminal at the first. Undefined if there is none. */
const usualCounter = (rows: readonly DeviceRow[], device: DeviceRow | undefined): string | undefined => {
  const known = rows.find(({ serial }) => serial !== undefined && serial === device?.serial);
  return known?.counter ?? rows.find(({ counter }) => counter === 'T1')?.counter;
};

/** The settings for pairing: the counter, the acquirer's id, and whether to ignore open sales. */
export const useNaming = (device: DeviceRow | undefined) => {
  const rows = (useDevices().data ?? []).filter(({ simulated }) => !simulated);
  const free = freeCounter(rows);
  const [chosen, setCounter] = useState<string>();
  const [typed, type] = useState<string>();
  const [swap, setSwap] = useState(false);
  const [alone, setAlone] = useState(false);
  const job = useJob<DeviceRow>('devices');
  const counter = chosen ?? usualCounter(rows, device) ?? free;
  const terminalId = typed ?? rows.find((row) => row.counter === counter)?.terminalId ?? '';
  const isGood = /^\d{1,32}$/.test(terminalId);
  const pair = async (headers: OverrideHeaders): Promise<DeviceRow> => {
    const json = {
      address: device?.address ?? '',
      counter,
      terminalId,
      swap: swap || undefined,
      alone: alone || undefined,
    };
    return got(api.devices.$post({ json }, { headers }));
  };
  return {
    rows,
    free,
    counter,
    choose: setCounter,
    terminalId,
    type,
    isGood,
    swap,
    setSwap,
    alone,
    setAlone,
    /** The terminal asks its bank itself: somebody must confirm that it belongs to this till alone. */
    needsAlone: device?.asksBank === true,
    busy: job.busy,
    error: job.error,
    paired: job.result,
    /** Sales on the terminal that was at this counter are not finished. */
    hasOpenSales: job.error instanceof RequestRefused && job.error.problem.code === 'pairing.salesOpen',
    pair: () => void job.run(pair),
    reset() {
      job.clear();
      setCounter(undefined);
      type(undefined);
      setSwap(false);
      setAlone(false);
    },
  };
};

type NamingForm = ReturnType<typeof useNaming>;
