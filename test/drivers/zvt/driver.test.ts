/** The ZVT driver against a terminal played by the test: what counts as an ending, and what never does. */
import { expect, test } from 'vitest';
import type { TerminalEvent } from '../../../drivers/terminal.ts';
import { encodeBraces } from '../../../drivers/zvt/protocol/fields.ts';
import { toHex } from '../../../src/base/hex.ts';
import { captured } from './captures.ts';
import { bareBench, sale, settled } from './zvt-tape.ts';

const accepted = '800000';
const done = '060F00';
const approved = toHex(captured('status.PaymentGood1'));
const declined = toHex(captured('status.declined'));

/** A result with only these fields. */
const result = (fields: string): string => `040F${(fields.length / 2).toString(16).padStart(2, '0')}${fields}`;

const payOn = async (...messages: readonly string[]) => {
  const bench = await bareBench();
  const outcome = settled(bench.terminal.pay(sale, bench.tell));
  await bench.clock.settle();
  await bench.send(...messages);
  return { ...bench, outcome: await bench.clock.until(outcome) };
};

test('registers: the till prints, leads, and takes statuses and text blocks; then asks for the state', async () => {
  const { greeting } = await bareBench();
  expect(greeting).toEqual([
    '060010000000BE0978030006062604 0A0206D3'.replace(' ', ''),
    accepted,
    '0501 05 000000 0306'.replace(/ /g, ''),
    accepted,
  ]);
});

test('a payment, answered at each step', async () => {
  const { sent, outcome, events, unsolicited } = await payOn(
    accepted,
    '04FF010A',
    '04FF0104',
    approved,
    '04FF014B',
    done,
  );
  expect(outcome).toMatchObject({ kind: 'approved', payment: { receiptNumber: '0470', amount: sale.amount } });
  expect(sent).toEqual(['06010A04000000002040490978', accepted, accepted, accepted, accepted, accepted]);
  expect(events).toEqual<TerminalEvent[]>(['presentCard', 'authorising', 'removeCard']);
  expect(unsolicited).toEqual([]);
});

test.each([
  ['a result 05 and an abort', [accepted, declined, '061E0105'], { kind: 'declined', code: '05', why: 'declined' }],
  ['a result 6C and a completion', [accepted, result('276C'), done], { kind: 'declined', code: '6C' }],
  ['an abort alone', [accepted, '061E016C'], { kind: 'declined', code: '6C' }],
  ['an abort because of an inability', [accepted, '061E01C2'], { kind: 'notBegun', code: 'C2' }],
  ['a refusal', ['848300'], { kind: 'notBegun', code: '83', why: 'function not possible' }],
  ['a refusal of an unregistered till', ['846B00'], { kind: 'notBegun', code: '6B' }],
  ['taken with 84 00', ['840000', approved, done], { kind: 'approved' }],
  ['time requested, then accepted', ['849C00', accepted, approved, done], { kind: 'approved' }],
  ['time requested, then led', ['849C00', '04FF010A', approved, done], { kind: 'approved' }],
  ['time requested, then refused', ['849C00', '848300'], { kind: 'notBegun', code: '83' }],
  ['the same result twice', [accepted, approved, approved, done], { kind: 'approved' }],
  ['a wrong PIN, then the right one', [accepted, result('2737'), approved, done], { kind: 'approved' }],
  ['a wrong PIN to the end', [accepted, result('2737'), result('2737'), '061E0137'], { kind: 'declined', code: '37' }],
  [
    'an approval without an amount',
    [accepted, result('2700870008'), done],
    { kind: 'approved', payment: { receiptNumber: '0008' } },
  ],
])('an ending: %s', async (_name, messages, expected) => {
  expect((await payOn(...messages)).outcome).toMatchObject(expected);
});

test.each([
  ['an approval and an abort', [accepted, approved, '061E016C']],
  ['a completion without a result', [accepted, done]],
  ['an unknown result code', [accepted, result('27D9'), done]],
  ['a system error', [accepted, toHex(captured('status.SystemError')), done]],
  ['a communication error', [accepted, result('277D'), '061E017D']],
  ['another amount', [accepted, result('2700 04000000002041 870470'.replace(/ /g, '')), done]],
  ['another currency', [accepted, result('2700 04000000002040 490756 870470'.replace(/ /g, '')), done]],
  ['results that contradict', [accepted, approved, declined, done]],
  ['a wrong PIN after an approval', [accepted, approved, result('2737'), done]],
  ['an amount change', ['849D00']],
  ['an unknown refusal', ['84D900']],
  ['a result about an inability', [accepted, result('2783'), done]],
])('no ending, so it must be inquired about: %s', async (_name, messages) => {
  expect((await payOn(...messages)).outcome).toBe('terminal.unclear');
});

