/** A channel with rules, for tests: payments one after the other, their sightings kept in memory. */
import { createHmac } from 'node:crypto';
import { type Assessment, assess } from '../../../src/gateway/risk/assess.ts';
import type { RiskRules } from '../../../src/gateway/risk/facts.ts';
import type { Sighting } from '../../../src/gateway/store/store.ts';

export type SentValues = Readonly<Record<string, string>>;

export const entityId = 'a'.repeat(32);
export const hash = (text: string): string => createHmac('sha256', 'a key').update(text).digest('hex');

/** A remote card payment that breaks no rule, unchanged or with other parameters. */
export const payment = (changes: SentValues = {}): SentValues => ({
  amount: '10.00',
  currency: 'EUR',
  'card.number': '4539578763621486',
  'card.cvv': '123',
  'card.holder': 'Jane Jones',
  'customer.email': 'Jane@Example.com',
  'customer.ip': '192.0.2.7',
  'customer.merchantCustomerId': 'C1',
  'billing.country': 'DE',
  ...changes,
});

export type Screening = {
  sightings: Sighting[];
  /** Assesses the payment at this time (ms), and stores the sightings. */
  pay(form: SentValues, at?: number, entity?: string): Promise<Assessment>;
  /** The result code of the refusal, or `passed`. */
  verdict(form: SentValues, at?: number, entity?: string): Promise<string>;
};

const AT = Date.UTC(2026, 0, 2);

export const screening = (rules: RiskRules): Screening => {
  const sightings: Sighting[] = [];
  const session = {
    async sightings(of: { entityId: string; subject: string; since: number }) {
      const found = sightings.filter(
        (row) => row.entityId === of.entityId && row.subject === of.subject && row.at >= of.since,
      );
      return { count: found.length, minor: found.reduce((sum, { minor }) => sum + minor, 0n) };
    },
  };
  const pay: Screening['pay'] = async (request, at = AT, entity = entityId) => {
    const assessed = await assess({ rules, request, session, entityId: entity, at, hash });
    sightings.push(...assessed.sightings);
    return assessed;
  };
  return { sightings, pay, verdict: async (...args) => (await pay(...args)).refused?.resultCode ?? 'passed' };
};
