/** A settlement file of a million lines: written from its batch and matched by a till, each in its own process. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const CHILD = fileURLToPath(new URL('settlement-child.ts', import.meta.url));
/** The flags with which the till itself is started. */
const FLAGS = ['--max-semi-space-size=2', '--max-old-space-size=64'];
const LINES = 1_000_000;
const MOST_SECONDS = 60;
const MOST_MB = 200;

type Figures = {
  readonly writeMs: number;
  readonly matchMs: number;
  readonly bytes: number;
  readonly records: number;
  readonly refusedCount: number;
  readonly agreeing: number;
  readonly peakMb: number;
};

const run = (work: string, folder: string): Figures =>
  JSON.parse(
    execFileSync(process.execPath, [...FLAGS, CHILD, work, folder, String(LINES)], { encoding: 'utf8' }),
  ) as Figures;

/** Prints the figures; returns whether the limits hold. */
export const reportSettlement = async (print: (line: string) => void): Promise<boolean> => {
  const folder = mkdtempSync(join(tmpdir(), 'bench-settlement-'));
  try {
    print(`\na settlement file of ${LINES} lines …`);
    run('fill', folder);
    const { writeMs, matchMs, bytes, records, refusedCount, agreeing, peakMb } = run('write', folder);
    const peer = run('peer', folder);
    const seconds = (ms: number): string => (ms / 1_000).toFixed(1);
    const totalMs = writeMs + matchMs;
    const isFast = totalMs < MOST_SECONDS * 1_000;
    const isSmall = peakMb < MOST_MB;
    const isRight = records === LINES && refusedCount === 0 && agreeing === 1_000;
    const verdict = (isMet: boolean): string => (isMet ? 'ok' : 'MISSED');
    print(`matching lines                 ${records - refusedCount} of ${LINES}  ${verdict(isRight)}`);
    print(`written and on the disk        ${seconds(writeMs)} s, ${Math.round(bytes / 1e6)} MB`);
    print(`csv-stringify alone, no store  ${seconds(peer.writeMs)} s`);
    print(`written and matched            ${seconds(totalMs)} s (wanted: under ${MOST_SECONDS})  ${verdict(isFast)}`);
    print(`maximum memory                 ${peakMb} MB (wanted: under ${MOST_MB})  ${verdict(isSmall)}`);
    return isRight && isFast && isSmall;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
