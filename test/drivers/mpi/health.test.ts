/** What an MPI device reports about its state: the clock, worn keys, and that it restarted. */
import { expect, test } from 'vitest';
import { mpi } from '../../../drivers/mpi/driver/driver.ts';
import { seededRandom } from '../../../drivers/simulation/cardholder.ts';
import { createKeySlots } from '../../../drivers/simulation/key-slots.ts';
import { fromHex } from '../../../src/base/hex.ts';
import { testCard } from '../../../src/emv/test-cards.ts';
import { bench as tapeBench } from './mpi-tape.ts';
import { bench } from './simulator-bench.ts';

const clockExchange = (clockAnswer: string) => `
  > D0620000
  < E10ADFA2090100DFA20A0157 9000
  > EEE00000
  < E105 DFAE010107 9000
  > D0100000
  < ${clockAnswer}`;

/** The device's clock, as its answer, this far from the test's 12:00 UTC. */
const clockAt = (ms: number): string => {
  const moment = new Date(Date.UTC(2026, 0, 2, 12, 0, 0) + ms);
  const padTwo = (value: number) => String(value % 100).padStart(2, '0');
  const date = [moment.getFullYear(), moment.getMonth() + 1, moment.getDate()].map(padTwo).join('');
  const time = [moment.getHours(), moment.getMinutes(), moment.getSeconds()].map(padTwo).join('');
  return `E10B 9A03${date} 9F2103${time} 9000`;
};

test.each<[string, string, number | undefined, string[]]>([
  ['right', clockAt(2_000), 2_000, []],
  ['an hour ahead', clockAt(3_600_000), 3_600_000, ['The terminal’s clock is 60 minutes ahead']],
  ['ten minutes behind', clockAt(-600_000), -600_000, ['The terminal’s clock is 10 minutes behind']],
  ['not told', '9F26', undefined, []],
  ['told as nothing', '9000', undefined, []],
  ['no time at all', 'E10B 9A03261340 9F2103996199 9000', undefined, []],
  ['no TLV', 'E1FF00 9000', undefined, []],
])('a clock that is %s', async (_, answer, clockDifferenceMs, problems) => {
  const { terminal, clock, link } = await tapeBench(clockExchange(answer));
  const health = await clock.until(terminal.health());
  expect(health.clockDifferenceMs).toBe(clockDifferenceMs);
  expect(health.problems).toEqual(problems);
  expect(link.left()).toEqual([]);
});

const card = testCard('visa-credit');
const chip = { card, by: 'chip' } as const;
const request = {
  amount: { minor: 9_900n, currency: 'EUR' },
  kind: 'purchase' as const,
  at: Date.UTC(2026, 0, 2, 12, 0, 0),
  accept: ['chip'] as const,
  withinMs: 60_000,
};

test('knows the serial numbers of keys once they were used, and how long the keys last', async () => {
  // Three serial numbers before the key's last one.
  const keys = createKeySlots({ random: seededRandom(1), sredKsn: fromHex('FFFF01020312345FF000') });
  const { clock, hostLink } = bench({ presentations: [chip], keys });
  const terminal = await clock.until(mpi.open(hostLink, { clock, report: () => {} }));
  expect(await clock.until(terminal.keys())).toEqual([
    { use: 'sred', ready: true },
    { use: 'pin', ready: true },
  ]);
  await clock.until(terminal.read(request, () => {}));
  const [sred, pin] = await clock.until(terminal.keys());
  const states = keys.states();
  expect(sred).toMatchObject({ use: 'sred', usesLeft: states.sred.usesLeft, ksn: expect.stringMatching(/^FFFF/) });
  expect(pin).toMatchObject({ use: 'pin', usesLeft: states.pin.usesLeft });
  const { problems, clockDifferenceMs } = await clock.until(terminal.health());
  expect(states.sred.usesLeft).toBeLessThan(2_000);
  expect(problems).toEqual([
    `The key for card data is good for ${states.sred.usesLeft} more uses: have new keys loaded`,
  ]);
  expect(clockDifferenceMs).toBe(0);
});

test('notices an exhausted key before a card is requested', async () => {
  const keys = createKeySlots({ random: seededRandom(1), sredKsn: fromHex('FFFF0102031234FFFC00') });
  const { clock, hostLink, lines } = bench({ presentations: [chip], keys });
  const terminal = await clock.until(mpi.open(hostLink, { clock, report: () => {} }));
  const reading = clock.until(terminal.read(request, () => {}));
  await expect(reading).rejects.toMatchObject({
    code: 'terminal.unready',
    facts: { why: 'it has no key for card data' },
  });
  expect(lines.join()).not.toMatch(/display/);
});

test.each([3, 4, 5, 6, 7, 8, 9])(
  'a device that restarts at command %i ends the sale as lost, never as an outcome',
  async (atCommand) => {
    const { clock, hostLink } = bench({ presentations: [chip], faults: [{ kind: 'reset', atCommand }] });
    const run = async () => {
      const terminal = await mpi.open(hostLink, { clock, report: () => {} });
      const read = await terminal.read(request, () => {});
      const verdict = read.kind === 'goOnline' ? await terminal.complete({ kind: 'approved' }) : undefined;
      return { read, verdict };
    };
    const ended = await clock.until(run().catch((error: unknown) => error));
    expect(ended).toMatchObject(
      atCommand < 9
        ? { code: expect.stringMatching(/^(link\.lost|terminal\.silent)$/) }
        : { verdict: { kind: 'approved' } },
    );
    if (atCommand < 9) expect(clock.waiting()).toBe(0);
  },
);

test.each([
  [{ kind: 'unknownMessage', atCommand: 4 }],
  [{ kind: 'unknownMessage', atCommand: 6 }],
  [{ kind: 'repeatedRequest', times: 1 }],
  [{ kind: 'repeatedRequest', times: 5 }],
] as const)('a sale survives %j, and reports it', async (fault) => {
  const { clock, hostLink, device } = bench({ presentations: [chip], faults: [fault] });
  const unsolicited: string[] = [];
  const run = async () => {
    const terminal = await mpi.open(hostLink, { clock, report: ({ code }) => unsolicited.push(code) });
    const read = await terminal.read(request, () => {});
    return { read, verdict: await terminal.complete({ kind: 'approved' }) };
  };
  const { read, verdict } = await clock.until(run());
  expect(read.kind).toBe('goOnline');
  expect(verdict.kind).toBe('approved');
  expect(unsolicited.length).toBe(fault.kind === 'repeatedRequest' ? fault.times : 1);
  expect(new Set(unsolicited)).toEqual(new Set(['terminal.stray']));
  expect(device.state()).toBe('idle');
});
