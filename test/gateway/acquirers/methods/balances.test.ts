/** Follow-ups on accounts other than cards; no purse creates or loses money, or spends more than it has. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decidePending } from '../../../../src/gateway/acquirers/simulator/methods/shopper-decision.ts';
import type { Authorisation, ReferenceOperation } from '../../../../src/gateway/payments/acquirer.ts';
import { acquirer, memory, nextId, reference } from '../shop-counter.ts';
import { purses, type RequestParts, request, shopperRooms, told } from './counter.ts';
import { apple } from './wallet-tokens.ts';

const back = 'https://shop.example/back';

type Kind = { ask: (how: RequestParts) => Authorisation; opening: bigint; asks?: true };

const kinds: Readonly<Record<string, Kind>> = {
  directDebit: {
    ask: (how) => request('bankAccount', { iban: 'DE66100000001234567892' }, { brand: 'DIRECTDEBIT_SEPA', ...how }),
    opening: 10_000n,
  },
  onlineTransfer: {
    ask: (how) =>
      request(
        'bankAccount',
        { iban: 'DE66100000001234567892', shopperResultUrl: back },
        { brand: 'SOFORTUEBERWEISUNG', ...how },
      ),
    opening: 10_000n,
    asks: true,
  },
  virtualAccount: { ask: (how) => request('virtualAccount', { accountId: 'poor@x.example' }, how), opening: 10_000n },
  tokenAccount: { ask: (how) => request('tokenAccount', { number: '4895370000000056' }, how), opening: 10_000n },
  giftCard: { ask: (how) => request('giftCard', { number: '9900000000000010' }, how), opening: 10_000n },
  wallet: {
    ask: (how) => request('applePay', { paymentToken: apple('simulated:visa-poor') }, how),
    opening: 10_000n,
  },
};

const names = Object.keys(kinds);

/** Each line is the life of one payment of 6.00 from an account with 10.00, and the balance at the end. */
const lives: [line: string, left: bigint][] = [
  ['DB refund:600', 10_000n],
  ['DB reverse:600', 10_000n],
  ['DB chargeback:600', 10_000n],
  ['DB chargeback:600 chargebackReversal:600', 4_000n],
  ['DB refund:100 chargeback:500', 10_000n],
  ['DB rebill:400', 0n],
  ['DB rebill:401', 4_000n],
  ['PA', 4_000n],
  ['PA reverse:600', 10_000n],
  ['PA capture:200 reverse:400', 8_000n],
  ['PA increase:400', 0n],
  ['PA increase:401', 4_000n],
  ['PA receipt:600 refund:600', 10_000n],
  ['CD', 16_000n],
  ['CD reverse:600', 10_000n],
];

test.each(lives)('%s → %i, by every method', async (line, left) => {
  for (const name of names) {
    const { ask, asks } = kinds[name] as Kind;
    const records = memory();
    const issuer = acquirer({ memory: records });
    const [type, ...steps] = line.split(' ');
    const authorisation = ask({ type: type as 'PA', minor: 600n });
    await issuer.authorise(authorisation);
    if (asks) await decidePending(shopperRooms(records), authorisation.id, 'pays');
    let of = authorisation.id;
    for (const step of steps) {
      const [operation, minor] = step.split(':');
      const followUp = reference(operation as ReferenceOperation, of, { minor: BigInt(minor ?? '0') });
      await issuer.refer(followUp);
      if (operation === 'chargeback') of = followUp.id;
    }
    expect([name, purses(records)]).toEqual([name, [left]]);
  }
});

test('an id counts once: a repeat gets the stored answer, another amount or account gets 94', async () => {
  for (const name of names) {
    const { ask, opening } = kinds[name] as Kind;
    const records = memory();
    const issuer = acquirer({ memory: records });
    const id = nextId();
    const first = await issuer.authorise(ask({ id }));
    const again = await Promise.all([issuer.authorise(ask({ id })), issuer.authorise(ask({ id }))]);
    expect([name, ...again]).toEqual([name, first, first]);
    expect(told(await issuer.authorise(ask({ id, minor: 1n })))).toBe('800.110.100 94');
    expect(told(await issuer.authorise(ask({ id, type: 'PA' })))).toBe('800.110.100 94');
    expect(told(await issuer.authorise(request('giftCard', { number: 'ANOTHER' }, { id })))).toBe('800.110.100 94');
    expect(purses(records)).toEqual([opening]);
  }
});

