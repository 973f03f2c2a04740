/** Each dialect of MPI devices is recognised by its name from two sales, and no other is. */
import { expect, test } from 'vitest';
import { overheard } from '../../../drivers/links/overheard.ts';
import { mpiEar, unheardDialects } from '../../../drivers/mpi/dialect-heard.ts';
import { mpi } from '../../../drivers/mpi/driver.ts';
import { encodeMessage } from '../../../drivers/mpi/messages.ts';
import { type MpiDialect, mpiDialects } from '../../../drivers/mpi/simulator-dialects.ts';
import { fromHex } from '../../../src/base/hex.ts';
import { testCard } from '../../../src/emv/test-cards.ts';
import { openedOn } from '../../support/devices/driver-bench.ts';
import { bench } from './simulator-bench.ts';

/** What is heard of two sales, by chip and with a PIN, one that the till cancels, and a look at its keys and health. */
const heardIn = async (dialects: readonly string[]): Promise<string[]> => {
  const card = testCard('visa-credit');
  const presentations = [1, 2].map(() => ({ card, by: 'chip' as const }));
  const made = bench({ dialects, presentations: [...presentations, { card, by: 'chip', never: true }] });
  const ear = mpiEar();
  const till = await openedOn({ ...made, hostLink: overheard(made.hostLink, ear) }, mpi);
  for (const _ of presentations) {
    await till.read();
    await till.complete({ kind: 'approved' });
    await made.clock.until(till.terminal.removed(30_000));
  }
  await till.cancelledAfter(1_000);
  await made.clock.until(till.terminal.keys());
  await made.clock.until(till.terminal.health());
  await made.clock.until(till.terminal.echo());
  return [...ear.dialects];
};

/** What is listened for. A row that is fresh in the table is heard by nobody until it stands here. */
const audible: readonly MpiDialect[] = [
  ...(['card-status-answered', 'card-status-answered-late', 'card-status-silent', 'card-status-asked'] as const),
  ...(['long-commands', 'system-first'] as const),
];

test('no row is both listened for and said to be none that can be heard', () => {
  for (const name of Object.keys(unheardDialects)) {
    expect(mpiDialects).toHaveProperty(name);
    expect(audible).not.toContain(name);
  }
});

test('of the strictest device nothing is heard', async () => {
  expect(await heardIn([])).toEqual([]);
});

test.each(audible)('%s', async (dialect) => {
  expect(await heardIn([dialect])).toEqual([dialect]);
});

test('bytes that are no message of MPI tell nothing and break nothing', () => {
  const ear = mpiEar();
  const odd = ['00', 'FF'.repeat(300), '01000102', '9000', 'E1009000'];
  for (const way of ['said', 'heard'] as const) {
    for (const hex of odd) ear.push(way, fromHex(hex));
    for (const hex of odd) ear.push(way, encodeMessage(fromHex(`${hex}00`)));
  }
  expect([...ear.dialects]).toEqual([]);
});
