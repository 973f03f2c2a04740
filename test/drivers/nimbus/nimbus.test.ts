/**
 * A driver for a protocol whose answers have no numbers keeps the contract, and unreadable messages are not answers.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cutter } from '../../../drivers/framing/framer.ts';
import type { Link } from '../../../drivers/links/link.ts';
import { record } from '../../../drivers/links/tape.ts';
import { scriptedCardholder, seededRandom } from '../../../drivers/simulation/cardholder.ts';
import { concat } from '../../../src/base/hex.ts';
import { testCard } from '../../../src/emv/test-cards.ts';
import { integratedContract } from '../../contract/integrated-terminal-cases.ts';
import { memoryLinks } from '../../support/devices/memory-link.ts';
import { tape } from '../../support/devices/tape.ts';
import { type VirtualClock, virtualClock } from '../../support/time/virtual-clock.ts';
import { frames, type Message } from './commands.ts';
import { nimbus } from './driver.ts';
import { nimbusSimulator } from './simulator.ts';

describe('nimbus', () =>
  integratedContract({
    driver: nimbus,
    model: nimbusSimulator,
    modelName: 'SIMULATED NIMBUS',
    hello: 2,
    saleMessages: [3, 4, 5, 6],
    codes: {
      noMoney: '51',
      stolen: '43',
      wrongPin: '55',
      chipRefuses: '72',
      pulled: '64',
      stopped: '6C',
      unknownReceipt: 'B5',
      alreadyReversed: 'B4',
    },
  }));

const { framer, sizeMax, encode } = frames;
const framesOf = (portions: readonly Uint8Array[]) => {
  const cut = cutter(framer, sizeMax);
  return portions.flatMap((portion) => cut.push(portion));
};

test('a frame is written as documented', () => {
  const bytes = encode({ letter: 'V', fields: ['000001'] });
  expect(Buffer.from(bytes).toString('latin1')).toBe('\x02V|000001\x03\x28');
});

test('any split gives the same frames', () => {
  const message = fc.record({
    letter: fc.constantFrom('P', 'A', 'S'),
    fields: fc.array(fc.stringMatching(/^[ -{}~]{1,20}$/), { maxLength: 7 }),
  });
  fc.assert(
    fc.property(fc.array(message, { maxLength: 4 }), fc.integer({ min: 1, max: 50 }), (list, size) => {
      const stream = concat(...list.map(encode));
      const count = Math.ceil(stream.length / size);
      const portions = Array.from({ length: count }, (_, index) => stream.slice(index * size, (index + 1) * size));
      expect(framesOf(portions)).toEqual(list.map((frame) => ({ kind: 'frame', frame })));
    }),
  );
});

/** A payment, inquired about and reversed, on this link. */
const play = (link: Link, clock: VirtualClock) => {
  const run = async () => {
    const terminal = await nimbus.open(link, { clock, report: () => {} });
    const sale = { amount: { minor: 1_250n, currency: 'EUR' }, withinMs: 60_000 };
    const outcome = await terminal.pay(sale, () => {});
    const last = await terminal.lastOutcome();
    if (last.kind !== 'approved') throw new Error(last.kind);
    const reversal = await terminal.reverse(last.payment, () => {});
    await terminal.close();
    return [outcome, last, reversal];
  };
  return clock.until(run());
};

const file = new URL('payment-reversed.tape', import.meta.url);

test('a recording replays to the same outcome', async () => {
  const clock = virtualClock();
  const [device, till] = memoryLinks();
  const cardholder = scriptedCardholder([{ card: testCard('visa-credit'), by: 'chip' }]);
  nimbusSimulator(device, { clock, random: seededRandom(7), cardholder });
  const lines: string[] = [];
  const outcomes = await play(
    record(till, { onLine: (line) => lines.push(line), scribe: nimbus.scribe, clock }),
    clock,
  );
  expect(outcomes.map(({ kind }) => kind)).toEqual(['approved', 'approved', 'approved']);
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(fileURLToPath(file));

  const otherClock = virtualClock();
  const link = tape(readFileSync(file, 'utf8'), { clock: otherClock });
  expect(await play(link, otherClock)).toEqual(outcomes);
  expect(link.left()).toEqual([]);
});

/** A terminal whose device answers every question after the opening with this message. */
const answersTo = async (message: Message) => {
  const clock = virtualClock();
  const [device, till] = memoryLinks();
  const unsolicited: string[] = [];
  const cut = cutter(framer, sizeMax);
  const sendMessage = (letter: string, fields: readonly string[]) => void device.write(encode({ letter, fields }));
  const answers: Readonly<Record<string, () => void>> = {
    H: () => sendMessage('K', ['N1', '1', '1']),
    C: () => sendMessage('K', []),
  };
  const sendCommand = () => sendMessage(message.letter, message.fields);
  const bytes = (received: Uint8Array) => {
    for (const piece of cut.push(received)) if (piece.kind === 'frame') (answers[piece.frame.letter] ?? sendCommand)();
  };
  device.listen({ bytes, closed: () => {} });
  const terminal = await clock.until(nimbus.open(till, { clock, report: ({ code }) => unsolicited.push(code) }));
  return { unsolicited, clock, terminal };
};

const approval = ['000001', '000000001250', 'EUR', '123456', '************0143', 'VISA', 'ICC'];

test.each([
  ['a card number that is not masked', 'A', approval.with(4, '4012345678901234')],
  ['an amount that is not a number', 'A', approval.with(1, '12.50')],
  ['a decline without a code', 'D', ['', 'no']],
])('neither an approval nor a decline: %s', async (_name, letter, fields) => {
  const { clock, terminal } = await answersTo({ letter, fields });
  await expect(clock.until(terminal.lastOutcome())).rejects.toMatchObject({ code: 'terminal.unclear' });
});

test('an unmasked number is neither described nor recorded', () => {
  const bytes = encode({ letter: 'A', fields: approval.with(4, '4012345678901234') });
  expect(nimbus.narrator('stream').push('heard', bytes)).toEqual(['an unknown message']);
  expect(nimbus.scribe('heard', 'stream').push(bytes)).toEqual(['**'.repeat(bytes.length)]);
});

test('an answer of another kind matches no question', async () => {
  const { unsolicited, clock, terminal } = await answersTo({ letter: 'K', fields: ['late'] });
  await expect(clock.until(terminal.lastOutcome())).rejects.toMatchObject({ code: 'terminal.silent' });
  expect(unsolicited).toEqual(['terminal.stray']);
});

test('an approval of another payment does not count', async () => {
  const { unsolicited, clock, terminal } = await answersTo({ letter: 'A', fields: approval });
  const paying = terminal.pay({ amount: { minor: 1_250n, currency: 'EUR' }, withinMs: 1_000 }, () => {});
  await expect(clock.until(paying)).rejects.toMatchObject({ code: 'terminal.silent' });
  expect(unsolicited).toEqual(['terminal.stray']);
});

test('a terminal that is still at a payment reports no last one, and does not close its day', async () => {
  const { clock, terminal } = await answersTo({ letter: 'D', fields: ['A0', 'busy'] });
  await expect(clock.until(terminal.lastOutcome())).rejects.toMatchObject({ code: 'terminal.unclear' });
  await expect(clock.until(terminal.endOfDay())).rejects.toMatchObject({ code: 'terminal.unclear' });
});
