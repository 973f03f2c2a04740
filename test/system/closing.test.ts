/** Closing the day from the command line while sales are open: two people, their PINs, and one override. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { openJournal } from '../../src/journal/journal.ts';
import { eventIn } from '../../src/till/machine/event-text.ts';
import { unbalance } from '../ledger/unbalanced.ts';
import { setStoreLimits } from '../support/till/store-limits.ts';
import { folder, run, sell, simulator, tillgate, trackProcesses } from './processes.ts';

trackProcesses();

/** As long as allowed: shorter ones occur in a hash by chance. */
const PINS = { ana: '582931047716', kim: '826417905324', wrong: '111999384750' } as const;

const pinFile = (of: keyof typeof PINS): string => {
  const file = join(folder, `${of}.pin`);
  writeFileSync(file, `${PINS[of]}\n`, { mode: 0o600 });
  return file;
};

const channel = ['--channel', `${'e'.repeat(32)}:a-token-of-a-test`];

/** The store's own gateway at this port, or any free one; returns its port and how to stop it. */
const gateway = async (port = '0') => {
  const args = ['gateway', '--port', port, '--data', join(folder, 'gateway'), ...channel];
  const { child, waitForOutput, ended } = tillgate(args);
  const at = /:(\d+)\/$/.exec(await waitForOutput('listening on'))?.[1] ?? '';
  return {
    port: at,
    flags: ['--gateway', `http://127.0.0.1:${at}/`, ...channel],
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
};

const till = (...args: readonly string[]) => tillgate(['till', ...args, '--data', join(folder, 'till')]).ended;
const by = (name: string, pin: keyof typeof PINS): string[] => ['--as', name, '--pin-file', pinFile(pin)];

test('with sales open only a manager closes, by name and PIN, and the next Z report has their endings', async () => {
  setStoreLimits(join(folder, 'till'));
  const { port, flags, stop } = await gateway();
  await stop();
  const close = (...args: readonly string[]) => till('batch', 'close', ...flags, ...args);
  const { at } = await simulator({ card: 'mastercard-m10', by: 'chip', afterMs: 10 });
  expect(await sell('12.50', { at, flags: flags }).ended).toMatchObject({ code: 0 });

  const refused = await close();
  expect(refused).toMatchObject({ code: 2, out: '' });
  expect(refused.err).toMatch(/receipt 000001 +12\.50 EUR {2}NOT SENT\s+taken offline and not sent yet/i);
  expect(refused.err).toContain('batch close --override --as NAME --reason TEXT');

  const override = ['--override', '--reason', 'the line is down'];
  expect((await close(...override)).err).toContain('staff add NAME --role manager');
  const add = (name: string, role: string, pin: keyof typeof PINS, ...flags: string[]) =>
    till('staff', 'add', name, '--role', role, '--new-pin-file', pinFile(pin), ...flags);
  expect(await add('Ana', 'manager', 'ana')).toMatchObject({ code: 0 });
  expect(await add('Kim', 'cashier', 'kim', ...by('Ana', 'ana'))).toMatchObject({ code: 0 });

  expect(await close(...override)).toMatchObject({ code: 2, err: expect.stringContaining('Use --as NAME') });
  const kim = await close(...override, ...by('Kim', 'kim'));
  expect(kim).toMatchObject({ code: 2, out: '' });
  expect(kim.err).toContain('cashier');
  expect(await close(...override, ...by('Ana', 'wrong'))).toMatchObject({ code: 2, out: '' });
  expect(await close('--override', ...by('Ana', 'ana'))).toMatchObject({ code: 2, err: /no reason/ });
  expect((await till('batch', 'list', ...by('Ana', 'ana'))).out).toMatch(/^TEST - NO MONEY MOVED\nbatch +1 {2}open/);

  const z = await close(...override, ...by('Ana', 'ana'), '--width', '58');
  expect(z.out).toMatch(/Z REPORT 1\n/);
  expect(z.out).toMatch(/CLOSED WITH OPEN MONEY\n000001 +12\.50 EUR/);
  expect(z.out).toMatch(/OVERRIDDEN BY +Ana\nREASON +the line is down/);
  expect(z.out.split('\n').filter((line) => line.length > 32)).toEqual([]);
  const reprint = (await till('batch', 'show', '1', '--width', '58', ...by('Ana', 'ana'))).out;
  expect(reprint.split('\n').filter((line) => line.trim() !== 'DUPLICATE')).toEqual(z.out.split('\n'));
  expect(reprint.match(/DUPLICATE/g)).toHaveLength(1);

  // The gateway is back, and the next batch learns what became of the sale.
  const secondGateway = await gateway(port);
  expect(await till('queue', '--send', ...flags, ...by('Ana', 'ana'))).toMatchObject({ code: 0 });
  expect(await sell('3.00', { at, flags: [...flags, ...by('Ana', 'ana')] }).ended).toMatchObject({ code: 0 });
  const next = await close(...by('Ana', 'ana'), '--json');
  await secondGateway.stop();
  expect(JSON.parse(next.out)).toMatchObject({ number: 2, settled: [{ receipt: 1, amount: '12.50 EUR' }] });
  expect((await till('journal', 'verify')).err).toContain('2 Z reports, none missing or changed');
  const journal = readFileSync(join(folder, 'till', 'journal.db'), 'latin1');
  for (const pin of Object.values(PINS)) expect(journal).not.toContain(pin);
});

test('a refund above its sale: batch, resolve, verify and the Z report name it, and selling goes on', async () => {
  const { at } = await simulator({ card: 'mastercard-m10', by: 'chip', afterMs: 10 });
  expect(await sell('10.00', { at }).ended).toMatchObject({ code: 0 });
  const journal = openJournal(join(folder, 'till', 'journal.db'), systemClock);
  const first = [...journal.entries()].map(({ body }) => eventIn(body)).find(({ on }) => on === 'intended');
  journal.close();
  if (first?.on !== 'intended') throw new Error('there is a sale');
  unbalance(join(folder, 'till'), first.intent, true);
  const namedReceipt = /receipt 000001 +3\.00 EUR more was given back than it had/;
  expect(await run('batch')).toMatch(namedReceipt);
  expect((await till('resolve')).err).toMatch(namedReceipt);
  expect(await till('journal', 'verify')).toMatchObject({ code: 1, err: expect.stringMatching(namedReceipt) });
  expect(await sell('5.00', { at }).ended).toMatchObject({ code: 0 });
  const z = await till('batch', 'close');
  expect(z.out).toMatch(/REFUNDED BEYOND THE SALE\n000001 +3\.00 EUR/);
  expect(await till('refund', '1', '--terminal', at)).toMatchObject({ code: 2 });
});
