/**
 * Runs a complete sale of a card reader again and again, with one error on the wire at each place along it.
 *
 * Whatever happens, the till must finish in time, with an outcome or a documented Fault. It must not call approved what
 * the device did not approve, card data that it returns must be the card's, and nothing may be left behind. Errors that
 * only delay, split or join the bytes must change nothing at all.
 */
import type { ReaderDriver, TraceDirection } from '../../../drivers/driver.ts';
import type { Link } from '../../../drivers/links/link.ts';
import { scriptedCardholder, seededRandom } from '../../../drivers/simulation/cardholder.ts';
import type { Model, Presentation, SimulatorOptions } from '../../../drivers/simulation/simulator.ts';
import type { ChipVerdict, HostVerdict, ReadOutcome, ReadRequest, Terminal } from '../../../drivers/terminal.ts';
import { errorText, isFault } from '../../../src/base/fault.ts';
import type { FaultCode } from '../../../src/base/faults.ts';
import { virtualClock } from '../time/virtual-clock.ts';
import { damagesOf, type Stride } from './cut-strides.ts';
import { type Damage, type DamageKind, damagedWire, harmlessDamages } from './damaged-wire.ts';

export type CutScene = {
  driver: ReaderDriver;
  model: Model;
  /** What the driver's link carries. */
  carries: Link['carries'];
  /**
   * Whether its messages have their own checksum (default). Without one a flipped bit, or half of a lost escape
   * sequence, must be detected by the bus: the till must then stay safe, but card data can be wrong, as the host will
   * notice.
   */
  checksum?: 'own' | 'none';
  presentation: Presentation;
  /** 10.00 EUR by chip, tap or swipe unless given. */
  request?: Partial<ReadRequest>;
  host?: HostVerdict;
  options?: Partial<SimulatorOptions>;
  seed?: number;
  /** Whether the device has approved, according to its own reports. */
  saidYes(lines: readonly string[]): boolean;
};

type Ending = { read: ReadOutcome; verdict: ChipVerdict | undefined };

export type CutRun = {
  /** An outcome, the code of the Fault, or a description of what should never happen. */
  ended: Ending | { fault: FaultCode } | { broken: string };
  saidYes: boolean;
  /** Timers left when both ends are closed. */
  timers: number;
  bytes: Readonly<Record<TraceDirection, number>>;
};

/** Faults that may end a sale on a bad wire. */
const expected: readonly FaultCode[] = [
  'link.lost',
  'terminal.silent',
  'terminal.garbled',
  'terminal.refused',
  'terminal.unready',
  'terminal.busy',
];

/** The longest sale: opening, a minute for each try, the PIN, the chip's completion, each with its deadline. */
const mostMs = 1_800_000;

/** Runs one sale on a wire with this damage. Never rejects. */
export const runCut = async (scene: CutScene, damage?: Damage): Promise<CutRun> => {
  const { driver, model, carries, presentation, options = {}, seed = 7 } = scene;
  const clock = virtualClock();
  const wire = damagedWire(carries, clock, damage);
  const lines: string[] = [];
  const device = model(wire.device, {
    clock,
    random: seededRandom(seed),
    cardholder: scriptedCardholder([presentation]),
    report: (line) => lines.push(line),
    ...options,
  });
  let terminal: Terminal | undefined;
  const sale = async (): Promise<Ending> => {
    terminal = await driver.open(wire.till, { clock, report: () => {} });
    const read = await terminal.read(requestOf(scene), () => {});
    const verdict = read.kind === 'goOnline' ? await terminal.complete(scene.host ?? { kind: 'approved' }) : undefined;
    await terminal.waitForRemoval(10_000);
    return { read, verdict };
  };
  const ended = await clock.until(sale(), mostMs).catch(endOf);
  await clock.until(terminal?.close() ?? Promise.resolve()).catch(() => {});
  wire.end();
  await clock.until(device.close()).catch(() => {});
  return { ended, saidYes: scene.saidYes(lines), timers: clock.waiting(), bytes: { ...wire.counts } };
};

const endOf = (error: unknown): CutRun['ended'] =>
  isFault(error, ...expected) ? { fault: error.code } : { broken: isFault(error) ? error.code : errorText(error) };

const requestOf = ({ request }: CutScene): ReadRequest => ({
  amount: { minor: 1_000n, currency: 'EUR' },
  kind: 'purchase',
  at: new Date(2026, 0, 1, 12, 0, 0).getTime(),
  accept: ['chip', 'tap', 'swipe'],
  withinMs: 60_000,
  ...request,
});

/** What is wrong about the result of this run, if anything. */
export const unsafeEnding = (
  run: CutRun,
  whole: CutRun,
  damage: { kind: DamageKind; checksum?: 'own' | 'none' },
): string | undefined => {
  const { ended } = run;
  const { kind, checksum = 'own' } = damage;
  if (run.timers > 0) return `${run.timers} timers stay behind`;
  if ('broken' in ended) return ended.broken;
  if (harmlessDamages.includes(kind))
    return shown(ended) === shown(whole.ended) ? undefined : `ended as ${shown(ended)}`;
  if ('fault' in ended) return undefined;
  const approved = ended.verdict?.kind === 'approved' || ended.read.kind === 'approvedOffline';
  if (approved && !run.saidYes) return 'approved, and the device never said so';
  const unseen = checksum === 'none' && (kind === 'corrupt' || kind === 'drop');
  const card = unseen ? undefined : cardOf(ended);
  return card === undefined || card === cardOf(whole.ended) ? undefined : `another card’s data: ${card}`;
};

const shown = (ended: CutRun['ended']): string => JSON.stringify(ended);

/** The card data that a till and its host rely on. */
const cardOf = (ended: CutRun['ended']): string | undefined => {
  if (!('read' in ended) || ended.read.kind !== 'goOnline') return undefined;
  const { entryMode, maskedPan, sred, pin, icc } = ended.read.card;
  return JSON.stringify({ entryMode, maskedPan, sred, pin, icc });
};

export type CutReport = {
  runs: number;
  /** The bytes of the whole sale, both directions together. */
  bytes: number;
  /** How often each ending came. */
  endings: Record<string, number>;
  /** What was unsafe, with the damage that causes it. */
  problems: string[];
};

/** Sales run at the same time: they share the event loop, each with its own clock. */
const parallelCount = 24;
const problemsMax = 20;

/** Runs the sale with this damage at places all along both directions. */
export const cutEverywhere = async (scene: CutScene, kind: DamageKind, stride: Stride): Promise<CutReport> => {
  const whole = await runCut(scene);
  const places = damagesOf(whole.bytes, kind, stride);
  const report: CutReport = {
    runs: places.length,
    bytes: whole.bytes.said + whole.bytes.heard,
    endings: {},
    problems: [],
  };
  const work = async () => {
    for (let damage = places.shift(); damage !== undefined; damage = places.shift()) {
      const run = await runCut(scene, damage);
      const name = nameOf(run);
      report.endings[name] = (report.endings[name] ?? 0) + 1;
      const problem = unsafeEnding(run, whole, { kind, checksum: scene.checksum });
      if (problem === undefined || report.problems.length >= problemsMax) continue;
      report.problems.push(`${kind} at byte ${damage.at} ${damage.direction}: ${problem}`);
    }
  };
  await Promise.all(Array.from({ length: parallelCount }, work));
  return report;
};

const nameOf = ({ ended }: CutRun): string => {
  if ('fault' in ended) return ended.fault;
  if ('broken' in ended) return 'broken';
  return ended.verdict === undefined ? ended.read.kind : `${ended.read.kind}, ${ended.verdict.kind}`;
};
