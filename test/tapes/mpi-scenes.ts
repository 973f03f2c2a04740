/** Whole sales of the simulated MPI device, recorded: the same seed gives the same bytes. */
import type { Link } from '../../drivers/links/link.ts';
import { record } from '../../drivers/links/tape.ts';
import { tapeHeader } from '../../drivers/links/tape-text.ts';
import { mpi } from '../../drivers/mpi/driver/driver.ts';
import { mpiSimulator } from '../../drivers/mpi/simulator/simulator.ts';
import { scriptedCardholder, seededRandom } from '../../drivers/simulation/cardholder.ts';
import type { Presentation } from '../../drivers/simulation/simulator.ts';
import type { CardInterface, ChipVerdict, HostVerdict, ReadOutcome } from '../../drivers/terminal.ts';
import { type TestCardName, testCard } from '../../src/emv/test-cards.ts';
import { memoryLinks } from '../support/devices/memory-link.ts';
import { type VirtualClock, virtualClock } from '../support/time/virtual-clock.ts';

export type Scene = {
  card: TestCardName;
  by: Presentation['by'];
  minor: bigint;
  accept?: readonly CardInterface[];
  host: HostVerdict;
};

export const scenes: Readonly<Record<string, Scene>> = {
  'chip-online-pin': { card: 'visa-credit', by: 'chip', minor: 9_900n, host: { kind: 'approved' } },
  'chip-no-cvm': { card: 'visa-no-cvm', by: 'chip', minor: 9_900n, host: { kind: 'approved' } },
  'chip-offline-approved': { card: 'visa-no-cvm', by: 'chip', minor: 2_500n, host: { kind: 'approved' } },
  'chip-host-declines': { card: 'visa-no-cvm', by: 'chip', minor: 9_900n, host: { kind: 'declined' } },
  'chip-unable-to-go-online': { card: 'visa-no-cvm', by: 'chip', minor: 9_900n, host: { kind: 'unableToGoOnline' } },
  tap: { card: 'mastercard-tap', by: 'tap', minor: 1_000n, host: { kind: 'approved' } },
  swipe: { card: 'visa-stripe', by: 'swipe', minor: 9_900n, host: { kind: 'approved' } },
  fallback: { card: 'visa-broken-chip', by: 'chip', minor: 9_900n, host: { kind: 'approved' } },
  manual: { card: 'visa-credit', by: 'manual', minor: 9_900n, accept: ['manual'], host: { kind: 'approved' } },
};

export const file = (name: string): URL => new URL(`mpi/${name}.tape`, import.meta.url);

/** A device for this scene, switched on, and the till's end of its link. */
export const deviceFor = ({ card, by }: Scene, clock: VirtualClock): Link => {
  const [device, till] = memoryLinks();
  const cardholder = scriptedCardholder([{ card: testCard(card), by }]);
  mpiSimulator(device, { clock, random: seededRandom(7), cardholder });
  return till;
};

export type Played = { read: ReadOutcome; verdict: ChipVerdict | undefined };

/** Opens the terminal on this link and sells. */
export const sell = async ({ accept, minor, host }: Scene, link: Link, clock: VirtualClock): Promise<Played> => {
  const run = async (): Promise<Played> => {
    const terminal = await mpi.open(link, { clock, report: () => {} });
    const request = {
      amount: { minor, currency: 'EUR' },
      kind: 'purchase' as const,
      at: new Date(2026, 0, 1, 12, 0, 0).getTime(),
      accept: accept ?? (['chip', 'tap', 'swipe'] as const),
      withinMs: 60_000,
    };
    const read = await terminal.read(request, () => {});
    const verdict = read.kind === 'goOnline' ? await terminal.complete(host) : undefined;
    await terminal.waitForRemoval(10_000);
    return { read, verdict };
  };
  return clock.until(run());
};

/** The scene's conversation as a recording, and its result. */
export const recordScene = async (scene: Scene): Promise<Played & { text: string }> => {
  const clock = virtualClock();
  const lines = [tapeHeader({ protocol: mpi.name, carries: 'stream', startedAt: clock.now() })];
  const link = record(deviceFor(scene, clock), { onLine: (line) => lines.push(line), scribe: mpi.scribe, clock });
  const played = await sell(scene, link, clock);
  return { ...played, text: `${lines.join('\n')}\n` };
};
