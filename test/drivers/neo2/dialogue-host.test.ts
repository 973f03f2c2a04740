/** Whole sales as tapes: the host's answer for card and reader, and links that are cut or silent at every step. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { neo2 } from '../../../drivers/neo2/driver/driver.ts';
import { type Fault, isFault } from '../../../src/base/fault.ts';
import { inPortions } from '../../support/devices/driver-tape.ts';
import { tape } from '../../support/devices/tape.ts';
import { virtualClock } from '../../support/time/virtual-clock.ts';
import { chip, online } from './cards.ts';
import { authenticates, beginning, bench, bytesOf, hello, modeAsked, sale, started } from './neo2-tape.ts';

const finish = (code: string, more = '') => `< 6063\n< 6000 DFEE2502${code} ${more}`;
const tc = '9F26081111111111111111 9F270140';
const aac = '9F26081111111111111111 9F270100';

describe('the host’s answer', () => {
  test.each([
    ['approved', finish('0002', tc), 'approved'],
    ['approved, without a cryptogram shown', finish('0002'), 'approved'],
    ['approved, but the card gave an AAC', finish('0002', aac), 'declined'],
    ['approved, but it is an ARQC', finish('0002', '9F26081111111111111111 9F270180'), 'gone'],
    ['declined', finish('0003', aac), 'declined'],
    ['a card that was pulled', finish('3005'), 'gone'],
    ['an unknown code', finish('4711', tc), 'gone'],
    ['a refusal', '< 600B', 'gone'],
    [
      'the first decision repeated, then the last',
      `< 6000 DFEE25020004 ${chip('80')}\n${finish('0003', aac)}`,
      'declined',
    ],
  ])('%s', async (_, answer, kind) => {
    const { read, link, terminal, clock } = await bench(
      `${online}\n> 6012 01 8A023030 910A11223344556677883030\n${answer}`,
    );
    expect((await read()).kind).toBe('goOnline');
    const icc = '910A11223344556677883030';
    expect((await clock.until(terminal.complete({ kind: 'approved', icc }))).kind).toBe(kind);
    expect(link.left()).toEqual([]);
  });

  test.each([
    ['00FF', tc, 'approved'],
    ['0202', tc, 'approved'],
    ['0203', aac, 'declined'],
  ])('the host was not reached, reported as %s', async (code, cryptogram, kind) => {
    const { read, terminal, clock, link } = await bench(`${online}\n> 6012 00\n${finish(code, cryptogram)}`);
    await read();
    expect((await clock.until(terminal.complete({ kind: 'unableToGoOnline' }))).kind).toBe(kind);
    expect(link.left()).toEqual([]);
  });

  /** Captured with a time limit of ten seconds (60-11 00 000A): 8A is Y3 or Z3. */
  const alone = { '0202': `DFEE25020202 8A025933 ${tc}`, '0203': `DFEE25020203 8A025A33 ${aac}` } as const;
  test.each([
    ['0202', 'approved', 'approved'],
    ['0202', 'unableToGoOnline', 'approved'],
    ['0202', 'declined', 'gone'],
    ['0203', 'approved', 'declined'],
    ['0203', 'declined', 'declined'],
  ] as const)('a reader that ends by itself with %s, and then the host’s %s', async (code, kind, expected) => {
    const { read, terminal, clock, link, unsolicited } = await bench(
      `${online}\n< 6000 E0 DFEE2602E000 ${alone[code]}`,
    );
    await read();
    await clock.settle();
    expect((await clock.until(terminal.complete({ kind }))).kind).toBe(expected);
    expect(link.left()).toEqual([]);
    expect(unsolicited.length).toBe(expected === 'gone' ? 1 : 0);
  });

  test('the chip decides while the host’s answer is on its way, which is then refused', async () => {
    const { read, terminal, clock } = await bench(
      `${online}\n> 6012 01 8A023035\n< 6000 E0 DFEE2602E000 ${alone['0202']}\n< 600C`,
    );
    await read();
    expect((await clock.until(terminal.complete({ kind: 'declined' }))).kind).toBe('gone');
  });

  test('the next sale is not affected', async () => {
    const repeated = `${beginning()}\n${started}\n${authenticates}\n< 6000 DFEE25020004 ${chip('80')}`;
    const { read, terminal, clock, link } = await bench(
      `${online}\n< 6000 E0 DFEE2602E000 ${alone['0202']}\n> 0501\n< 0500
      ${repeated}\n> 6012 01 8A023030\n${finish('0003', aac)}`,
    );
    await read();
    await clock.settle();
    expect((await read()).kind).toBe('goOnline');
    expect((await clock.until(terminal.complete({ kind: 'approved' }))).kind).toBe('declined');
    expect(link.left()).toEqual([]);
  });

  test('includes scripts', async () => {
    const { read, terminal, clock, link } = await bench(
      `${online}\n> 6012 01 8A023035 7106860400112233 7206860400112233\n${finish('0003', aac)}`,
    );
    await read();
    const icc = '710686040011223372068604001122338A023035';
    expect((await clock.until(terminal.complete({ kind: 'declined', icc }))).kind).toBe('declined');
    expect(link.left()).toEqual([]);
  });

  test.each([
    ['approved', '00'],
    ['declined', '01'],
  ] as const)('a tap that is over: the reader is told %s', async (kind, byte) => {
    const tap = `${beginning()}\n< 0223 E1 ${chip('80').replace('9F390105', '9F390107')}`;
    const { read, terminal, clock, link } = await bench(`${tap}\n> 0303 ${byte}\n< 0300`);
    await read();
    expect(await clock.until(terminal.complete({ kind }))).toEqual({ kind: 'none' });
    expect(link.left()).toEqual([]);
  });
});

