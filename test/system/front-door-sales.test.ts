/** Sales from a second shell while a till runs: the same steps, cancellation and receipts as in a separate process. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Customer, folder, screensOf, simulator, tillgate, trackProcesses, waitingText } from './processes.ts';

trackProcesses();

/** Masks what differs between sales: times, numbers and codes. */
const maskVarying = (text: string): string => text.replaceAll(/\d\d:\d\d:\d\d|AUTH \w{6}|\b[0-9A-F]{6,}\b/g, '#');

const chip: Customer = { card: 'mastercard-m10', by: 'chip', afterMs: 10 };

test('a sale from a second shell prints its steps, ending and receipts as in a separate process', async () => {
  const { at, process } = await simulator(chip);
  const data = ['--data', join(folder, 'till')];
  const run = (...args: readonly string[]) => tillgate(['till', ...args, ...data]);
  const alone = await run('sell', '12.50', '--terminal', at).ended;
  expect(alone, alone.err).toMatchObject({ code: 0, err: expect.stringContaining('Card inserted') });

  const till = tillgate(['start', ...data, '--port', '0', '--no-open-browser', '--terminal', at]);
  await screensOf(till);
  const besideSale = await run('sell', '12.50', '--cashier', 'Kim').ended;
  expect(maskVarying(besideSale.err)).toBe(maskVarying(alone.err));
  expect(maskVarying(besideSale.out).replace(/\nCASHIER +Kim/g, '')).toBe(maskVarying(alone.out));
  expect(besideSale).toMatchObject({ code: 0, out: expect.stringMatching(/CASHIER +Kim/) });

  const json = async (...args: readonly string[]) => {
    const { code, out, err } = await run(...args, '--json').ended;
    expect(err).toBe('');
    return { code, ...JSON.parse(out) };
  };
  expect(await json('refund', '1', '2.50')).toMatchObject({ code: 0, operation: 'refund', amount: '2.50' });
  expect(await json('sell', '5.00', '--split', '3.00,2.00')).toMatchObject({ code: 0, bill: { paid: '5.00' } });
  expect(await json('preauth', '50.00')).toMatchObject({ code: 0, receipt: 6, ending: 'approved' });
  const tipped = await run('tip', '6', '5.00').ended;
  expect(tipped.err).toMatch(/APPROVED {2}5\.00 EUR {2}increment: .*APPROVED {2}55\.00 EUR \(5\.00 EUR of it tip\)/s);
  expect(await json('void', '2')).toMatchObject({ code: 0, reason: 'voided' });
  expect(await run('receipt', '2').ended).toMatchObject({ code: 0, out: expect.stringContaining('DUPLICATE') });
  expect(await json('refund', '99')).toMatchObject({ code: 2, fault: { code: 'till.notFound' } });

  process.child.kill('SIGTERM');
  await process.ended;
  till.child.kill('SIGTERM');
  await till.ended;
});

test('Control-C in a second shell cancels the sale, and the sale outlives a shell that is killed', async () => {
  const { at } = await simulator({ ...chip, afterMs: 15_000 });
  const data = ['--data', join(folder, 'till')];
  const till = tillgate(['start', ...data, '--port', '0', '--no-open-browser', '--terminal', at]);
  await screensOf(till);
  const sell = (...flags: readonly string[]) => tillgate(['till', 'sell', '9.00', ...flags, ...data]);

  const cancelled = sell();
  await cancelled.waitForOutput(waitingText);
  cancelled.child.kill('SIGINT');
  const end = await cancelled.ended;
  expect(end, end.err).toMatchObject({ code: 3, err: expect.stringContaining('Cancelling.') });

  const killed = sell();
  await killed.waitForOutput(waitingText);
  killed.child.kill('SIGKILL');
  await killed.ended;
  const busy = await sell().ended;
  expect(busy, busy.err).toMatchObject({ code: 5, err: expect.stringContaining('busy with another sale') });
  const readSale = async () => JSON.parse((await tillgate(['till', 'sales', '--json', ...data]).ended).out).sales[0];
  await expect.poll(readSale, { timeout: 60_000 }).toMatchObject({ ending: 'approved', amount: '9.00' });
  till.child.kill('SIGTERM');
  await till.ended;
});
