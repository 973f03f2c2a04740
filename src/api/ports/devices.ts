/** What a technician does: find, pair, test, watch and carry away. Works without sales, gateway or paired terminal. */
import type { KeyState, TerminalHealth } from '../../../drivers/terminal.ts';
import type { LocalizedMessage } from '../../base/localized-message.ts';
import type { Problem } from './problem.ts';
import type { Permission } from './roles.ts';
import type { Actor } from './session.ts';
import type { Said } from './wire.ts';

export type LinkKind = 'serial' | 'hid' | 'tcp';

/** A paired terminal as till.json has it. */
export type WrittenDevice = {
  deviceType: string;
  deviceId?: string;
  model: string;
  serial: string;
  firmware: string;
  /** `yyyy-MM-dd HH:mm:ss` in UTC. */
  pairedAt: string;
  testHost?: true;
  /** Rows of its protocol's table of dialects that it was heard to speak. */
  dialects?: readonly string[];
};

export type DeviceRow = {
  /** `T1`; absent for what is plugged in and not paired. */
  counter?: string;
  address: string;
  link: LinkKind;
  driver?: string;
  title: string;
  model?: string;
  serial?: string;
  firmware?: string;
  keys?: KeyState[];
  batteryPercent?: number;
  clockDifferenceMs?: number;
  tampered?: boolean;
  /** How it said it is, when it was last asked. */
  health?: TerminalHealth;
  problems: string[];
  /** Those of them that have words in the reader's language, in the same places. */
  toldProblems?: (LocalizedMessage | null)[];
  lastSeenAt?: number;
  pairedAt?: string;
  written?: WrittenDevice;
  /** The number that the acquirer gave it, where it is paired. */
  terminalId?: string;
  /** It asks its bank itself, and belongs to one till alone. */
  asksBank?: true;
  /** No device: it stands in because none is paired. */
  simulated?: true;
  /**
   * Whether a manager said that it is at its maker's test host, where no money moves. Absent where nobody may say so:
   * only of a paired terminal that asks its bank itself, at a test till.
   */
  atTestHost?: boolean;
  /** A sale is under way on it: it is not disturbed. */
  busy?: true;
  /** Plugged in, and more than one driver may fit: the likeliest first. */
  fits?: { driver: string; address: string }[];
  likely?: 'known' | 'perhaps' | 'unlikely';
  /** Where it is plugged in, without a driver; its port or node; the maker's name of its family; what USB tells. */
  place?: string;
  path?: string;
  family?: string;
  usb?: { vendorId?: number; productId?: number; serial?: string; manufacturer?: string; product?: string };
};

/** `toldProblems`: the problems in the reader's language, in the same places. */
export type PluggedAnswer = { candidates: DeviceRow[]; problems: string[]; toldProblems?: LocalizedMessage[] };

/** `echoMs`: what each loopback took. */
export type MetDevice = DeviceRow & { echoMs: number[] };

export type DiagnosisAnswer = {
  address: string;
  verdict: 'good' | 'odd' | 'bad' | 'notAsked';
  says: string;
  told?: LocalizedMessage;
  checks: readonly Check[];
  device?: DeviceRow;
  /** `toMs` of the slowest range has no end: it is absent. */
  loopback?: {
    tookMs: number[];
    histogram: { fromMs: number; toMs?: number; count: number }[];
    lost: number;
    /** How many questions were asked, and what the first without an answer met. */
    asked?: number;
    why?: string;
    minMs?: number;
    medianMs?: number;
    p95Ms?: number;
    maxMs?: number;
  };
  /** Rows of its protocol's table of dialects that it was heard to speak. */
  dialects?: readonly string[];
  /** The paired terminal was found here instead. */
  answersAt?: string;
};

/** One message of a conversation that somebody follows. Card data is masked. */
export type TracedMessage = {
  /** The line of the recording, from 1; the count of messages where the conversation is live. */
  line: number;
  /** Since the start of the recording. */
  atMs?: number;
  way: 'said' | 'heard' | 'lost';
  /** Two characters a byte, `**` for a masked one. */
  hex: string;
  /** What the driver makes of it: none while a message is not whole, several where more than one came at once. */
  says: readonly string[];
};

