/** The technician's service: terminals, diagnosis, configuration, bundle. Works without sales, gateway or terminal. */

import type {
  DeviceRow,
  MetDevice,
  PairedRow,
  PairingStep,
  PairRequest,
  PluggedAnswer,
  SearchAnswer,
  SearchNews,
  TerminalSearch,
} from '../contract/devices.ts';
import type {
  BundleSection,
  DiagnosisAnswer,
  DiagnosisNews,
  DiagnosisRequest,
  LineCheck,
  TraceRow,
  UpdatesAnswer,
} from '../contract/diagnosis.ts';
import type { ConfigurationChange, ConfigurationPlan } from '../contract/machine.ts';
import type { Actor } from './session.ts';

export type ConfigurationExport = { name: string; text: string };

/**
 * Called with all changes before they are made. Returns who approved the changes that the actor may not make alone;
 * empty if there are none. Throws `config.notAllowed` with the fields and the missing permissions.
 */
export type Permit = (changes: readonly ConfigurationChange[]) => readonly string[];

/**
 * `address` can lack a protocol, as in `192.168.1.20:20007` or `COM3`. Then all possible protocols are tried, but only
 * with `probe`: a person confirmed that a terminal is there, and not, for example, a printer that would print the
 * bytes.
 */
export type NamedPlace = { address: string; probe?: boolean };

export interface DevicesPort {
  devices(): DeviceRow[];
  /** The connected devices, without opening them. */
  pluggedIn(): Promise<PluggedAnswer>;
  /** Asks the paired terminal for its identity and state. Throws `terminal.busy` during a sale. */
  ask(counter: string): Promise<DeviceRow>;
  /**
   * Asks each place whether a terminal is there; without `probe`, only connected devices that are known terminals.
   * Throws `terminal.protocolMissing` as `meet`, `terminal.notFound`, and `terminal.busy` if a sale is in progress
   * there.
   */
  search(request: TerminalSearch, notify: (news: SearchNews) => void): Promise<SearchAnswer>;
  /**
   * Opens, identifies and tests it; reports each step with its bytes. Throws `terminal.protocolMissing` for a place
   * without `probe`, `terminal.several`, and `terminal.busy` if a sale is in progress on it.
   */
  meet(request: NamedPlace, notify: (step: PairingStep) => void): Promise<MetDevice>;
  /**
   * `restart: 'soon'`: the till restarts with it after this answer. Throws `pairing.salesOpen`,
   * `pairing.oneTill` for a terminal that contacts its bank itself without `alone`, and `terminal.twin`.
   */
  pair(request: PairRequest, actor: Actor): Promise<PairedRow>;
  unpair(counter: string, request: { swap?: boolean }, actor: Actor): Promise<void>;
  /** Allows a test till to sell on this real terminal. The till restarts. Throws `testHost.notHere`. */
  sayTestHost(request: { counter: string; atTestHost: boolean }, actor: Actor): Promise<void>;
  /**
   * Uses a simulated terminal from now on while none is paired, if the till is set up for that. The till
   * restarts. Throws `simulation.live`; does nothing if one is already used or a terminal is paired.
   */
  useSimulated(actor: Actor): Promise<void>;
  /**
   * `live`: also reports each message, including unsolicited ones. Throws as `meet` if the address names no protocol
   * and its port can be opened; faults of link and device are reported as checks.
   */
  diagnose(request: DiagnosisRequest, notify: (news: DiagnosisNews) => void): Promise<DiagnosisAnswer>;
  trace(listener: (row: TraceRow) => void): () => void;
  traceSoFar(most: number): TraceRow[];
  testLine(notify: (check: LineCheck) => void): Promise<LineCheck[]>;
  exportConfiguration(actor: Actor): ConfigurationExport;
  /** What an import would change. Throws `request.malformed` with the name of each wrong field. */
  planConfiguration(text: string): Promise<ConfigurationPlan>;
  /**
   * Keeps the previous configuration. Throws as `planConfiguration`, `pairing.salesOpen`, as `permit` for the changes,
   * and `journal.unwritable` if an approval was needed; nothing is changed then.
   */
  importConfiguration(text: string, actor: Actor, permit: Permit): Promise<ConfigurationPlan>;
  /** What an undo of the last import would change; undefined if there was none. */
  undoPlan(): ConfigurationPlan | undefined;
  /** Throws `config.nothingToUndo`, and as `importConfiguration`, because an undo changes settings too. */
  undoConfiguration(actor: Actor, permit: Permit): Promise<ConfigurationPlan>;
  bundlePreview(): Promise<{ sections: BundleSection[] }>;
  bundle(actor: Actor): Promise<{ name: string; bytes: Uint8Array; leftOut: string[] }>;
  updates(): Promise<UpdatesAnswer>;
}
