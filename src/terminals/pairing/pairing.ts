/** Pairing: identifies a terminal, tests it, and writes it to till.json as one that this till sells on. */
import { type FoundTerminal, inspect, type ProbeTools, withTerminal } from '../../../drivers/discovery.ts';
import { driverOf, type OpenTerminal } from '../../../drivers/registry.ts';
import { type Clock, dateTime } from '../../base/clock.ts';
import { Fault } from '../../base/fault.ts';
import type { Ids } from '../../base/ids.ts';
import { deviceTypeOf } from '../../emv/device-models.ts';
import { type Config, changeConfig, loadConfig, type PairedDevice } from '../../folder/config.ts';
import type { Sale } from '../../till/machine/sale.ts';
import { deviceText, isPaired } from '../paired-device.ts';
import { twinOf } from './twin-terminals.ts';

/** The time for opening, asking and testing a terminal altogether. */
const MEET_WITHIN_MS = 20_000;
const ECHOES = 3;

/** A terminal that was asked and tested. `echoMs`: the time of each harmless request. */
export type TestedTerminal = FoundTerminal & { echoMs: readonly number[] };

/** Asks the terminal what it is and tests it: a few echoes, and a welcome on its display. Throws as `withTerminal`. */
export const identify = (address: string, tools: ProbeTools): Promise<TestedTerminal> => {
  const { clock } = tools;
  const startedAt = clock.monotonic();
  return withTerminal(address, { withinMs: MEET_WITHIN_MS, ...tools }, async (device) => {
    const found = await inspect(device);
    const echoMs = await measureEchoes(device, clock);
    if (device.kind === 'reader') await device.terminal.show('welcome');
    const { name, title } = driverOf(address.replace(/\+.*$/s, ''));
    const tookMs = clock.monotonic() - startedAt;
    return { address, driver: name, title, kind: device.kind, ...found, tookMs, echoMs };
  });
};

const measureEchoes = async ({ terminal }: OpenTerminal, clock: Clock): Promise<number[]> => {
  const tookMs: number[] = [];
  while (tookMs.length < ECHOES) {
    const startedAt = clock.monotonic();
    await terminal.echo();
    tookMs.push(clock.monotonic() - startedAt);
  }
  return tookMs;
};

export type PairTools = {
  folder: string;
  ids: Ids;
  clock: Clock;
  /** Unfinished sales of this pos.terminalId. Throws when the folder's journal cannot be read. */
  openSales(terminalId: string): readonly Sale[];
};
export type PairOptions = {
  /**
   * The pos.terminalId from now on; the configured one if absent. Throws `config.malformed` unless it has 1 to 32
   * digits.
   */
  terminalId?: string;
  /** Pairs even though sales on the previous terminal are still open. */
  swap?: true;
  /**
   * A person confirmed that no other till or register sells on it; required for a terminal that asks its bank itself.
   */
  alone?: true;
  /** `T1` if absent; the first free number adds a terminal, which needs its own terminalId. */
  counter?: string;
};

/**
 * Writes the terminal to till.json, completely or not at all. Throws `pairing.oneTill` and `terminal.twin` for a
 * terminal that asks its bank itself; `pairing.salesOpen` when it replaces another terminal, or gets another
 * terminalId, while sales are open and `swap` was not given; and the faults of loading and writing the configuration.
 */
export const pair = (foundTerminal: FoundTerminal, tools: PairTools, options: PairOptions = {}): Config => {
  const { folder, ids, clock } = tools;
  const current = loadConfig(folder, ids);
  const i = placeOf(options.counter, current);
  const pairedTerminal = pairedAt(current, i);
  const isLeft =
    pairedTerminal !== undefined &&
    (!isSame(foundTerminal, pairedTerminal) || isRenamed(foundTerminal, pairedTerminal, options));
  if (isLeft && options.swap !== true) refuseOpenSales(pairedTerminal, tools);
  if (foundTerminal.kind === 'integrated' && options.alone !== true)
    throw new Fault('pairing.oneTill', { title: foundTerminal.title });
  const twin = twinOf(current, { counter: `T${i + 1}`, ...foundTerminal });
  if (twin !== undefined) throw twin;
  const terminalId = options.terminalId ?? pairedTerminal?.terminalId ?? '';
  // The same device still speaks the dialects that it was observed to speak.
  const dialects =
    pairedTerminal !== undefined && isSame(foundTerminal, pairedTerminal) ? pairedTerminal.device?.dialects : undefined;
  const device = { ...deviceOf(foundTerminal, clock.now()), dialects };
  const pairing = { terminalId, terminal: foundTerminal.address, device };
  return changeConfig(folder, ids, (config) => {
    if (i === 0) return { ...config, ...pairing };
    const terminals = [...(config.terminals ?? [])];
    terminals[i - 1] = pairing;
    return { ...config, terminals };
  });
};

