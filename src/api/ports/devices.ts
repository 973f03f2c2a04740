/** What a technician does: find, pair, test, watch and carry away. Works without sales, gateway or paired terminal. */

import type {
  DeviceRow,
  MetDevice,
  PairedRow,
  PairingStep,
  PairRequest,
  PluggedAnswer,
  SearchAnswer,
  SearchNews,
  SearchWish,
} from '../contract/devices.ts';
import type {
  BundleSection,
  DiagnosisAnswer,
  DiagnosisNews,
  DiagnosisWish,
  LineCheck,
  TraceRow,
  UpdatesAnswer,
} from '../contract/diagnosis.ts';
import type { ConfigurationChange, ConfigurationPlan } from '../contract/machine.ts';
import type { Actor } from './session.ts';

export type ConfigurationExport = { name: string; text: string };

/**
 * Asked with all that is about to change, before it is changed. Gives who approved what the actor may not change alone;
 * nobody where they may. Throws `config.notAllowed`, with the fields and the permissions that are missing.
 */
export type Permit = (changes: readonly ConfigurationChange[]) => readonly string[];

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
  pair(wish: PairRequest, by: Actor): Promise<PairedRow>;
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
  updates(): Promise<UpdatesAnswer>;
}
