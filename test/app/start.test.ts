/** Starting a till whose folder has changed: refused by name, nothing locked, nothing lost. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { diskFull } from '../support/till/till-rig.ts';
import { openShop, type Shop } from './shop.ts';

let shop: Shop;
beforeEach(() => {
  shop = openShop();
});
afterEach(() => shop.remove());

const change = (name: string, how: (value: Record<string, unknown>) => unknown): void =>
  writeFileSync(
    shop.file(name),
    JSON.stringify(how(JSON.parse(readFileSync(shop.file(name), 'utf8')) as Record<string, unknown>)),
  );

test.each([
  ['no till.json', 'till.json', 'config.malformed', () => rmSync(shop.file('till.json'))],
  ['no secrets', 'till.secrets.json', 'secrets.gone', () => rmSync(shop.file('till.secrets.json'))],
  [
    'the secrets of another till',
    'till.secrets.json',
    'secrets.gone',
    () => change('till.secrets.json', (secrets) => ({ ...secrets, tillKey: 'AB'.repeat(32) })),
  ],
  ['no journal', 'journal.db', 'journal.gone', () => rmSync(shop.file('journal.db'))],
])('%s: refused, and after restoring the backup the stored sale is sent', async (_, name, code, damage) => {
  expect((await shop.storeOne()).offline).toBe('chip');
  const backup = readFileSync(shop.file(name));
  damage();
  await expect(shop.start()).rejects.toMatchObject({ code });

  writeFileSync(shop.file(name), backup);
  const running = await shop.start();
  expect(await running.forwarder.drain('all')).toEqual({ done: 1, later: 0, parked: 0 });
  await running.close();
});

test('the location in till.json is in each intent', async () => {
  const place = { latitude: '48.2082', longitude: '16.3738' };
  const first = await shop.start();
  await first.close();
  change('till.json', (config) => ({ ...config, location: { ...place, accuracy: 25 } }));
  const running = await shop.start();
  expect((await shop.sell(running)).intent.location).toEqual({ ...place, accuracy: '25' });
  await running.close();
});

test('an approval in the till’s own mode makes messages due again that another mode answered', async () => {
  const running = await shop.start();
  running.outbox.put({ id: 'm', kind: 'reversal', sale: 's', key: 'k', body: '{}' }, systemClock.now());
  running.outbox.park('m', 'answered in the other mode', 'only');
  expect(running.outbox.parked()).toHaveLength(1);
  await shop.sell(running);
  expect(running.outbox.parked()).toEqual([]);
  await running.close();
});

test('a failed recovery leaves the journal free for the next start', async () => {
  const broken = {
    ledger: (ledger: Parameters<NonNullable<NonNullable<Parameters<Shop['start']>[0]>['ledger']>>[0]) => ({
      ...ledger,
      record(...[sale, event, message]: Parameters<typeof ledger.record>) {
        if (event.on !== 'intended') throw diskFull();
        ledger.record(sale, event, message);
      },
      recordAll() {
        throw diskFull();
      },
    }),
  };
  const first = await shop.start(broken);
  await expect(shop.sell(first, 100n)).rejects.toMatchObject({ code: 'journal.unwritable' });
  await first.close();
  await expect(shop.start(broken)).rejects.toMatchObject({ code: 'journal.unwritable' });
  const third = await shop.start();
  expect(third.recovered.map(({ at }) => at)).toEqual(['ended']);
  await third.close();
});

test('limits in the till’s currency do not apply to another: 15 000 EUR do not pass as 20 000 HUF', async () => {
  await (await shop.start()).close();
  change('till.json', (config) => ({
    ...config,
    currency: 'HUF',
    offline: { chipUpTo: '20000.00', deferredUpTo: '0.00', total: '200000.00', count: 50 },
  }));
  shop.line.up = false;
  const running = await shop.start();
  const sale = await shop.sell(running, 1_500_000n);
  await running.close();
  expect([sale.ending, sale.reason, sale.why]).toEqual(['notSent', 'offlineRefused', 'the store’s limits are in HUF']);
});

test('a limit of one sale takes one offline, and the next after that was sent', async () => {
  await (await shop.start()).close();
  change('till.json', (config) => ({ ...config, offline: { ...(config['offline'] as object), count: 1 } }));
  const first = await shop.storeOne();
  const second = await shop.storeOne();
  const running = await shop.start();
  await running.forwarder.drain('all');
  await running.close();
  const third = await shop.storeOne();
  expect([first, second, third].map(({ ending }) => ending)).toEqual(['approved', 'notSent', 'approved']);
});