/** Removes a paired terminal from till.json. Throws `terminal.unpaired`, and `pairing.salesOpen` as `pair` does. */
export const unpair = (
  tools: PairTools,
  { swap, counter }: Omit<PairOptions, 'terminalId'> = {},
): { address: string; device?: PairedDevice } => {
  const { folder, ids } = tools;
  const current = loadConfig(folder, ids);
  const at = placeOf(counter, current);
  const pairedTerminal = pairedAt(current, at);
  if (pairedTerminal?.terminal === undefined) throw new Fault('terminal.unpaired');
  if (swap !== true) refuseOpenSales(pairedTerminal, tools);
  changeConfig(folder, ids, (config) => {
    const { terminal: _, device: __, ...first } = config;
    if (at === 0) return first;
    const { terminals = [], ...rest } = config;
    const remaining = terminals.filter((___, place) => place !== at - 1);
    return remaining.length === 0 ? rest : { ...rest, terminals: remaining };
  });
  return { address: pairedTerminal.terminal, device: pairedTerminal.device };
};

type PairedAt = Pick<Config, 'terminalId' | 'terminal' | 'device'>;

/** What is configured at a counter, 0 for the first. Undefined if there is none yet. */
export const pairedAt = (config: Config, i: number): PairedAt | undefined =>
  i === 0 ? config : config.terminals?.[i - 1];

/** The counter's index, 0 for `T1`. Throws `terminal.unpaired` beyond the first free one. */
const placeOf = (counter: string | undefined, { terminals = [] }: Config): number => {
  const place = Number(/^T([1-9]\d?)$/.exec(counter ?? 'T1')?.[1] ?? 0) - 1;
  if (place < 0 || place > terminals.length + 1) throw new Fault('terminal.unpaired');
  return place;
};

/** The same device as before, perhaps at another port: nothing is replaced. */
const isSame = ({ address, info }: FoundTerminal, { terminal, device }: PairedAt): boolean =>
  device === undefined ? terminal === address : isPaired(info, device);

/**
 * A terminal that asks its bank itself can be asked about its open sales only under the terminalId they were made with.
 */
const isRenamed = (
  { kind }: FoundTerminal,
  pairedTerminal: PairedAt,
  { terminalId = pairedTerminal.terminalId }: PairOptions,
): boolean =>
  kind === 'integrated' && pairedTerminal.terminal !== undefined && terminalId !== pairedTerminal.terminalId;

/** How many receipts a fault lists. */
const RECEIPTS_NAMED = 8;

const refuseOpenSales = ({ terminalId }: PairedAt, { openSales }: PairTools): void => {
  const open = openSales(terminalId);
  // Before the first pairing a terminal may have been named on each command line: its sales count as well.
  if (open.length === 0) return;
  throw openSalesFault(
    terminalId,
    open.map(({ intent }) => intent.receipt),
  );
};

/** `pairing.salesOpen` for the sales with these receipts. */
export const openSalesFault = (terminalId: string, open: readonly number[]): Fault => {
  const names = open.slice(0, RECEIPTS_NAMED).map((receipt) => String(receipt).padStart(6, '0'));
  const receipts = [...names, ...(open.length > names.length ? ['…'] : [])].join(', ');
  return new Fault('pairing.salesOpen', { terminalId, count: open.length, receipts });
};

/** What is stored about a device. */
const deviceOf = ({ info, title }: FoundTerminal, now: number): PairedDevice => {
  const deviceId = info.serial.replace(/\D/g, '').slice(-32);
  return {
    deviceType: deviceTypeOf(info.model) ?? (deviceText(info.model).slice(0, 32) || title.slice(0, 32)),
    deviceId: deviceId || undefined,
    model: deviceText(info.model),
    serial: deviceText(info.serial),
    firmware: deviceText(info.firmware),
    pairedAt: dateTime(now),
  };
};
