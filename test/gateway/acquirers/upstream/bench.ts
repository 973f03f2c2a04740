/** The gateway's side of the connection: the acquirer with a real server, a memory and a virtual clock. */
import { afterEach } from 'vitest';
import { money } from '../../../../src/base/money.ts';
import { upstreamAcquirer } from '../../../../src/gateway/acquirers/upstream/upstream.ts';
import type { Authorisation, Reference } from '../../../../src/gateway/payments/acquirer.ts';
import { acquirerMemory } from '../../../support/gateway/acquirer-memory.ts';
import { upstreamHost } from '../../../support/gateway/upstream-host.ts';
import { virtualClock } from '../../../support/time/virtual-clock.ts';

export const ENTITY = '8a8294174e735d0c014e78beb6b9154b';
export const UPSTREAM_ENTITY = '8ac7a4c76ad5d1b6016ad5d1b6000001';
export const TIMEOUT_MS = 30_000;
/** The timeout of a request plus one minute. */
export const GRACE_MS = 90_000;

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

export const bench = async (upstream: { baseUrl?: string } = {}) => {
  const host = await upstreamHost();
  closers.push(() => host.close());
  const memory = acquirerMemory();
  const clock = virtualClock();
  const open = () => {
    const upstreamAddress = { baseUrl: host.baseUrl, entityId: UPSTREAM_ENTITY, token: 'upstream-token', ...upstream };
    const acquirer = upstreamAcquirer({ upstream: upstreamAddress, entityId: ENTITY, memory, clock });
    closers.push(() => acquirer.close());
    return acquirer;
  };
  return { host, memory, clock, acquirer: open(), open };
};

let last = 0;
export const nextId = (): string => {
  last += 1;
  return last.toString(16).padStart(32, '0');
};

export const sale = (extra: Partial<Authorisation> = {}): Authorisation => ({
  id: nextId(),
  paymentType: 'DB',
  amount: money(1250n, 'EUR'),
  account: 'card',
  card: { number: '4200000000000000', expiryMonth: '12', expiryYear: '2031', cvv: '123' },
  parameters: {
    entityId: ENTITY,
    testMode: 'EXTERNAL',
    amount: '12.50',
    currency: 'EUR',
    paymentType: 'DB',
    paymentBrand: 'VISA',
    merchantTransactionId: 'till-7-000042',
    createRegistration: 'true',
    'card.number': '4200000000000000',
    'card.expiryMonth': '12',
    'card.expiryYear': '2031',
    'card.cvv': '123',
    'customParameters[forceResultCode]': '000.100.110',
  },
  customParameters: { forceResultCode: '000.100.110' },
  at: 0,
  ...extra,
});

export const follow = (parentId: string, extra: Partial<Reference> = {}): Reference => ({
  id: nextId(),
  of: parentId,
  operation: 'refund',
  amount: money(1250n, 'EUR'),
  parameters: { entityId: ENTITY, testMode: 'EXTERNAL', paymentType: 'RF' },
  at: 0,
  ...extra,
});
