/**
 * Simulated terminals in a separate process, which may be killed: each on a TCP port, with records on the disk. The
 * parent decides who comes to which counter next. People and devices here are faster than real ones.
 */
import { simulateOnTcp } from '../../drivers/simulation/simulator.ts';
import { simulators } from '../../drivers/simulators.ts';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { systemRandom } from '../../src/base/ids.ts';
import { type CustomerName, presentationOf } from './customers.ts';
import { bookedCards, bookFile, type NextCustomer, persistentTerminal, type TerminalOrder } from './terminal-books.ts';

const next = new Map<number, CustomerName | 'unpaid'>();
const lastAtcs = new Map<string, number>();
process.on('message', ({ counter, customer, lastAtc }: NextCustomer) => {
  next.set(counter, customer);
  if (lastAtc !== undefined) lastAtcs.set(customer, lastAtc);
  process.send?.({ counter });
});
process.on('disconnect', () => process.exit(0));

/** A wait this long is a deadline of the protocol, which the speed of people or devices does not shorten. */
const DEADLINE_MS = 4_000;

const open = async ({ protocol, port, counter, folder, speed }: TerminalOrder): Promise<void> => {
  const model = simulators[protocol];
  if (model === undefined) throw new Error(`nobody simulates ${protocol}`);
  const file = bookFile(folder, counter);
  const serial = `1760000${counter}`;
  const clock: Clock = {
    ...systemClock,
    after: (ms, then) => systemClock.after(ms < DEADLINE_MS ? ms / speed : ms, then),
  };
  const stored =
    protocol === 'zvt'
      ? persistentTerminal(model, { file, serial })
      : { model, wallet: bookedCards(file, (card) => lastAtcs.get(card)) };
  await simulateOnTcp(stored.model, port, {
    ...{ clock, random: systemRandom, wallet: stored.wallet, config: { serial } },
    cardholder: () => presentationOf(next.get(counter) ?? 'taps', counter),
  });
};

const orders = JSON.parse(process.argv[2] ?? '[]') as TerminalOrder[];
for (const order of orders) await open(order);
process.stdout.write('terminals stand\n');
