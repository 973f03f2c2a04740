/** The JSON of every till command names the till's mode; no command can be added without it. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeLiveTill } from '../../src/app/going-live/folder.ts';
import { systemClock } from '../../src/base/clock.ts';
import { systemIds, systemRandom } from '../../src/base/ids.ts';
import { wholeProgram } from '../../src/cli/program.ts';
import { loadConfig } from '../../src/folder/config.ts';
import { lay } from '../journal/older-journal.ts';

/** A recorded conversation belongs to no till. */
const ofNoTill = ['till trace'];

const withJson = (command: Command, above = ''): string[] => {
  const name = `${above} ${command.name()}`.trim();
  const ownCommand = command.options.some(({ long }) => long === '--json') ? [name] : [];
  return [...ownCommand, ...command.commands.flatMap((child) => withJson(child, name))];
};

const till = (await wholeProgram()).commands.find((command) => command.name() === 'till');
const commands = till === undefined ? [] : withJson(till).filter((name) => !ofNoTill.includes(name));

const folder = mkdtempSync(join(tmpdir(), 'json-mode-'));
const at = (name: string): string => join(folder, name);
const asAna = ['--as', 'Ana', '--pin-file', at('pin')];

/** A day at a till, as commands; some are refused, which is a JSON answer too. */
const day: readonly (readonly string[])[] = [
  ['sell', '5.00', '--terminal', 'AT'],
  ['sell', '5.00', '--split', '3.00,2.00', '--terminal', 'AT'],
  ['credit', '1.00', '--terminal', 'AT'],
  ['refund', '1', '1.00'],
  ['void', '4'],
  ['gift', '1.00'],
  ['preauth', '20.00', '--terminal', 'AT'],
  ['increment', '8', '1.00'],
  ['complete', '8', '10.00'],
  ['preauth', '20.00', '--terminal', 'AT'],
  ['release', '11'],
  ['preauth', '20.00', '--terminal', 'AT'],
  ['tip', '13', '1.00'],
  ['receipt', '1'],
  ['sales'],
  ['sales', '--search', 'nothing of this'],
  ['preauths'],
  ['queue'],
  ['queue', '--verify'],
  ['resolve'],
  ['resolve', '1'],
  ['settle', '1', '--charged'],
  ['batch'],
  ['batch', 'x'],
  ['batch', 'close'],
  ['batch', 'list'],
  ['batch', 'show', '1'],
  ['batch', 'reconcile', at('no-such-file')],
  ['unpaid'],
  ['limits'],
  ['limits', 'set', 'chip.upTo', '40.00'],
  ['limits', 'off'],
  ['pos-key', 'add', 'POS'],
  ['printer', 'add', 'Bar', 'escpos+tcp://127.0.0.1:1'],
  ['printer', 'list'],
  ['printer', 'test', 'Bar'],
  ['printer', 'drawer'],
  ['printer', 'remove', 'Bar'],
  ['terminals'],
  ['pair', 'AT', '--yes'],
  ['test-host'],
  ['diagnose', '--echoes', '0'],
  ['unpair'],
  ['go-live'],
  ['machine', 'show'],
  ['machine', 'moved', '--yes'],
  ['machine', 'copied', '--terminal-id', '70002', '--yes'],
  ['machine', 'take-over'],
  ['open'],
  ['stop'],
  ['boot', 'show'],
  ['boot', 'on'],
  ['boot', 'off'],
  ['plain-http', 'show'],
  ['plain-http', 'allow', 'http://10.0.0.5:8700/', '--yes'],
  ['plain-http', 'end', 'http://10.0.0.5:8700/'],
  ['journal', 'verify'],
  ['journal', 'export', '--unsent', at('unsent')],
  ['journal', 'import', at('no-such-file')],
  ['journal', 'foreign'],
  ['journal', 'copy'],
  ['staff', 'list'],
  ['staff', 'add', 'Ana', '--role', 'manager', '--new-pin-file', at('pin')],
  ['staff', 'add', 'Tom', '--role', 'cashier', '--new-pin-file', at('pin'), ...asAna],
  ['staff', 'pin', 'Tom', '--new-pin-file', at('pin'), ...asAna],
  ['staff', 'remove', 'Tom', ...asAna],
  ['pos-key', 'approve', 'POS', ...asAna],
  ['pos-key', 'list', ...asAna],
  ['pos-key', 'remove', 'POS', ...asAna],
];

/** The command on this line: the longest command name that it starts with. */
const nameOf = (line: readonly string[]): string =>
  commands
    .filter((name) => `${line.join(' ')} `.startsWith(`${name} `))
    .sort((left, right) => right.length - left.length)[0] ?? line.join(' ');

type Said = { name: string; text: string };
let messages: Said[] = [];

const run = (lines: readonly (readonly string[])[]): Said[] => runLines(lines).messages;

