/** Whose payment a ZVT terminal tells of: tills that share one, terminals that are swapped, numbers that wrap. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Life, type Rig, tapCard, tillRig } from '../support/till/till-rig.ts';
import { type ZvtLine, type ZvtTerminal, zvtTerminal } from '../support/till/zvt-counter.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';

let clock: ReturnType<typeof virtualClock>;
const rigs: Rig[] = [];
const lives: Life[] = [];
beforeEach(() => {
  clock = virtualClock();
});
afterEach(() => {
  for (const life of lives.splice(0)) life.close();
  for (const rig of rigs.splice(0)) rig.remove();
});

/** A till of its own, with a folder of its own, at this terminal. */
const tillAt = (terminal: ZvtTerminal): { life: Life; line: ZvtLine } => {
  const rig = tillRig(tapCard, 'test', clock);
  const line = terminal.line();
  const life = rig.open({ parts: { integrated: line.keep() } });
  rigs.push(rig);
  lives.push(life);
  return { life, line };
};
const sell = (life: Life, minor: bigint) => clock.until(life.sell(minor).done);
const word = ({ ending, reason, reversal }: { ending: string; reason: string; reversal?: string }) =>
  `${ending} ${reason}${reversal === undefined ? '' : ` ${reversal}`}`;

test('two tills on one terminal: a payment whose end was lost is booked by the till that made it, and by no other', async () => {
  const terminal = zvtTerminal(clock);
  const one = tillAt(terminal);
  const other = tillAt(terminal);
  expect([word(await sell(one.life, 500n)), word(await sell(other.life, 500n))]).toEqual([
    'approved approved',
    'approved approved',
  ]);
  // The first till's payment never reaches the terminal; of the other's only the result is lost.
  one.line.breaks.push({ lost: '0601', downMs: 10_000 });
  other.line.breaks.push({ lost: '040F', after: '0601', downMs: 1_000 });
  const first = one.life.sell(1_250n).done;
  await clock.advance(500);
  const second = other.life.sell(1_250n).done;
  expect(word(await clock.until(second))).toBe('approved approved');
  expect(await clock.until(first)).toMatchObject({
    ending: 'unknown',
    reason: 'unclearAtTerminal',
    forPerson: true,
    why: 'it had not taken this payment when the line was lost',
  });
  expect(terminal.charged()).toEqual([500n, 500n, 1_250n]);
});
