/**
 * What can go wrong during a sale: every fault has a name, ends the call, and leaves nothing that a later sale could
 * take for its own.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mpi } from '../../../drivers/mpi/driver/driver.ts';
import type { ReadOutcome } from '../../../drivers/terminal.ts';
import { Fault, isFault } from '../../../src/base/fault.ts';
import { fromHex } from '../../../src/base/hex.ts';
import { inPortions } from '../../support/devices/driver-tape.ts';
import { memoryLinks } from '../../support/devices/memory-link.ts';
import { tape } from '../../support/devices/tape.ts';
import { virtualClock } from '../../support/time/virtual-clock.ts';
import { cardAnswer, onlinePin, swipe } from './cards.ts';
import { beginning, bench, bytesOf, hello, inserted, pulled, sale, startChip, startTap } from './mpi-tape.ts';

const faultOf = async (promise: Promise<unknown>): Promise<Fault> => {
  const error = await promise.then(
    (value) => new Error(`it gave ${JSON.stringify(value)}`),
    (thrown: unknown) => thrown,
  );
  if (error instanceof Fault) return error;
  throw error;
};

const chipSale = `${beginning()}
  > ${startTap}
  ! ${inserted}
  < 9F43
  > ${startChip}
  < ${cardAnswer('E4', { kind: 'ARQC', cvm: onlinePin })}
  > DED6010045 E043 9F0206000000001000 5F2A020978 500B5649534120435245444954
    DFAE2224 ${Buffer.from(';476173******0119=1512201**********?').toString('hex')}
  < E11A DFAE04080011223344556677 DFAE050AFFFF9876543210E00002 9000
  > DED2000006 E004 8A023030
  < ${cardAnswer('E3', { kind: 'TC' })}
`.replace(/\n {4}DFAE/, ' DFAE');

/** Opens, reads, completes; returns the outcome, or the Fault's code. */
const runWholeSale = async (text: string) => {
  const clock = virtualClock();
  const link = tape(text);
  const unsolicited: Fault[] = [];
  const run = async () => {
    const terminal = await mpi.open(link, { clock, report: (stray) => unsolicited.push(stray) });
    const read = await terminal.read(sale, () => {});
    const verdict = read.kind === 'goOnline' ? await terminal.complete({ kind: 'approved' }) : undefined;
    await terminal.close();
    return { read, verdict };
  };
  const outcome = await clock.until(
    run().catch((error: unknown) => (isFault(error) ? error.code : Promise.reject(error))),
  );
  return { outcome, unsolicited, left: link.left(), timers: clock.waiting() };
};

test('the whole sale of these tests succeeds', async () => {
  const { outcome, left, unsolicited, timers } = await runWholeSale(bytesOf(hello + chipSale));
  expect(outcome).toMatchObject({ read: { kind: 'goOnline' }, verdict: { kind: 'approved' } });
  expect([left, unsolicited, timers]).toEqual([[], [], 0]);
});

const steps = bytesOf(hello + chipSale)
  .split('\n')
  .filter((line) => line !== '');

test.each(steps.map((_, index) => index))(
  'a link cut before step %i is reported as lost, and no timer stays',
  async (index) => {
    const { outcome, timers } = await runWholeSale([...steps.slice(0, index), 'x'].join('\n'));
    expect(outcome).toBe('link.lost');
    expect(timers).toBe(0);
  },
);

test.each(steps.map((_, index) => index))(
  'a device that is silent from step %i on is reported as silent, in time',
  async (index) => {
    const { outcome, timers } = await runWholeSale(`${steps.slice(0, index).join('\n')}\n${'> **\n'.repeat(500)}`);
    // Without an answer the driver stops the wait for the customer itself, and gets no answer to that either.
    expect(outcome).toBe('terminal.silent');
    expect(timers).toBe(0);
  },
);

test('however the bytes are cut, the sale is the same', async () => {
  const { outcome: expectedOutcome } = await runWholeSale(bytesOf(hello + chipSale));
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 12 }), async (sizes) => {
      const { outcome } = await runWholeSale(inPortions(steps, sizes));
      expect(outcome).toEqual(expectedOutcome);
    }),
    { numRuns: 40 },
  );
});

test('separates answers and notices that arrive in one piece', async () => {
  const merged = bytesOf(hello + chipSale).replace(/\n< ([0-9A-F]+)\n< /g, '\n< $1');
  expect(merged.split('\n').length).toBeLessThan(bytesOf(hello + chipSale).split('\n').length);
  const { outcome } = await runWholeSale(merged);
  expect(outcome).toMatchObject({ verdict: { kind: 'approved' } });
});

test('leftovers of an earlier conversation at the start are ignored, and reported', async () => {
  const clock = virtualClock();
  const unsolicited: Fault[] = [];
  // Half a block, a whole late approval, and a notice: then the reset's own answer.
  const link = tape(
    `> 010004D0000000D5\n< DFAE0201 9000\n${bytesOf(`< ${cardAnswer('E3', { kind: 'TC' })}\n< 9000\n! ${inserted}`)}\n` +
      bytesOf(hello)
        .split('\n')
        .filter((line) => line !== '')
        .slice(1)
        .join('\n'),
  );
  const terminal = await clock.until(mpi.open(link, { clock, report: (stray) => unsolicited.push(stray) }));
  expect(await terminal.info()).toEqual({ model: 'M020', serial: '17000001', firmware: '1-58', hasPinPad: true });
  expect(unsolicited.map(({ code }) => code)).toContain('terminal.stray');
});

