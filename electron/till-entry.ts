/** The program of the till's own process. A fault ends it with its message, which the shell keeps in its report. */
import { setFlagsFromString } from 'node:v8';
import { isFault } from '../src/base/fault.ts';
import { runTill } from './till.ts';

// With Maglev, V8 compiles a hundred functions at once after some hundred sales, which takes 12 MB for good. A till
// mostly waits for people.
setFlagsFromString('--no-maglev');

runTill(process.parentPort, process.argv.slice(2)).then(
  () => process.exit(0),
  (error: unknown) => {
    const text = isFault(error) ? [error.message, error.money, error.next].join('\n') : String(error);
    process.stderr.write(`${text}\n`, () => process.exit(1));
  },
);
