/**
 * What is tested by day, at every push, and what by night. `npm run test:nightly` runs every test at its full width,
 * including the files named `*.nightly.test.ts`, which `npm test` and `npm run test:system` leave out.
 */

/** Whether this run tests everything. */
export const isNight = process.env['NIGHTLY'] === '1';

/**
 * `day` at every push, `night` when everything is tested: the width of a sweep, its stride, the number of seeds or
 * runs.
 */
export const byNight = <T>({ day, night }: { day: T; night: T }): T => (isNight ? night : day);
