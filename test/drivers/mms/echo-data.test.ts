/** The bytes of an echo are recorded: nothing in them may look like a card number. */
import { expect, test } from 'vitest';
import { echoData } from '../../../drivers/mms/protocol/messages.ts';
import { testCards } from '../../../src/emv/test-cards.ts';

const day = Date.UTC(2026, 0, 2);

/** Every low byte of a time, and a time with three empty bytes. */
const moments = [...Array.from({ length: 256 }, (_, index) => day + index), 0x019b_4200_0000];

test('no echo contains a card number, whatever its number and time', () => {
  const echoes = Array.from({ length: 256 }, (_, ref) => moments.map((ms) => `8109${echoData(ms, ref)}8414`)).flat();
  const tape = echoes.join('\n');
  for (const { pan } of Object.values(testCards)) expect(tape.indexOf(pan)).toBe(-1);
});

test('no two echoes are alike', () => {
  expect(new Set([echoData(day, 1), echoData(day, 2), echoData(day + 1, 1)]).size).toBe(3);
});
