/**
 * A short selling session in which the power is cut at one operation of the disk: each operation has its turn.
 * Afterwards every acknowledged step must be present, none half written, and the money must add up.
 */
import { SECTORS, type Sector } from '../support/disk/medium.ts';
import { type Day, playDay } from './day.ts';
import type { Row } from './day-rows.ts';
import type { PlantedBug } from './planted-bugs.ts';

const row = (n: number, actionName: string, a = 0, b = 1): Row => ({ n, till: 0, actionName, a, b });

/** Each path of a message: answered, stored and sent later, refunded, reversed, repeated, withdrawn. */
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

export type Cut = {
  /** The operation of the disk, from 0. */
  readonly at: number;
  readonly moment: 'powerCut' | 'powerCutAfter';
  /** Decides what survives of the data that was not synced. */
  readonly seed: number;
  readonly sector: Sector;
  readonly plantedBug?: PlantedBug | undefined;
};

/** Describes the cut for a person. */
export const describeCut = ({ at, moment, seed, sector }: Cut): string =>
  `${moment === 'powerCut' ? 'before' : 'after'} operation ${at}, survival seed ${seed}, sectors of ${sector}`;

/** The number of disk operations in the session. */
export const operationsOfSession = async (plantedBug?: PlantedBug): Promise<number> =>
  (await playDay(1, { rows: session, plantedBug })).diskOperations;

/** Plays the session with the power cut at the given operation. */
export const playCut = ({ at, moment, seed, sector, plantedBug }: Cut): Promise<Day> =>
  playDay(seed, {
    rows: session,
    plantedBug,
    prepare({ faults, disk }) {
      disk.sector = sector;
      faults.disk.push({ after: at, fate: moment, times: 1 });
    },
  });

type CutRange = {
  operations: number;
  /** The distance between two cuts. With more than one, cuts alternate between before and after. */
  stride: number;
  /** The number of survival seeds for each operation and sector size. */
  survivals: number;
  plantedBug?: PlantedBug | undefined;
};

/** All requested cuts, by operation. */
export const cutsOf = ({ operations, stride, survivals, plantedBug }: CutRange): Cut[] => {
  const moments = ['powerCut', 'powerCutAfter'] as const;
  return Array.from({ length: Math.ceil(operations / stride) }, (_, n) => n * stride).flatMap((at) =>
    moments
      .filter((_, turnIndex) => stride === 1 || at % 2 === turnIndex)
      .flatMap((moment) =>
        SECTORS.flatMap((sector, sectorIndex) =>
          Array.from({ length: survivals }, (_, n) => ({
            at,
            moment,
            seed: (n * SECTORS.length + sectorIndex) * SEEDS_APART + at + 1,
            sector,
            plantedBug,
          })),
        ),
      ),
  );
};

/** More than the number of operations in a session: no two cuts share a seed. */
const SEEDS_APART = 10_000;
