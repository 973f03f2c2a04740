/**
 * Runs a complete payment at an integrated terminal again and again, with one error on the wire at each place along it.
 *
 * Whatever happens, the till must finish in time. An approval must be in the terminal's own day, a refusal must not;
 * and a terminal reopened on a good wire tells what became of the payment.
 */
import type { IntegratedDriver, TraceDirection } from '../../../drivers/driver.ts';
import type { IntegratedOutcome, IntegratedTerminal } from '../../../drivers/integrated-terminal.ts';
import { createWallet, type Wallet } from '../../../drivers/simulation/card.ts';
import { scriptedCardholder, seededRandom } from '../../../drivers/simulation/cardholder.ts';
import type { Model, Presentation } from '../../../drivers/simulation/simulator.ts';
import { errorText, isFault } from '../../../src/base/fault.ts';
import type { FaultCode } from '../../../src/base/faults.ts';
import { virtualClock } from '../time/virtual-clock.ts';
import { damagesOf, type Stride } from './cut-strides.ts';
import { type Damage, type DamageKind, damagedWire, harmlessDamages } from './damaged-wire.ts';
import { memoryLinks } from './memory-link.ts';

/** An approved payment in the terminal's own records. */
export type Booked = { minor: bigint; receiptNumber: string };

export type PayScene = {
  driver: IntegratedDriver;
  model: Model;
  /** As in `CutScene`. */
  checksum: 'own' | 'none';
  presentation: Presentation;
  minor: bigint;
  /** The terminal's approved payments with these cards that were not reversed. */
  booked(cards: Wallet): readonly Booked[];
};

export type PayRun = {
  ended: IntegratedOutcome | { fault: FaultCode } | { broken: string };
  /** What the terminal, reopened on a good wire, says about the payment. */
  last: IntegratedOutcome | { kind: 'none' } | { broken: string };
  booked: readonly Booked[];
  timers: number;
  bytes: Readonly<Record<TraceDirection, number>>;
};

const expected: readonly FaultCode[] = [
  'link.lost',
  'terminal.silent',
  'terminal.garbled',
  'terminal.refused',
  'terminal.unready',
  'terminal.busy',
  'terminal.unclear',
];

const mostMs = 1_800_000;

/** Runs one payment on a wire with this damage, then asks for the last payment. Never rejects. */
export const runPayment = async (scene: PayScene, damage?: Damage): Promise<PayRun> => {
  const { driver, model, presentation, minor } = scene;
  const cards = createWallet();
  const clock = virtualClock();
  const wire = damagedWire('stream', clock, damage);
  const cardholder = scriptedCardholder([presentation]);
  const options = { clock, random: seededRandom(7), cardholder, wallet: cards, report: () => {} };
  const device = model(wire.device, options);
  const amount = { minor, currency: 'EUR' };
  let terminal: IntegratedTerminal | undefined;
  const sale = async () => {
    terminal = await driver.open(wire.till, { clock, report: () => {} });
    return terminal.pay({ amount, withinMs: 60_000 }, () => {});
  };
  const ended = await clock.until(sale(), mostMs).catch(faultOf);
  await clock.until(terminal?.close() ?? Promise.resolve()).catch(() => {});
  wire.end();
  await clock.until(device.close()).catch(() => {});

  const [atDevice, atTill] = memoryLinks();
  const restarted = model(atDevice, options);
  const askAgain = async () => {
    const opened = await driver.open(atTill, { clock, report: () => {} });
    const last = await opened.lastOutcome();
    await opened.close();
    return last;
  };
  const last = await clock.until(askAgain(), mostMs).catch((error) => ({ broken: errorText(error) }));
  await clock.until(restarted.close());
  return { ended, last, booked: scene.booked(cards), timers: clock.waiting(), bytes: { ...wire.counts } };
};

const faultOf = (error: unknown): { fault: FaultCode } | { broken: string } =>
  isFault(error, ...expected) ? { fault: error.code } : { broken: isFault(error) ? error.code : errorText(error) };

/** What is wrong about the result of this run, if anything. */
export const unsafePayment = (
  { ended, last, booked, timers }: PayRun,
  { kind, scene }: { kind: DamageKind; scene: PayScene },
): string | undefined => {
  if (timers > 0) return `${timers} timers stay behind`;
  if ('broken' in ended) return ended.broken;
  if ('broken' in last) return `the last payment: ${last.broken}`;
  if (booked.length > 1) return `charged ${booked.length} times`;
  // Without a checksum nobody notices a flipped bit in a number: only what the till can compare is safe.
  const unseen = kind === 'corrupt' && scene.checksum === 'none';
  const paid = booked.find(({ minor }) => minor === scene.minor);
  const approved = 'kind' in ended && ended.kind === 'approved' ? ended.payment : undefined;
  if (approved !== undefined) {
    if (paid === undefined) return 'approved, and the terminal has no such payment';
    if (approved.amount.minor !== scene.minor) return `approved ${approved.amount.minor}`;
    if (!unseen && approved.receiptNumber !== paid.receiptNumber) return `another number: ${approved.receiptNumber}`;
  }
  if ('kind' in ended && approved === undefined && booked.length > 0 && !unseen) return `${ended.kind}, but charged`;
  const payment = last.kind === 'approved' ? last.payment : undefined;
  // A payment of a different amount is reported as it is, and the till compares.
  const [created] = booked;
  if ((payment === undefined) !== (created === undefined)) return `the last payment is told as ${last.kind}`;
  if (payment !== undefined && payment.receiptNumber !== created?.receiptNumber)
    return 'another payment is told as the last';
  if (payment !== undefined && payment.amount.minor !== created?.minor)
    return `the last payment is told as of ${payment.amount.minor}`;
  const isChanged = harmlessDamages.includes(kind) && approved === undefined;
  return isChanged ? `ended as ${JSON.stringify(ended)}` : undefined;
};

export type PayReport = { runs: number; bytes: number; endings: Record<string, number>; problems: string[] };

const parallelCount = 24;
const problemsMax = 20;

/** Runs the payment with this damage at places all along both directions. */
export const payEverywhere = async (scene: PayScene, kind: DamageKind, stride: Stride): Promise<PayReport> => {
  const whole = await runPayment(scene);
  const places = damagesOf(whole.bytes, kind, stride);
  const report: PayReport = {
    runs: places.length,
    bytes: whole.bytes.said + whole.bytes.heard,
    endings: {},
    problems: [],
  };
  const work = async () => {
    for (let damage = places.shift(); damage !== undefined; damage = places.shift()) {
      const run = await runPayment(scene, damage);
      const name = `${nameOf(run.ended)}; last ${nameOf(run.last)}`;
      report.endings[name] = (report.endings[name] ?? 0) + 1;
      const problem = unsafePayment(run, { kind, scene });
      if (problem === undefined || report.problems.length >= problemsMax) continue;
      report.problems.push(`${kind} at byte ${damage.at} ${damage.direction}: ${problem}`);
    }
  };
  await Promise.all(Array.from({ length: parallelCount }, work));
  return report;
};

const nameOf = (ended: PayRun['ended'] | PayRun['last']): string => {
  if ('kind' in ended) return ended.kind;
  return 'fault' in ended ? ended.fault : 'broken';
};
