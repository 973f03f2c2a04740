/** Commands from a second shell while a till runs: over its owner's socket, with and without people. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lay } from '../journal/older-journal.ts';
import { cells, csv } from '../reconciliation/settlement-lines.ts';
import { setStoreLimits } from '../support/till/store-limits.ts';
import { folder, simulator, tap, tillgate, trackProcesses } from './processes.ts';
import { serveAt } from './served-till.ts';

trackProcesses();

const pins = { Mara: '739184', Tess: '268053' } as const;

test('commands print the same with and without a running till, and see no more than the screens', async () => {
  const data = join(folder, 'till');
  const run = (...args: readonly string[]) => tillgate(['till', ...args, '--data', data]).ended;
  const signInFlags = (name: keyof typeof pins, pin: string = pins[name]) => {
    const file = join(folder, `pin-${pin}`);
    writeFileSync(file, `${pin}\n`, { mode: 0o600 });
    return ['--as', name, '--pin-file', file];
  };
  const till = await serveAt(data);
  await till.sell('12.50');
  await till.refund(1);
  const { gateway } = JSON.parse(readFileSync(join(data, 'till.json'), 'utf8')) as { gateway: { entityId: string } };
  const settlement = join(folder, 'settlement.csv');
  writeFileSync(settlement, csv([cells({ MerchantId: gateway.entityId }), cells({ MerchantId: 'f'.repeat(32) })]));
  const lists = [
    ['sales'],
    ['sales', '--json', '--search', '12.50'],
    ['preauths'],
    ['queue', '--verify', '--json'],
    ['queue', '--send'],
    ['resolve', '--json'],
    ['resolve', '1'],
    ['unpaid'],
    ['batch'],
    ['batch', 'list', '--json'],
    ['batch', 'show', '1', '--json'],
    ['journal', 'copy', '--json'],
    ['journal', 'foreign', '--json'],
  ];
  const served = await Promise.all(lists.map((args) => run(...args)));
  // One file at a time from each person.
  for (const args of [
    ['batch', 'reconcile', settlement],
    ['batch', 'reconcile', settlement, '--json', '--batch', '1'],
    ['batch', 'reconcile', join(folder, 'nowhere.csv')],
  ]) {
    served.push(await run(...args));
    lists.push(args);
  }
  expect(served[0]).toMatchObject({ code: 0, out: expect.stringMatching(/^TEST - NO MONEY MOVED\n000002 .* refund /) });
  const out = join(folder, 'matched.csv');
  expect(await run('batch', 'reconcile', settlement, '--csv', out)).toMatchObject({
    code: 1,
    out: expect.stringMatching(
      /^TEST - NO MONEY MOVED\n1 record: 0 matched, 0 fit several sales, 1 not matched\n1 line refused\n/,
    ),
  });
  const matched = readFileSync(out, 'utf8');
  expect(matched).toContain(';NOT_MATCHED;');
  expect((await run('batch', 'reconcile', settlement, '--csv', out)).err).toContain('is there already');
  const exported = await run('journal', 'export');
  const verified = await run('journal', 'verify');
  expect(verified).toMatchObject({ code: 0, out: expect.stringContaining('2 sales with receipts 1 to 2') });
  const seal = await run('journal', 'seal');
  expect(seal).toMatchObject({ code: 0, out: expect.stringMatching(/^\d+ entries sealed by [\w-]{43}\.\n$/) });
  expect((await run('journal', 'takeback')).err).toContain('handed nothing over');
  const refused = await run('sales', '--record', join(folder, 'a.tape'));
  expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('--record counts only when one is started') });

  const add = (name: string, role: string, pin: string) => till.post('staff', { name, role, pin });
  expect((await add('Mara', 'manager', pins.Mara)).status).toBeLessThan(300);
  const none = await run('sales');
  expect(none).toMatchObject({ code: 2, out: '', err: expect.stringContaining('Use --as NAME') });
  const wrong = await run('sales', ...signInFlags('Mara', '111222'));
  expect(wrong).toMatchObject({ code: 2, out: '', err: expect.stringContaining('The name or the PIN is wrong') });
  expect((await run('sales', ...signInFlags('Mara'))).out).toBe(served[0]?.out);

  await till.stop();
  expect(await run('sales')).toEqual(none);
  expect((await run('journal', 'export')).out.startsWith(exported.out)).toBe(true);
  rmSync(out);
  await run('batch', 'reconcile', settlement, '--csv', out, ...signInFlags('Mara'));
  expect(readFileSync(out, 'utf8')).toBe(matched);
  for (const [index, args] of lists.entries()) {
    const { code, out } = await run(...args, ...signInFlags('Mara'));
    expect({ code, out }, args.join(' ')).toEqual({ code: served[index]?.code, out: served[index]?.out });
  }
});

/** What a manager sets up at a till, in a day's order. */
const setUp: readonly (readonly string[])[] = [
  ['limits', 'set', 'chip.upTo', '40.00'],
  ['limits'],
  ['limits', 'off', '--json'],
  ['printer', 'add', 'Bar', 'escpos+tcp://127.0.0.1:1', '--width', '58'],
  ['printer', 'list', '--json'],
  ['printer', 'remove', 'Bar'],
  ['pos-key', 'list'],
];

