/** At the end of a day a till gets a second copy on another disk, which must match the journal to the last entry. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSqlToRead, type Sql } from '../../src/journal/sql.ts';
import { runInRealTime } from './real-work.ts';
import type { Station } from './station.ts';

export const checkSecondCopy = async (station: Station): Promise<void> => {
  const { folder, store } = station;
  const copyFolder = `${folder}-copy`;
  const config = join(folder, 'till.json');
  const storedConfig = JSON.parse(readFileSync(config, 'utf8')) as object;
  writeFileSync(config, JSON.stringify({ ...storedConfig, secondCopy: copyFolder }));
  await station.stop();
  await station.start();
  const { secondCopy, journal } = station.run.running;
  const state = await runInRealTime(
    store.clock,
    secondCopy?.waitUntilCaughtUp() ?? Promise.reject(new Error('there is no second copy')),
  );
  if (state.fault !== undefined) station.report(`the second copy fails: ${state.fault}`);
  const copy = openSqlToRead(join(copyFolder, 'journal.db'));
  if (textOf(copy) !== textOf(journal.sql)) station.report('the second copy differs from the journal');
  copy.close();
  const bytes = readFileSync(join(copyFolder, 'journal.db'));
  if (station.sealed.some((sealed) => bytes.includes(sealed.bytes)))
    station.report('sealed records or keys of answered sales are in the second copy');
};

const textOf = (sql: Sql): string =>
  sql
    .all('SELECT entry, hash FROM entry ORDER BY entry')
    .map(({ entry, hash }) => `${entry} ${hash instanceof Uint8Array ? Buffer.from(hash).toString('hex') : ''}`)
    .join('\n');
