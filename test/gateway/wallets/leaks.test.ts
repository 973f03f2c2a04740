/** After payments with real tokens: no device number, cryptogram or key in any file, log or answer. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemIds, systemRandom } from '../../../src/base/ids.ts';
import { openGateway } from '../../../src/gateway/server/embedded.ts';
import { openLog } from '../../../src/gateway/server/http/log.ts';
import { entityId, token } from '../../support/gateway/gateway.ts';
import { scanForCardData } from '../../support/leaks/leak-scan.ts';
import { virtualClock } from '../../support/time/virtual-clock.ts';
import { madeVector, samsungVector } from './vectors.ts';

const { inputs } = madeVector('ec');
const samsung = samsungVector('RSA1_5-A256GCM').inputs;
const number = '4761739001010010';
const cryptogram = 'AK+zkbPMCORcABCD3AGRAoACFA==';

/** The middle lines of each key file, which any copy of the key contains as well. */
const keyLines = [...inputs.keys, ...samsung.privateKeys].flatMap((pem) => pem.split('\n').slice(1, -2)).slice(0, 12);

const sale = { entityId, amount: '12.50', currency: 'EUR', paymentType: 'DB' };
const apple = { ...sale, 'applePay.paymentToken': JSON.stringify(inputs.paymentData) };
const requests: readonly Record<string, string>[] = [
  apple,
  apple,
  { ...apple, merchantTransactionId: 'a replay' },
  { ...apple, amount: '99.00' },
  { ...apple, 'applePay.paymentToken': apple['applePay.paymentToken'].replace('"data":"', '"data":"AAAA') },
  // The number in groups that no card has: it is found because it is the number in this token.
  { ...apple, merchantTransactionId: `order ${number.replace(/^(.{5})(.{3})/, '$1 $2 ')}` },
  { ...sale, 'samsungPay.paymentToken': samsung.token },
  { ...sale, 'samsungPay.paymentToken': samsung.token.slice(0, -9) },
];

test('seeded numbers, cryptograms and keys are found nowhere', async () => {
  const root = mkdtempSync(join(tmpdir(), 'wallets-'));
  const folder = join(root, 'data');
  mkdirSync(folder);
  const clock = virtualClock(Number(inputs.now));
  const log = await openLog({ to: { file: join(root, 'log') }, clock, onLost: () => {} });
  const applePay = {
    merchantId: inputs.merchantId,
    keys: inputs.keys.map((privateKey) => ({ privateKey })),
    rootCertificates: [inputs.appleRootPem],
  };
  const gateway = await openGateway({
    dataDir: folder,
    channels: [{ entityId, token, wallets: { applePay, samsungPay: { privateKeys: samsung.privateKeys } } }],
    clock,
    ids: systemIds,
    random: systemRandom,
    report: log.logFault,
    observers: [log.observer],
  });
  const messages: string[] = [];
  for (const [requestIndex, parameters] of requests.entries()) {
    const reply = await gateway.fetch(
      new Request('http://gateway.test/v1/payments', {
        method: 'POST',
        body: new URLSearchParams(parameters).toString(),
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/x-www-form-urlencoded',
          'idempotency-key': `key-${requestIndex}`,
        },
      }),
    );
    messages.push(await reply.text());
  }
  const codes = messages.map((text) => (JSON.parse(text) as { result: { code: string } }).result.code);
  expect(codes).toEqual([
    '000.100.110',
    '000.100.110',
    '800.110.100',
    // The token was used, so its different amount no longer matters.
    '800.110.100',
    '200.300.404',
    '800.110.100',
    '000.100.110',
    '200.300.404',
  ]);
  const needles = [number, cryptogram, ...keyLines];
  // While the gateway runs, the WAL file can be searched too.
  expect(scanForCardData({ roots: [root], needles })).toEqual([]);
  await gateway.close();
  await log.close();
  expect(scanForCardData({ roots: [root], needles })).toEqual([]);
  expect(messages.filter((text) => needles.some((needle) => text.includes(needle)))).toEqual([]);
  rmSync(root, { recursive: true });
});