test('commands set up a running till and a stopped one alike', async () => {
  const run = async (data: string, args: readonly string[]) => {
    const { code, out, err } = await tillgate(['till', ...args, '--data', data]).ended;
    // How much is free on the disk differs from one moment to the next.
    return { words: args, code, out: out.replaceAll(/\d+ MB/g, '… MB'), err };
  };
  const runs = join(folder, 'runs');
  const till = await serveAt(runs);
  for (const args of setUp) {
    const served = await run(runs, args);
    expect(served).toMatchObject({ code: 0 });
    expect(served).toEqual(await run(join(folder, 'rests'), args));
  }
  const { at } = await simulator(tap);
  const beforePeople: readonly (readonly [readonly string[], number, string])[] = [
    [['unseal'], 2, 'already has its secrets open'],
    [['pair', at, '--terminal-id', '70001234'], 0, 'The till sells on this terminal now'],
    [['terminals'], 0, 'This till is paired with SIMULATED M020'],
    [['diagnose', '--echoes', '0'], 0, 'This is the paired terminal'],
    [['unpair'], 0, 'The till has no terminal any more. It was SIMULATED M020 at'],
    [['machine'], 0, 'The data folder belongs to this machine.'],
    [['go-live', '--yes'], 2, 'open  People'],
  ];
  for (const [args, code, output] of beforePeople) {
    const end = await run(runs, args);
    expect(end, end.err).toMatchObject({ code });
    expect(end.out + end.err).toContain(output);
  }
  const file = (name: keyof typeof pins): string => {
    writeFileSync(join(folder, name), `${pins[name]}\n`, { mode: 0o600 });
    return join(folder, name);
  };
  const signInFlags = (name: keyof typeof pins) => ['--as', name, '--pin-file', file(name)];
  const add = (name: keyof typeof pins, role: string) =>
    ['staff', 'add', name, '--role', role, '--new-pin-file', file(name)] as const;
  expect((await run(runs, add('Mara', 'manager'))).err).toContain('the first manager needs no permission');
  expect(await run(runs, [...add('Tess', 'technician'), ...signInFlags('Mara')])).toMatchObject({ code: 0 });
  const rows: readonly (readonly [readonly string[], number, string])[] = [
    [['staff', 'list', ...signInFlags('Mara')], 0, 'manager     Mara\ntechnician  Tess\n'],
    [['staff', 'list'], 2, 'Use --as NAME'],
    [['limits', 'set', 'chip.upTo', '9.00', ...signInFlags('Tess')], 2, 'Tess may not change the offline limits'],
    [
      ['staff', 'pin', 'Mara', '--new-pin-file', file('Tess'), ...signInFlags('Tess')],
      2,
      'may not manage the staff of this till',
    ],
    [['staff', 'pin', 'tess', '--new-pin-file', file('Tess'), ...signInFlags('Tess')], 0, 'Tess has a new PIN.'],
    [['pos-key', 'add', 'Kiosk', ...signInFlags('Tess')], 2, 'Use --approved-by NAME'],
    [
      ['pos-key', 'add', 'Kiosk', ...signInFlags('Tess'), '--approved-by', 'Mara', '--approver-pin-file', file('Mara')],
      ...([0, 'The key of Kiosk.'] as const),
    ],
    [['pos-key', 'list', ...signInFlags('Tess')], 0, 'made by Tess, approved by Mara'],
    [['pos-key', 'remove', 'Kiosk', ...signInFlags('Tess')], 0, 'The key of Kiosk opens nothing from now on.'],
  ];
  for (const [args, code, output] of rows) {
    const end = await run(runs, args);
    expect(end, end.err).toMatchObject({ code });
    expect(end.out + end.err).toContain(output);
  }
  await till.stop();
});

