/** The program of the till's own process. Faults end it with their words: the shell keeps them in its report. */
import { setFlagsFromString } from 'node:v8';
import { isFault } from '../src/base/fault.ts';
import { runTill } from './till.ts';

// V8 would compile a hundred functions in one burst at some hundred sales: 12 MB that stay. A till waits for people.
setFlagsFromString('--no-maglev');

runTill(process.parentPort, process.argv.slice(2)).then(
  () => process.exit(0),
  (error: unknown) => {
    const words = isFault(error) ? [error.message, error.money, error.next].join('\n') : String(error);
    process.stderr.write(`${words}\n`, () => process.exit(1));
  },
);
