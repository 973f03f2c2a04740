/**
 * Rule 5 of card data, through the whole command line: after every operation, no file of the till, its second copy, its
 * exports, the till that imported them or the gateway, and nothing printed, has a card number, track, PIN block, gift
 * card number, person's PIN or passphrase.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { toHex } from '../../src/base/hex.ts';
import { systemIds } from '../../src/base/ids.ts';
import { encodePinBlock } from '../../src/emv/pin-block.ts';
import { testCards } from '../../src/emv/test-cards.ts';
import { changeConfig } from '../../src/folder/config.ts';
import { scanForCardData } from '../support/leaks/leak-scan.ts';
import { byNight } from '../support/night/night.ts';
import { program, roomy } from '../support/servers/program.ts';
import { reservePort } from '../support/servers/reserved-port.ts';
import { storeLimits } from '../support/till/store-limits.ts';
import { folder, tillgate, trackProcesses } from './processes.ts';

trackProcesses();

const GIFT = '9900000000001000';
const PINS = { Mara: '482915730264', Ben: '604729183055' } as const;
const PHRASES = ['the first of two long secrets', 'the second of two long secrets'] as const;
/** Typed where it does not belong. */
const STRAY = testCards['visa-credit'].pan;

const needles = [
  ...Object.values(testCards).flatMap(({ pan, pin, expiry, serviceCode }) => [
    pan,
    `${pan}D${expiry}${serviceCode}`,
    toHex(encodePinBlock({ format: 0, pin, pan })),
  ]),
  ...[GIFT, ...Object.values(PINS), ...PHRASES],
];

const [entityId, token] = [systemIds.next(), systemIds.next()];
/** The output of every command. */
let lines: string[] = [];

const customers = ['visa-credit', 'visa-credit', 'visa-credit', 'visa-poor', 'visa-no-cvm', 'visa-no-cvm'] as const;

/** The shop: a terminal, a gateway that can be stopped, and tills by the name of their folder. */
const shop = async () => {
  lines = [];
  const scenario = join(folder, 'scenario.json');
  const presentations = customers.map((card) => ({ card, by: 'chip', afterMs: 10 }));
  writeFileSync(scenario, JSON.stringify({ presentations }));
  const terminal = tillgate(['simulate', 'mpi', '--tcp', '0', '--scenario', scenario, '--data', join(folder, 'cards')]);
  const at = /\S+$/.exec(await terminal.waitForOutput('simulated terminal at'))?.[0] ?? '';
  const gatewayArgs = ['--data', join(folder, 'gateway'), '--channel', `${entityId}:${token}`];
  const port = String(await reservePort());
  const open = async () => {
    const running = tillgate(['gateway', '--port', port, ...gatewayArgs]);
    const line = await running.waitForOutput('listening on');
    return { running, url: /http:\S+/.exec(line)?.[0] ?? '' };
  };
  let gateway = await open();
  const flags = ['--terminal', at, '--gateway', gateway.url, '--channel', `${entityId}:${token}`];
  /** Returns the exit code and asserts nothing; `input` holds the lines to type. */
  const run = (name: string, args: readonly string[], input: readonly string[] = []) =>
    new Promise<{ code: number | null; out: string; err: string }>((resolve) => {
      const texts = [...roomy, program, 'till', ...args, '--data', join(folder, name)];
      const child = spawn(process.execPath, texts, { cwd: folder });
      const text = { out: '', err: '' };
      child.stdout.on('data', (portion) => (text.out += String(portion)));
      child.stderr.on('data', (portion) => (text.err += String(portion)));
      child.stdin.end(input.map((line) => `${line}\n`).join(''));
      child.once('close', (code) => {
        lines.push(text.out, text.err);
        resolve({ code, ...text });
      });
    });
  return {
    run,
    online: (name: string, args: readonly string[], input?: readonly string[]) => run(name, [...args, ...flags], input),
    async cut() {
      gateway.running.child.kill('SIGTERM');
      await gateway.running.ended;
    },
    async restore() {
      gateway = await open();
    },
  };
};

const scan = (when: string): void => {
  writeFileSync(join(folder, 'said.txt'), lines.join('\n'));
  expect(scanForCardData({ roots: [folder], needles }), when).toEqual([]);
};

const asMara = ['--as', 'Mara'];