const runLines = (lines: readonly (readonly string[])[]): { messages: Said[]; stderr: string } => {
  writeFileSync(at('lines.json'), JSON.stringify(lines));
  const child = join(import.meta.dirname, 'commands-child.ts');
  const { stdout, stderr, status } = spawnSync(process.execPath, [child, at('lines.json')], {
    encoding: 'utf8',
    input: '9900000000000010\n',
  });
  expect(status, stderr).toBe(0);
  const parts = stdout.split('\n--- ').slice(1);
  const all = parts.map((part) => {
    const [line = '', ...rest] = part.split('\n');
    return { name: nameOf(JSON.parse(line) as string[]), text: rest.join('\n') };
  });
  return { messages: all, stderr };
};

beforeAll(() => {
  writeFileSync(at('pin'), '471193\n', { mode: 0o600 });
  messages = run(day.map((line) => ['till', ...line, '--json', '--data', at('till')]));
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the day covers every command that prints JSON', () => {
  expect(commands.length).toBeGreaterThan(40);
  expect(commands.filter((name) => !messages.some((one) => one.name === name))).toEqual([]);
});

test('every answer says that the till is a test till', () => {
  const wrong = messages.filter(({ text }) => {
    try {
      return (JSON.parse(text) as { mode?: string }).mode !== 'test';
    } catch {
      return true;
    }
  });
  expect(wrong).toEqual([]);
});

test('all of them succeed, except these', () => {
  const refused = messages.filter(({ text }) => text.includes('"fault": {')).map(({ name }) => name);
  expect(refused).toEqual([
    'till settle',
    'till batch reconcile',
    'till printer test',
    'till printer drawer',
    'till test-host',
    'till machine moved',
    'till machine copied',
    'till open',
    // Only on Windows.
    'till boot show',
    'till boot on',
    'till boot off',
    'till journal export',
    'till journal import',
  ]);
});

/**
 * Commands of the gateway and the shop, and those that belong to no till or print a list in a form its readers expect.
 */
const otherCommands = [
  'gateway/channels.ts',
  'gateway/chargebacks.ts',
  'gateway/gateway.ts',
  'gateway/settlement.ts',
  'gateway/shop.ts',
  'gateway/vault-and-schedules.ts',
  'gateway/webhook-verify.ts',
  'gateway/webhook.ts',
  'program.ts',
  'store/journal.ts',
  'terminals/simulate.ts',
  'terminals/trace.ts',
];

test('one function makes the JSON of all commands', () => {
  const source = join(import.meta.dirname, '../../src/cli');
  const makers = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && readFileSync(join(source, name), 'utf8').includes('JSON.stringify('),
  );
  expect(makers.sort()).toEqual([...otherCommands, 'till-folder.ts'].sort());
});

/** A live till begun beside the test till, as going live does it. */
const beginLive = (dataDir: string): void =>
  makeLiveTill({
    ...{ dataDir, config: loadConfig(dataDir, systemIds), gateway: { at: 'terminals' }, people: [], by: undefined },
    ...{ staffPepper: systemRandom(32), clock: systemClock, ids: systemIds, random: systemRandom },
  });

test('a live till is opened once there is one, without test till lines, and --test opens the test till', () => {
  const sale = runLines([['till', 'sell', '5.00', '--terminal', 'AT', '--data', at('both')]]);
  expect(sale.stderr).toMatch(/^TEST - NO MONEY MOVED\nWaiting for the customer/m);
  expect(sale.messages[0]?.text).toContain('TEST - NO MONEY MOVED');
  beginLive(at('both'));
  const data = ['--data', at('both')];
  const [live, test, people, mark, refused] = run([
    ['till', 'sales', '--json', ...data],
    ['till', 'sales', '--json', '--test', ...data],
    ['till', 'batch', ...data],
    ['till', 'sales', '--test', ...data],
    ['till', 'sales', '--json', '--test', '--data', join(at('both'), 'live')],
  ]).map(({ text }) => text);
  expect(JSON.parse(live ?? '')).toEqual({ mode: 'live', sales: [] });
  expect(JSON.parse(test ?? '')).toMatchObject({ mode: 'test', sales: [{ receipt: 1 }] });
  expect(people).toBe('');
  expect(mark).toMatch(/^TEST - NO MONEY MOVED\n000001 /);
  expect(JSON.parse(refused ?? '')).toMatchObject({ mode: 'live', fault: { code: 'command.malformed' } });
});

test('a till from before modes existed that is found to be live says why', () => {
  lay(at('older'), 'terminals');
  const { messages: all, stderr } = runLines([['till', 'sales', '--json', '--most', '1', '--data', at('older')]]);
  expect(JSON.parse(all[0]?.text ?? '')).toMatchObject({ mode: 'live' });
  expect(stderr).toContain('This till is live, because it has taken payments on a real card terminal');
});