test('a command on a running till says that the till was found to be live, and a list of terminals begins no till', async () => {
  const data = join(folder, 'older');
  lay(data, 'terminals');
  const channel = ['--gateway', 'http://127.0.0.1:1/', '--channel', `${'0'.repeat(32)}:token-token`];
  const till = tillgate(['start', '--data', data, '--port', '0', '--no-open-browser', ...channel]);
  await till.waitForOutput('listening on ');
  const missing = join(folder, 'nothing');
  const listed = await tillgate(['till', 'terminals', '--json', '--data', missing]).ended;
  expect(JSON.parse(listed.out)).toMatchObject({ mode: 'test', candidates: expect.any(Array) });
  expect(existsSync(missing)).toBe(false);
  const { code, err } = await tillgate(['till', 'sales', '--most', '1', '--data', data]).ended;
  expect({ code, err }).toEqual({
    code: 0,
    err: expect.stringMatching(/^This till is live\. It took payments on a real/),
  });
  till.child.kill('SIGTERM');
  await till.ended;
});

test('a running till hands its unsent sale over to another running till', async () => {
  const nowhere = ['--gateway', 'http://127.0.0.1:9/', '--channel', `${'0'.repeat(32)}:a-token-of-a-test`];
  const [a, b] = [join(folder, 'a'), join(folder, 'b')];
  const secret = (name: string, text: string): string => {
    writeFileSync(join(folder, name), `${text}\n`, { mode: 0o600 });
    return join(folder, name);
  };
  const phrases = [
    ...['--passphrase-file', secret('one', 'the first of two long secrets')],
    ...['--and-passphrase-file', secret('two', 'the second of two long secrets')],
  ];
  const run = (data: string, ...args: readonly string[]) => tillgate(['till', ...args, '--data', data]).ended;
  mkdirSync(a);
  setStoreLimits(a);
  const { at } = await simulator({ card: 'visa-no-cvm', by: 'chip', afterMs: 10 });
  expect(await run(a, 'sell', '7.00', '--terminal', at, ...nowhere)).toMatchObject({ code: 0 });
  const [first, second] = [a, b].map((data) =>
    tillgate(['start', '--data', data, '--port', '0', '--no-open-browser', ...nowhere]),
  );
  await Promise.all([first, second].map((till) => till?.waitForOutput('listening on ')));
  const file = join(folder, 'unsent.json');
  const people = async (data: string, name: keyof typeof pins, role: string, by: readonly string[] = []) => {
    const add = ['staff', 'add', name, '--role', role, '--new-pin-file', secret(name, pins[name]), ...by];
    expect(await run(data, ...add)).toMatchObject({ code: 0 });
  };
  const mara = ['--as', 'Mara', '--pin-file', join(folder, 'Mara')];
  const both = [...mara, '--and', 'Tess', '--and-pin-file', join(folder, 'Tess'), ...phrases];
  await people(a, 'Mara', 'manager');
  await people(a, 'Tess', 'technician', mara);
  const refused = await run(a, 'journal', 'export', '--unsent', file, ...mara, ...phrases);
  expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('with --and NAME') });
  const exported = await run(a, 'journal', 'export', '--unsent', file, '--json', ...both);
  expect(exported, exported.err).toMatchObject({ code: 0 });
  const { key, messages } = JSON.parse(exported.out) as { key: string; messages: number };
  expect(messages).toBe(1);
  expect((await run(a, 'queue', ...mara)).out).toContain('parked');
  const imported = await run(b, 'journal', 'import', file, '--key', key, ...phrases);
  expect(imported).toMatchObject({
    code: 5,
    err: expect.stringContaining('Taken in: 1 sale with 1 message of the till'),
  });
  expect((await run(b, 'journal', 'import', file, ...phrases)).err).toContain('has already been imported');
  expect(await run(a, 'journal', 'takeback', ...mara)).toMatchObject({ code: 0 });
  for (const till of [first, second]) till?.child.kill('SIGTERM');
  await Promise.all([first, second].map((till) => till?.ended));
});
