/**
 * What is tried by day, at every push, and what by night. `npm run test:nightly` runs every test, each at its full
 * width, and the files named `*.nightly.test.ts` too, which `npm test` and `npm run test:system` leave out.
 */

/** Whether this run tries everything. */
export const isNight = process.env['NIGHTLY'] === '1';

/** `day` at every push, `night` where everything is tried: the width of a sweep, its stride, how many seeds or runs. */
export const byNight = <T>({ day, night }: { day: T; night: T }): T => (isNight ? night : day);
