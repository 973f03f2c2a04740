/** Pairs from a screen while the till is running: stores the terminal, and the till reopens with it. */
import { candidateAt } from '../../../drivers/discovery.ts';
import type { DeviceRow } from '../../api/contract/devices.ts';
import type { DevicesPort, NamedPlace } from '../../api/ports/devices.ts';
import { problemOf } from '../../api/problems.ts';
import { Fault } from '../../base/fault.ts';
import type { DisplayMode } from '../../base/mode.ts';
import { createRestarter } from '../../base/restart-soon.ts';
import { type Config, changeConfig, loadConfig, type PairedDevice } from '../../folder/config.ts';
import { openSalesIn } from '../../ledger/open-figures.ts';
import { noteOn } from '../../staff/audit/audit-notes.ts';
import { pairedAddresses, rowOf } from '../device-rows.ts';
import type { Bench } from '../devices-bench.ts';
import type { TerminalsParts } from '../port.ts';
import { refusalOf } from '../terminal-mode.ts';
import { identifyAt } from './device-identification.ts';
import { type PairOptions, pair, pairedAt, type TestedTerminal, unpair } from './pairing.ts';
import { changeTestHost } from './test-host.ts';

/** After this time, a different terminal may be at the place. */
const MET_FRESH_MS = 10 * 60_000;

export type Pairings = {
  service: Pick<DevicesPort, 'meet' | 'pair' | 'unpair' | 'sayTestHost' | 'useSimulated'>;
  /** Makes the till reopen once this request is answered and no sale is in progress. */
  restartSoon(): void;
};

export const openPairings = (parts: TerminalsParts, bench: Bench): Pairings => {
  const { running, clock, ids, dataDir: folder, events, mode, offersSimulated } = parts;
  const note = noteOn(parts);
  const meetings = openMeetings(parts, bench);
  const restartSoon = createRestarter(parts);
  const tools = {
    folder,
    ids,
    clock,
    openSales: (terminalId: string) => openSalesIn(running).filter(({ intent }) => intent.terminalId === terminalId),
  };
  const change = (): void => {
    events.tell({ on: 'changed', what: 'devices' });
    restartSoon();
  };
  return {
    restartSoon,
    service: {
      async meet(request, notify) {
        const device = await meetings.meet(request, notify);
        return { ...rowOf(device.address, device), echoMs: [...device.echoMs] };
      },
      async pair({ address, terminalId, counter = 'T1', swap, alone }, actor) {
        bench.refuseSale();
        const device = await meetings.recallOrIdentify(address);
        const wishes: PairOptions = { counter, terminalId, swap: swap || undefined, alone: alone || undefined };
        const config = pair(device, tools, wishes);
        note({ on: 'paired', counter, device: `${device.info.model} ${device.info.serial}`.trim() }, actor);
        change();
        return { ...pairedRow(device, config, counter), restart: 'soon', refused: refusalHere(device, mode) };
      },
      async unpair(counter, { swap }, actor) {
        bench.refuseSale();
        unpair(tools, { counter, swap: swap || undefined });
        note({ on: 'unpaired', counter }, actor);
        change();
      },
      async sayTestHost({ counter, atTestHost }, actor) {
        bench.refuseSale();
        const { model, serial } = changeTestHost({ folder, ids, mode }, { counter, atTestHost });
        const device = `${model} ${serial}`.trim();
        note({ on: atTestHost ? 'testHostSaid' : 'testHostDenied', counter, device }, actor);
        change();
      },
      async useSimulated(actor) {
        if (mode === 'live') throw new Fault('simulation.live');
        if (offersSimulated !== true) return;
        changeConfig(folder, ids, (config) => ({ ...config, simulatedTerminal: true }));
        note({ on: 'simulatedUsed' }, actor);
        change();
      },
    },
  };
};

/** It was just paired, so no manager can have said yet that it is connected to a test host. */
const refusalHere = ({ info, kind }: TestedTerminal, mode: DisplayMode) => {
  const rules = {
    mode: mode === 'live' ? 'live' : 'test',
    integrated: kind === 'integrated',
    testHost: false,
  } as const;
  const refusal = refusalOf(info, rules);
  return refusal && problemOf(refusal);
};

const pairedRow = (device: TestedTerminal, config: Config, counter: string): DeviceRow => {
  const pairedTerminal = pairedAt(config, Number(counter.slice(1)) - 1);
  return {
    ...rowOf(device.address, device),
    counter,
    terminalId: pairedTerminal?.terminalId,
    ...pairingOf(pairedTerminal?.device),
  };
};

const pairingOf = (device: PairedDevice | undefined) => ({ pairedAt: device?.pairedAt, written: device });

/** The terminals identified here, which can be paired without being asked again. */
const openMeetings = ({ clock, ids, dataDir, simulated, terminalWatch }: TerminalsParts, bench: Bench) => {
  const known = new Map<string, { terminal: TestedTerminal; at: number }>();
  const meet = async (request: NamedPlace, notify: Parameters<DevicesPort['meet']>[1]): Promise<TestedTerminal> => {
    const { place, first } = placeOf(request, ownAddresses(loadConfig(dataDir, ids), simulated));
    const terminal = await bench.withDevice(first, ({ tools }) => identifyAt(place, tools, notify));
    known.set(terminal.address, { terminal, at: clock.monotonic() });
    terminalWatch.told.set(terminal.address, terminal);
    return terminal;
  };
  return {
    meet,
    async recallOrIdentify(address: string): Promise<TestedTerminal> {
      const stored = known.get(address);
      const isFresh = stored !== undefined && clock.monotonic() - stored.at < MET_FRESH_MS;
      return isFresh ? stored.terminal : meet({ address }, () => {});
    },
  };
};

// The place that a person means by an address: the till's own terminal there, or one that may be probed only with that
// person's consent.

/** Addresses that this till already sells on: they need no consent. */
export const ownAddresses = (config: Config, simulated: string | undefined): string[] => [
  ...pairedAddresses(config).map(([, address]) => address),
  ...(simulated === undefined ? [] : [simulated]),
];

/**
 * The place to probe, and the first address to try there. Throws `terminal.unknown`, and `terminal.protocolMissing`
 * when several protocols may fit and the request does not say `probe`.
 */
export const placeOf = (
  { address, probe }: NamedPlace,
  own: readonly string[],
): { place: string; first: string; isOne: boolean } => {
  const { place, fits } = candidateAt(address);
  const addresses = fits.map((fit) => fit.address);
  const [first = address, another] = addresses;
  const ownAddress = addresses.find((one) => own.includes(one));
  if (ownAddress !== undefined) return { place: ownAddress, first: ownAddress, isOne: true };
  if (another === undefined) return { place: first, first, isOne: true };
  if (probe !== true) throw new Fault('terminal.protocolMissing', { address: place });
  return { place, first, isOne: false };
};
