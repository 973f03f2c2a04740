/** Follow-ups on accounts other than cards; no purse creates or loses money, or spends more than it has. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decidePending } from '../../../../src/gateway/acquirers/simulator/methods/shopper-decision.ts';
import type { Authorisation, ReferenceOperation } from '../../../../src/gateway/payments/acquirer.ts';
import { acquirer, memory, nextId, reference } from '../shop-counter.ts';
import { codesOf, pendingRooms, purseBalances, type RequestParts, request } from './counter.ts';
import { apple } from './wallet-tokens.ts';

const returnUrl = 'https://shop.example/back';

type Kind = { requestOf: (parts: RequestParts) => Authorisation; opening: bigint; isPending?: true };

const kinds: Readonly<Record<string, Kind>> = {
  directDebit: {
    requestOf: (parts) =>
      request('bankAccount', { iban: 'DE66100000001234567892' }, { brand: 'DIRECTDEBIT_SEPA', ...parts }),
    opening: 10_000n,
  },
  onlineTransfer: {
    requestOf: (parts) =>
      request(
        'bankAccount',
        { iban: 'DE66100000001234567892', shopperResultUrl: returnUrl },
        { brand: 'SOFORTUEBERWEISUNG', ...parts },
      ),
    opening: 10_000n,
    isPending: true,
  },
  virtualAccount: {
    requestOf: (parts) => request('virtualAccount', { accountId: 'poor@x.example' }, parts),
    opening: 10_000n,
  },
  tokenAccount: {
    requestOf: (parts) => request('tokenAccount', { number: '4895370000000056' }, parts),
    opening: 10_000n,
  },
  giftCard: { requestOf: (parts) => request('giftCard', { number: '9900000000000010' }, parts), opening: 10_000n },
  wallet: {
    requestOf: (parts) => request('applePay', { paymentToken: apple('simulated:visa-poor') }, parts),
    opening: 10_000n,
  },
};

const names = Object.keys(kinds);

/** Each line is the life of one payment of 6.00 from an account with 10.00, and the balance at the end. */
const lifecycles: [line: string, left: bigint][] = [
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

test.each(lifecycles)('%s → %i, by every method', async (line, remaining) => {
  for (const name of names) {
    const { requestOf, isPending } = kinds[name] as Kind;
    const records = memory();
    const issuer = acquirer({ memory: records });
    const [type, ...steps] = line.split(' ');
    const authorisation = requestOf({ type: type as 'PA', minor: 600n });
    await issuer.authorise(authorisation);
    if (isPending) await decidePending(pendingRooms(records), authorisation.id, 'pays');
    let parentId = authorisation.id;
    for (const step of steps) {
      const [operation, minor] = step.split(':');
      const followUp = reference(operation as ReferenceOperation, parentId, { minor: BigInt(minor ?? '0') });
      await issuer.refer(followUp);
      if (operation === 'chargeback') parentId = followUp.id;
    }
    expect([name, purseBalances(records)]).toEqual([name, [remaining]]);
  }
});

test('an id counts once: a repeat gets the stored answer, another amount or account gets 94', async () => {
  for (const name of names) {
    const { requestOf, opening } = kinds[name] as Kind;
    const records = memory();
    const issuer = acquirer({ memory: records });
    const id = nextId();
    const first = await issuer.authorise(requestOf({ id }));
    const again = await Promise.all([issuer.authorise(requestOf({ id })), issuer.authorise(requestOf({ id }))]);
    expect([name, ...again]).toEqual([name, first, first]);
    expect(codesOf(await issuer.authorise(requestOf({ id, minor: 1n })))).toBe('800.110.100 94');
    expect(codesOf(await issuer.authorise(requestOf({ id, type: 'PA' })))).toBe('800.110.100 94');
    expect(codesOf(await issuer.authorise(request('giftCard', { number: 'ANOTHER' }, { id })))).toBe('800.110.100 94');
    expect(purseBalances(records)).toEqual([opening]);
  }
});

test('a reversal that overtakes its payment prevents the payment', async () => {
  for (const name of names) {
    const { requestOf } = kinds[name] as Kind;
    const records = memory();
    const issuer = acquirer({ memory: records });
    const lateRequest = requestOf({ minor: 1n });
    await issuer.refer(reference('reverse', lateRequest.id));
    expect([name, codesOf(await issuer.authorise(lateRequest))]).toEqual([name, '800.100.191 12']);
    expect(purseBalances(records)).toEqual([]);
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
    fc.asyncProperty(fc.constantFrom(...names), steps, fc.boolean(), async (name, plan, isParallel) => {
      const { requestOf, opening } = kinds[name] as Kind;
      const records = memory();
      const issuer = acquirer({ memory: records });
      const payments: { id: string; type: string; weight: bigint }[] = [];
      let takenMinor = 0n;
      let takenBack = 0n;
      const hasNegativeBalance = () => (purseBalances(records)[0] ?? 0n) < 0n;

      const run = async (step: Step): Promise<void> => {
        const weight = step.minor * (step.currency === 'KWD' ? 1n : 10n);
        const target = payments[step.on % Math.max(payments.length, 1)];
        if (step.do === 'pays') {
          if (target === undefined) return;
          const isWaiting = (await issuer.inquire(target.id, 0))?.resultCode === '000.200.000';
          const ending = await decidePending(pendingRooms(records), target.id, 'pays');
          if (!isWaiting || ending?.resultCode !== '000.100.110') return;
          takenMinor += target.weight;
          expect(hasNegativeBalance()).toBe(false);
          return;
        }
        const isPayment = ['PA', 'DB', 'CD'].includes(step.do);
        const id = nextId();
        if (isPayment) payments.push({ id, type: step.do, weight });
        const options = { id, minor: step.minor, currency: step.currency };
        const send = () =>
          isPayment
            ? issuer.authorise(requestOf({ ...options, type: step.do as 'PA' }))
            : issuer.refer(reference(step.do as ReferenceOperation, target?.id ?? 'neverseen', options));
        const answer = await send();
        if (step.again && answer.resultCode !== '000.200.000') expect(await send()).toEqual(answer);
        if (answer.resultCode !== '000.100.110') return;
        const direction = !isPayment && target?.type === 'CD' ? -1n : 1n;
        const lostWeight = direction * (signs[step.do] ?? 0n) * weight;
        takenMinor += lostWeight;
        const isSpending = isPayment || step.do === 'increase' || step.do === 'rebill';
        if (!isSpending && lostWeight > 0n) takenBack += lostWeight;
        if (isSpending && lostWeight > 0n && !isParallel) expect(hasNegativeBalance()).toBe(false);
      };

      if (isParallel) await Promise.all(plan.filter((step) => step.do !== 'pays').map(run));
      else for (const step of plan) await run(step);
      expect(purseBalances(records)[0] ?? opening).toBe(opening - takenMinor);
      expect((purseBalances(records)[0] ?? opening) >= -takenBack).toBe(true);
    }),
    { numRuns: 300 },
  );
});