/** Looks at `places`, else at all that is plugged in; `everyPort`: at ports of the mainboard too. */
export type SearchWish = { places?: readonly string[]; probe?: boolean; everyPort?: boolean };
/** The places that are asked, which takes so long at most; then how many of them are through. */
export type SearchNews = { asking: readonly string[]; withinMs: number } | { done: number; all: number };
/** `silent`: places without a terminal, and what each driver met there. `skipped`: not asked without `probe`. */
export type SearchAnswer = { found: DeviceRow[]; silent: string[]; skipped: string[] };

/** One message of a conversation with a terminal. Card data is masked, and marked as masked. */
export type TraceRow = {
  n: number;
  at: number;
  counter: string;
  /** `lost`: the link was lost; there are no bytes then. */
  way: 'toTerminal' | 'fromTerminal' | 'lost';
  /** Two characters a byte; `**` is a masked one. */
  hex: string;
  /** What it says, as a tree: a line and what stands below it. */
  says: TraceNode[];
  masked: boolean;
};
export type TraceNode = { text: string; below?: TraceNode[] };

export type CheckVerdict = 'good' | 'attention' | 'bad';

/**
 * One thing that was looked at. `says` is a whole sentence, `cure` what a person does about it, `inOrder` what to
 * look at when nobody knows.
 */
export type Check = {
  what: string;
  verdict: CheckVerdict | 'notAsked';
  says: string;
  cure?: string;
  inOrder?: readonly string[];
  /** The same, told in the reader's language. */
  told?: CheckMessages;
};

export type CheckMessages = { says: LocalizedMessage; cure?: LocalizedMessage; inOrder?: readonly LocalizedMessage[] };

/** A step on the way to the gateway, with what it took. */
export type LineCheck = {
  what: 'name' | 'route' | 'proxy' | 'tls' | 'answer' | 'clock';
  verdict: 'good' | 'odd' | 'bad' | 'notAsked';
  says: string;
  ms?: number;
  /** What to do about it. */
  cure?: string;
  /** The same, told in the reader's language. */
  told?: { says: LocalizedMessage; cure?: LocalizedMessage };
  /** Each answer's time, where several were asked for. */
  each?: number[];
};

export type ConfigurationExport = { name: string; text: string };

/** A value that differs: `before` or `after` is absent where it is left out. `needs`: what it takes to change it. */
export type ConfigurationChange = { field: string; before?: string; after?: string; needs: Permission };
/**
 * Asked with all that is about to change, before it is changed. Gives who approved what the actor may not change alone;
 * nobody where they may. Throws `config.notAllowed`, with the fields and the permissions that are missing.
 */
export type Permit = (changes: readonly ConfigurationChange[]) => readonly string[];
export type ConfigurationPlan = { changes: ConfigurationChange[]; restart: boolean };

/** What is suspicious in a section of the bundle: never what stands there. */
export type Suspect = { section: string; kinds: readonly string[]; lines: readonly number[] };

/** A section with suspects is left out; of one without, `begins` are its first lines, to be looked at. */
export type BundleSection = {
  name: string;
  lines: number;
  suspects: string[];
  begins: string[];
  /** What is suspicious in it, where something is. */
  suspect?: Suspect;
};

/**
 * `address` may be without its protocol, as in `192.168.1.20:20007` or `COM3`. Then each that fits is tried, but only
 * with `probe`: a person said that a terminal is there, and not a device that takes a question for something to print.
 */
export type NamedPlace = { address: string; probe?: boolean };