test('no operation, file, report or output of the till has card data, PINs or passphrases', async () => {
  const { run, online, cut, restore } = await shop();
  mkdirSync(join(folder, 'till'));
  changeConfig(join(folder, 'till'), systemIds, (config) => ({
    ...config,
    offline: storeLimits,
    secondCopy: join(folder, 'copy'),
  }));
  const codes: Record<string, number | null> = {};
  const step = async (title: string, work: Promise<{ code: number | null; err: string }>) => {
    const { code, err } = await work;
    codes[title] = code;
    if (code === 5) lines.push(err);
    return err;
  };

  await step('manager', run('till', ['staff', 'add', 'Mara', '--role', 'manager'], [PINS.Mara, PINS.Mara]));
  const addBen = ['staff', 'add', 'Ben', '--role', 'manager', ...asMara];
  await step('second manager', run('till', addBen, [PINS.Mara, PINS.Ben]));
  await step('held', online('till', ['preauth', '20.00', '--json', ...asMara], [PINS.Mara]));
  await step(
    'completed',
    online('till', ['complete', '1', '15.00', '--tip', '2.00', '--cashier', 'Ben', ...asMara], [PINS.Mara]),
  );
  await step('sold', online('till', ['sell', '12.50', '--json', '--cashier', 'mara', ...asMara], [PINS.Mara]));
  await step('given back', online('till', ['refund', '3', '2.50', ...asMara], [PINS.Mara]));
  await step('credited', online('till', ['credit', '1.00', ...asMara, '--json'], [PINS.Mara]));
  await step('refused by the bank', online('till', ['sell', '30.00', ...asMara], [PINS.Mara]));
  await step('by gift card', online('till', ['gift', '5.00', '--pin', ...asMara], [PINS.Mara, GIFT, '1000']));
  await step(
    'wrong gift PIN',
    online('till', ['gift', '5.00', '--pin', '--json', ...asMara], [PINS.Mara, GIFT, '4821']),
  );
  await step('gift card that is none', online('till', ['gift', '5.00', ...asMara], [PINS.Mara, STRAY]));
  scan('after the day online');

  await cut();
  await step('stored', online('till', ['sell', '7.00', '--json', ...asMara], [PINS.Mara]));
  await step('stored too', online('till', ['sell', '8.00', ...asMara], [PINS.Mara]));
  await step('gift card offline', online('till', ['gift', '5.00', ...asMara], [PINS.Mara, GIFT]));
  for (const args of [
    ['queue', ...asMara],
    ['resolve', ...asMara],
    ['sales', ...asMara],
    ['preauths', ...asMara],
    ['batch', 'x', ...asMara],
    ['batch', 'list', ...asMara],
    ['limits', ...asMara],
  ]) {
    await online('till', [...args], [PINS.Mara]);
    await online('till', [...args, '--json'], [PINS.Mara]);
  }
  scan('with stored sales');

  // A file of an older program, with sealed records in it.
  const database = new Database(join(folder, 'till', 'journal.db'));
  database.pragma('user_version = 1');
  database.close();
  await online('till', ['queue', ...asMara], [PINS.Mara]);
  expect(existsSync(join(folder, 'till', 'journal.db.v1.bak'))).toBe(true);

  const both = [...asMara, '--and', 'Ben'];
  const file = join(folder, 'unsent.json');
  const secrets = [PINS.Mara, PINS.Ben, ...PHRASES];
  await step('handed over', run('till', ['journal', 'export', '--unsent', file, ...both], secrets));
  await step('taken in', online('other', ['journal', 'import', file], PHRASES));
  await step('second copy', online('till', ['journal', 'copy', '--json', ...asMara], [PINS.Mara]));
  await step('saved', run('till', ['journal', 'export']));
  scan('with sealed records at both tills');

  await restore();
  await step('sent by the other', online('other', ['queue', '--send']));
  await step('all sent', online('other', ['journal', 'foreign', '--json']));
  await step('taken back', run('till', ['journal', 'takeback', ...asMara], [PINS.Mara]));
  await step('found sent', online('till', ['queue', '--send', '--json', ...asMara], [PINS.Mara]));
  await step('proved', online('till', ['queue', '--verify', '--json', ...asMara], [PINS.Mara]));
  await step('closed', online('till', ['batch', 'close', ...asMara, '--json'], [PINS.Mara]));
  const day = new Date().toISOString().slice(0, 10);
  await cut();
  const csv = join(folder, 'settlement.csv');
  const settlement = ['settlement', '--date', day, '--out', csv, '--entity', entityId];
  const written = await tillgate(['gateway', ...settlement, '--data', join(folder, 'gateway')]).ended;
  expect(written.code, written.err).toBe(0);
  await restore();
  const reconcile = ['batch', 'reconcile', csv, '--csv', join(folder, 'matched.csv'), '--json', ...asMara];
  await step('matched', online('till', reconcile, [PINS.Mara]));
  const bundle = ['diagnose', '--bundle', join(folder, 'bundle.txt'), '--echoes', '0', '--json'];
  await step('bundle', run('till', [...bundle, ...asMara], [PINS.Mara]));
  await step('verified', run('till', ['journal', 'verify']));
  scan('at the end of the day');

  const good = Object.entries(codes).filter(([, code]) => code === 0);
  expect(Object.fromEntries(Object.entries(codes).filter(([, code]) => code !== 0))).toEqual({
    'refused by the bank': 1,
    'wrong gift PIN': 1,
    'gift card that is none': 2,
    'gift card offline': 3,
    // The exit code says that messages wait, or that there was no terminal to examine.
    'taken in': 5,
    bundle: 5,
  });
  expect(good).toHaveLength(21);
  expect(existsSync(join(folder, 'bundle.txt'))).toBe(true);
  expect(readdirSync(join(folder, 'other', 'foreign')).some((name) => name.endsWith('.db'))).toBe(true);
});

