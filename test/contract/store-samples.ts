/** Sample payments and registrations for stores. */
import { shortIdOf } from '../../src/gateway/payments/short-id.ts';
import type { Payment, PaymentFacts, Registration } from '../../src/gateway/store/records.ts';
import type { Store } from '../../src/gateway/store/store.ts';

export const facts: PaymentFacts = { descriptor: 'x', requestId: 'r', acquirerId: 'p1', echo: {} };

type Parts = Partial<Omit<Payment, 'state'>> & { id: string };

export const processing = (of: Parts): Payment => ({ ...common(of), state: 'processing' });

export const completed = (of: Parts): Payment => ({ ...common(of), state: 'done', resultCode: '000.100.110' });

const common = (of: Parts) => ({
  entityId: 'e1',
  paymentType: 'DB' as const,
  paymentMethod: 'CC' as const,
  amount: { minor: 1000n, currency: 'EUR' },
  at: 1_767_355_200_000,
  shortId: '0000.0000.0000',
  rootId: of.id,
  facts,
  ...of,
});

/** An id in the gateway's format, and its short id. */
export const paymentOf = (sequenceNumber: number) => {
  const time = (1_767_355_200_000 + sequenceNumber).toString(16).padStart(11, '0');
  const id = `a${time}${sequenceNumber.toString(16).padStart(20, '0')}`;
  return { id, shortId: shortIdOf(id) };
};

export const registration = (of: Partial<Registration> & { id: string }): Registration => ({
  entityId: 'e1',
  paymentMethod: 'CC',
  paymentBrand: 'VISA',
  at: 1_767_355_200_000,
  keptUntil: 1_867_355_200_000,
  state: 'active',
  sealed: { keyId: 'k1', wrappedKey: 'd3JhcHBlZA==', box: 'Ym94' },
  accountHash: 'h1',
  facts: { requestId: 'r', echo: { 'customer.givenName': 'Zoë' }, resultCode: '000.100.110' },
  ...of,
});

export const add = (store: Store, ...payments: readonly Payment[]): Promise<void> =>
  store.transact(['samples'], async (session) => {
    for (const each of payments) await session.add(each, []);
  });

export const claimOf = (store: Store, ...keys: readonly string[]) =>
  store.transact(keys, (session) => session.findClaimed(keys));

/** The ids of the results, in order. */
export const idsOf = (found: readonly { id: string }[]): string[] => found.map(({ id }) => id);
