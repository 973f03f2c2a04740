/** The command line of a test till with a real terminal that asks its own bank, and of a live till. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { presentationFor } from '../../drivers/simulation/cardholder.ts';
import { simulateOnTcp } from '../../drivers/simulation/simulator.ts';
import { systemClock } from '../../src/base/clock.ts';
import { systemIds, systemRandom } from '../../src/base/ids.ts';
import { loadConfig } from '../../src/folder/config.ts';
import { modeOf } from '../../src/folder/till-mode.ts';
import { openTillJournal } from '../../src/ledger/schema.ts';
import { renamedZvt, UNKNOWN_MODEL } from '../support/devices/renamed-zvt.ts';
import { quickClock } from '../support/time/quick-clock.ts';
import { closings, folder, tillgate, trackProcesses } from './processes.ts';

trackProcesses();

const shop = () => join(folder, 'till');
const till = (...args: string[]) => tillgate(['till', ...args, '--data', shop()]).ended;

/** A file with a PIN, as a person gives it to a command. */
const pin = (name: string, digits: string): string => {
  const file = join(folder, `${name}.pin`);
  writeFileSync(file, digits, { mode: 0o600 });
  return file;
};

test('a real terminal is refused by name, and accepted only on a manager’s statement', async () => {
  const foreign = renamedZvt();
  const cardholder = () => presentationFor({ card: 'visa-no-cvm', by: 'tap' });
  const station = await simulateOnTcp(foreign.model, 0, {
    ...{ clock: quickClock, random: systemRandom, cardholder },
    config: { serial: '17000001' },
  });
  closings.push(() => void station.close());

  const paired = await till('pair', `zvt+${station.at}`, '--terminal-id', '70001234', '--yes');
  expect(paired, paired.err).toMatchObject({ code: 0 });
  expect(paired.err).toContain(
    `nothing is sold on it yet. The terminal ${UNKNOWN_MODEL} 17000001 contacts its bank itself`,
  );
  const refused = await till('sell', '12.50');
  expect(refused.code).not.toBe(0);
  expect(refused.err).toMatch(/it would charge real cards\.\s+Nothing was charged\..*test-host/s);

  const mara = ['--as', 'Mara', '--pin-file', pin('mara', '739184')];
  const ben = ['--as', 'Ben', '--pin-file', pin('ben', '268053')];
  const added = await till('staff', 'add', 'Mara', '--role', 'manager', '--new-pin-file', pin('mara', '739184'));
  expect(added, added.err).toMatchObject({ code: 0 });
  const second = ['staff', 'add', 'Ben', '--role', 'technician', '--new-pin-file', pin('ben', '268053')];
  expect(await till(...second, ...mara)).toMatchObject({ code: 0 });
  expect((await till('test-host', ...ben)).err).toContain(
    'may not confirm that a terminal uses its manufacturer’s test host',
  );
  expect((await till('test-host')).code).not.toBe(0);
  expect(foreign.payments()).toBe(0);

  expect(await till('test-host', ...mara)).toMatchObject({ code: 0 });
  const sale = await till('sell', '12.50', ...mara);
  expect(sale, sale.err).toMatchObject({ code: 0 });
  expect(sale.out).toContain('TEST - NO MONEY MOVED');
  expect(foreign.payments()).toBe(1);
  const switchedOff = await till('test-host', '--off', ...mara, '--json');
  expect(JSON.parse(switchedOff.out)).toEqual({
    ...{ mode: 'test', counter: 'T1', model: UNKNOWN_MODEL, serial: '17000001', atTestHost: false },
  });
  expect((await till('sell', '1.00', ...mara)).err).toContain('it would charge real cards');
  expect(foreign.payments()).toBe(1);
});

test('once people are known, terminals and printers are set up only by the role that may', async () => {
  const mara = ['--as', 'Mara', '--pin-file', pin('mara', '739184')];
  const ben = ['--as', 'Ben', '--pin-file', pin('ben', '268053')];
  const add = (name: string, role: string, digits: string, by: readonly string[]) =>
    till('staff', 'add', name, '--role', role, '--new-pin-file', pin(name.toLowerCase(), digits), ...by);
  const bar = ['printer', 'add', 'Bar', 'escpos+tcp://127.0.0.1:1'];
  expect(await till(...bar)).toMatchObject({ code: 0 });
  expect(await add('Mara', 'manager', '739184', [])).toMatchObject({ code: 0 });
  expect(await add('Ben', 'cashier', '268053', mara)).toMatchObject({ code: 0 });
  const setUp = [['unpair'], ['pair', 'mpi+tcp://127.0.0.1:1', '--yes'], ['printer', 'remove', 'Bar']];
  for (const command of setUp) {
    expect((await till(...command)).err, command[0]).toContain('Use --as NAME');
    expect((await till(...command, ...ben)).err, command[0]).toContain('may not pair a terminal');
  }
  expect((await till('unpair', ...mara)).err).toContain('No terminal is paired with this till');
  expect(await till('printer', 'remove', 'Bar', ...mara)).toMatchObject({ code: 0 });
});

test('a live till that is told to simulate does not start, and says why', async () => {
  loadConfig(shop(), systemIds);
  const journal = openTillJournal(shop(), { clock: systemClock });
  modeOf(journal, 'live');
  journal.close();
  const channel = ['--gateway', 'http://127.0.0.1:1/', '--channel', `${'0'.repeat(32)}:token-token`];
  const start = ['start', '--data', shop(), '--port', '0', '--no-open-browser', ...channel];
  const end = await tillgate([...start, '--simulate', 'mpi']).ended;
  expect(end.code).not.toBe(0);
  expect(end.err).toMatch(/This till is live: it starts no simulated terminal\.\s+Nothing was done\./);
  const running = tillgate(start);
  await running.waitForOutput('listening on ');
  running.child.kill('SIGTERM');
  const ended = await running.ended;
  expect(ended.err).not.toContain('SIMULATED');
});
