/** Reads vitest's report of the unit tests on Windows, and decides whether they pass. */
import { readFileSync } from 'node:fs';

type Report = {
  testResults: { name: string; status: string; assertionResults: { status: string; title: string }[] }[];
};

export type Counts = { passed: number; failed: string[]; skipped: number };

/**
 * Tests of what Windows does not have: pseudo terminals, file modes, shell scripts. Raising the limit is a decision.
 */
export const SKIPPED_MOST = 90;
/** With fewer passed tests, something kept tests from running. */
export const PASSED_LEAST = 15_000;

/** Counts in vitest's JSON report. A file that could not be loaded counts as one failed test. */
export const countsIn = (file: string): Counts => {
  const { testResults } = JSON.parse(readFileSync(file, 'utf8')) as Report;
  const failed = testResults.flatMap(({ name, status, assertionResults }) => {
    const bad = assertionResults.filter((one) => one.status === 'failed').map(({ title }) => title);
    const titles = bad.length === 0 && status === 'failed' ? ['cannot be loaded'] : bad;
    return titles.map((title) => `${name.replace(/^.*\/tillgate\//, '')}: ${title}`);
  });
  const statuses = testResults.flatMap(({ assertionResults }) => assertionResults.map(({ status }) => status));
  const passed = statuses.filter((status) => status === 'passed').length;
  return { passed, failed, skipped: statuses.length - passed - statuses.filter((one) => one === 'failed').length };
};

/** The counts in one line. Throws if they are not good enough, with the reason. */
export const judged = ({ passed, failed, skipped }: Counts): string => {
  const output = `${passed} passed, ${failed.length} failed, ${skipped} skipped`;
  if (failed.length > 0) throw new Error(`${output}:\n${failed.join('\n')}`);
  if (skipped > SKIPPED_MOST) throw new Error(`${output}: at most ${SKIPPED_MOST} may be`);
  if (passed < PASSED_LEAST) throw new Error(`${output}: at least ${PASSED_LEAST} must pass`);
  return output;
};
