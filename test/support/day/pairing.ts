/** A technician's work under the counter as one test: a new till is paired, tried, measured and traced. */
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openEngine } from '../engines/engine.ts';
import type { Engine } from '../engines/page.ts';
import { takePicture } from '../screens/browser.ts';
import {
  addPrinter,
  askIt,
  type Bench,
  changeConfiguration,
  checkBench,
  configurationOf,
  measure,
  pair,
  serialTerminal,
  signIn,
  takeBundle,
  traceSale,
  unpair,
  unplugAndFind,
  whenNothingElseWorks,
} from './bench.ts';
import { counterOf } from './sales.ts';
import { openScreenUser, type UserOptions } from './screen-user.ts';
import { openDayTill } from './till.ts';

/** Registers the day's only test; `lookOf` is how the technician views it: language, size, colours, keys or touch. */
export const technicianDay = (lookOf: () => Promise<UserOptions>): void => {
  let engine: Engine;
  let bench: Bench;
  let printer = '';
  const closings: (() => unknown)[] = [];
  beforeAll(async () => {
    const seen = await lookOf();
    engine = await openEngine(seen.engine ?? 'chromium');
    const till = await openDayTill();
    closings.push(() => till.close());
    printer = configurationOf({ till }).printers?.[0]?.address ?? '';
    await unpair(till);
    bench = { till, user: await openScreenUser(engine, seen), anna: await counterOf(till, 'Anna') };
    await bench.user.visit.storeItem(till.url, { key: 'tillgate.language', value: seen.language });
  });
  // The screen as the technician saw it when it went wrong.
  afterEach(async ({ task }) => {
    const { page, visit } = bench.user;
    if (task.result?.state === 'fail') await takePicture(page, `failed-technician-${visit.engine}`);
  });
  afterAll(async () => {
    await engine.close();
    for (const close of closings.toReversed()) await close();
  });

  test('a technician sets up a new till', async () => {
    const { till, user } = bench;
    await signIn(bench);
    await checkBench(bench);
    const address = till.terminals[0].address.replace(/^mpi\+/, '');
    await pair(bench, { address, counter: 'T1', terminalId: '12345678', shot: '04' });
    expect(configurationOf(bench)).toMatchObject({ terminalId: '12345678', terminal: till.terminals[0].address });
    await askIt(bench, 'T1', '05-asked');
    await traceSale(bench);
    await unplugAndFind(bench);
    await measure(bench);
    const second = await serialTerminal(join(till.folder, 'terminal'));
    closings.push(() => second.close());
    await pair(bench, { address: `mpi+${second.at}`, counter: 'T2', terminalId: '12345679', shot: '15' });
    expect(configurationOf(bench).terminals).toMatchObject([{ terminalId: '12345679', terminal: `mpi+${second.at}` }]);
    await addPrinter(bench, printer);
    await changeConfiguration(bench);
    await takeBundle(bench);
    await whenNothingElseWorks(bench);
    for (const [name, presses] of user.presses) process.stdout.write(`${name.padEnd(30)} ${presses} keys\n`);
    expect(user.problems()).toEqual([]);
  });
};
