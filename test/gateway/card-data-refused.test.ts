/**
 * Card data in a text that the gateway stores: each operation refuses it in each of its free parameters, in every
 * spelling, names the parameter, and stores nothing of it, on strict and on lenient channels.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { systemIds, systemRandom } from '../../src/base/ids.ts';
import { testCards } from '../../src/emv/test-cards.ts';
import { endpoints } from '../../src/gateway/server/all-endpoints.ts';
import { type Embedded, openGateway } from '../../src/gateway/server/embedded.ts';
import { isFreeText } from '../../src/gateway/spec/parameters/all.ts';
import { createFormatTest } from '../../src/gateway/spec/parameters/formats.ts';
import { scanForCardData } from '../support/leaks/leak-scan.ts';
import { byNight } from '../support/night/night.ts';
import { pairwise } from '../support/night/pairwise.ts';
import { sendable } from './spec/parameters/cases.ts';

const { pan, expiry, serviceCode } = testCards['visa-credit'];
const fullWidthPan = [...pan].map((digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0)).join('');

/** Spellings used by people and programs. Each parameter gets those that fit its format. */
const spellings: Readonly<Record<string, string>> = {
  plain: pan,
  grouped: pan.replace(/\d{4}(?=\d)/g, '$& '),
  dashed: `no. ${pan.replace(/\d{4}(?=\d)/g, '$&-')}`,
  'in words': `paid with card ${pan}, thanks`,
  wide: `card ${fullWidthPan}`,
  track: `;${pan}=${expiry}${serviceCode}11143804400000?`,
  code: 'by telephone, CVV 987',
  address: `https://shop.example/back?memo=${pan}`,
};

type Case = { line: string; template: string; spelling: string; strictness: 'strict' | 'lenient' };

const all: Case[] = endpoints.flatMap(({ operation: { method, path, accepts } }) =>
  Object.entries(accepts)
    .filter(([template]) => template !== 'entityId' && isFreeText(sendable(template)))
    .flatMap(([template, row]) =>
      Object.entries(spellings)
        .filter(([, value]) => createFormatTest(row)(value))
        .flatMap(([spelling]) =>
          (['strict', 'lenient'] as const).map((strictness) => ({
            ...{ line: `${method} ${path}`, template, spelling, strictness },
          })),
        ),
    ),
);
const cases = byNight({
  day: pairwise(all, ({ line, template, spelling, strictness }) => [line, template, spelling, strictness]),
  night: all,
});

const channels = [
  { entityId: '8a8294174e735d0c014e78beb6b9154b', token: 'token-of-the-strict-channel' },
  { entityId: '8a8294174e735d0c014e78beb6b9154c', token: 'token-of-the-lenient-channel', lenient: true },
];

let folder: string;
let gateway: Embedded;
/** By entityId and kind: a shopper's request needs an existing checkout. */
const checkouts = new Map<string, string>();
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'card-data-doors-'));
  const parts = { clock: systemClock, ids: systemIds, random: systemRandom };
  gateway = await openGateway({ dataDir: folder, channels, ...parts });
  for (const { entityId, token } of channels) {
    const createdId = async (parameters: Readonly<Record<string, string>>): Promise<string> => {
      const body = new URLSearchParams({ entityId, ...parameters });
      const headers = { authorization: `Bearer ${token}` };
      const request = new Request('http://gateway.test/v1/checkouts', { method: 'POST', headers, body });
      return ((await (await gateway.fetch(request)).json()) as { id: string }).id;
    };
    checkouts.set(`${entityId} payment`, await createdId({ amount: '1.00', currency: 'EUR', paymentType: 'DB' }));
    checkouts.set(`${entityId} registration`, await createdId({ createRegistration: 'true' }));
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const sendCase = async ({ line, template, spelling, strictness }: Case, index: number) => {
  const { entityId = '', token = '' } = channels[strictness === 'strict' ? 0 : 1] ?? {};
  const checkout = checkouts.get(`${entityId} ${line.endsWith('registration') ? 'registration' : 'payment'}`);
  const id = line.includes('/checkouts/:id') ? checkout : undefined;
  const [method = '', path = ''] = line.replace(':id', id ?? 'f'.repeat(32)).split(' ');
  const name = sendable(template);
  const form = new URLSearchParams({ entityId, [name]: spellings[spelling] ?? '' });
  const isPost = method === 'POST';
  const reply = await gateway.fetch(
    new Request(`http://gateway.test/${path.slice(1)}${isPost ? '' : `?${form}`}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'idempotency-key': `key-${index}` },
      body: isPost ? form : undefined,
    }),
  );
  const text = await reply.text();
  const body = JSON.parse(text) as { result: { parameterErrors?: { name: string; message: string }[] } };
  const message = body.result.parameterErrors?.find((error) => error.name === name)?.message ?? 'nothing';
  const leaks = Object.values(spellings).some((written) => text.includes(written));
  return { line, template, spelling, strictness, text: leaks ? 'the digits' : message };
};

test('refuses card data in every free text of every operation by name, and stores none of them', async () => {
  expect(all.length).toBeGreaterThan(5_000);
  const replies = await Promise.all(cases.map(sendCase));
  const acceptedCases = replies.filter(
    ({ text }) => !/^must not hold a (card number|card security code|track)$/.test(text),
  );
  expect(acceptedCases).toEqual([]);
  await gateway.close();
  expect(scanForCardData({ roots: [folder], needles: [pan, fullWidthPan, spellings['track'] ?? ''] })).toEqual([]);
});
