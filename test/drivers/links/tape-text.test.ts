/**
 * The text of recordings: its meaning, its errors with their lines, and that nothing is lost between text and bytes.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Link } from '../../../drivers/links/link.ts';
import { record } from '../../../drivers/links/tape.ts';
import { parseTape, printBytes, printStep, tapeHeader } from '../../../drivers/links/tape-text.ts';
import { concat, fromHex, toHex } from '../../../src/base/hex.ts';
import { hostTape } from '../../support/devices/host-tape.ts';
import { memoryLinks } from '../../support/devices/memory-link.ts';
import { tape } from '../../support/devices/tape.ts';
import { virtualClock } from '../../support/time/virtual-clock.ts';

const written = '# tape 1 protocol=zvt carries=reports\n# a comment\n+0.5 > 01\n\nx\n'.replace('01', '01'.repeat(64));

test.each(['\r\n', '\r', '\n'])('lines that end in %j mean the same, including the header', (end) => {
  expect(parseTape(written.replaceAll('\n', end))).toEqual(parseTape(written));
  expect(parseTape(written.replaceAll('\n', end))).toMatchObject({
    ...{ protocol: 'zvt', carries: 'reports' },
    steps: [
      { line: 3, do: '>', atMs: 500 },
      { line: 5, do: 'x' },
    ],
  });
});

test.each<[string, number, RegExp]>([
  ['\n? 01', 2, /starts with "\?"/],
  ['> 0', 1, /"0" is no byte in hex/],
  ['>', 1, /no bytes/],
  ['> 01\n< XY', 2, /"XY" is no byte/],
  ['> (01', 1, /parentheses/],
  ['> 01)', 1, /parentheses/],
  ['> ((01))', 1, /parentheses/],
  ['x 01', 1, /follows the x/],
  ['+1.5 > 01\n# a comment\n+1.4 < 02', 3, /before that of a line above/],
  ['+1,5 > 01', 1, /starts with/],
  ['+9999999999 > 01', 1, /starts with/],
  ['# tape 2 protocol=mpi', 1, /version 1, not 2/],
  ['# tape 1 carries=pigeons', 1, /carries=stream/],
  ['# tape 1 carries=reports\n> 0102', 2, /has 2 bytes, and reports have 64/],
  [`> ${'00'.repeat(110_000)}`, 1, /characters/],
  ['\u0000\u0001\u0002', 1, /starts with "\."/],
])('%j is refused with its line', (text, line, reason) => {
  const refusal = expect.objectContaining({
    code: 'tape.malformed',
    facts: { file: 'sale.tape', line, why: expect.stringMatching(reason) },
  });
  expect(() => parseTape(text, 'sale.tape')).toThrow(refusal);
});

test('a recording with more lines than a till reads is refused', () => {
  expect(() => parseTape('x\n'.repeat(500_001))).toThrow(expect.objectContaining({ code: 'tape.malformed' }));
});

test('reads the header line, times, masks and comments', () => {
  const header = tapeHeader({ protocol: 'mms', carries: 'reports', startedAt: 0 });
  expect(parseTape(`${header}\n`)).toEqual({
    protocol: 'mms',
    carries: 'reports',
    startedAt: '1970-01-01T00:00:00.000Z',
    steps: [],
  });
  const { carries, steps } = parseTape('# tape 1 protocol=mpi\n+0.5 > 01 (0203) ** 04 # asks\n\n+1.25 < 0a\n+2 x');
  expect(carries).toBe('stream');
  expect(steps).toEqual([
    { do: '>', line: 2, atMs: 500, bytes: Uint8Array.of(1, 2, 3, 0, 4), counts: Uint8Array.of(1, 0, 0, 0, 1) },
    { do: '<', line: 4, atMs: 1_250, bytes: Uint8Array.of(10), counts: Uint8Array.of(1) },
    { do: 'x', line: 5, atMs: 2_000 },
  ]);
});

test('bytes that are written and read again are the same, with the same masks', () => {
  const some = fc.array(fc.tuple(fc.integer({ min: 0, max: 255 }), fc.integer({ min: 0, max: 1 })), { minLength: 1 });
  fc.assert(
    fc.property(some, (pairs) => {
      const bytes = Uint8Array.from(pairs.map(([byte]) => byte));
      const counts = Uint8Array.from(pairs.map(([, count]) => count));
      const [step] = parseTape(`< ${printBytes({ bytes, counts })}`).steps;
      expect(step).toEqual({ do: '<', line: 1, bytes, counts });
      expect(step && printStep(step)).toBe(`< ${printBytes({ bytes, counts })}`);
    }),
  );
});

test('any text is read or refused quickly', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 400, unit: fc.constantFrom(...'+0.19>< x*()#aF\n=tpe') }), (text) => {
      try {
        parseTape(text);
      } catch (error) {
        expect(error).toMatchObject({ code: 'tape.malformed' });
      }
    }),
    { numRuns: 2_000 },
  );
});

const recordReceived = (link: Link, clock: { monotonic(): number }) => {
  const received: [number, string][] = [];
  link.listen({
    bytes: (bytes) => received.push([clock.monotonic(), toHex(bytes)]),
    closed: () => received.push([clock.monotonic(), 'closed']),
  });
  return received;
};

test('with a clock a tape answers as slowly as it was recorded', async () => {
  const clock = virtualClock();
  const link = tape('+0 > 01\n+0.2 < 02\n+0.7 < 03\n+1 > 04\n+3 x', { clock });
  const received = recordReceived(link, clock);
  await clock.advance(5_000);
  await link.write(Uint8Array.of(1));
  await clock.advance(1_000);
  expect(received).toEqual([
    [5_200, '02'],
    [5_700, '03'],
  ]);
  await link.write(Uint8Array.of(4));
  await clock.advance(2_000);
  expect(received.at(-1)).toEqual([8_000, 'closed']);
  expect(link.left()).toEqual([]);
});

test('a till faster than the recorded one first receives what the recorded one had received', async () => {
  const clock = virtualClock();
  const link = tape('+0 > 01\n+0.2 < 02\n+9 > 03', { clock });
  const received = recordReceived(link, clock);
  await link.write(Uint8Array.of(1));
  await link.write(Uint8Array.of(3));
  expect(received).toEqual([[0, '02']]);
  expect([link.left(), clock.waiting()]).toEqual([[], 0]);
});

test('reports are recorded with their times, and replayed in both directions', async () => {
  const clock = virtualClock();
  const report = (byte: number) => new Uint8Array(64).fill(byte);
  const createScribe = () => ({ push: (bytes: Uint8Array) => [toHex(bytes)] });
  const [till, device] = memoryLinks('reports');
  const lines = [tapeHeader({ protocol: 'mms', carries: 'reports', startedAt: clock.now() })];
  const link = record(till, { onLine: (line) => lines.push(line), scribe: createScribe, clock });
  link.listen({ bytes: () => {}, closed: () => {} });
  await link.write(report(1));
  await clock.advance(250);
  await device.write(report(2));
  await clock.settle();
  const text = lines.join('\n');
  expect(lines.slice(1).map((line) => line.slice(0, 12))).toEqual(['+0.000 > 010', '+0.250 < 020']);

  const replayed = tape(text, { clock });
  expect(replayed.carries).toBe('reports');
  const received = recordReceived(replayed, clock);
  await replayed.write(report(1));
  await clock.advance(250);
  expect(received.map(([, hex]) => hex)).toEqual([toHex(report(2))]);

  const [host, deviceEnd] = memoryLinks('reports');
  deviceEnd.listen({ bytes: () => void deviceEnd.write(report(3)), closed: () => {} });
  expect(await clock.until(hostTape(text, { link: host, clock }))).toEqual(['line 3: byte 0 is 03, then it was 02']);
});

test.each<[string, (device: Link) => void, string[] | RegExp]>([
  ['as recorded', (device) => void device.write(Uint8Array.of(2, 9, 4)), []],
  ['silent', () => {}, /^line 2: The terminal did not answer line 2 within 10000 ms$/],
  ['gone', (device) => void device.close(), /^line 2: The connection .* was lost/],
  ['talking on', (device) => void device.write(Uint8Array.of(2, 9, 4, 7)), /^behind the end: 07$/],
])('a device that is %s, against the till’s side of a tape', async (_, answers, expected) => {
  const clock = virtualClock();
  const [host, device] = memoryLinks();
  device.listen({ bytes: () => answers(device), closed: () => {} });
  const differences = await clock.until(hostTape('> 01\n< 02 ** 04', { link: host, clock }));
  if (expected instanceof RegExp) expect(differences.join()).toMatch(expected);
  else expect(differences).toEqual(expected);
});

test('a late answer is compared with what follows', async () => {
  const clock = virtualClock();
  const [host, device] = memoryLinks();
  const answers = ['02', '03'];
  device.listen({
    bytes: () => void clock.after(12_000, () => void device.write(fromHex(answers.shift() ?? ''))),
    closed: () => {},
  });
  const differences = await clock.until(hostTape('> 01\n< 02\n> 01\n< 03', { link: host, clock }));
  expect(differences).toEqual([
    'line 2: The terminal did not answer line 2 within 10000 ms',
    'line 4: byte 0 is 02, then it was 03',
  ]);
});

test('refuses a tape of another kind of link', async () => {
  const [host] = memoryLinks('reports');
  await expect(hostTape('> 01', { link: host, clock: virtualClock() })).rejects.toMatchObject({
    code: 'terminal.unknown',
  });
});

test('keeps the order of bytes on a tape of any length', async () => {
  const clock = virtualClock();
  const link = tape(Array.from({ length: 500 }, (_, index) => `< ${toHex(Uint8Array.of(index & 255))}`).join('\n'));
  const parts: Uint8Array[] = [];
  link.listen({ bytes: (bytes) => parts.push(bytes), closed: () => {} });
  await clock.settle();
  expect(toHex(concat(...parts))).toBe(toHex(Uint8Array.from({ length: 500 }, (_, index) => index & 255)));
});
