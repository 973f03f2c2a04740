/**
 * The driver on every dialect of ZVT terminals: a day on each, with every ending. The whole contract on each, and on
 * any two that interact, is tested by night: `test/contract/zvt-dialects.nightly.test.ts`.
 */
import { describe, expect, test } from 'vitest';
import type { IntegratedTerminal } from '../../drivers/integrated-terminal.ts';
import { chosenDialects, type Dialect, dialectPairs, type Presentation } from '../../drivers/simulation/simulator.ts';
import { zvtDriver } from '../../drivers/zvt/driver/driver.ts';
import { zvtDialects } from '../../drivers/zvt/protocol/dialects.ts';
import type { ZvtFraming } from '../../drivers/zvt/protocol/trace.ts';
import { zvtSimulatorOf } from '../../drivers/zvt/simulator/simulator.ts';
import { testCard } from '../../src/emv/test-cards.ts';
import { customer, euro, type Integrated, openShop, sale, settled, summaryOf } from './integrated-terminal.ts';

const pinned: Presentation = { card: testCard('visa-credit'), by: 'chip' };
const kind = (form: ZvtFraming, dialects: readonly string[]): Integrated => ({
  ...{ driver: zvtDriver({ form }), model: zvtSimulatorOf({ form }), modelName: 'SIMULATED ZVT', hello: 2, dialects },
  ...{ redials: form === 'apdu', saleMessages: [], codes: {} as Integrated['codes'] },
});

const rows = Object.entries(zvtDialects) as [keyof typeof zvtDialects, Dialect][];

/** A serial line has no connections. */
const formsOf = (dialect: keyof typeof zvtDialects): ZvtFraming[] =>
  ['socket', 'connections'].includes(zvtDialects[dialect].about) ? ['apdu'] : ['apdu', 'serial'];

/** What 0620 reports after the void of that day; for any other dialect, the void itself. */
const lastOf: Readonly<Record<string, unknown>> = {
  'repeat-bare': { fault: 'terminal.refused' },
  'repeat-none': { kind: 'none' },
  'repeat-before': { kind: 'declined', minor: 1_250n, receipt: '0003' },
};

describe.each(rows.filter(([, { about }]) => about !== 'lock').map(([name]) => name))('%s', (dialect) => {
  test.each(formsOf(dialect))(
    '%s: a sale, another one with a PIN, a decline, a void, a refund and a close',
    async (form) => {
      const no: Presentation = { card: testCard('visa-poor'), by: 'chip' };
      const bench = openShop(kind(form, [dialect]), [customer, pinned, no, customer]);
      const terminal = await bench.open();
      expect((await bench.clock.until(terminal.health())).problems).toEqual([]);
      const done = [];
      for (let n = 0; n < 3; n += 1) done.push(summaryOf(await bench.clock.until(terminal.pay(sale, () => {}))));
      expect(done).toEqual([
        { kind: 'approved', minor: 1_250n, receipt: '0001' },
        { kind: 'approved', minor: 1_250n, receipt: '0002' },
        expect.objectContaining({ kind: 'declined' }),
      ]);
      const refundOutcome = await bench.clock.until(
        terminal.reverse({ receiptNumber: '0001', amount: euro(1_250n) }, () => {}),
      );
      expect(summaryOf(refundOutcome)).toMatchObject({ kind: 'approved', minor: 1_250n });
      const last = summaryOf(await bench.clock.until(settled(terminal.lastOutcome())));
      const receipt = dialect === 'reversal-same-number' ? '0001' : '0004';
      expect(last).toEqual(lastOf[dialect] ?? { kind: 'approved', minor: 1_250n, receipt });
      const refund = await bench.clock.until(terminal.refund({ amount: euro(300n), withinMs: 90_000 }, () => {}));
      expect(summaryOf(refund)).toMatchObject({ kind: 'approved', minor: 300n });
      const newest = await bench.clock.until(terminal.newestBooked?.() ?? Promise.reject());
      expect(newest).toBe(zvtDialects[dialect].about === 'totals' ? undefined : '0005');
      // The inquiries in between have closed nothing.
      expect((await bench.clock.until(terminal.endOfDay())).lines.join('\n')).toMatch(/END OF DAY.*PAYMENTS 2/s);
      const afterwards = await bench.clock.until(terminal.newestBooked?.() ?? Promise.reject());
      expect(afterwards).toBe(zvtDialects[dialect].about === 'totals' ? undefined : 'none');
      expect(bench.unsolicited).toEqual([]);
      await bench.clock.until(terminal.close());
    },
  );

  test('delivers both receipts, each to its recipient', async () => {
    const bench = openShop(kind('apdu', [dialect]), [customer]);
    const terminal = await bench.open();
    const outcome = await bench.clock.until(terminal.pay(sale, () => {}));
    if (outcome.kind !== 'approved') throw new Error(outcome.kind);
    expect(outcome.customerLines.join('\n')).toMatch(/CUSTOMER RECEIPT[\s\S]*PAYMENT 12\.50 EUR[\s\S]*APPROVED/);
    expect(outcome.merchantLines.join('\n')).toMatch(/MERCHANT RECEIPT[\s\S]*PAYMENT 12\.50 EUR[\s\S]*APPROVED/);
    expect(outcome.customerLines.join('\n')).not.toContain('MERCHANT RECEIPT');
  });
});

