/** Every operation from the command line to its receipt, with a simulated terminal and the embedded gateway. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { program } from '../support/servers/program.ts';
import { folder, tillgate, trackProcesses } from './processes.ts';

trackProcesses();

const GIFT_OF_TEN = '9900000000000010';

type Json = Readonly<Record<string, unknown>>;

/** A counter with these customers; the last one comes again and again. */
const counter = async (...cards: readonly string[]) => {
  const scenario = join(folder, 'scenario.json');
  const presentations = cards.map((card) => ({ card, by: card.endsWith('tap') ? 'tap' : 'chip' }));
  writeFileSync(scenario, JSON.stringify({ presentations }));
  const from = ['--scenario', scenario, '--data', join(folder, 'cards')];
  const { waitForOutput } = tillgate(['simulate', 'mpi', '--tcp', '0', ...from]);
  const at = /\S+$/.exec(await waitForOutput('simulated terminal at'))?.[0] ?? '';
  const flags = ['--data', join(folder, 'till'), '--terminal', at];
  const run = (...command: string[]) => tillgate(['till', ...command, ...flags]).ended;
  return {
    run,
    async json(...command: string[]): Promise<Json & { code: number | null }> {
      const { code, out } = await run(...command, '--json');
      return { ...(JSON.parse(out) as Json), code };
    },
    flags,
  };
};

test('a hold is made, raised, completed with a tip; another is released; and holds are listed', async () => {
  const { run, json } = await counter('visa-credit', 'mastercard-tap');
  expect(await json('preauth', '100.00')).toMatchObject({ code: 0, ending: 'approved', operation: 'preauthorisation' });
  expect(await json('increment', '1', '20')).toMatchObject({ code: 0, amount: '20.00', followsReceipt: 1 });
  const listed = await run('preauths');
  expect(listed.out).toMatch(/000001 +120\.00 EUR +0\.00 EUR +120\.00 EUR +0010 +\d{4}-\d\d-\d\d$/m);
  const tooMuch = await run('complete', '1', '115.00', '--tip', '10.00');
  expect(tooMuch).toMatchObject({ code: 2 });
  expect(tooMuch.err).toContain('Increase the hold by 5.00 EUR first');
  const completed = await run('complete', '1', '100.00', '--tip', '20.00', '--cashier', 'Anna');
  expect(completed).toMatchObject({ code: 0 });
  expect(completed.err).toContain('APPROVED  120.00 EUR (20.00 EUR of it tip)  completion: Completed.');
  expect(completed.out).toMatch(/COMPLETION +100\.00 EUR\nTIP +20\.00 EUR\nTOTAL +120\.00 EUR\nOF RECEIPT +000001/);
  expect(completed.out).toMatch(/CASHIER +Anna/);
  expect(await run('preauths')).toMatchObject({ code: 0, out: '' });

  expect(await json('preauth', '50.00')).toMatchObject({ code: 0, receipt: 4 });
  expect(await json('release', '4')).toMatchObject({ code: 0, reason: 'released', amount: '50.00' });
  expect(await run('complete', '4')).toMatchObject({ code: 2 });
  expect(await run('preauths')).toMatchObject({ code: 0, out: '' });
});

test('a tip above the held amount is held first, and once', async () => {
  const { run, json } = await counter('mastercard-tap');
  await json('preauth', '50.00');
  expect(await json('tip', '1', '5.00')).toMatchObject({
    code: 0,
    operation: 'completion',
    amount: '55.00',
    tip: '5.00',
  });
  expect((await run('sales')).out).toMatch(/increment +5\.00 EUR/);
  expect(await run('tip', '1', '5.00')).toMatchObject({ code: 2 });
  await json('preauth', '50.00');
  expect(await json('increment', '4', '5.00')).toMatchObject({ code: 0 });
  expect(await json('tip', '4', '5.00')).toMatchObject({ code: 0, receipt: 6, amount: '55.00' });
  await json('preauth', '50.00');
  await json('increment', '7', '30.00');
  // As `POST /api/sales/7/tip` refuses it.
  expect(await json('tip', '7', '5.00')).toMatchObject({ code: 2, fault: { code: 'till.cannotFollow' } });
});

