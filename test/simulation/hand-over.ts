/**
 * A dead till's unsent money goes to its neighbour: from its disk into an export, into the other till, and over that
 * till's line. Then the dead till starts again, from the disk that was exported or from one that knows nothing of it.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isFault } from '../../src/base/fault.ts';
import { openFolderTill } from '../../src/takeover/unsent.ts';
import { openUnsent, type Passphrases } from '../../src/takeover/unsent-file.ts';
import { cheapStretchCost } from '../support/till/stretch-cost.ts';
import type { Station } from './station.ts';
import { REQUEST_LIFE_MS } from './till-run.ts';

const passphrases: Passphrases = ['correct horse battery', 'staple of the second'];
const PASSES_MOST = 20;

export const takeOver = async (deadStation: Station, neighbour: Station): Promise<void> => {
  const { store } = deadStation;
  if (deadStation.isUp) deadStation.run.die('crash');
  if (deadStation.disk.isDead) deadStation.disk.restart();
  const text = await store.clock.real(exportJournal(deadStation));
  if (text === undefined) return;
  const { takenOver } = neighbour.run.running;
  const { unsent, publicKey } = await store.clock.real(openUnsent(text, passphrases, cheapStretchCost));
  await takenOver.take({ unsent, publicKey }, ['Mara', 'Tom']);
  for (let n = 0; n < PASSES_MOST && takenOver.sales().some(({ waiting: isWaiting }) => isWaiting); n++) {
    await takenOver.drain();
    await new Promise<void>((resolve) => store.clock.after(REQUEST_LIFE_MS, resolve));
  }
  for (const { sale, waiting: isWaiting } of takenOver.sales())
    if (isWaiting) deadStation.report(`receipt ${sale.intent.receipt} still waits at the neighbour's till`);
};

/** The export as text; undefined if nothing was unsent. */
const exportJournal = async (deadStation: Station): Promise<string | undefined> => {
  const { folder, disk, store } = deadStation;
  for (const name of journalsIn(folder)) rmSync(join(folder, name));
  for (const [name, bytes] of disk.files()) writeFileSync(join(folder, name), bytes);
  const till = openFolderTill(folder, {
    clock: store.clock,
    ids: deadStation.ids,
    random: deadStation.random,
    stretchCost: cheapStretchCost,
  });
  const file = join(folder, 'unsent.json');
  let found = true;
  try {
    await till.exportTo(file, passphrases, ['Mara', 'Tom']);
    // Either the till knows of the export and a person takes it back, or it does not know and sends by itself.
    if (store.seed % 2 === 0) till.takeBack('Mara');
  } catch (error) {
    if (!isFault(error, 'export.nothing')) throw error;
    found = false;
  } finally {
    till.close();
  }
  if (found && store.seed % 2 === 0) closeDisk(deadStation);
  const text = found ? readFileSync(file, 'utf8') : undefined;
  // The examined disk is removed: the till continues without it.
  for (const name of journalsIn(folder)) rmSync(join(folder, name));
  writeFileSync(join(folder, 'journal.db'), 'on the simulated disk');
  return text;
};

const journalsIn = (folder: string): string[] =>
  readdirSync(folder).filter((name) => /^journal\.db(-\w+)?$/.test(name));

/** Stores what the export wrote on the till's own disk. */
const closeDisk = ({ folder, disk }: Station): void => {
  for (const name of disk.files().keys()) if (name !== 'journal.db') disk.delete(name);
  const bytes = readFileSync(join(folder, 'journal.db'));
  const file = disk.open('journal.db');
  file.truncate(0);
  file.write(0, bytes);
  file.sync();
  file.close();
};