/** Opens, reads, completes; returns the outcome, or the Fault's code. */
const runWholeSale = async (text: string) => {
  const clock = virtualClock();
  const link = tape(text);
  const run = async () => {
    const terminal = await neo2.open(link, { clock, report: () => {} });
    const read = await terminal.read(sale, () => {});
    const verdict = read.kind === 'goOnline' ? await terminal.complete({ kind: 'approved' }) : undefined;
    await terminal.close();
    return { read, verdict };
  };
  const outcome = await clock.until(
    run().catch((error: unknown) => (isFault(error) ? error.code : Promise.reject(error))),
  );
  return { outcome, timers: clock.waiting() };
};

const steps = bytesOf(`${hello}\n${online}\n> 6012 01 8A023030\n${finish('0002', tc)}`)
  .split('\n')
  .filter((line) => line !== '');

test.each(steps.map((_, index) => index))(
  'a link cut before step %i is reported as lost, and no timer stays',
  async (index) => {
    expect(await runWholeSale([...steps.slice(0, index), 'x'].join('\n'))).toEqual({ outcome: 'link.lost', timers: 0 });
  },
);

test.each(steps.map((_, index) => index))(
  'a device that is silent from step %i on is reported as silent, in time',
  async (index) => {
    const ended = await runWholeSale(`${steps.slice(0, index).join('\n')}\n${'> **\n'.repeat(500)}`);
    expect(ended).toEqual({ outcome: 'terminal.silent', timers: 0 });
  },
);

test('however the bytes are cut, the sale is the same', async () => {
  const { outcome: expectedOutcome } = await runWholeSale(steps.join('\n'));
  expect(expectedOutcome).toMatchObject({ verdict: { kind: 'approved' } });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 9 }), async (sizes) => {
      expect((await runWholeSale(inPortions(steps, sizes))).outcome).toEqual(expectedOutcome);
    }),
    { numRuns: 25 },
  );
});

test('a reader that restarts in the middle ends the call with a fault', async () => {
  const { read } = await bench(`${beginning()}\n${started}\n> 6011 00 0078\n< 6063\n< 1400 4E454F32`);
  expect(await read().catch((error: Fault) => error.code)).toBe('link.lost');
});

test('a reader that restarted while idle is reported, and gets its settings again', async () => {
  const states = beginning().split('> 0240')[0] ?? '';
  const settings = `
    > 0101 01
    < 0100
    > 0400 DFEE7E0100
    < 0400
    > 1401 02
    < 1400`;
  const { terminal, clock, read, unsolicited, link } = await bench(
    `< 1400 4E454F32\n${states}\n${modeAsked}\n> 3203\n< 3200\n${settings}\n${beginning()}\n< 0208`,
  );
  expect((await clock.until(terminal.health())).problems).toEqual(['The terminal has restarted by itself']);
  expect(await read()).toEqual({ kind: 'notRead', why: 'timedOut' });
  expect(link.left()).toEqual([]);
  expect(unsolicited.map(({ code }) => code)).toEqual(['link.lost']);
});

test('the end of the next sale’s time is not taken for the end of the one that was cancelled', async () => {
  const { terminal, clock, link } = await bench(`${beginning()}\n> 0501\n< 0500\n${beginning()}\n< 0208`);
  const first = terminal.read(sale, () => {});
  await clock.advance(100);
  await clock.until(terminal.cancel());
  expect(await clock.until(first)).toEqual({ kind: 'notRead', why: 'cancelledByTill' });
  expect(await clock.until(terminal.read(sale, () => {}))).toEqual({ kind: 'notRead', why: 'timedOut' });
  expect(link.left()).toEqual([]);
});