test('a partial approval and its rest; a split whose second card declines; a void reopens the bill', async () => {
  const { run, json } = await counter('visa-poor', 'visa-credit', 'visa-credit', 'visa-poor', 'mastercard-tap');
  const part = await run('sell', '12.50', '--accept-partial');
  expect(part).toMatchObject({ code: 6 });
  expect(part.err).toContain('APPROVED  10.00 EUR  Partially approved: 10.00 EUR of 12.50 EUR.');
  expect(part.err).toContain('To take what is left: npm run till -- sell 2.50 --bill 1');
  expect(part.out).toMatch(/ASKED FOR +12\.50 EUR\nSALE +10\.00 EUR\nSTILL TO PAY +2\.50 EUR/);
  expect(await run('sell', '2.51', '--bill', '1')).toMatchObject({ code: 2 });
  const restPart = await run('sell', '2.50', '--bill', '1', '--tip', '0.50');
  expect(restPart).toMatchObject({ code: 0 });
  expect(restPart.err).toContain('The bill of 12.50 EUR is paid.');
  expect(await json('void', '1')).toMatchObject({ code: 0, reason: 'voided', amount: '10.00' });

  const split = await run('sell', '100.00', '--split', '60.00,40.00');
  expect(split).toMatchObject({ code: 1 });
  expect(split.err).toContain('Part 1 of 2: 60.00 EUR');
  expect(split.err).toContain('Of the bill of 100.00 EUR, 60.00 EUR is paid; 40.00 EUR is left.');
  expect(split.err.trimEnd()).toMatch(/To take what is left: npm run till -- sell 40\.00 --bill 4$/);
  const last = await json('sell', '40.00', '--bill', '5');
  expect(last).toMatchObject({ code: 0, bill: { total: '100.00', paid: '100.00', left: '0.00' } });
  const states = (last['bill'] as { receipts: readonly Json[] }).receipts.map(({ receipt, state }) => [receipt, state]);
  expect(states).toEqual([
    [4, 'paid'],
    [5, 'not paid'],
    [6, 'paid'],
  ]);
  expect((await run('sales')).out).toMatch(/000002 .*sale +3\.00 EUR .*\n +tip 0\.50 EUR; bill of 12\.50 EUR/);
});

test('a credit to a card, and a gift card whose number is never shown', async () => {
  const { run, json, flags } = await counter('visa-credit');
  expect(await json('credit', '5.00')).toMatchObject({ code: 0, operation: 'credit', reason: 'credited' });
  const gift = (...args: string[]) =>
    spawnSync(process.execPath, [program, 'till', 'gift', ...args, ...flags], {
      input: `${GIFT_OF_TEN}\n`,
      encoding: 'utf8',
      cwd: folder,
    });
  const part = gift('25.00', '--accept-partial');
  expect(part.status).toBe(6);
  expect(part.stdout).toMatch(/GIFT CARD +\*{12}0010/);
  expect(part.stdout).toMatch(/LEFT ON THE CARD +0\.00 EUR/);
  expect(part.stdout + part.stderr).not.toContain(GIFT_OF_TEN);
  expect(gift('1.00').status).toBe(1);
  expect(await json('void', '2')).toMatchObject({ code: 0, reason: 'voided' });
  expect(JSON.parse(gift('10.00', '--json').stdout)).toMatchObject({ ending: 'approved', answer: { balance: '0.00' } });
  const noCashier = spawnSync(process.execPath, [program, 'till', 'gift', '1.00', ...flags], {
    input: '',
    encoding: 'utf8',
  });
  expect(noCashier.status).toBe(2);
  expect(noCashier.stderr).toContain('no number was given');
  expect(await run('queue')).toMatchObject({ code: 0 });
});

test('once a manager is known, a credit needs their approval', async () => {
  const { run, flags } = await counter('visa-credit');
  const added = spawnSync(process.execPath, [program, 'till', 'staff', 'add', 'Mara', '--role', 'manager', ...flags], {
    input: '482915\n482915\n',
    encoding: 'utf8',
  });
  expect(added.status, added.stderr).toBe(0);
  const refused = await run('credit', '5.00');
  expect(refused).toMatchObject({ code: 2 });
  expect(refused.err).toContain('This needs the name of a responsible person');
  const allowed = spawnSync(process.execPath, [program, 'till', 'credit', '5.00', '--as', 'Mara', ...flags], {
    input: '482915\n',
    encoding: 'utf8',
  });
  expect(allowed.status, allowed.stderr).toBe(0);
  expect(allowed.stdout).toMatch(/CASHIER +Mara/);
});

test('a sale stores its card and names the registration; a split cannot store cards', async () => {
  const { run, json } = await counter('visa-no-cvm');
  const stored = await json('sell', '12.50', '--store-card');
  expect(stored).toMatchObject({
    code: 0,
    ending: 'approved',
    answer: { registrationId: expect.stringMatching(/^[0-9a-f]{32}$/) },
  });
  expect(await json('sell', '12.50', '--again', '1')).not.toHaveProperty(['answer', 'registrationId']);
  const split = await run('sell', '10.00', '--split', '6.00,4.00', '--store-card');
  expect([split.code, split.err]).toEqual([2, expect.stringContaining('--store-card is for one')]);
});
