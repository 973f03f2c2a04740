/** Payments, refunds and the end of day of the simulated ZVT terminal, recorded in both forms. */
import type { IntegratedOutcome, IntegratedTerminal } from '../../drivers/integrated-terminal.ts';
import type { Link } from '../../drivers/links/link.ts';
import { record } from '../../drivers/links/tape.ts';
import { tapeHeader } from '../../drivers/links/tape-text.ts';
import { scriptedCardholder, seededRandom } from '../../drivers/simulation/cardholder.ts';
import type { Presentation } from '../../drivers/simulation/simulator.ts';
import { zvtDriver } from '../../drivers/zvt/driver/driver.ts';
import type { ZvtFraming } from '../../drivers/zvt/protocol/trace.ts';
import { zvtSimulatorOf } from '../../drivers/zvt/simulator/simulator.ts';
import { type TestCardName, testCard } from '../../src/emv/test-cards.ts';
import { memoryLinks } from '../support/devices/memory-link.ts';
import { type VirtualClock, virtualClock } from '../support/time/virtual-clock.ts';

type Sale = Omit<Presentation, 'card'> & {
  card: TestCardName;
  /** The till's action; by default a payment of 10.00 EUR. */
  act?(terminal: IntegratedTerminal): Promise<readonly (string | undefined)[]>;
};
export type ZvtScene = Sale & { form: ZvtFraming; file: URL };

const amount = { minor: 1_000n, currency: 'EUR' };
const within = { amount, withinMs: 60_000 };
const kindOf = ({ kind }: IntegratedOutcome | { kind: 'none' }): string => kind;
const pay = async (terminal: IntegratedTerminal) => [kindOf(await terminal.pay(within, () => {}))];

const sales: Readonly<Record<string, Sale>> = {
  'chip-online-pin': { card: 'visa-credit', by: 'chip' },
  tap: { card: 'mastercard-tap', by: 'tap' },
  swipe: { card: 'visa-stripe', by: 'swipe' },
  declined: { card: 'visa-stolen', by: 'chip' },
  'cancelled-by-customer': { card: 'visa-credit', by: 'chip', cancels: true },
  refund: {
    card: 'visa-credit',
    by: 'chip',
    act: async (terminal) => [kindOf(await terminal.refund(within, () => {}))],
  },
  'day-with-reversal': {
    card: 'mastercard-tap',
    by: 'tap',
    act: async (terminal) => [
      ...(await pay(terminal)),
      kindOf(await terminal.lastOutcome()),
      kindOf(await terminal.reverse({ receiptNumber: '1', amount: { minor: 1_000n, currency: 'EUR' } }, () => {})),
      ...(await terminal.endOfDay()).lines,
    ],
  },
};

/** By name and form: `zvt/tap.serial`. */
export const scenes: readonly [string, ZvtScene][] = (['serial', 'apdu'] as const).flatMap((form) =>
  Object.entries(sales).map(([name, sale]): [string, ZvtScene] => {
    const title = `zvt/${name}.${form}`;
    return [title, { ...sale, form, file: new URL(`${title}.tape`, import.meta.url) }];
  }),
);

/** A terminal for this scene, switched on, and the till's end of its link. */
export const deviceFor = ({ form, card, act, ...by }: ZvtScene, clock: VirtualClock): Link => {
  const [device, till] = memoryLinks();
  const cardholder = scriptedCardholder([{ ...by, card: testCard(card) }]);
  zvtSimulatorOf({ form })(device, { clock, random: seededRandom(7), cardholder });
  return till;
};

/** Opens the terminal on this link, runs the scene, and logs off. */
export const play = ({ form, act = pay }: ZvtScene, link: Link, clock: VirtualClock) => {
  const run = async () => {
    const terminal = await zvtDriver({ form }).open(link, { clock, report: () => {} });
    const done = await act(terminal);
    await terminal.close();
    return done;
  };
  return clock.until(run());
};

/** The scene's conversation as a recording, and its result. */
export const recordScene = async (scene: ZvtScene, scribe = zvtDriver().scribe) => {
  const clock = virtualClock();
  const lines = [tapeHeader({ protocol: 'zvt', carries: 'stream', startedAt: clock.now() })];
  const link = record(deviceFor(scene, clock), { onLine: (line) => lines.push(line), scribe, clock });
  const done = await play(scene, link, clock);
  return { done, text: `${lines.join('\n')}\n` };
};
