/** The terminals' benchmarks as lines, and whether their limits hold. */
import { benchFraming } from './framing.ts';
import { benchOverhead } from './overhead.ts';
import { benchSideBySide } from './side-by-side.ts';

const FRAMING_MB = 50;
const OVERHEAD_MS = 0.3;
const SLOWER_MOST = 1.1;

/** Prints a line for each measure. Resolves with whether all limits hold. */
export const reportTerminals = async (print: (line: string) => void): Promise<boolean> => {
  let allMet = true;
  const check = (line: string, isMet: boolean): void => {
    allMet &&= isMet;
    print(`${line}  ${isMet ? 'ok' : 'MISSED'}`);
  };
  print(`\nframes in pieces of 64 bytes (wanted: ${FRAMING_MB} MB/s)`);
  for (const { name, mbPerSecond, peer } of benchFraming()) {
    const peerText = peer === undefined ? '' : `, ${peer.name} ${peer.mbPerSecond.toFixed(0)} MB/s`;
    check(`${name.padEnd(44)} ${mbPerSecond.toFixed(0).padStart(5)} MB/s${peerText}`, mbPerSecond >= FRAMING_MB);
  }
  print(`one command and its answer, without a wire (wanted: under ${OVERHEAD_MS} ms)`);
  for (const { name, medianMs } of await benchOverhead()) {
    check(`${name.padEnd(44)} ${medianMs.toFixed(3)} ms`, medianMs < OVERHEAD_MS);
  }
  print(`a sale alone, and during another terminal's (wanted: at most ${SLOWER_MOST} times as long)`);
  for (const { name, aloneMs, togetherMs } of await benchSideBySide()) {
    const ratio = togetherMs / aloneMs;
    check(
      `${name.padEnd(44)} ${aloneMs.toFixed(1)} ms, ${togetherMs.toFixed(1)} ms: ${ratio.toFixed(2)}`,
      ratio <= SLOWER_MOST,
    );
  }
  return allMet;
};
