/** Writes a till's file with a second copy, without end, until the process is killed. */
import { systemClock } from '../../src/base/clock.ts';
import { systemRandom } from '../../src/base/ids.ts';
import { openJournal } from '../../src/journal/journal.ts';
import { keepSecondCopy } from '../../src/journal/second-copy.ts';
import { openOutbox } from '../../src/queue/outbox.ts';
import { sealer } from '../../src/queue/seal.ts';

const [path = '', folder = ''] = process.argv.slice(2);
const journal = openJournal(path, systemClock);
const outbox = openOutbox(journal.sql, sealer(new Uint8Array(32), systemRandom));
const copy = keepSecondCopy({ journal, folder, clock: systemClock, report: () => {} });
const step = (): void => {
  const id = `m${journal.length}`;
  journal.write([{ subject: 'x', kind: 'put', body: JSON.stringify({ id }) }], () =>
    outbox.put({ id, kind: 'forward', sale: 'x', key: id, body: '{}', secret: 'secret' }, systemClock.now()),
  );
  if (journal.length % 3 === 0) outbox.markTrying(id);
  process.stdout.write('step\n');
  systemClock.after(1, step);
};
process.stdout.write('writing\n');
step();
await copy.waitUntilCaughtUp();
process.stdout.write('copied\n');
