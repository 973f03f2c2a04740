/** What a ZVT terminal reports about its last payment, and how often a busy terminal is asked. */
import { expect, test } from 'vitest';
import { toHex } from '../../../src/base/hex.ts';
import { captured } from './captures.ts';
import { bareBench, settled } from './zvt-tape.ts';

const accepted = '800000';
const done = '060F00';
const approved = toHex(captured('status.PaymentGood1'));

/** A result with only these fields. */
const result = (fields: string): string => `040F${(fields.length / 2).toString(16).padStart(2, '0')}${fields}`;

test.each([
  ['with its amount and number', [accepted, approved, done], { kind: 'approved', payment: { receiptNumber: '0470' } }],
  ['an end of day', [accepted, result('270004000000012345'), toHex(captured('printline')), done], { kind: 'none' }],
  ['nothing stored', ['848300', accepted, done], { kind: 'none' }],
  ['nothing stored, reported by an abort', [accepted, '061E0183', accepted, '060F0100'], { kind: 'none' }],
  ['refused by one that refuses its state too', ['848300', '848300', '848300'], 'terminal.unclear'],
  ['without an amount', [accepted, result('2700870470'), done], 'terminal.unclear'],
  ['without a number', [accepted, result('270004000000002040'), done], 'terminal.unclear'],
  ['lines only', [accepted, '06D103004142', done], 'terminal.refused'],
  ['aborted midway', [accepted, approved, '061E016C'], 'terminal.unclear'],
])('the last payment: %s', async (_name, messages, expected) => {
  const { terminal, clock, send } = await bareBench();
  const last = settled(terminal.lastOutcome());
  await clock.settle();
  await send(...messages);
  const outcome = await clock.until(last);
  if (typeof expected === 'string') expect(outcome).toBe(expected);
  else expect(outcome).toMatchObject(expected);
});

const idle = [accepted, '060F0100'];
const singleSums = (first: string, last: string): string => `60F0F5F3${first}${last}${'00'.repeat(49)}`;

test.each([
  ['by its totals', [...idle, accepted, result(`2700${singleSums('0001', '0017')}`), done], '0017'],
  ['an empty turnover', [...idle, accepted, result(`2700${singleSums('0000', '0000')}`), done], 'none'],
  ['a sum alone', [...idle, accepted, result('270004000000012345'), done], undefined],
  ['invalid numbers', [...idle, accepted, result(`2700${singleSums('0001', '00FF')}`), done], undefined],
  ['totals that failed', [...idle, accepted, result(`27A0${singleSums('0001', '0017')}`), done], undefined],
  ['aborted at the end', [...idle, accepted, result(`2700${singleSums('0001', '0017')}`), '061E016C'], undefined],
  ['refused', [...idle, '848300'], undefined],
  ['refused in a locked state', [...idle, accepted, '061E01F0'], undefined],
  ['the state enquiry is refused', ['848300', '848300'], 'terminal.refused'],
])('the newest payment in its turnover: %s', async (_name, messages, expected) => {
  const { terminal, clock, send, sent } = await bareBench();
  const newest = settled(terminal.newestBooked?.() ?? Promise.reject());
  await clock.settle();
  await send(...messages);
  expect(await clock.until(newest)).toBe(expected);
  // Only totals: nothing that closes, prints or pays.
  for (const hex of sent) expect(hex).toMatch(/^(0501|0610|800000)/);
});

test.each([
  ['by its state', [accepted, '060F019C']],
  ['by its answer', [...idle, '84A000']],
])('the totals of a busy terminal, %s: asked again for five seconds', async (_name, busy) => {
  for (const times of [5, 6]) {
    const { terminal, clock, send } = await bareBench();
    const newest = settled(terminal.newestBooked?.() ?? Promise.reject());
    for (let requestCount = 0; requestCount < times; requestCount += 1) {
      await clock.settle();
      await send(...busy);
      await clock.advance(1_000);
    }
    if (times === 5) await send(...idle, accepted, result(`2700${singleSums('0001', '0017')}`), done);
    expect(await clock.until(newest)).toBe(times === 5 ? '0017' : 'terminal.unclear');
  }
});

test.each([
  ['by its answer', ['84A000']],
  ['by an abort', [accepted, '061E01A0']],
  ['by its state, with nothing stored', ['848300', accepted, '060F019C']],
])('the last payment of a busy terminal, %s: asked again for five seconds', async (_name, busy) => {
  for (const times of [5, 6]) {
    const { terminal, clock, send, sent } = await bareBench();
    const last = settled(terminal.lastOutcome());
    for (let requestCount = 0; requestCount < times; requestCount += 1) {
      await clock.settle();
      await send(...busy);
      await clock.advance(1_000);
    }
    if (times === 5) await send(accepted, approved, done);
    expect(await clock.until(last)).toEqual(
      times === 5 ? expect.objectContaining({ kind: 'approved' }) : 'terminal.unclear',
    );
    expect(sent.filter((hex) => hex.startsWith('0620'))).toHaveLength(6);
  }
});
