/** Whatever happened, no card number, security code or PIN is in a file or an answer of the gateway. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemIds, systemRandom } from '../../src/base/ids.ts';
import { openGateway } from '../../src/gateway/server/embedded.ts';
import { entityId, payment, posSale, token } from '../support/gateway/gateway.ts';
import { scanForCardData } from '../support/leaks/leak-scan.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';

const pan = '4761739001010010';
const pinBlock = '1C41AB4A9F2B0F1D';
const cvv = '9876';
const requests = [
  payment({ 'card.number': pan, 'card.cvv': cvv }),
  payment({ 'card.number': pan, 'card.expiryYear': '2020' }),
  payment({ 'card.number': `${pan.slice(0, -1)}1` }),
  payment({ 'card.number': pan, 'customParameters[forceResultCode]': '800.100.151' }),
  payment({ 'card.number': pan, 'customParameters[forceResultCode]': '900.100.300' }),
  payment({ 'card.nmber': pan, amount: pan }),
  payment({ 'card.number': pan, [pan]: '1' }),
  posSale({ 'pos.encryptedPin.data': pinBlock, 'pos.encryptedPin.ksn': 'FFFF9876543210E00003' }),
  posSale({ 'pos.encryptedPin.data': pinBlock, 'pos.encryptedPin.ksn': 'FFFF9876543210E00004' }),
];

test('seeded card data are found in no file and no answer', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-'));
  const messages: string[] = [];
  const gateway = await openGateway({
    dataDir: folder,
    channels: [{ entityId, token }],
    clock: virtualClock(),
    ids: systemIds,
    random: systemRandom,
    report: (error) => messages.push(String(error)),
  });
  for (const parameters of requests) {
    const reply = await gateway.fetch(
      new Request('http://gateway.test/v1/payments', {
        method: 'POST',
        body: new URLSearchParams({ entityId, ...parameters }).toString(),
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/x-www-form-urlencoded',
          'idempotency-key': `key-${requests.indexOf(parameters)}`,
        },
      }),
    );
    messages.push(await reply.text());
  }
  // While the gateway runs, the WAL file can be searched too.
  const needles = [pan, `${pan.slice(0, -1)}1`, pinBlock];
  expect(scanForCardData({ roots: [folder], needles })).toEqual([]);
  await gateway.close();
  expect(scanForCardData({ roots: [folder], needles })).toEqual([]);
  expect(messages).toHaveLength(requests.length);
  expect(messages.filter((text) => needles.some((needle) => text.includes(needle)))).toEqual([]);
  expect(messages.filter((text) => text.includes(`"${cvv}"`))).toEqual([]);
  rmSync(folder, { recursive: true });
});
