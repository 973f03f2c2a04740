/** The command line with a terminal that authorises by itself: a simulated ZVT terminal over TCP. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Customer, folder, run, sell, tillgate, trackProcesses } from './processes.ts';

trackProcesses();

const tap: Customer = { card: 'mastercard-tap', by: 'tap', afterMs: 10 };

const terminal = async (...presentations: Customer[]): Promise<string> => {
  const scenario = join(folder, 'scenario.json');
  writeFileSync(scenario, JSON.stringify({ presentations }));
  const { waitForOutput } = tillgate([
    'simulate',
    'zvt',
    '--tcp',
    '0',
    '--scenario',
    scenario,
    '--data',
    join(folder, 'cards'),
  ]);
  return /zvt\+tcp:\S+/.exec(await waitForOutput('simulated terminal at'))?.[0] ?? '';
};

const till = (at: string, ...args: string[]) =>
  tillgate(['till', ...args, '--terminal', at, '--data', join(folder, 'till')]);

test('sells, voids a whole payment without the card, and refunds a part with it', async () => {
  const at = await terminal(tap);
  for (const amount of ['10.00', '20.00']) {
    const end = await sell(amount, { at }).ended;
    expect(end, end.err).toMatchObject({ code: 0 });
    expect(end.err).toMatch(new RegExp(`The terminal takes the payment.*APPROVED +${amount} EUR`, 's'));
    expect(end.out).toContain(`PAYMENT ${amount} EUR`);
    expect(end.out).not.toContain('MERCHANT COPY');
  }
  const refund = await till(at, 'refund', '1').ended;
  expect(refund, refund.err).toMatchObject({ code: 0 });
  expect(refund.err).toContain('no card is needed');
  const part = await till(at, 'refund', '2', '5.00', '--json').ended;
  expect(part, part.err).toMatchObject({ code: 0 });
  expect(JSON.parse(part.out)).toMatchObject({
    ending: 'approved',
    operation: 'refund',
    authorisedBy: 'terminal',
    terminal: { amount: '5.00', currency: 'EUR' },
  });
  expect(await run('queue')).toContain('Nothing is waiting');
  expect(await run('receipt', '1')).toMatch(/DUPLICATE.*PAYMENT 10\.00 EUR/s);
});

test('a signal cancels: declined, not charged', async () => {
  const at = await terminal({ ...tap, afterMs: 20_000 });
  const sale = sell('10.00', { at });
  await sale.waitForOutput('Waiting for the customer');
  sale.child.kill('SIGINT');
  const end = await sale.ended;
  expect(end.err).toMatch(/10\.00 EUR {2}Cancelled at the till\.\nNot charged\./);
  expect([1, 3]).toContain(end.code);
});

test('a till that was killed during a payment asks the terminal before the next one', async () => {
  const at = await terminal({ ...tap, afterMs: 1_000 });
  expect((await sell('9.00', { at }).ended).code).toBe(0);
  const killed = sell('10.00', { at });
  await killed.waitForOutput('Waiting for the customer');
  killed.child.kill('SIGKILL');
  await killed.ended;
  const row = /^000002 .* 10\.00 EUR .*/m;
  expect(row.exec(await run('sales'))?.[0]).toContain('UNKNOWN');
  // The terminal may still be busy with that payment: then it refuses, and says so.
  let end = await sell('11.00', { at }).ended;
  for (let n = 0; n < 20 && end.code === 5; n++) end = await sell('11.00', { at }).ended;
  expect(end, end.err).toMatchObject({ code: 0 });
  expect(end.err).toMatch(/asked about an earlier sale: 000002/);
  // Either ending is right: the terminal decides it.
  expect(row.exec(await run('sales'))?.[0]).toMatch(/not charged|approved/);
});
