/** A till whose second copy is on a share that hangs: it sells, closes and ends. */
import { systemClock } from '../../src/base/clock.ts';
import { systemRandom } from '../../src/base/ids.ts';
import { openJournal } from '../../src/journal/journal.ts';
import { keepSecondCopy } from '../../src/journal/second-copy.ts';
import { openOutbox } from '../../src/queue/outbox.ts';
import { sealer } from '../../src/queue/seal.ts';

const [path = '', folder = ''] = process.argv.slice(2);
const journal = openJournal(path, systemClock);
openOutbox(journal.sql, sealer(new Uint8Array(32), systemRandom));
const thread = new URL('./hanging-thread.ts', import.meta.url);
const report = (error: unknown): void => void process.stdout.write(`${String(error)}\n`);
const copy = keepSecondCopy({ journal, folder, clock: systemClock, report, thread });
journal.write([{ subject: 'x', kind: 'put', body: '{}' }]);
await copy.close();
journal.close();
process.stdout.write('closed\n');