test('a reversal that overtakes its payment prevents the payment', async () => {
  for (const name of names) {
    const { ask } = kinds[name] as Kind;
    const records = memory();
    const issuer = acquirer({ memory: records });
    const late = ask({ minor: 1n });
    await issuer.refer(reference('reverse', late.id));
    expect([name, told(await issuer.authorise(late))]).toEqual([name, '800.100.191 12']);
    expect(purses(records)).toEqual([]);
  }
});

/** The amount that an approved step takes from the purse, by the step it follows. */
const signs: Readonly<Record<string, bigint>> = {
  PA: 1n,
  DB: 1n,
  CD: -1n,
  capture: 0n,
  reverse: -1n,
  refund: -1n,
  increase: 1n,
  rebill: 1n,
  chargeback: -1n,
  chargebackReversal: 1n,
};

type Step = { do: string; on: number; minor: bigint; currency: string; again: boolean };

const steps = fc.array(
  fc.record<Step>({
    do: fc.constantFrom('pays', ...Object.keys(signs)),
    on: fc.nat({ max: 20 }),
    minor: fc.bigInt({ min: 0n, max: 700n }),
    currency: fc.constantFrom('EUR', 'EUR', 'EUR', 'KWD'),
    again: fc.boolean(),
  }),
  { maxLength: 30 },
);

/**
 * A reversed credit, or a chargeback, is taken back even from a purse that has spent the money: only then can a till
 * undo a credit whose answer it never saw. Nothing else may make a purse negative.
 */
test('a purse holds its opening balance less the sum taken, and spends only what it has', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...names), steps, fc.boolean(), async (name, plan, atOnce) => {
      const { ask, opening } = kinds[name] as Kind;
      const records = memory();
      const issuer = acquirer({ memory: records });
      const payments: { id: string; type: string; weight: bigint }[] = [];
      let taken = 0n;
      let takenBack = 0n;
      const owes = () => (purses(records)[0] ?? 0n) < 0n;

      const run = async (step: Step): Promise<void> => {
        const weight = step.minor * (step.currency === 'KWD' ? 1n : 10n);
        const target = payments[step.on % Math.max(payments.length, 1)];
        if (step.do === 'pays') {
          if (target === undefined) return;
          const waits = (await issuer.inquire(target.id, 0))?.resultCode === '000.200.000';
          const ending = await decidePending(shopperRooms(records), target.id, 'pays');
          if (!waits || ending?.resultCode !== '000.100.110') return;
          taken += target.weight;
          expect(owes()).toBe(false);
          return;
        }
        const isPayment = ['PA', 'DB', 'CD'].includes(step.do);
        const id = nextId();
        if (isPayment) payments.push({ id, type: step.do, weight });
        const how = { id, minor: step.minor, currency: step.currency };
        const send = () =>
          isPayment
            ? issuer.authorise(ask({ ...how, type: step.do as 'PA' }))
            : issuer.refer(reference(step.do as ReferenceOperation, target?.id ?? 'neverseen', how));
        const answer = await send();
        if (step.again && answer.resultCode !== '000.200.000') expect(await send()).toEqual(answer);
        if (answer.resultCode !== '000.100.110') return;
        const turned = !isPayment && target?.type === 'CD' ? -1n : 1n;
        const lost = turned * (signs[step.do] ?? 0n) * weight;
        taken += lost;
        const spends = isPayment || step.do === 'increase' || step.do === 'rebill';
        if (!spends && lost > 0n) takenBack += lost;
        if (spends && lost > 0n && !atOnce) expect(owes()).toBe(false);
      };

      if (atOnce) await Promise.all(plan.filter((step) => step.do !== 'pays').map(run));
      else for (const step of plan) await run(step);
      expect(purses(records)[0] ?? opening).toBe(opening - taken);
      expect((purses(records)[0] ?? opening) >= -takenBack).toBe(true);
    }),
    { numRuns: 300 },
  );
});
