/** A store with a given number of payments, for queries whose cost must not grow. */
import { join } from 'node:path';
import { systemIds } from '../../src/base/ids.ts';
import { openSqliteStore } from '../../src/gateway/database/open.ts';
import { shortIdOf } from '../../src/gateway/payments/short-id.ts';
import type { Payment } from '../../src/gateway/store/records.ts';
import { channel } from './requests.ts';

const AT_ONCE = 2000;

/** The ids and references of a few of them, spread evenly. */
export type PaymentSample = { id: string; merchantTransactionId: string };

/** Fills the gateway's database in this folder. */
export const fill = async (dataDir: string, count: number): Promise<readonly PaymentSample[]> => {
  const store = await openSqliteStore(join(dataDir, 'gateway.db'));
  const samples: PaymentSample[] = [];
  const every = Math.max(1, Math.floor(count / 1000));
  for (let first = 0; first < count; first += AT_ONCE) {
    const payments = Array.from({ length: Math.min(AT_ONCE, count - first) }, (_, index) => paymentOf(first + index));
    await store.transact([], async (session) => {
      for (const payment of payments) await session.add(payment, []);
    });
    for (const [index, { id, merchantTransactionId = '' }] of payments.entries()) {
      if ((first + index) % every === 0) samples.push({ id, merchantTransactionId });
    }
  }
  await store.close();
  return samples;
};

const paymentOf = (index: number): Payment => {
  const id = systemIds.next();
  return {
    id,
    entityId: channel.entityId,
    paymentType: 'DB',
    paymentMethod: 'CC',
    amount: { minor: 1250n, currency: 'EUR' },
    at: 1_790_000_000_000 + index,
    shortId: shortIdOf(id),
    merchantTransactionId: `filled-${index.toString().padStart(8, '0')}`,
    rootId: id,
    state: 'done',
    resultCode: '000.100.110',
    facts: {
      descriptor: `${shortIdOf(id)} Tillgate`,
      requestId: id,
      acquirerId: id,
      paymentBrand: 'VISA',
      card: { bin: '420000', last4Digits: '0000', holder: 'Jane Jones', expiryMonth: '05', expiryYear: '2034' },
      echo: { merchantTransactionId: `filled-${index}`, 'customer.givenName': 'Jane', 'customer.surname': 'Jones' },
      answer: { details: { AcquirerResponse: '00' } },
    },
  };
};
