import { expect, test } from 'vitest';
import { openTcp } from '../../../drivers/links/tcp.ts';
import { mpi } from '../../../drivers/mpi/driver/driver.ts';
import { mpiSimulator } from '../../../drivers/mpi/simulator/simulator.ts';
import { repeatingCardholder, seededRandom } from '../../../drivers/simulation/cardholder.ts';
import { simulateOnTcp } from '../../../drivers/simulation/simulator.ts';
import type { Terminal } from '../../../drivers/terminal.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { fromHex } from '../../../src/base/hex.ts';
import { testCard } from '../../../src/emv/test-cards.ts';
import { decodeTlv, find } from '../../../src/emv/tlv.ts';
import { fastClock } from '../../support/devices/fast-clock.ts';

const connect = async (port: number): Promise<Terminal> => {
  const link = await openTcp({ host: '127.0.0.1', port, clock: systemClock });
  return mpi.open(link, { clock: systemClock, report: () => {} });
};

const sell = async (terminal: Terminal) => {
  const amount = { minor: 1_000n, currency: 'EUR' };
  const outcome = await terminal.read(
    { amount, kind: 'purchase', at: systemClock.now(), accept: ['tap'], withinMs: 10_000 },
    () => {},
  );
  if (outcome.kind !== 'goOnline') throw new Error('no card was read');
  const [pair] = outcome.card.sred;
  return { ksn: pair?.ksn ?? '', atc: find(decodeTlv(fromHex(outcome.card.icc ?? '')), '9F36')?.value };
};

test('over TCP a device outlives its connections: key serial numbers and card counters continue', async () => {
  const card = testCard('visa-credit');
  const station = await simulateOnTcp(mpiSimulator, 0, {
    clock: fastClock,
    random: seededRandom(1),
    cardholder: repeatingCardholder([{ card, by: 'tap', afterMs: 0 }]),
  });
  const port = Number(station.at.split(':').at(-1));
  const first = await connect(port);
  const one = await sell(first);
  await first.close();
  const second = await connect(port);
  const two = await sell(second);
  expect(two.ksn > one.ksn).toBe(true);
  expect(two.ksn.slice(0, 14)).toBe(one.ksn.slice(0, 14));
  expect((two.atc?.[1] ?? 0) - (one.atc?.[1] ?? 0)).toBe(1);

  // A third till takes the device over: the second one's line is cut.
  const third = await connect(port);
  await expect(second.health()).rejects.toMatchObject({ code: 'link.lost' });
  await third.close();
  await station.close();
});