test('an approval without its completion is not an approval', async () => {
  const { outcome, clock } = await payOn(accepted, approved);
  expect(outcome).toBe('terminal.silent');
  expect(clock.waiting()).toBe(0);
});

test('a result sent before the command was accepted belongs to another command', async () => {
  const { terminal, clock, send, sent, unsolicited } = await bareBench();
  const outcome = settled(terminal.pay(sale, () => {}));
  await clock.settle();
  await send(approved, done);
  expect(unsolicited.map(({ code }) => code)).toEqual(['terminal.stray', 'terminal.stray']);
  expect(sent.slice(1)).toEqual([accepted, accepted]);
  await send(accepted, declined, '061E0105');
  expect(await outcome).toMatchObject({ kind: 'declined', code: '05' });
});

test('an approval with the trace number of the previous payment does not count', async () => {
  const { terminal, clock, send } = await bareBench();
  const pay = async () => {
    const outcome = settled(terminal.pay(sale, () => {}));
    await clock.settle();
    await send(accepted, approved, done);
    return clock.until(outcome);
  };
  expect(await pay()).toMatchObject({ kind: 'approved' });
  expect(await pay()).toBe('terminal.unclear');
});

test('requests of the terminal to the till are refused and reported; the payment continues', async () => {
  const { sent, unsolicited, outcome } = await payOn(accepted, '040D00', '040108AA2601020C120000', approved, done);
  expect(outcome).toMatchObject({ kind: 'approved' });
  expect(sent.slice(1, 3)).toEqual(['848300', '848300']);
  expect(unsolicited).toHaveLength(2);
});

test('with nothing running the terminal’s messages are refused, and its answers get no answer', async () => {
  const { send, sent, unsolicited, terminal, clock } = await bareBench();
  await send(approved, accepted, '848300');
  expect(sent).toEqual(['848300']);
  expect(unsolicited).toHaveLength(3);
  const echo = terminal.echo();
  await clock.settle();
  await send(accepted, done);
  await clock.until(echo);
});

test('a truncated message and an unreadable one end the payment as garbled', async () => {
  expect((await payOn(accepted, result('27'))).outcome).toBe('terminal.garbled');
  expect((await payOn(accepted, result('04000000002040'))).outcome).toBe('terminal.garbled');
  expect((await payOn(accepted, 'FF')).outcome).toBe('terminal.garbled');
  expect((await payOn(accepted, approved.slice(0, 40))).outcome).toBe('terminal.garbled');
});

test('a payment that never ends is stopped, and then given up', async () => {
  const { terminal, clock, send, sent, device } = await bareBench();
  const outcome = settled(terminal.pay({ ...sale, withinMs: 30_000 }, () => {}));
  await clock.settle();
  await send(accepted);
  for (let index = 0; index < 12; index += 1) {
    await clock.advance(9_000);
    await send('04FF010E').catch(() => {});
  }
  expect(await outcome).toBe('terminal.silent');
  expect(sent).toContain('06B000');
  expect(sent.at(-1)).toBe('closed');
  await device.close();
});

test('too many messages end the payment, and lines beyond the bound are dropped', async () => {
  const { terminal, clock, send, unsolicited } = await bareBench();
  const outcome = settled(terminal.pay(sale, () => {}));
  await clock.settle();
  await send(accepted, '06D1020041'.repeat(1_100), approved, done);
  const ended = await outcome;
  if (typeof ended === 'string' || ended.kind !== 'approved') throw new Error('not approved');
  expect(ended.customerLines).toHaveLength(1_000);
  expect(unsolicited.at(-1)).toMatchObject({ code: 'terminal.strays', facts: { count: 100 } });
  const secondSale = settled(terminal.pay(sale, () => {}));
  await clock.settle();
  await send(accepted, '06D1020041'.repeat(2_100));
  expect(await secondSale).toBe('terminal.garbled');
});

const line = (text: string, attribute = 0): string => {
  const bytes = encodeBraces(text);
  return `06D1${toHex(Uint8Array.of(bytes.length + 1, attribute))}${toHex(bytes)}`;
};

