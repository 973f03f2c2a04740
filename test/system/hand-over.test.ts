/**
 * Handing over a till's unsent payments by two people from the command line, and what each step refuses; and people at
 * the counter: who may do what once people are known, and that wrong PINs are counted whatever the command.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { systemIds, systemRandom } from '../../src/base/ids.ts';
import { changeConfig } from '../../src/folder/config.ts';
import { openFolderTill } from '../../src/takeover/unsent.ts';
import { program, roomy } from '../support/servers/program.ts';
import { setStoreLimits } from '../support/till/store-limits.ts';
import { cheapStretchCost } from '../support/till/stretch-cost.ts';
import { folder, simulator, tillgate, trackProcesses } from './processes.ts';

trackProcesses();

const PINS = { Mara: '482915', Ben: '604729', Eve: '738204' } as const;
const PHRASES = ['the first of two long secrets', 'the second of two long secrets'] as const;
const entityId = systemIds.next();
/** Nothing listens there. */
const nowhere = ['--gateway', 'http://127.0.0.1:9/', '--channel', `${entityId}:a-token-of-a-test`];

type End = { code: number | null; out: string; err: string };
/** `input`: the lines to type. */
const till = (name: string, args: readonly string[], input: readonly string[] = []): Promise<End> =>
  new Promise((resolve) => {
    const texts = [...roomy, program, 'till', ...args, '--data', join(folder, name)];
    const child = spawn(process.execPath, texts, { cwd: folder });
    const text = { out: '', err: '' };
    child.stdout.on('data', (portion) => {
      text.out += String(portion);
    });
    child.stderr.on('data', (portion) => {
      text.err += String(portion);
    });
    child.stdin.end(input.map((line) => `${line}\n`).join(''));
    child.once('close', (code) => resolve({ code, ...text }));
  });

const people = async (name: string): Promise<void> => {
  const { Mara, Ben, Eve } = PINS;
  const add = (name: string, role: string) => ['staff', 'add', name, '--role', role];
  expect(await till(name, add('Mara', 'manager'), [Mara, Mara])).toMatchObject({ code: 0 });
  expect(await till(name, [...add('Ben', 'technician'), '--as', 'Mara'], [Mara, Ben])).toMatchObject({ code: 0 });
  expect(await till(name, [...add('Eve', 'cashier'), '--as', 'Mara'], [Mara, Eve])).toMatchObject({ code: 0 });
};

/** The same people, added without commands, with PINs that are cheap to check. */
const knownPeople = async (name: string): Promise<void> => {
  const opened = { clock: systemClock, ids: systemIds, random: systemRandom, stretchCost: cheapStretchCost };
  const { staff, close } = openFolderTill(join(folder, name), opened);
  try {
    const { Mara, Ben, Eve } = PINS;
    const mara = await staff.add({ name: 'Mara', role: 'manager', pin: Mara });
    await staff.add({ name: 'Ben', role: 'technician', pin: Ben }, mara);
    await staff.add({ name: 'Eve', role: 'cashier', pin: Eve }, mara);
  } finally {
    close();
  }
};

/** One sale taken offline, 7.00. */
const storedSale = async (): Promise<void> => {
  mkdirSync(join(folder, 'a'));
  setStoreLimits(join(folder, 'a'));
  const { at } = await simulator({ card: 'visa-no-cvm', by: 'chip', afterMs: 10 });
  const sale = await till('a', ['sell', '7.00', '--terminal', at, ...nowhere]);
  expect(sale, sale.err).toMatchObject({ code: 0 });
};

const file = () => join(folder, 'unsent.json');
const exported = ['journal', 'export', '--unsent', 'unsent.json'];
const imported = ['journal', 'import', 'unsent.json', ...nowhere];

