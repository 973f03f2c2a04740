/**
 * Plays the demo's day once for every place where a connection can be lost: `node test/system/every-disconnection.ts
 * [AT ONCE]`.
 */
import { placesOf, playAll, playDay } from '../support/till/demo-days.ts';

const atOnce = Number(process.argv[2] ?? 4);
const whole = await playDay();
const places = placesOf(whole.passed);
process.stdout.write(`${places.length} places: ${whole.passed.gateway} requests, ${whole.passed.terminal} commands\n`);
const wrong = await playAll(places, atOnce, (doneCount) => {
  if (doneCount % 20 === 0) process.stdout.write(`${doneCount}\n`);
});
for (const text of [...whole.wrong, ...wrong]) process.stdout.write(`${text}\n`);
process.stdout.write(`${places.length} days, ${wrong.length} of them wrong\n`);
process.exitCode = whole.wrong.length + wrong.length === 0 ? 0 : 1;
