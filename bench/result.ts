/** The result of a benchmark, and the only way in which ours and another package are timed against each other. */

export type BenchResult = {
  name: string;
  /** Operations per second. */
  ours: number;
  /** Operations per second of the other package, measured in the same run. */
  peer: number;
  peerName: string;
  /** The required ratio to the other package's speed. */
  expected: number;
};

export type MeasureOptions = { rounds?: number; roundMs?: number; warmUpMs?: number };

/**
 * Operations per second of both: the median of several rounds. The two take turns, and the one that goes first changes
 * each round, so that a busy machine slows both alike.
 */
export const measure = (
  ours: () => void,
  peer: () => void,
  { rounds = 7, roundMs = 150, warmUpMs = 300 }: MeasureOptions = {},
): { ours: number; peer: number } => {
  const oursBatch = batchOf(ours, warmUpMs);
  const peerBatch = batchOf(peer, warmUpMs);
  const oursRates: number[] = [];
  const peerRates: number[] = [];
  const measureOurs = () => oursRates.push(rate(ours, oursBatch, roundMs));
  const measurePeer = () => peerRates.push(rate(peer, peerBatch, roundMs));
  for (let round = 0; round < rounds; round += 1) {
    for (const measureSide of round % 2 === 0 ? [measureOurs, measurePeer] : [measurePeer, measureOurs]) {
      // Without --expose-gc this function is missing; then each side pays for its own garbage when that is collected.
      globalThis.gc?.();
      measureSide();
    }
  }
  return { ours: median(oursRates), peer: median(peerRates) };
};

/** Warms the operation up and returns how often it runs in about a millisecond, so that the clock is rarely read. */
const batchOf = (operation: () => void, warmUpMs: number): number => {
  const perSecond = rate(operation, 1, warmUpMs);
  return Math.max(1, Math.round(perSecond / 1000));
};

const rate = (operation: () => void, batch: number, leastMs: number): number => {
  const start = performance.now();
  let doneCount = 0;
  let passedMs = 0;
  do {
    for (let step = 0; step < batch; step += 1) operation();
    doneCount += batch;
    passedMs = performance.now() - start;
  } while (passedMs < leastMs);
  return (doneCount / passedMs) * 1000;
};

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((left, right) => left - right);
  const middle = sorted.length >> 1;
  const upperMiddle = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upperMiddle : (upperMiddle + (sorted[middle - 1] ?? upperMiddle)) / 2;
};

/** One line: name, both speeds, the ratio and whether it is enough. */
export const benchLine = ({ name, ours, peer, peerName, expected }: BenchResult): string => {
  const ratio = ours / peer;
  const verdict = ratio >= expected ? 'enough' : 'TOO SLOW';
  const [ourRate, peerRate] = [ours, peer].map((rate) => Math.round(rate).toLocaleString('en'));
  return `${name}: ${ourRate}/s, ${peerName} ${peerRate}/s, ratio ${ratio.toFixed(2)} (wanted ${expected}): ${verdict}`;
};
