/**
 * A short selling session in which the power goes at one operation of the disk: every operation has its turn. What was
 * acknowledged must be there after it, nothing by halves, and the money must add up.
 */
import { type Day, playDay } from './day.ts';
import type { Plant } from './plants.ts';
import type { Row } from './story.ts';

const row = (n: number, what: string, a = 0, b = 1): Row => ({ n, till: 0, what, a, b });

/** Each way a message can take: answered, stored and sent later, given back, reversed, repeated, withdrawn. */
export const session: readonly Row[] = [
  row(1, 'sell', 1_998, 1),
  row(2, 'lineDown', 2),
  row(3, 'sell', 1_249, 1),
  row(4, 'sell', 999, 1),
  row(5, 'void', 0, 4),
  row(6, 'lineUp'),
  row(7, 'refund', 99, 1),
  row(8, 'requestLost', 0),
  row(9, 'answerLost', 1),
  row(10, 'sell', 2_499, 3),
  row(11, 'preauthorise', 4_999, 2),
  row(12, 'completion', 0, 3),
];

export type Cut = { at: number; when: 'powerCut' | 'powerCutAfter'; seed: number; plant?: Plant | undefined };

/** How many operations of the disk the session makes. */
export const operationsOfSession = async (): Promise<number> => (await playDay(1, { rows: session })).diskOperations;

/** The session with the power gone at operation `at`, before it or after it; `seed` says what is left. */
export const playCut = ({ at, when, seed, plant }: Cut): Promise<Day> =>
  playDay(seed, {
    rows: session,
    plant,
    prepare: ({ armed }) => void armed.disk.push({ after: at, fate: when, times: 1 }),
  });

export type Sweep = { stride: number; plant?: Plant | undefined; tell?: (at: number, of: number) => void };

/** The power goes at each `stride`th operation, before it or after it by turns. Gives what broke, by cut. */
export const sweep = async ({ stride, plant, tell = () => {} }: Sweep): Promise<Map<string, readonly string[]>> => {
  const operations = await operationsOfSession();
  const broken = new Map<string, readonly string[]>();
  for (let at = 0; at < operations; at += stride)
    for (const when of stride === 1
      ? (['powerCut', 'powerCutAfter'] as const)
      : [(['powerCut', 'powerCutAfter'] as const)[at % 2]]) {
      if (when === undefined) continue;
      const day = await playCut({ at, when, seed: at + 1, plant });
      if (day.broken.length > 0) broken.set(`operation ${at}, ${when}`, day.broken);
      tell(at + 1, operations);
    }
  return broken;
};