const texts = rows.filter(([, { about }]) => about === 'texts').map(([name]) => name);
test.each(texts.flatMap((name) => [[name], [name, 'prints-lines'], [name, 'prints-split']]).map((names) => [names]))(
  '%s: umlauts are correct on both receipts',
  async (dialects) => {
    const bench = openShop(kind('apdu', dialects), [customer]);
    const terminal = await bench.open();
    const outcome = await bench.clock.until(terminal.pay(sale, () => {}));
    if (outcome.kind !== 'approved') throw new Error(outcome.kind);
    for (const lines of [outcome.customerLines, outcome.merchantLines])
      expect(lines).toContain('Schöne Grüße, Österreich');
  },
);

test('a terminal that closes its day by itself: the payment continues, and its receipts omit the close', async () => {
  const bench = openShop(kind('apdu', ['day-by-itself']), [customer, customer]);
  const terminal = await bench.open();
  await bench.clock.until(terminal.pay(sale, () => {}));
  await bench.clock.advance(24 * 3_600_000);
  const outcome = await bench.clock.until(terminal.pay(sale, () => {}));
  if (outcome.kind !== 'approved') throw new Error(outcome.kind);
  expect([...outcome.customerLines, ...outcome.merchantLines].join()).not.toContain('END OF DAY');
  // Yesterday's payment is closed, and can no longer be reversed.
  const refundOutcome = await bench.clock.until(
    terminal.reverse({ receiptNumber: '0001', amount: euro(1_250n) }, () => {}),
  );
  expect(refundOutcome).toMatchObject({ kind: 'declined', code: 'B5' });
  expect((await bench.clock.until(terminal.endOfDay())).lines.at(-1)).toBe('TOTAL 12.50 EUR');
});

test('a reversal is refused twice as already done, and after an end of day as impossible', async () => {
  for (const dialect of rows.filter(([, { about }]) => about === 'reversals').map(([name]) => name)) {
    const bench = openShop(kind('apdu', [dialect]), [customer, customer]);
    const terminal = await bench.open();
    await bench.clock.until(terminal.pay(sale, () => {}));
    await bench.clock.until(terminal.pay(sale, () => {}));
    const refundOutcome = (receiptNumber: string) =>
      bench.clock.until(terminal.reverse({ receiptNumber, amount: sale.amount }, () => {}));
    const first = await refundOutcome('0001');
    expect(first).toMatchObject({ kind: 'approved', payment: { traceNumber: '000003' } });
    expect(first).toMatchObject({
      payment: dialect === 'reversal-as-credit' ? { receiptNumber: '0003' } : { originalTrace: '000001' },
    });
    expect(await refundOutcome('0001')).toMatchObject({ kind: 'declined', code: 'B4', already: true });
    await bench.clock.until(terminal.endOfDay());
    expect(await refundOutcome('0002')).toMatchObject({ kind: 'declined', code: 'B5' });
  }
});

describe('a locked terminal', () => {
  const pay = async (
    dialect: string,
    lift: (bench: ReturnType<typeof openShop>, terminal: IntegratedTerminal) => Promise<unknown>,
  ) => {
    const bench = openShop(kind('apdu', [dialect]), [customer]);
    const terminal = await bench.open();
    const first = await bench.clock.until(terminal.pay(sale, () => {}));
    await lift(bench, terminal);
    const second = await bench.clock.until(terminal.pay(sale, () => {}));
    return [first, second];
  };
  const approved = expect.objectContaining({ kind: 'approved' });

  test('until the end of day: reports that nothing was charged, and the close unlocks it', async () => {
    const [first, second] = await pay('locked-day', (bench, terminal) => bench.clock.until(terminal.endOfDay()));
    expect(first).toEqual({ kind: 'notBegun', code: 'F0', why: expect.stringContaining('close the day first') });
    expect(second).toEqual(approved);
  });

  test('until a diagnosis: the till’s own diagnosis unlocks it', async () => {
    const [first, second] = await pay('locked-diagnosis', (bench, terminal) => bench.clock.until(terminal.health()));
    expect(first).toEqual({ kind: 'notBegun', code: 'C2', why: expect.stringContaining('diagnosis') });
    expect(second).toEqual(approved);
  });

  test.each([
    ['locked-initialisation', '51', 'initialised'],
    ['locked-clock', '62', 'clock'],
  ])('%s: what only its own menu unlocks is reported each time, and in its health', async (dialect, code, text) => {
    let problems: readonly string[] = [];
    let close: unknown;
    const [first, second] = await pay(dialect, async (bench, terminal) => {
      ({ problems } = await bench.clock.until(terminal.health()));
      close = await bench.clock.until(terminal.endOfDay().catch((error: unknown) => error));
    });
    expect(close).toMatchObject({ code: 'terminal.refused', message: expect.stringContaining(text) });
    for (const outcome of [first, second])
      expect(outcome).toEqual({ kind: 'notBegun', code, why: expect.stringContaining(text) });
    expect(problems.join()).toContain(text);
  });
});

test('refuses an unknown name, and two rows about the same topic', () => {
  expect(() => chosenDialects(zvtDialects, ['kinder'])).toThrow('there is no dialect "kinder"');
  expect(() => chosenDialects(zvtDialects, ['constructor'])).toThrow('there is no dialect');
  expect(() => chosenDialects(zvtDialects, ['version-always', 'version-never'])).toThrow('exclude each other');
  for (const pair of dialectPairs(zvtDialects)) expect(chosenDialects(zvtDialects, pair).size).toBe(pair.length);
});