test('a hand-over takes two people, or two passphrases without people; a refusal changes nothing', async () => {
  await storedSale();
  // Without people: two passphrases, which must differ.
  for (const phrases of [[PHRASES[0]], [PHRASES[0], PHRASES[0]], ['short', PHRASES[1]], []])
    expect(await till('a', exported, phrases)).toMatchObject({ code: 2, out: '' });
  expect(existsSync(file())).toBe(false);
  await people('a');
  const { Mara, Ben, Eve } = PINS;
  const refused: readonly (readonly [string[], string[], string])[] = [
    [[], [], 'This needs the name of a responsible person'],
    [['--as', 'Mara'], [Mara], 'name the second one with --and NAME'],
    [['--as', 'Mara', '--and', 'mara'], [Mara, Mara], 'Mara signed in twice'],
    [['--as', 'Mara', '--and', 'Eve'], [Mara, Eve], 'Eve is cashier here, and may not export the till’s journal'],
    [['--as', 'Mara', '--and', 'Ben'], [Mara, Mara], 'The name or the PIN is wrong'],
    [['--as', 'Mara', '--and', 'Ben'], [Mara, Ben, PHRASES[0], PHRASES[0]], 'two people have two passphrases'],
  ];
  for (const [args, input, text] of refused) {
    const end = await till('a', [...exported, ...args], input);
    expect(end, text).toMatchObject({ code: 2, out: '', err: expect.stringContaining(text) });
  }
  expect(existsSync(file())).toBe(false);
  expect((await till('a', ['queue', '--json', '--as', 'Mara', ...nowhere], [Mara])).out).toContain('waiting');

  const both = [...exported, '--as', 'Mara', '--and', 'Ben', '--json'];
  const exportedFile = await till('a', both, [Mara, Ben, ...PHRASES]);
  expect(exportedFile, exportedFile.err).toMatchObject({ code: 0 });
  const { key, messages } = JSON.parse(exportedFile.out) as { key: string; messages: number };
  expect(messages).toBe(1);
  expect((await till('a', both, [Mara, Ben, ...PHRASES])).out).toContain('cannot be written');

  for (const [args, phrases, expected] of [
    [imported, [PHRASES[0], 'another long passphrase'], 'does not open with these two'],
    [[...imported, '--key', 'A'.repeat(43)], PHRASES, 'was changed after its till signed it'],
  ] as const)
    expect((await till('b', args, phrases)).err).toContain(expected);
  expect((await till('a', imported, [...PHRASES])).code).toBe(2);
  const imports = await till('b', [...imported, '--key', key], [PHRASES[1], PHRASES[0]]);
  // The exit code says that messages wait.
  expect(imports).toMatchObject({
    code: 5,
    err: expect.stringContaining('Taken in: 1 sale with 1 message of the till'),
  });
  expect((await till('b', imported, PHRASES)).err).toContain('has already been imported');
  const queue = await till('b', ['queue', '--send', ...nowhere]);
  expect(queue.err).toContain('Of other tills: 0 messages settled, 1 to be tried again');

  const back = await till('a', ['journal', 'takeback', '--as', 'Ben'], [Ben]);
  expect(back).toMatchObject({ code: 0, out: expect.stringContaining('1 message taken back') });
  for (const name of ['a', 'b']) {
    const verified = await till(name, ['journal', 'verify']);
    expect(verified, verified.out).toMatchObject({ code: 0, out: expect.stringContaining('up to entry') });
    const seal = /It ends with (\d+:[0-9a-f]{64})/.exec(verified.out)?.[1] ?? '';
    expect(await till(name, ['journal', 'verify', '--expect', seal])).toMatchObject({ code: 0 });
  }
  const saved = await till('a', ['journal', 'export']);
  writeFileSync(join(folder, 'saved.jsonl'), saved.out);
  expect(await till('a', ['journal', 'verify', join(folder, 'saved.jsonl')])).toMatchObject({ code: 0 });
});

test('the second copy says how far it is, and its export says what it cannot know', async () => {
  mkdirSync(join(folder, 'a'));
  changeConfig(join(folder, 'a'), systemIds, (config) => ({ ...config, secondCopy: join(folder, 'copy') }));
  await storedSale2();
  const state = await till('a', ['journal', 'copy', '--json', ...nowhere]);
  expect(JSON.parse(state.out)).toMatchObject({ secondCopy: { behind: 0, folder: join(folder, 'copy') } });
  writeFileSync(join(folder, 'copy', 'till.secrets.json'), readFileSync(join(folder, 'a', 'till.secrets.json')));
  const exportedFile = await till('copy', exported, PHRASES);
  expect(exportedFile, exportedFile.err).toMatchObject({ code: 0 });
  expect(exportedFile.err).toMatch(/This is a second copy, written up to entry \d+ of \d{4}-\d\d-\d\d \d\d:\d\d:\d\d/);
});

