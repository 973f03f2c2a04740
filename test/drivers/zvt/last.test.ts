/** What a ZVT terminal says of its last payment, and how often one that is busy is asked. */
import { expect, test } from 'vitest';
import { toHex } from '../../../src/base/hex.ts';
import { captured } from './captures.ts';
import { bareBench, ending } from './zvt-tape.ts';

const taken = '800000';
const done = '060F00';
const approved = toHex(captured('status.PaymentGood1'));

/** A result with these fields and no more. */
const result = (fields: string): string => `040F${(fields.length / 2).toString(16).padStart(2, '0')}${fields}`;

test.each([
  ['with its amount and number', [taken, approved, done], { kind: 'approved', payment: { receiptNumber: '0470' } }],
  ['an end of day', [taken, result('270004000000012345'), toHex(captured('printline')), done], { kind: 'none' }],
  ['nothing stored', ['848300', taken, done], { kind: 'none' }],
  ['nothing stored, told by an abort', [taken, '061E0183', taken, '060F0100'], { kind: 'none' }],
  ['refused by one that refuses its state too', ['848300', '848300', '848300'], 'terminal.unclear'],
  ['without an amount', [taken, result('2700870470'), done], 'terminal.unclear'],
  ['without a number', [taken, result('270004000000002040'), done], 'terminal.unclear'],
  ['lines only', [taken, '06D103004142', done], 'terminal.refused'],
  ['ended in the middle', [taken, approved, '061E016C'], 'terminal.unclear'],
])('the last payment: %s', async (_name, messages, wanted) => {
  const { terminal, clock, say } = await bareBench();
  const last = ending(terminal.last());
  await clock.settle();
  await say(...messages);
  const outcome = await clock.until(last);
  if (typeof wanted === 'string') expect(outcome).toBe(wanted);
  else expect(outcome).toMatchObject(wanted);
});

test.each([
  ['by its answer', ['84A000']],
  ['by an abort', [taken, '061E01A0']],
  ['by its state, with nothing stored', ['848300', taken, '060F019C']],
])('the last payment of a terminal that is busy, %s: asked again for five seconds', async (_name, busy) => {
  for (const times of [5, 6]) {
    const { terminal, clock, say, said } = await bareBench();
    const last = ending(terminal.last());
    for (let asked = 0; asked < times; asked += 1) {
      await clock.settle();
      await say(...busy);
      await clock.advance(1_000);
    }
    if (times === 5) await say(taken, approved, done);
    expect(await clock.until(last)).toEqual(
      times === 5 ? expect.objectContaining({ kind: 'approved' }) : 'terminal.unclear',
    );
    expect(said.filter((hex) => hex.startsWith('0620'))).toHaveLength(6);
  }
});
