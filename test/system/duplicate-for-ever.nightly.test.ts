/**
 * Two stored sales that the issuer always takes for duplicates (code 94), with a void and a refund behind them, at a
 * real till and a real gateway: a manager resolves them, the messages behind go out, and the day closes. By day:
 * `test/till/endless-answers.test.ts` notices an endless answer that a person's decision does not end.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { setStoreLimits, storeLimits } from '../support/till/store-limits.ts';
import { type End, folder, sell, simulator, tillgate, trackProcesses } from './processes.ts';

trackProcesses();

const channel = ['--channel', `${'e'.repeat(32)}:a-token-of-a-test`];

/** The store's own gateway at this port, or any free one; returns its port and how to stop it. */
const gateway = async (port = '0') => {
  const { child, waitForOutput, ended } = tillgate([
    'gateway',
    '--port',
    port,
    '--data',
    join(folder, 'gateway'),
    ...channel,
  ]);
  const at = /:(\d+)\/$/.exec(await waitForOutput('listening on'))?.[1] ?? '';
  return {
    port: at,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
};

const PIN = '582931047716';
const pinFile = (): string => {
  const file = join(folder, 'ana.pin');
  writeFileSync(file, `${PIN}\n`, { mode: 0o600 });
  return file;
};

/**
 * A card whose transaction counter starts again, as that of a restored simulator: its issuer has seen every payment.
 */
const card = { card: 'visa-no-cvm', by: 'chip', afterMs: 10 } as const;

const isDone = { code: 0 };
const forPeople = { code: 5 };

test('endless duplicates: a person resolves them, the messages behind go out, and the day closes', async () => {
  setStoreLimits(join(folder, 'till'), { ...storeLimits, refunds: { upTo: '50.00' } });
  const first = await gateway();
  const flags = ['--gateway', `http://127.0.0.1:${first.port}/`, ...channel];
  const run = (...args: readonly string[]): Promise<End> =>
    tillgate(['till', ...args, '--data', join(folder, 'till'), ...flags]).ended;
  const by = ['--as', 'Ana', '--pin-file', pinFile()];
  expect(await run('staff', 'add', 'Ana', '--role', 'manager', '--new-pin-file', pinFile())).toMatchObject(isDone);

  const { process, at } = await simulator(card);
  for (const _ of [1, 2]) expect(await sell('5.00', { at, flags: flags }).ended).toMatchObject(isDone);
  process.child.kill('SIGKILL');
  await process.ended;
  rmSync(join(folder, 'cards'), { recursive: true });
  await first.stop();
  await simulator(card);
  for (const _ of [3, 4]) expect(await sell('7.00', { at, flags: flags }).ended).toMatchObject(isDone);

  // Sent once, so that the void is not a withdrawal; then the line is down again.
  const second = await gateway(first.port);
  expect((await run('queue', '--send', ...by)).out).toContain('800.110.100 duplicate transaction');
  await second.stop();
  expect((await run('void', '3', '--terminal', at, ...by)).err).toContain('Stored');
  expect((await run('refund', '4', '1.00', '--terminal', at, ...by)).err).toContain('Stored');

  const third = await gateway(first.port);
  for (let n = 0; n < 11; n++) await run('queue', '--send', ...by);
  const stuck = await run('queue', ...by);
  expect(stuck).toMatchObject(forPeople);
  expect(stuck.out.match(/^(parked|behind) +send +00000[3-6]/gm)).toHaveLength(4);
  expect(stuck.out).toMatch(/resolve 3\s+--charged\s+\(or\s+--not-charged\)/);
  expect((await run('batch', 'close', ...by)).err).toContain('Not closed: 4 sales of the batch have not ended');

  const reason = ['--reason', 'the bank was called', '--evidence', 'its statement of today'];
  const decide = async (receipt: string, decision: string): Promise<string> =>
    (await run('resolve', receipt, decision, ...reason, ...by)).err;
  expect(await decide('3', '--not-charged')).toMatch(/NOT CHARGED +7\.00 EUR/);
  expect(await decide('4', '--charged')).toMatch(/APPROVED +7\.00 EUR/);
  // Nothing is left to void. For the sale resolved as charged the gateway named no payment that could be refunded.
  const sendResult = await run('queue', '--send', ...by);
  expect(sendResult.err).toContain('1 message settled, 0 to be tried again, 1 for a person');
  expect(sendResult.out).toMatch(/task +loss +000003/);
  expect(await decide('6', '--not-charged')).toMatch(/NOT DONE +1\.00 EUR/);
  expect((await run('resolve', ...by)).err).toContain('Nothing is open: every sale has ended.');

  const z = await run('batch', 'close', ...by);
  await third.stop();
  expect(z).toMatchObject(forPeople);
  expect(z.out).toMatch(/Z REPORT 1\n/);
  // What the person said is compared with the gateway's books.
  expect(z.out).toMatch(/RECEIPT 000004 DIFFERS\n +Till +7\.00 EUR\n +Gateway +0\.00 EUR/);
}, 300_000);
