/** The simulator's stored data: complete after a restart, atomic, without sensitive data, and damage is detected. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testCards } from '../../../src/emv/test-cards.ts';
import type { Acquirer, Authorisation } from '../../../src/gateway/payments/acquirer.ts';
import { scanForCardData } from '../../support/leaks/leak-scan.ts';
import {
  acquirer,
  available,
  cardOf,
  counters,
  discretionary,
  inquire,
  type Memory,
  memory,
  NOW,
  present,
  reference,
} from './shop-counter.ts';

test('a second acquirer with the same memory continues where the first stopped', async () => {
  const records = memory();
  const request = present('visa-poor', { minor: 900n });
  const answer = await acquirer({ memory: records }).authorise(request);
  const restartedAcquirer = acquirer({ memory: records });
  expect(await inquire(restartedAcquirer, request.id)).toEqual(answer);
  expect(await restartedAcquirer.authorise(request)).toEqual(answer);
  expect((await restartedAcquirer.authorise(present('visa-poor', { minor: 101n }))).details['AcquirerResponse']).toBe(
    '51',
  );
  const reversal = reference('reverse', request.id, { minor: 900n });
  expect((await restartedAcquirer.refer(reversal)).resultCode).toBe('000.100.110');
  expect((await restartedAcquirer.authorise(present('visa-poor', { minor: 1_000n }))).details['AcquirerResponse']).toBe(
    '00',
  );
});

/** A memory whose nth transaction with writes ends in a power failure: none of it is stored. */
const cutAt = (memory: Memory, cut: number): Memory => {
  let written = 0;
  return {
    ...memory,
    withLocks: (names, work) =>
      memory.withLocks(names, async (documents) => {
        let writes = 'no' as 'no' | 'yes';
        const result = await work({
          get: documents.get,
          set: (entries) => {
            writes = 'yes';
            return documents.set(entries);
          },
        });
        if (writes === 'yes') written += 1;
        if (writes === 'yes' && written === cut) throw new Error('power cut');
        return result;
      }),
  };
};

test.each([1, 2, 3])(
  'after a power failure at write %d outcome and balance agree, and a retry completes the payment',
  async (write) => {
    const records = memory();
    const payment = cardOf('4111111111111111', { type: 'PA', minor: 1_000n });
    const capture = reference('capture', payment.id, { minor: 1_000n });
    const refund = reference('refund', payment.id, { minor: 1_000n });
    const work = async (acquirerAt: Acquirer) => [
      await acquirerAt.authorise(payment),
      await acquirerAt.refer(capture),
      await acquirerAt.refer(refund),
    ];

    await expect(work(acquirer({ memory: cutAt(records, write) }))).rejects.toThrow('power cut');
    const issuer = acquirer({ memory: records });
    const hasOutcome = [payment, capture, refund].map(({ id }) => records.documents.has(`simulator/outcome/${id}`));
    expect(hasOutcome).toEqual([write > 1, write > 2, false]);
    expect(available(records)).toEqual(write > 1 ? [10_000_000_000n - 10_000n] : []);

    for (const answer of await work(issuer)) expect(answer.resultCode).toBe('000.100.110');
    expect(available(records)).toEqual([10_000_000_000n]);
  },
);

test('no document contains a card number, track, PIN block or PIN value', async () => {
  const records = memory();
  const issuer = acquirer({ memory: records });
  const needles = new Set<string>();
  const short = new Set<string>();
  const from = counters('FFFF0102000077');
  const send = async (request: Authorisation) => {
    await issuer.authorise(request);
    const { encryptedPin, encryptedSred } = request.pos ?? {};
    for (const sealed of [encryptedPin, encryptedSred]) if (sealed) needles.add(sealed.data);
  };
  for (const card of Object.values(testCards)) {
    needles.add(card.pan).add(`${card.pan}=${card.expiry}`);
    // Eight digits: three alone would occur in packed bytes by chance.
    for (const code of ['999', card.serviceCode]) short.add(discretionary(card, code));
    if (card.cvn === 'none') await send(present(card, { by: 'swipe', from }));
    else {
      await send(present(card, { pin: card.pin, from }));
      await send(present(card, { pin: '98765', by: 'tap', from }));
      await send(present(card, { by: 'fallback', from, custom: { forceResultCode: '800.100.152' } }));
    }
    await send(cardOf(card.pan));
  }
  const root = mkdtempSync(join(tmpdir(), 'simulator-memory-'));
  try {
    writeFileSync(join(root, 'memory'), [...records.documents].flat().join('\n'));
    expect(records.documents.size).toBeGreaterThan(70);
    expect(scanForCardData({ roots: [root], needles: [...needles] })).toEqual([]);
    const text = readFileSync(join(root, 'memory'), 'latin1');
    expect(
      [...short].filter((digits) => text.includes(digits) || text.includes(Buffer.from(digits).toString('hex'))),
    ).toEqual([]);
  } finally {
    rmSync(root, { recursive: true });
  }
});

test.each(['', '{', '[]', '{"available":"1.5"}', '{"available":12}'])(
  'refuses the document "%s" by name',
  async (text) => {
    const records = memory();
    const issuer = acquirer({ memory: records });
    await issuer.authorise(cardOf('4111111111111111'));
    const key = [...records.documents.keys()].find((name) => name.startsWith('simulator/account/')) ?? '';
    records.documents.set(key, text);
    await expect(issuer.authorise(cardOf('4111111111111111'))).rejects.toMatchObject({ code: 'gateway.state' });
    await expect(issuer.authorise(cardOf('4111111111111111'))).rejects.toThrow(key);
    // Another account is not affected.
    expect((await issuer.authorise(cardOf('5454545454545454'))).resultCode).toBe('000.100.110');
  },
);

test('accounts can be passed in, with their own limits', async () => {
  const pan = '4242424242424242';
  const account = { pan, psn: '00', brand: 'VISA', pin: '1111', account: 'open', availableMinor: 10_000n } as const;
  const issuer = acquirer({ accounts: [{ ...account, perTransactionMinor: 2_000n, perDay: 2 }] });
  const codeFor = async (minor: bigint, at = NOW) =>
    (await issuer.authorise(cardOf(pan, { minor, at }))).details['AcquirerResponse'];
  expect(await codeFor(2_001n)).toBe('61');
  expect(await codeFor(2_000n)).toBe('00');
  expect(await codeFor(1n)).toBe('00');
  expect(await codeFor(1n)).toBe('65');
  expect(await codeFor(1n, NOW + 24 * 60 * 60 * 1000)).toBe('00');
});
