/**
 * Searches for card data, gift cards, PINs and keys in everything that a served till outputs and stores: each answer,
 * the event stream, receipts in every form, downloads, the bundle, and every file in its folder.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { LiveSale } from '../../src/api/contract/sales.ts';
import type { SignedIn } from '../../src/api/contract/session.ts';
import { type ServedTill, serveTill } from '../../src/app/serve.ts';
import { tillServices } from '../../src/app/services.ts';
import { toHex } from '../../src/base/hex.ts';
import { encodePinBlock } from '../../src/emv/pin-block.ts';
import { testCards } from '../../src/emv/test-cards.ts';
import { answerBodies, answerCheck, compareWithSchema } from '../support/api/api-answers.ts';
import { endedSale } from '../support/api/ended-sale.ts';
import { openSqlUnsynced } from '../support/disk/unsynced-sql.ts';
import { scanForCardData } from '../support/leaks/leak-scan.ts';
import { cheapStretchCost } from '../support/till/stretch-cost.ts';
import { quickClock } from '../support/time/quick-clock.ts';

const GIFT = '9900000000001000';
const STRAY = testCards['visa-poor'].pan;
const PINS = { Mara: '482915730264', Ben: '604729183055' } as const;
const WRONG = '915537204618';

let folder: string;
let served: ServedTill;
let answers = 0;
/** Routes whose answers were checked against the API document. */
const held = new Set<string>();
const keep = (one: ReturnType<typeof compareWithSchema>): void => {
  if (one === undefined) return;
  expect(one.wrong, one.key).toEqual([]);
  held.add(one.key);
};
const say = (text: string | Uint8Array, of = ''): void => {
  answers += 1;
  writeFileSync(join(folder, 'said', `${answers} ${of.replace(/\W+/g, ' ').replaceAll(STRAY, 'stray')}`), text);
};

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'audit-cards-'));
  mkdirSync(join(folder, 'said'));
  mkdirSync(join(folder, 'page'));
  writeFileSync(join(folder, 'page', 'index.html'), '<!doctype html><head></head><title>till</title>');
  served = await serveTill({
    ...{ dataDir: join(folder, 'data'), at: { port: 0 }, version: '1', page: join(folder, 'page') },
    ...{ simulate: 'mpi', simulatedClock: quickClock, stretchCost: cheapStretchCost },
    ...{ open: openSqlUnsynced, answerCheck, services: tillServices },
    report: (error: unknown) => say(String(error)),
  });
});
afterEach(async () => {
  await served.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Somebody's browser. All that it receives is collected, except its own secrets. */
const browser = async (who?: { name: string; pin: string }) => {
  const first = await fetch(`${served.address}api/session${who === undefined ? '/code' : ''}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(who ?? { code: served.startCode() }),
  });
  const cookie = first.headers.get('set-cookie')?.split(';')[0] ?? '';
  const { csrf } = (await first.json()) as SignedIn;
  const ask = async (method: string, path: string, body?: unknown, more: Record<string, string> = {}) => {
    const answer = await fetch(`${served.address}api/${path}`, {
      method,
      headers: { cookie, 'x-csrf-token': csrf, 'content-type': 'application/json', ...more },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const bytes = new Uint8Array(await answer.arrayBuffer());
    if (!['session', 'pos-keys', 'override'].includes(path) || answer.status >= 400) say(bytes, `${method} ${path}`);
    say(JSON.stringify([...answer.headers].filter(([name]) => name !== 'set-cookie')), `head ${path}`);
    const text = Buffer.from(bytes).toString();
    if (answer.ok && text !== '' && answer.headers.get('content-type')?.includes('json') === true)
      keep(compareWithSchema(method, `/api/${path}`, JSON.parse(text)));
    return { status: answer.status, text };
  };
  return { ask, cookie, csrf };
};
type Browser = Awaited<ReturnType<typeof browser>>;

const sell = async ({ ask, cookie }: Browser, path: string, body: unknown, key: string): Promise<LiveSale> => {
  const started = await ask('POST', path, body, { 'idempotency-key': key });
  expect(started.status, started.text).toBe(201);
  const { id } = JSON.parse(started.text) as LiveSale;
  const look = async () => JSON.parse((await ask('GET', `live/${id}`)).text) as LiveSale;
  return endedSale(served.address, { cookie }, look);
};

const reads = [
  ...[
    'counters',
    'line',
    'live',
    'preauths',
    'sales',
    'sales/1',
    `sales?search=${STRAY}`,
    'today',
    'batches',
    'closing',
  ],
  ...['batches/1', 'reconciliations', 'open-items', 'limits', 'staff', 'permissions', 'audit?most=200', 'pos-keys'],
  ...['devices', 'devices/plugged', 'trace', 'configuration', 'bundle', 'updates', 'printers', 'openapi.json'],
  ...['session/names', 'browsers', 'machine', 'going-live'],
  ...['downloads/sales/csv', 'downloads/audit/csv', 'downloads/batch/csv?batch=1', 'downloads/batch/pdf?batch=1'],
  ...['text', 'svg', 'pdf', 'escpos', 'receiptline', 'email'].map(
    (form) => `sales/1/receipt?form=${form}&copy=merchant`,
  ),
  ...[1, 2, 3].map((receipt) => `sales/${receipt}/receipt`),
];

/** Values typed where they do not belong: a card number and a PIN. */
const strays: readonly (readonly [method: string, path: string, body: unknown])[] = [
  ['POST', 'session', { name: WRONG, pin: WRONG }],
  ['POST', 'session', { name: 'Mara', pin: WRONG, [WRONG]: 1 }],
  ['POST', 'override', { name: 'Mara', pin: WRONG, permission: 'credit' }],
  ['POST', 'claims', { text: STRAY }],
  ['POST', 'likely', { amount: { amount: '7.00', currency: 'EUR' }, last4: STRAY }],
  ['POST', 'printers', { name: STRAY, address: STRAY, width: 80 }],
  ['POST', 'staff', { name: STRAY, role: 'cashier', pin: WRONG }],
  ['POST', 'pos-keys', { name: STRAY }],
  ['POST', 'open-items/1', { action: 'sayCharged', reason: `card ${STRAY}`, evidence: `card ${STRAY}` }],
  ['PUT', 'limits', { changes: { [STRAY]: STRAY, 'chip.upTo': STRAY } }],
  ['POST', 'configuration/plan', { text: `{"merchant":{"name":"${STRAY}"}}` }],
  ['GET', `sales/${STRAY}/receipt`, undefined],
  ['GET', `live/${STRAY}`, undefined],
  ['GET', `${STRAY}`, undefined],
];

test('no secret appears in anything that is output or stored', async () => {
  const first = await browser();
  await first.ask('POST', 'staff', { name: 'Mara', role: 'manager', pin: PINS.Mara });
  const mara = await browser({ name: 'Mara', pin: PINS.Mara });
  await mara.ask('POST', 'staff', { name: 'Ben', role: 'cashier', pin: PINS.Ben });
  const created = await mara.ask('POST', 'pos-keys', { name: 'Kiosk' });
  const { key } = JSON.parse(created.text) as { key: string };
  const controller = new AbortController();
  const stream = await fetch(`${served.address}api/events`, {
    headers: { cookie: mara.cookie },
    signal: controller.signal,
  });
  let received = '';
  const listening = (async () => {
    for await (const chunk of stream.body ?? []) received += Buffer.from(chunk).toString();
  })().catch(() => undefined);

  const amount = { amount: '7.00', currency: 'EUR' };
  const ben = await browser({ name: 'Ben', pin: PINS.Ben });
  expect((await sell(ben, 'sales', { amount }, 'key-00000001')).result?.ending).toBe('approved');
  await sell(
    ben,
    'sales',
    { amount, operation: 'giftCard', giftCard: { number: GIFT, pin: '482915738830' } },
    'key-00000002',
  );
  await sell(ben, 'sales/1/refund', { amount: { ...amount, amount: '2.00' } }, 'key-00000003');
  for (const [method, path, body] of strays) await mara.ask(method, path, body);
  for (const path of reads) await mara.ask('GET', path);
  await mara.ask('POST', 'x-reports', {});
  const { word } = JSON.parse(
    (await mara.ask('POST', 'override', { name: 'Mara', pin: PINS.Mara, permission: 'closeBatch' })).text,
  );
  await mara.ask('POST', 'closing', {}, { 'x-override': word });
  await mara.ask('POST', 'bundle', {});
  await mara.ask('GET', 'counters', undefined, { authorization: `Bearer ${key}` });
  await mara.ask('GET', 'counters', undefined, { authorization: `Bearer ${key}x` });
  controller.abort();
  await listening;
  say(received);
  expect(received).toContain('event: sale');
  await served.close();

  const token = (cookie: string): string => cookie.slice(cookie.indexOf('=') + 1);
  const needles = [
    ...Object.values(testCards).flatMap(({ pan, pin, expiry, serviceCode }) => [
      ...[pan, `${pan}D${expiry}${serviceCode}`, toHex(encodePinBlock({ format: 0, pin, pan }))],
    ]),
    ...[GIFT, '482915738830', ...Object.values(PINS), WRONG, key],
    ...[mara, ben].flatMap(({ cookie, csrf }) => [token(cookie), csrf]),
  ];
  const roots = [join(folder, 'data'), join(folder, 'said')];
  expect(answers).toBeGreaterThan(80);
  expect(held.size, `${answerBodies.filter((key) => !held.has(key)).join(', ')} were not asked`).toBeGreaterThan(30);
  const found = scanForCardData({ roots, needles }).map(
    (one) => `${one.file.slice(folder.length)} ${one.needle} ${one.encoding}`,
  );
  expect([...new Set(found)]).toEqual([]);
});
