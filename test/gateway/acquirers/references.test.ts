/** Captures, reversals and refunds: what they answer, once each; and that money is neither made nor lost. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { money } from '../../../src/base/money.ts';
import type { Acquirer, Reference } from '../../../src/gateway/acquirers/acquirer.ts';
import { acquirer, available, memory, NOW, nextId, typed } from './world.ts';

const CARD = '4111111111111111';
const RICH = 10_000_000_000n;

const reference = (operation: Reference['operation'], of: string, minor = 1_250n, currency = 'EUR'): Reference => ({
  id: nextId(),
  of,
  operation,
  amount: money(minor, currency),
  at: NOW,
});

const paid = async (issuer: Acquirer, type: 'PA' | 'DB' | 'CD' = 'DB') => {
  const request = typed(CARD, { type });
  await issuer.authorise(request);
  return request.id;
};

test('an approval has its own references', async () => {
  const issuer = acquirer();
  const of = await paid(issuer);
  const answer = await issuer.refer(reference('refund', of));
  expect(answer).toMatchObject({ resultCode: '000.100.110', statusText: 'APPROVED', account: { last4Digits: '1111' } });
  expect(answer.clearing?.identifier).toMatch(/^6152[0-9A-Z]{8}$/);
  expect(answer.clearing).not.toEqual((await issuer.inquire(of))?.clearing);
});

test('the same one again changes nothing; another under its id is refused', async () => {
  const kept = memory();
  const issuer = acquirer({ memory: kept });
  const of = await paid(issuer);
  const refund = reference('refund', of, 250n);
  const first = await issuer.refer(refund);
  expect(await issuer.refer(refund)).toEqual(first);
  expect(await Promise.all([issuer.refer(refund), issuer.refer(refund)])).toEqual([first, first]);
  expect(available(kept)).toEqual([RICH - 10_000n]);
  expect((await issuer.refer({ ...refund, amount: money(251n, 'EUR') })).resultCode).toBe('800.110.100');
  expect((await issuer.refer({ ...refund, operation: 'reverse' })).resultCode).toBe('800.110.100');
  expect(available(kept)).toEqual([RICH - 10_000n]);
});

test('an authorisation under a used id is refused unless it is the same', async () => {
  const issuer = acquirer();
  const request = typed(CARD);
  const first = await issuer.authorise(request);
  expect(await issuer.authorise(request)).toEqual(first);
  for (const other of [typed(CARD, { minor: 1_251n }), typed(CARD, { currency: 'USD' }), typed('5454545454545454')]) {
    expect((await issuer.authorise({ ...other, id: request.id })).resultCode).toBe('800.110.100');
  }
});

describe('what is not there', () => {
  test.each([
    ['capture', '700.400.510'],
    ['refund', '700.400.520'],
    ['reverse', '700.400.530'],
  ] as const)('%s of an unknown and of a declined payment → %s', async (operation, code) => {
    const issuer = acquirer();
    const declined = typed(CARD, { minor: 800_005n });
    await issuer.authorise(declined);
    for (const of of ['never-seen', declined.id]) {
      const request = reference(operation, of);
      expect((await issuer.refer(request)).resultCode).toBe(code);
      expect((await issuer.inquire(request.id))?.resultCode).toBe(code);
    }
  });

  test('an id never seen is unknown to an inquiry', async () => {
    expect(await acquirer().inquire('never-seen')).toBeUndefined();
  });
});

test('a reversal that overtakes its authorisation keeps it from passing', async () => {
  const kept = memory();
  const issuer = acquirer({ memory: kept });
  const late = typed(CARD);
  expect((await issuer.refer(reference('reverse', late.id))).resultCode).toBe('700.400.530');
  expect((await issuer.authorise(late)).resultCode).toBe('800.100.191');
  expect((await issuer.inquire(late.id))?.resultCode).toBe('800.100.191');
  expect(available(kept)).toEqual([]);
});

test('a reversal and its authorisation at the same time end in one of two ways, never between', async () => {
  for (const order of ['first', 'last']) {
    const kept = memory();
    const issuer = acquirer({ memory: kept });
    const request = typed(CARD);
    const reversal = reference('reverse', request.id);
    const works = [() => issuer.authorise(request), () => issuer.refer(reversal)];
    await Promise.all((order === 'first' ? works : works.toReversed()).map((work) => work()));
    const left = available(kept)[0] ?? RICH;
    const reversed = (await issuer.inquire(reversal.id))?.resultCode;
    const authorised = (await issuer.inquire(request.id))?.resultCode;
    expect([reversed, authorised, left]).toEqual(
      reversed === '000.100.110' ? ['000.100.110', '000.100.110', RICH] : ['700.400.530', '800.100.191', RICH],
    );
  }
});

test('a capture can be named in place of its authorisation', async () => {
  const kept = memory();
  const issuer = acquirer({ memory: kept });
  const capture = reference('capture', await paid(issuer, 'PA'));
  await issuer.refer(capture);
  expect((await issuer.refer(reference('refund', capture.id, 1_000n))).resultCode).toBe('000.100.110');
  expect((await issuer.refer(reference('refund', capture.id, 251n))).resultCode).toBe('700.400.200');
  expect(available(kept)).toEqual([RICH - 2_500n]);
});

type Step = {
  do: 'PA' | 'DB' | 'CD' | Reference['operation'];
  minor: bigint;
  currency: string;
  of: number;
  again: boolean;
};

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    do: fc.constantFrom<Step['do'][]>('PA', 'DB', 'CD', 'capture', 'reverse', 'refund'),
    minor: fc.bigInt({ min: 0n, max: 3_000n }),
    currency: fc.constantFrom('EUR', 'EUR', 'JPY', 'KWD'),
    of: fc.nat(),
    again: fc.boolean(),
  }),
  { maxLength: 25 },
);

test('after any operations in any order, all at once or one by one, every thousandth is accounted for', async () => {
  await fc.assert(
    fc.asyncProperty(steps, fc.boolean(), async (plan, atOnce) => {
      const kept = memory();
      const issuer = acquirer({ memory: kept });
      const weight: Record<string, bigint> = { EUR: 10n, JPY: 1000n, KWD: 1n };
      const payments = plan.filter((step) => ['PA', 'DB', 'CD'].includes(step.do)).map(() => nextId());
      let next = 0;
      let expected = RICH;
      const run = async (step: Step) => {
        const { minor, currency } = step;
        const isPayment = step.do === 'PA' || step.do === 'DB' || step.do === 'CD';
        const of = payments[step.of % Math.max(payments.length, 1)] ?? 'never-seen';
        const id = isPayment ? (payments[next++] ?? '') : nextId();
        const send = () =>
          step.do === 'PA' || step.do === 'DB' || step.do === 'CD'
            ? issuer.authorise(typed(CARD, { id, type: step.do, minor, currency }))
            : issuer.refer({ ...reference(step.do, of, minor, currency), id });
        const answer = await send();
        if (step.again) expect(await send()).toEqual(answer);
        if (answer.resultCode !== '000.100.110') return;
        const credited = plan.filter((one) => ['PA', 'DB', 'CD'].includes(one.do))[payments.indexOf(of)]?.do === 'CD';
        const sign = { PA: -1n, DB: -1n, CD: 1n, capture: 0n, reverse: 1n, refund: 1n }[step.do];
        const turned = credited && !isPayment ? -sign : sign;
        expected += turned * minor * (weight[currency] ?? 0n);
      };
      if (atOnce) await Promise.all(plan.map(run));
      else for (const step of plan) await run(step);
      expect(available(kept)[0] ?? RICH).toBe(expected);
    }),
    { numRuns: 150 },
  );
});
