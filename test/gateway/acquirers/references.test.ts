/** Follow-ups: their answers, once each; and money is neither created nor lost. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { money } from '../../../src/base/money.ts';
import type { Acquirer, ReferenceOperation } from '../../../src/gateway/payments/acquirer.ts';
import type { AcquirerAnswer } from '../../../src/gateway/spec/acquirer-answer.ts';
import { acquirer, available, cardOf, documents, inquire, memory, nextId, reference } from './shop-counter.ts';

const CARD = '4111111111111111';
const RICH = 10_000_000_000n;

const operations = [
  'capture',
  'reverse',
  'refund',
  'increase',
  'rebill',
  'receipt',
  'chargeback',
  'chargebackReversal',
] as const satisfies readonly ReferenceOperation[];

const payOnce = async (issuer: Acquirer, type: 'PA' | 'DB' | 'CD' = 'DB') => {
  const request = cardOf(CARD, { type });
  await issuer.authorise(request);
  return request.id;
};

test('an approval has its own references', async () => {
  const issuer = acquirer();
  const parentId = await payOnce(issuer);
  const answer = await issuer.refer(reference('refund', parentId));
  expect(answer).toMatchObject({ resultCode: '000.100.110', statusText: 'APPROVED', account: { last4Digits: '1111' } });
  expect(answer.clearing?.identifier).toMatch(/^6152[0-9A-Z]{8}$/);
  expect(answer.clearing).not.toEqual((await inquire(issuer, parentId))?.clearing);
});

test('a repeat changes nothing, and a different one under its id is refused', async () => {
  const records = memory();
  const issuer = acquirer({ memory: records });
  const parentId = await payOnce(issuer);
  const refund = reference('refund', parentId, { minor: 250n });
  const first = await issuer.refer(refund);
  expect(await issuer.refer(refund)).toEqual(first);
  expect(await Promise.all([issuer.refer(refund), issuer.refer(refund)])).toEqual([first, first]);
  expect(available(records)).toEqual([RICH - 10_000n]);
  expect((await issuer.refer({ ...refund, amount: money(251n, 'EUR') })).resultCode).toBe('800.110.100');
  expect((await issuer.refer({ ...refund, operation: 'reverse' })).resultCode).toBe('800.110.100');
  expect(available(records)).toEqual([RICH - 10_000n]);
});

test('an authorisation under a used id is refused unless it is the same', async () => {
  const issuer = acquirer();
  const request = cardOf(CARD);
  const first = await issuer.authorise(request);
  expect(await issuer.authorise(request)).toEqual(first);
  for (const other of [
    cardOf(CARD, { minor: 1_251n }),
    cardOf(CARD, { currency: 'USD' }),
    cardOf('5454545454545454'),
  ]) {
    expect((await issuer.authorise({ ...other, id: request.id })).resultCode).toBe('800.110.100');
  }
});

describe('unknown payments', () => {
  test.each([
    ['capture', '700.400.510'],
    ['refund', '700.400.520'],
    ['reverse', '700.400.530'],
    ['increase', '700.400.580'],
    ['rebill', '700.400.580'],
    ['receipt', '700.400.560'],
    ['chargeback', '700.400.550'],
    ['chargebackReversal', '700.400.420'],
  ] as const)('%s of an unknown or a declined payment gives %s', async (operation, code) => {
    const issuer = acquirer();
    const declined = cardOf(CARD, { minor: 800_005n });
    await issuer.authorise(declined);
    for (const payment of ['never-seen', declined.id]) {
      const request = reference(operation, payment);
      expect((await issuer.refer(request)).resultCode).toBe(code);
      expect((await inquire(issuer, request.id))?.resultCode).toBe(code);
    }
  });

  test('an inquiry about an unknown id finds nothing', async () => {
    expect(await inquire(acquirer(), 'never-seen')).toBeUndefined();
  });
});

test('a reversal that overtakes its authorisation prevents it', async () => {
  const records = memory();
  const issuer = acquirer({ memory: records });
  const lateRequest = cardOf(CARD);
  expect((await issuer.refer(reference('reverse', lateRequest.id))).resultCode).toBe('700.400.530');
  expect((await issuer.authorise(lateRequest)).resultCode).toBe('800.100.191');
  expect((await inquire(issuer, lateRequest.id))?.resultCode).toBe('800.100.191');
  expect(available(records)).toEqual([]);
});

test('a simultaneous reversal and authorisation end in one of two ways, never in between', async () => {
  for (const order of ['first', 'last']) {
    const records = memory();
    const issuer = acquirer({ memory: records });
    const request = cardOf(CARD);
    const reversal = reference('reverse', request.id);
    const operationsAtOnce = [() => issuer.authorise(request), () => issuer.refer(reversal)];
    await Promise.all((order === 'first' ? operationsAtOnce : operationsAtOnce.toReversed()).map((work) => work()));
    const remaining = available(records)[0] ?? RICH;
    const reversed = (await inquire(issuer, reversal.id))?.resultCode;
    const authorised = (await inquire(issuer, request.id))?.resultCode;
    expect([reversed, authorised, remaining]).toEqual(
      reversed === '000.100.110' ? ['000.100.110', '000.100.110', RICH] : ['700.400.530', '800.100.191', RICH],
    );
  }
});

test('a capture can be named in place of its authorisation', async () => {
  const records = memory();
  const issuer = acquirer({ memory: records });
  const capture = reference('capture', await payOnce(issuer, 'PA'));
  await issuer.refer(capture);
  expect((await issuer.refer(reference('refund', capture.id, { minor: 1_000n }))).resultCode).toBe('000.100.110');
  expect((await issuer.refer(reference('refund', capture.id, { minor: 251n }))).resultCode).toBe('700.400.200');
  expect(available(records)).toEqual([RICH - 2_500n]);
});

test('a declined follow-up cannot be named in place of its payment', async () => {
  const issuer = acquirer();
  const capture = reference('capture', await payOnce(issuer, 'PA'), { minor: 1_251n });
  expect((await issuer.refer(capture)).resultCode).toBe('700.400.100');
  expect((await issuer.refer(reference('refund', capture.id))).resultCode).toBe('700.400.520');
});

test.each(operations)('%s of a payment that waits for the shopper is refused as pending', async (operation) => {
  const issuer = acquirer();
  const request = cardOf(CARD, { custom: { forceResultCode: '000.200.000' } });
  await issuer.authorise(request);
  expect((await issuer.refer(reference(operation, request.id))).resultCode).toBe('700.400.570');
});

type Start = 'PA' | 'DB' | 'CD';
type Step = { do: Start | ReferenceOperation; minor: bigint; currency: string; of: number; again: boolean };

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    do: fc.constantFrom<Step['do'][]>('PA', 'PA', 'DB', 'CD', ...operations),
    minor: fc.bigInt({ min: 0n, max: 3_000n }),
    currency: fc.constantFrom('EUR', 'EUR', 'EUR', 'JPY', 'KWD'),
    of: fc.nat(),
    again: fc.boolean(),
  }),
  { maxLength: 40 },
);

/** The account's loss by an approved step, by the kind of payment it concerns. */
const losses: Readonly<Record<Step['do'], bigint>> = {
  PA: 1n,
  DB: 1n,
  CD: -1n,
  capture: 0n,
  receipt: 0n,
  increase: 1n,
  rebill: 1n,
  reverse: -1n,
  refund: -1n,
  chargeback: -1n,
  chargebackReversal: 1n,
};
const weights: Readonly<Record<string, bigint>> = { EUR: 10n, JPY: 10n, KWD: 1n };