test('a block with a wrong checksum ends the session: the protocol has no way back', async () => {
  const clock = virtualClock();
  const link = tape(`${bytesOf(hello)}\n> 010004D0620000B7\n< 010002900000`);
  const terminal = await clock.until(mpi.open(link, { clock, report: () => {} }));
  expect(await faultOf(clock.until(terminal.health()))).toMatchObject({
    code: 'terminal.garbled',
    facts: { bytes: 1 },
  });
  expect(await faultOf(terminal.show('welcome'))).toMatchObject({ code: 'terminal.garbled' });
  expect(link.left()).toEqual([]);
});

test('an incomplete block ends the question after two seconds, not at the deadline of the question', async () => {
  const clock = virtualClock();
  const link = tape(`${bytesOf(hello + beginning())}\n${bytesOf(`> ${startTap}`)}\n< 0100FEE4`);
  const terminal = await clock.until(mpi.open(link, { clock, report: () => {} }));
  expect(await faultOf(clock.until(terminal.read(sale, () => {})))).toMatchObject({ code: 'terminal.garbled' });
  expect(clock.monotonic()).toBe(2_000);
});

test.each([
  ['before the hello', 2_000, ''],
  ['in the middle of a sale', 300, hello + beginning()],
])('endless garbage, %s, ends with a clear fault', async (_, chunks, messages) => {
  const clock = virtualClock();
  const [till, device] = memoryLinks();
  const script = bytesOf(messages)
    .split('\n')
    .filter((line) => line.startsWith('<'))
    .map((line) => fromHex(line.slice(2)));
  device.listen({
    bytes: () => {
      const next = script.shift();
      if (next !== undefined) void device.write(next);
    },
    closed: () => {},
  });
  const unsolicited: Fault[] = [];
  const tools = { clock, report: (stray: Fault) => unsolicited.push(stray) };
  const run = faultOf(mpi.open(till, tools).then((terminal) => terminal.read(sale, () => {})));
  await clock.settle();
  await clock.settle();
  for (let index = 0; index < chunks; index += 1)
    await device.write(new Uint8Array(64).fill(index % 251)).catch(() => {});
  const fault = await clock.until(run);
  expect(fault.code).toBe('terminal.garbled');
  expect(unsolicited.length).toBeLessThan(1_100);
  expect(clock.waiting()).toBe(0);
});

test('a late approval is never taken for the next sale', async () => {
  const { terminal, clock, unsolicited } = await bench(`${beginning('INSERT')}
    ! ${inserted}
    > ${startChip}
  `);
  const first = await faultOf(clock.until(terminal.read({ ...sale, accept: ['chip'] }, () => {})));
  expect(first).toMatchObject({ code: 'terminal.silent', facts: { command: 'startContact', ms: 90_000 } });
  const second = await faultOf(clock.until(terminal.read(sale, () => {})));
  expect(second.code).toBe('terminal.silent');
  expect(unsolicited).toEqual([]);
});

test('an answer that nobody waits for is reported and not used', async () => {
  const { unsolicited, clock, read } = await bench(`${beginning('SWIPE')}
    < ${cardAnswer('E3', { kind: 'TC' })}
    ! ${swipe('101')}
  `);
  const outcome: ReadOutcome = await read(['swipe']);
  await clock.settle();
  expect(outcome).toMatchObject({ kind: 'goOnline', card: { entryMode: 'MAGSTRIPE' } });
  expect(unsolicited.map(({ code }) => code)).toEqual(['terminal.stray']);
});

test('a swipe from before the sale is not used for it', async () => {
  const { read, clock } = await bench(`${beginning('SWIPE').replace('> D060', `! ${swipe('101')}\n> D060`)}`);
  expect(await read(['swipe'])).toEqual({ kind: 'notRead', why: 'timedOut' });
  expect(clock.monotonic()).toBe(60_000);
});

test('a refused command leaves the device idle', async () => {
  const { terminal, link, clock } = await bench(`${beginning()}
    > ${startTap}
    < 9F26
    > D0FF0000
    < 9000
    > D0620000
    < E10ADFA2090100DFA20A0109 9000
    > EEE00000
    < E105 DFAE010104 9000
    > D0100000
    < 9F26
  `);
  const fault = await faultOf(clock.until(terminal.read(sale, () => {})));
  expect(fault).toMatchObject({ code: 'terminal.refused', facts: { command: 'startContactless', status: '9F26' } });
  expect(await clock.until(terminal.health())).toEqual({
    ok: false,
    problems: [
      'The battery is at 9 %',
      'The terminal says that it is not ready: it may have been opened, or have lost its keys',
      'There is no key for PINs',
    ],
    batteryPercent: 9,
  });
  expect(link.left()).toEqual([]);
});

test('refuses a card without encrypted data', async () => {
  const bare = cardAnswer('E4', { kind: 'ARQC' }).replace(/DFAE0208/, 'DFAF0208');
  const { terminal, clock } = await bench(`${beginning()}
    > ${startTap}
    < ${bare}
    > D0FF0000
    < 9000`);
  expect(await faultOf(clock.until(terminal.read(sale, () => {})))).toMatchObject({ code: 'terminal.unready' });
});

test('a second read while one runs is refused, and harms nothing', async () => {
  const { terminal, clock } = await bench(`${beginning('INSERT')}\n! ${pulled}`);
  const first = terminal.read({ ...sale, accept: ['chip'] }, () => {});
  expect(await faultOf(terminal.read(sale, () => {}))).toMatchObject({ code: 'terminal.busy' });
  expect(await faultOf(terminal.health())).toMatchObject({ code: 'terminal.busy' });
  expect(await clock.until(first)).toEqual({ kind: 'notRead', why: 'timedOut' });
});
