/** Measures the memory, in megabytes, of a process that matches the given number of settlement lines. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const child = fileURLToPath(new URL('settlement-million.ts', import.meta.url));
/** A quarter of the old space that the till itself is started with. */
const flags = ['--expose-gc', '--max-semi-space-size=2', '--max-old-space-size=64'];

/** One of the lines is a duplicate, which must be found. */
export const peakOf = (lines: number): number => {
  const out = execFileSync(process.execPath, [...flags, child, String(lines)], { encoding: 'utf8' });
  const { peakMb, ...counted } = JSON.parse(out) as { lines: number; refused: number; peakMb: number };
  if (counted.lines !== lines || counted.refused !== 1) throw new Error(`it read ${out}`);
  return peakMb;
};
