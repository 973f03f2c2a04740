/** What a met terminal shall be called: its counter, the acquirer's number, and whether open sales are passed over. */
import { useState } from 'react';
import type { DeviceRow } from '../../api/ports/devices.ts';
import { api, got, Refused } from '../api.ts';
import type { OverrideHeaders } from '../parts/override.ts';
import { useJob } from './job.ts';
import { useDevices } from './read.ts';

/** The first number that no counter has. */
const freeCounter = (rows: readonly DeviceRow[]): string => {
  const taken = rows.map(({ counter }) => counter);
  for (let n = 1; ; n += 1) if (!taken.includes(`T${n}`)) return `T${n}`;
};

/** The same device stays where it was; another one takes the first counter, or the one that is free. */
const usualCounter = (rows: readonly DeviceRow[], device: DeviceRow | undefined): string | undefined => {
  const same = rows.find(({ serial }) => serial !== undefined && serial === device?.serial);
  return same?.counter ?? rows.find(({ counter }) => counter === 'T1')?.counter;
};

export const useNaming = (device: DeviceRow | undefined) => {
  const rows = (useDevices().data ?? []).filter(({ simulated }) => !simulated);
  const free = freeCounter(rows);
  const [chosen, choose] = useState<string>();
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
      ...(swap && { swap }),
      ...(alone && { alone }),
    };
    return (await got(api.devices.$post({ json }, { headers }))) as DeviceRow;
  };
  return {
    ...{ rows, free, counter, choose, terminalId, type, isGood, swap, setSwap, alone, setAlone },
    /** It asks its bank itself: somebody has to say that it is this till's alone. */
    needsAlone: device?.asksBank === true,
    busy: job.busy,
    error: job.error,
    paired: job.result,
    /** Sales on the terminal that stood at this counter wait for their end. */
    hasOpenSales: job.error instanceof Refused && job.error.problem.code === 'pairing.salesOpen',
    pair: () => void job.run(pair),
    reset() {
      job.clear();
      choose(undefined);
      type(undefined);
      setSwap(false);
      setAlone(false);
    },
  };
};

export type Naming = ReturnType<typeof useNaming>;
