/**
 * Plays the demo's day once for every place where a connection can be lost: `node test/system/every-disconnection.ts
 * [AT ONCE]`.
 */
import { placesOf, playAll, playDay } from '../support/till/demo-days.ts';

const parallelCount = Number(process.argv[2] ?? 4);
const day = await playDay();
const places = placesOf(day.passed);
process.stdout.write(`${places.length} places: ${day.passed.gateway} requests, ${day.passed.terminal} commands\n`);
const wrong = await playAll(places, parallelCount, (doneCount) => {
  if (doneCount % 20 === 0) process.stdout.write(`${doneCount}\n`);
});
for (const text of [...day.wrong, ...wrong]) process.stdout.write(`${text}\n`);
process.stdout.write(`${places.length} days, ${wrong.length} of them wrong\n`);
process.exitCode = day.wrong.length + wrong.length === 0 ? 0 : 1;