const isStart = (operation: Step['do']): operation is Start => ['PA', 'DB', 'CD'].includes(operation);

test('after any operations in any order, parallel or sequential, every thousandth is accounted for', async () => {
  await fc.assert(
    fc.asyncProperty(steps, fc.boolean(), async (plan, isParallel) => {
      const records = memory();
      const issuers = [acquirer({ memory: records }), acquirer({ memory: records })];
      // Rebills can have follow-ups like any debit.
      const started = plan.filter((step) => isStart(step.do) || step.do === 'rebill');
      const payments = started.map((step) => ({ id: nextId(), type: step.do }));
      let expected = RICH;
      const run = async (step: Step, index: number) => {
        const issuer = issuers[index % 2] ?? issuers[0];
        if (issuer === undefined) return;
        const { minor, currency } = step;
        const about = payments[step.of % Math.max(payments.length, 1)];
        const id = payments[started.indexOf(step)]?.id ?? nextId();
        const send = (): Promise<AcquirerAnswer> =>
          isStart(step.do)
            ? issuer.authorise(cardOf(CARD, { id, type: step.do, minor, currency }))
            : issuer.refer(reference(step.do, about?.id ?? 'never-seen', { minor, currency, id }));
        const answer = await send();
        if (step.again) expect(await send()).toEqual(answer);
        if (answer.resultCode !== '000.100.110') return;
        const direction = !isStart(step.do) && about?.type === 'CD' ? -1n : 1n;
        expected -= direction * losses[step.do] * minor * (weights[currency] ?? 0n);
      };
      if (isParallel) await Promise.all(plan.map(run));
      else for (const [index, step] of plan.entries()) await run(step, index);

      expect(available(records)[0] ?? RICH).toBe(expected);
      let heldMinor = 0n;
      for (const { moved: move } of documents(records, 'outcome'))
        if (move !== undefined) heldMinor += weightOf(move as Printed);
      expect(expected).toBe(RICH - heldMinor);
    }),
    { numRuns: 150 },
  );
});

type Printed = Readonly<Record<'type' | 'currency' | keyof Amounts, string>>;
type Amounts = Record<'authorised' | 'captured' | 'reversed' | 'refunded' | 'chargedBack', bigint>;

/** The amount that a stored payment has taken from its account; its amounts are within their bounds. */
const weightOf = (moved: Printed): bigint => {
  const [authorised, captured, reversed, refunded, chargedBack] = (
    ['authorised', 'captured', 'reversed', 'refunded', 'chargedBack'] as const
  ).map((name) => BigInt(moved[name])) as [bigint, bigint, bigint, bigint, bigint];
  expect(refunded >= 0n && chargedBack >= 0n && refunded + chargedBack <= captured).toBe(true);
  expect(captured <= authorised - reversed).toBe(true);
  const minor = authorised - reversed - refunded - chargedBack;
  return (moved.type === 'CD' ? -minor : minor) * (weights[moved.currency] ?? 0n);
};
