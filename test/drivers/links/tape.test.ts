/** Tapes fail on any wrong byte; recordings show no card data and can be replayed. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { record } from '../../../drivers/links/tape.ts';
import { mpi } from '../../../drivers/mpi/driver/driver.ts';
import { mpiScribe } from '../../../drivers/mpi/protocol/trace.ts';
import { fromHex, toHex } from '../../../src/base/hex.ts';
import { memoryLinks } from '../../support/devices/memory-link.ts';
import { tape } from '../../support/devices/tape.ts';
import { virtualClock } from '../../support/time/virtual-clock.ts';
import { captured } from '../mpi/captures.ts';
import { cardAnswer } from '../mpi/cards.ts';
import { beginning, bytesOf, hello, sale, startTap } from '../mpi/mpi-tape.ts';

const play = async (text: string, writes: readonly string[]) => {
  const link = tape(text);
  const received: string[] = [];
  link.listen({ bytes: (bytes) => received.push(toHex(bytes)), closed: () => received.push('closed') });
  await Promise.resolve();
  const errors: string[] = [];
  for (const hex of writes) {
    await link.write(fromHex(hex)).catch((error: Error) => errors.push(error.message));
    await Promise.resolve();
  }
  return { received, errors, left: link.left() };
};

const text = `
  < 00          # says hello
  > 01 02 ** 04
  < 0506
  < 07
  > 08
  x
`;

test.each([
  ['as written', ['010203', '04', '08'], { received: ['00', '0506', '07', 'closed'], errors: 0, left: [] }],
  [
    'more than may be written before an answer',
    ['0102030408'],
    {
      received: ['00', 'closed'],
      errors: 1,
      left: ['! byte 4 of 0102030408: a byte more than the tape has: 08', '< 0506', '< 07', '> 08', 'x'],
    },
  ],
  ['too little', ['0102'], { received: ['00'], errors: 0, left: ['> **04', '< 0506', '< 07', '> 08', 'x'] }],
])('%s', async (_, writes, { received, errors, left }) => {
  const played = await play(text, writes);
  expect({ ...played, errors: played.errors.length }).toEqual({ received, errors, left });
});

test('any wrong byte fails, and the message names the byte', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(0, 1, 3), fc.integer({ min: 1, max: 255 }), async (index, change) => {
      const bytes = Uint8Array.of(1, 2, 3, 4);
      bytes[index] = (bytes[index] ?? 0) ^ change;
      const { errors, left } = await play(text, [toHex(bytes)]);
      expect(errors).toHaveLength(1);
      expect(left[0]).toMatch(new RegExp(`^! byte ${index} of `));
    }),
  );
});

test('a byte beyond the tape’s end fails', async () => {
  const { errors, left } = await play('> 01', ['0102']);
  expect([errors.length, left.length]).toEqual([1, 1]);
});

test('a recording without a scribe shows nothing', async () => {
  const [left, right] = memoryLinks();
  const lines: string[] = [];
  const link = record(left, { onLine: (line) => lines.push(line) });
  link.listen({ bytes: () => {}, closed: () => {} });
  await link.write(fromHex('4761739001010119'));
  await right.write(fromHex('0102'));
  await right.close();
  await new Promise((resolve) => setImmediate(resolve));
  expect(lines).toEqual([`> ${'**'.repeat(8)}`, '< ****', 'x']);
});

test('an MPI recording shows the conversation, hides the card, and plays again', async () => {
  const clock = virtualClock();
  const tools = { clock, report: () => {} };
  const conversation = bytesOf(`${hello}${beginning()}\n> ${startTap}\n< ${cardAnswer('E4', { kind: 'ARQC' })}`);
  const lines: string[] = [];
  const link = record(tape(conversation), { onLine: (line) => lines.push(line), scribe: mpiScribe });
  const terminal = await mpi.open(link, tools);
  const first = await clock.until(terminal.read(sale, () => {}));
  const recorded = lines.join('\n');
  for (const secret of ['4761739001010119', 'D1512', '1122334455667788', '412F42', '151231']) {
    expect(conversation).toContain(secret);
    expect(recorded).not.toContain(secret);
  }
  expect(recorded).toContain('9F26080102030405060708');

  const second = await mpi.open(tape(recorded), tools);
  const replayed = await clock.until(second.read(sale, () => {}).catch((error: unknown) => error));
  expect(first.kind).toBe('goOnline');
  expect(replayed).toMatchObject({ kind: 'goOnline', card: { cryptogram: { value: '0102030405060708' } } });
});

test('captured card data is hidden in any portions', () => {
  const bytes = captured('card.msr.unsolicited.block1/1');
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1 }), (sizes) => {
      const scribe = mpiScribe();
      const lines: string[] = [];
      let offset = 0;
      for (let turn = 0; offset < bytes.length; turn += 1) {
        const size = sizes[turn % sizes.length] ?? 1;
        lines.push(...scribe.push(bytes.subarray(offset, offset + size)));
        offset += size;
      }
      expect(lines).toHaveLength(1);
      expect(lines[0]).toContain('DFAE030A00000200000055400182');
      expect(lines[0]).not.toMatch(/3D31353132|7872212907/);
    }),
  );
});
