/** Commands from a second shell while a till is served: over its owner's socket, with and without people. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folder, tillgate, trackProcesses } from './processes.ts';
import { serveAt } from './served-till.ts';

trackProcesses();

const pins = { Mara: '739184' } as const;

test('commands on a running till print what they print without one, and see no more than the screens', async () => {
  const data = join(folder, 'till');
  const run = (...words: readonly string[]) => tillgate(['till', ...words, '--data', data]).ended;
  const as = (name: keyof typeof pins, pin: string = pins[name]) => {
    const file = join(folder, `pin-${pin}`);
    writeFileSync(file, `${pin}\n`, { mode: 0o600 });
    return ['--as', name, '--pin-file', file];
  };
  const till = await serveAt(data);
  await till.sell('12.50');
  await till.refund(1);
  const lists = [['sales'], ['sales', '--json', '--search', '12.50'], ['preauths']];
  const served = await Promise.all(lists.map((words) => run(...words)));
  expect(served[0]).toMatchObject({ code: 0, out: expect.stringMatching(/^TEST - NO MONEY MOVED\n000002 .* refund /) });
  const refused = await run('sales', '--record', join(folder, 'a.tape'));
  expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('--record counts only when one is started') });

  const add = (name: string, role: string, pin: string) => till.post('staff', { name, role, pin });
  expect((await add('Mara', 'manager', pins.Mara)).status).toBeLessThan(300);
  const none = await run('sales');
  expect(none).toMatchObject({ code: 2, out: '', err: expect.stringContaining('Give --as NAME') });
  const wrong = await run('sales', ...as('Mara', '111222'));
  expect(wrong).toMatchObject({ code: 2, out: '', err: expect.stringContaining('The name or the PIN is wrong') });
  expect((await run('sales', ...as('Mara'))).out).toBe(served[0]?.out);

  await till.stop();
  expect(await run('sales')).toEqual(none);
  for (const [at, words] of lists.entries()) {
    const { code, out } = await run(...words, ...as('Mara'));
    expect({ code, out }, words.join(' ')).toEqual({ code: served[at]?.code, out: served[at]?.out });
  }
});