test.each([
  ['by their words', ['KUNDENBELEG', '', 'HÄNDLERBELEG'], ['KUNDENBELEG'], ['HÄNDLERBELEG']],
  ['by their order, the merchant’s first', ['ONE', '', 'TWO'], ['TWO'], ['ONE']],
  ['a single one to both', ['ONE'], ['ONE'], ['ONE']],
  ['a card number stops here', ['KUNDENBELEG 4761739001010143'], ['KUNDENBELEG 476173******0143'], []],
])('splits single lines into receipts at their marks: %s', async (_name, texts, customerLines, merchantLines) => {
  const lines = texts.map((text) => (text === '' ? line('', 0x81) : line(text)));
  expect((await payOn(accepted, approved, ...lines, done)).outcome).toMatchObject({ customerLines, merchantLines });
});

test('cancel: its answer is attributed to nothing else, and an approval that came first stands', async () => {
  const { terminal, clock, send, sent } = await bareBench();
  const outcome = settled(terminal.pay(sale, () => {}));
  await clock.settle();
  await send(accepted);
  const cancelling = Promise.all([terminal.cancel(), terminal.cancel()]);
  await clock.settle();
  expect(sent.filter((hex) => hex === '06B000')).toHaveLength(1);
  await send(approved, done);
  expect(await outcome).toMatchObject({ kind: 'approved' });
  // The abort is not answered yet: the next command waits, so that it cannot get this answer.
  const echo = terminal.echo();
  await clock.settle();
  expect(sent).not.toContain('0501050000000306');
  await send('848300');
  await cancelling;
  await clock.settle();
  expect(sent).toContain('0501050000000306');
  await send(accepted, done);
  await clock.until(echo);
});

test.each([
  ['after code and amount', '2700040000000020408704701501', 'approved'],
  ['after the code of a decline', '276C1501', 'declined'],
  ['before the amount of an approval', '2700150104000000002040870470', 'terminal.garbled'],
  ['before the code', '1501270004000000002040870470', 'terminal.garbled'],
])('an unknown bitmap %s', async (_name, fields, expected) => {
  const ends: Readonly<Record<string, string[]>> = { approved: [done], declined: ['061E016C'] };
  const { outcome } = await payOn(accepted, result(fields), ...(ends[expected] ?? []));
  expect(typeof outcome === 'string' ? outcome : outcome.kind).toBe(expected);
});

test('a reversal as captured, and the number in it', async () => {
  const { terminal, clock, send, sent } = await bareBench();
  const amount = { minor: 100n, currency: 'EUR' };
  const outcome = settled(terminal.reverse({ receiptNumber: '606', amount }, () => {}));
  await clock.settle();
  expect(sent).toEqual(['0630 10 000000 870606 04000000000100 490978'.replace(/ /g, '')]);
  await send(accepted, toHex(captured('status.ReversalGood1')), done);
  expect(await outcome).toMatchObject({
    kind: 'approved',
    payment: { amount, receiptNumber: '0607', traceNumber: '000607', originalTrace: '000606' },
  });
  for (const bad of ['', '0', '0000', '12345', 'x']) {
    expect(await settled(terminal.reverse({ receiptNumber: bad, amount }, () => {}))).toBe('terminal.refused');
  }
});

test('health in sentences, with a diagnosis when the terminal requires one', async () => {
  const { terminal, clock, send, sent } = await bareBench();
  const health = terminal.health();
  await clock.settle();
  await send(accepted, '060F01C2', accepted, '04FF01C9', done, accepted, '060F01F0');
  expect(await clock.until(health)).toEqual({ ok: false, problems: ['The end of day of the terminal is due'] });
  expect(sent.filter((hex) => hex !== accepted)).toEqual(['0501050000000306', '067000', '0501050000000306']);
});

test('an end of day that the terminal prints itself returns its total, a failed one is a fault', async () => {
  const closeDay = async (...messages: readonly string[]) => {
    const { terminal, clock, send } = await bareBench();
    const closing = settled(terminal.endOfDay());
    await clock.settle();
    await send(...messages);
    return clock.until(closing);
  };
  expect(await closeDay(accepted, result('270004000000012345'), done)).toEqual({ lines: ['TOTAL 123.45 EUR'] });
  expect(await closeDay(accepted, toHex(captured('printline')), done)).toEqual({ lines: ['** KASSENSCHNITT **'] });
  expect(await closeDay(accepted, '061E0177')).toBe('terminal.refused');
  expect(await closeDay(accepted, result('2777'), done)).toBe('terminal.refused');
});

test('close logs off when idle, and does not wait long for an answer', async () => {
  const { terminal, clock, sent } = await bareBench();
  await clock.until(terminal.close());
  expect(sent).toEqual(['060200', 'closed']);
  expect(clock.waiting()).toBe(0);
});