export interface DevicesPort {
  devices(): DeviceRow[];
  /** What is plugged in, without opening it. */
  plugged(): Promise<PluggedAnswer>;
  /** Asks the paired terminal what it is and how it is. Throws `terminal.busy` during a sale. */
  ask(counter: string): Promise<DeviceRow>;
  /**
   * Asks each place whether a terminal is there; of what is plugged in without `probe` only what is known to be one.
   * Throws `terminal.protocolMissing` as `meet`, `terminal.notFound`, and `terminal.busy` where the till sells.
   */
  search(wish: SearchWish, tell: (news: SearchNews) => void): Promise<SearchAnswer>;
  /**
   * Opens, asks and tries it; tells each step with its bytes. Throws `terminal.protocolMissing` for a place without
   * a yes, `terminal.several`, and `terminal.busy` when it is the till's own and sells.
   */
  meet(wish: NamedPlace, tell: (step: PairingStep) => void): Promise<MetDevice>;
  /**
   * `restart: 'soon'`: the till opens itself anew with it as soon as this is answered. Throws `pairing.salesOpen`,
   * `pairing.oneTill` unless `alone` is said of a terminal that asks its bank itself, and `terminal.twin`.
   */
  pair(
    wish: { address: string; terminalId?: string; counter?: string; swap?: boolean; alone?: boolean },
    by: Actor,
  ): Promise<PairedRow>;
  unpair(counter: string, wish: { swap?: boolean }, by: Actor): Promise<void>;
  /** With it a test till sells on this real terminal. The till opens itself anew. Throws `testHost.notHere`. */
  sayTestHost(wish: { counter: string; atTestHost: boolean }, by: Actor): Promise<void>;
  /**
   * A till that waits for it has a simulated terminal stand in from now on, as long as none is paired. The till opens
   * itself anew. Throws `simulation.live`; where one stands in already, or a terminal is paired, nothing is done.
   */
  useSimulated(by: Actor): Promise<void>;
  /**
   * `live`: tells each message too, and what came unasked. Throws as `meet` where the address names no protocol and its
   * port can be opened; the faults of link and device are among the checks.
   */
  diagnose(wish: DiagnosisWish, tell: (news: DiagnosisNews) => void): Promise<DiagnosisAnswer>;
  trace(hear: (row: TraceRow) => void): () => void;
  traceSoFar(most: number): TraceRow[];
  testLine(tell: (check: LineCheck) => void): Promise<LineCheck[]>;
  exportConfiguration(by: Actor): ConfigurationExport;
  /** What an import would change. Throws `request.malformed` with each wrong field by its name. */
  planConfiguration(text: string): Promise<ConfigurationPlan>;
  /**
   * Throws as `planConfiguration`, `pairing.salesOpen`, what `permit` throws for what would change, and
   * `journal.unwritable` where somebody had to allow it; nothing is changed then. The one before is kept.
   */
  importConfiguration(text: string, by: Actor, permit: Permit): Promise<ConfigurationPlan>;
  /** What the import before can be undone to; undefined when there was none. */
  undoPlan(): ConfigurationPlan | undefined;
  /** Throws `config.nothingToUndo`, and as `importConfiguration`: what an undo changes, it changes. */
  undoConfiguration(by: Actor, permit: Permit): Promise<ConfigurationPlan>;
  bundlePreview(): Promise<{ sections: BundleSection[] }>;
  bundle(by: Actor): Promise<{ name: string; bytes: Uint8Array; leftOut: string[] }>;
  updates(): Promise<{ version: string; available?: string; mayInstall: boolean; why?: Said }>;
}

export type PairingStep = {
  step: 'find' | 'talk' | 'name' | 'test' | 'done';
  says: string;
  told?: LocalizedMessage;
  hex?: string[];
  problem?: Problem;
};
export type DiagnosisWish = NamedPlace & { echoes: number; live?: boolean };
export type DiagnosisNews =
  /** Which terminal it is. */
  | { address: string }
  | { check: Check }
  | { echo: number; of: number }
  | { message: TracedMessage }
  | { stray: string };

/** `refused`: why nothing is sold on it yet. */
export type PairedRow = DeviceRow & { restart?: 'soon'; refused?: Problem };
