/** Whole sales of the simulated MMS and NEO 2 readers, recorded in both forms: the same seed gives the same bytes. */
import type { ReaderDriver } from '../../drivers/driver.ts';
import type { Link } from '../../drivers/links/link.ts';
import { record } from '../../drivers/links/tape.ts';
import { tapeHeader } from '../../drivers/links/tape-text.ts';
import { mms } from '../../drivers/mms/driver/driver.ts';
import { mmsSimulator } from '../../drivers/mms/simulator/simulator.ts';
import { neo2 } from '../../drivers/neo2/driver/driver.ts';
import { neo2Simulator } from '../../drivers/neo2/simulator/simulator.ts';
import { scriptedCardholder, seededRandom } from '../../drivers/simulation/cardholder.ts';
import type { Model } from '../../drivers/simulation/simulator.ts';
import { testCard } from '../../src/emv/test-cards.ts';
import { memoryLinks } from '../support/devices/memory-link.ts';
import { type VirtualClock, virtualClock } from '../support/time/virtual-clock.ts';
import { type Played, type Scene, scenes as sales } from './mpi-scenes.ts';

export type ReaderScene = Scene & { driver: ReaderDriver; model: Model; carries: Link['carries']; file: URL };

const readers: readonly { driver: ReaderDriver; model: Model }[] = [
  { driver: mms, model: mmsSimulator },
  { driver: neo2, model: neo2Simulator },
];

/** By protocol, name and form: `mms/tap.reports`. */
export const scenes: readonly [string, ReaderScene][] = readers.flatMap(({ driver, model }) =>
  (['stream', 'reports'] as const).flatMap((carries) =>
    Object.entries(sales).map(([name, sale]): [string, ReaderScene] => {
      const title = `${driver.name}/${name}.${carries}`;
      return [title, { ...sale, driver, model, carries, file: new URL(`${title}.tape`, import.meta.url) }];
    }),
  ),
);

/** A device for this scene, switched on, and the till's end of its link. */
export const deviceFor = ({ card, by, model, carries }: ReaderScene, clock: VirtualClock): Link => {
  const [device, till] = memoryLinks(carries);
  const cardholder = scriptedCardholder([{ card: testCard(card), by }]);
  model(device, { clock, random: seededRandom(7), cardholder });
  return till;
};

/** Opens the terminal on this link and sells. */
export const sell = (
  { driver, accept, minor, host }: ReaderScene,
  link: Link,
  clock: VirtualClock,
): Promise<Played> => {
  const run = async (): Promise<Played> => {
    const terminal = await driver.open(link, { clock, report: () => {} });
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

/** The scene's conversation as a recording, and its result. `bare`: the actual bytes, unmasked. */
export const recordScene = async (scene: ReaderScene, scribe = scene.driver.scribe) => {
  const { driver, carries } = scene;
  const clock = virtualClock();
  const lines = [tapeHeader({ protocol: driver.name, carries, startedAt: clock.now() })];
  const link = record(deviceFor(scene, clock), { onLine: (line) => lines.push(line), scribe, clock });
  const played = await sell(scene, link, clock);
  return { ...played, text: `${lines.join('\n')}\n` };
};