test('a card number typed in the wrong place is masked or refused, in the output and in every file', async () => {
  const { run } = await shop();
  await run('till', ['staff', 'add', 'Mara', '--role', 'manager'], [PINS.Mara, PINS.Mara]);
  const rows: readonly (readonly string[])[] = [
    ['sell', STRAY, ...asMara],
    ['sell', '5.00', '--cashier', STRAY, ...asMara],
    ['sell', '5.00', '--tip', STRAY, ...asMara],
    ['sell', '5.00', '--bill', STRAY, ...asMara],
    ['sell', '5.00', '--split', STRAY, ...asMara],
    ['sell', '5.00', '--accept', STRAY, ...asMara],
    ['sell', '5.00', '--currency', STRAY, ...asMara],
    ['sell', '5.00', '--terminal', STRAY, ...asMara],
    ['sell', '5.00', '--gateway', STRAY, ...asMara],
    ['sell', '5.00', STRAY, ...asMara],
    ['sell', '5.00', `--${STRAY}`, ...asMara],
    [STRAY],
    ['gift', STRAY, ...asMara],
    ['refund', STRAY, ...asMara],
    ['refund', '1', STRAY, ...asMara],
    ['sales', '--search', STRAY],
    ['sales', '--most', STRAY],
    ['receipt', STRAY, ...asMara],
    ['staff', 'add', STRAY, '--role', 'cashier', ...asMara],
    ['staff', 'add', 'Kim', '--role', STRAY, ...asMara],
    ['staff', 'remove', STRAY, ...asMara],
    ['credit', '5.00', '--as', STRAY],
    ['limits', 'set', 'chip.upTo', STRAY, ...asMara],
    ['limits', 'set', STRAY, '5.00', ...asMara],
    ['resolve', STRAY, ...asMara],
    ['resolve', '1', '--charged', '--reason', STRAY, '--evidence', STRAY, ...asMara],
    ['batch', 'close', '--override', '--reason', `the card ${STRAY} said so`, ...asMara],
    ['batch', 'show', STRAY, ...asMara],
    ['batch', 'reconcile', STRAY, ...asMara],
    ['journal', 'verify', STRAY],
    ['journal', 'verify', '--expect', STRAY],
    ['journal', 'import', STRAY],
    ['journal', 'takeback', STRAY, ...asMara],
    ['queue', '--force', STRAY, ...asMara],
  ];
  // By day every third: all output passes one mask, whatever the command.
  const stride = byNight({ day: 3, night: 1 });
  for (const [n, row] of rows.entries()) {
    if (n % stride !== 0) continue;
    const json = n % 2 === 0 ? [] : ['--json'];
    const { out, err } = await run('till', [...row, ...json], [PINS.Mara, '718204']);
    expect.soft(out + err, row.join(' ').replace(STRAY, 'CARD')).not.toContain(STRAY);
  }
  scan('after stray numbers');
});
