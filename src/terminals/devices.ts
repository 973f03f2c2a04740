/** Opens what a till sells on: the terminal that was named or paired, and the recording of what is said with it. */
import type { Link } from '../../drivers/links/link.ts';
import type { TerminalInfo } from '../../drivers/terminal.ts';
import type { Clock } from '../base/clock.ts';
import type { Fault } from '../base/fault.ts';
import type { Ids } from '../base/ids.ts';
import type { Mode } from '../base/mode.ts';
import type { Config } from '../folder/config.ts';
import type { IntegratedTerminals, Kept, Terminals } from '../till/ports.ts';
import { detectDialects } from './detected-dialects.ts';
import type { ReportError } from './log-states.ts';
import { rememberAddress, rememberDialects } from './paired-device.ts';
import { type Presence, watchPresence } from './presence.ts';
import { inMode } from './terminal-mode.ts';
import type { TerminalWatch } from './terminal-watch.ts';
import { keepTerminal, type Paired } from './terminals.ts';
import { recordTo } from './trace/recording.ts';

export type DeviceOptions = {
  dataDir: string;
  /** The till's: it sells on no terminal of the other world. */
  mode: Mode;
  clock: Clock;
  /** The shop's, an IANA name. */
  timeZone?: string | undefined;
  ids: Ids;
  report: ReportError;
  /** The terminal of this counter was opened: whatever was reported of it is over. */
  isThere?(counter: string): void;
  record?: string;
  /** Keeps what is said with the terminals, and lends them to a technician while no sale needs them. */
  terminalWatch?: TerminalWatch;
  around?: {
    terminals?(terminals: Terminals, terminalId?: string): Terminals;
    integrated?(terminals: IntegratedTerminals, terminalId?: string): IntegratedTerminals;
  };
};

export type Devices = {
  terminals: Terminals;
  integrated?: IntegratedTerminals | undefined;
  presence(): Presence;
  close(): Promise<void>;
};

type Opening = {
  config: Pick<Config, 'terminal' | 'device'>;
  address: string | undefined;
  /** The terminalId of one that stands in `terminals` of till.json; left out for the first. */
  of?: string;
  /** Where this till's other terminals are now, and where this one has gone. */
  places?: { taken(): readonly string[]; moved(address: string): void };
  /** Of the counter: `T1`. */
  name?: string;
  /** Why a terminal that names itself so cannot serve this counter, beside the others. */
  claim?(counter: string, address: string, info: TerminalInfo): Fault | undefined;
};

/** The terminal: a reader, or one that authorises by itself. Its conversation is recorded where that was asked for. */
export const openDevices = (options: DeviceOptions, opening: Opening): Devices => {
  const { clock, around = {}, terminalWatch, mode, timeZone } = options;
  const { address, of, name = 'T1' } = opening;
  const report = (error: unknown): void => options.report(error, name);
  const recording = options.record === undefined ? undefined : recordTo(options.record, { clock, report });
  const dialects = dialectsOf(opening, options);
  const opened = keepTerminal(address, {
    clock,
    report,
    timeZone,
    wrap(link, driver) {
      const heard = dialects.wrap(link, driver);
      const recorded = recording?.wrap(heard, driver) ?? heard;
      return terminalWatch?.trace.wrap(name)(recorded, driver) ?? recorded;
    },
    paired: pairedAt(opening, options),
  });
  const testHost = isPairedAt(opening) && opening.config.device?.testHost === true;
  const watch = watchPresence(address !== undefined || around.terminals !== undefined, () => options.isThere?.(name));
  const lent = <T>(kept: Kept<T>): Kept<T> => watch.over(terminalWatch?.around(name, kept) ?? kept);
  const terminals = inMode(opened.terminals, { mode, integrated: false, testHost });
  const { claim } = opening;
  const twin = (info: TerminalInfo) => (address === undefined ? undefined : claim?.(name, address, info));
  const integrated = opened.integrated && inMode(opened.integrated, { mode, integrated: true, testHost, twin });
  return {
    terminals: lent(around.terminals?.(terminals, of) ?? terminals),
    integrated: integrated && lent(around.integrated?.(integrated, of) ?? integrated),
    presence: watch.now,
    async close() {
      await opened.close();
      dialects.keep();
      recording?.close();
    },
  };
};

/** A fresh dialect is written down a moment later: the message that told it may be a payment's. */
const KEPT_AFTER_MS = 1_000;

/** What the paired device is heard to speak. Never throws: it is heard in the middle of a sale. */
const dialectsOf = (opening: Opening, { dataDir, ids, clock, report }: DeviceOptions) => {
  const { config, of } = opening;
  const { device } = config;
  if (device === undefined || !isPairedAt(opening)) return { wrap: (link: Link) => link, keep: () => {} };
  let unkept: readonly string[] | undefined;
  let stop = (): void => {};
  const keep = (): void => {
    stop();
    if (unkept === undefined) return;
    const names = unkept;
    unkept = undefined;
    try {
      rememberDialects(dataDir, names, { ids, device, ...(of !== undefined && { of }) });
    } catch (error) {
      report(error);
    }
  };
  const heard = detectDialects(device.dialects, (names) => {
    unkept = names;
    stop();
    stop = clock.after(KEPT_AFTER_MS, keep);
  });
  return { wrap: heard.wrap, keep };
};

/** The device that was paired at this address; a terminal that was named for once is whatever answers there. */
const pairedAt = (opening: Opening, { dataDir, ids }: DeviceOptions): Paired | undefined => {
  const { config, of, places } = opening;
  if (config.device === undefined || !isPairedAt(opening)) return undefined;
  return {
    device: config.device,
    moved(found) {
      places?.moved(found);
      rememberAddress(dataDir, found, { ids, ...(of !== undefined && { of }) });
    },
    ...(places && { taken: places.taken }),
  };
};

const isPairedAt = ({ config, address }: Opening): boolean => address !== undefined && address === config.terminal;