const storedSale2 = async (): Promise<void> => {
  setStoreLimits(join(folder, 'a'));
  const { at } = await simulator({ card: 'visa-no-cvm', by: 'chip', afterMs: 10 });
  expect(await till('a', ['sell', '7.00', '--terminal', at, ...nowhere])).toMatchObject({ code: 0 });
};

test('once people are known a cashier must be one of them, and money goes out only with a PIN', async () => {
  await storedSale();
  await knownPeople('a');
  const { Mara, Eve, Ben } = PINS;
  const rows: readonly (readonly [readonly string[], readonly string[], string])[] = [
    [['sell', '5.00', '--as', 'Mara', '--cashier', 'Nobody'], [Mara], 'There is no person called Nobody here'],
    [['sell', '5.00', '--as', 'Mara', '--cashier', 'Ben'], [Mara], 'Ben is technician here, and may not take payments'],
    [['sell', '5.00', '--as', 'Eve', '--cashier', 'Mara'], [Eve], 'may not sell in the name of somebody else'],
    [['sell', '5.00', '--cashier', 'Eve'], [], 'This needs the name of a responsible person'],
    [['refund', '1'], [], 'This needs the name of a responsible person'],
    [['void', '1', '--as', 'Eve'], ['111111'], 'The name or the PIN is wrong'],
    [['void', '1', '--as', 'Ben'], [Ben], 'Ben may not void a sale'],
    [['credit', '5.00', '--as', 'Eve'], [Eve], 'may not credit a card without an earlier payment'],
  ];
  for (const [args, input, text] of rows) {
    const end = await till('a', [...args, ...nowhere], input);
    expect(end, args.join(' ')).toMatchObject({ code: 2, err: expect.stringContaining(text) });
  }
  const exportedFile = await till('a', ['void', '1', '--as', 'eve', ...nowhere], [Eve]);
  expect(exportedFile, exportedFile.err).toMatchObject({ code: 0, out: expect.stringMatching(/CASHIER +Eve/) });
  expect((await till('a', ['staff', 'remove', 'Mara', '--as', 'Mara'], [Mara])).err).toContain('only manager');
});

test('wrong PINs count across processes and restarts; people are stored in the chain only', async () => {
  await people('a');
  const guess = (pin = '111111') => till('a', ['staff', 'pin', 'Eve', '--as', 'Eve'], [pin, '926150']);
  // A process that finds the till in use tries again, as an attacker would.
  const persistent = async (): Promise<string> => {
    const { err } = await guess();
    return err.includes('Another till already uses') ? persistent() : err;
  };
  // Three at a time: one that finds the till in use just tries again.
  const three = await Promise.all(Array.from({ length: 3 }, async () => [await persistent(), await persistent()]));
  const lines = [...three.flat(), await persistent()];
  expect(lines.filter((text) => text.includes('The name or the PIN is wrong'))).toHaveLength(5);
  expect(lines.filter((text) => text.includes('Too many wrong PINs'))).toHaveLength(2);
  expect(await guess(PINS.Eve)).toMatchObject({ code: 2, err: expect.stringContaining('Too many wrong PINs') });
  // Outside the chain there are only wrong attempts and known browsers, and no role or PIN.
  const database = new Database(join(folder, 'a', 'journal.db'));
  const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").pluck().all() as string[];
  expect(tables.filter((name) => /staff|people|person|pin/i.test(name))).toEqual(['pin_debt']);
  // An attacker removes a person by an entry of their own, with a matching head.
  const forged = JSON.stringify({ on: 'staffRemoved', name: 'Mara', by: 'Mara' });
  database
    .prepare("INSERT INTO entry SELECT max(entry) + 1, max(at), 'staff', 'staffRemoved', ?, hash FROM entry")
    .run(forged);
  database.exec('UPDATE head SET entry = entry + 1');
  database.close();
  expect(await till('a', ['journal', 'verify'])).toMatchObject({ code: 5, out: expect.stringContaining('its hash') });
  expect((await till('a', ['staff', 'list'])).code).toBe(5);
  expect((await tillgate(['till', 'sales', '--data', join(folder, 'a')]).ended).code).toBe(5);
});
