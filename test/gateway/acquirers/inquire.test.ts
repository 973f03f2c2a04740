/** An inquiry's answer is final: a payment reported as never seen is never made, whichever of the two comes first. */
import { expect, test } from 'vitest';
import type { Acquirer } from '../../../src/gateway/payments/acquirer.ts';
import {
  acquirer,
  available,
  cardOf,
  documents,
  inquire,
  type Memory,
  memory,
  present,
  reference,
} from './shop-counter.ts';

const CARD = '4111111111111111';
const RICH = 10_000_000_000n;

test('an authorisation that arrives after its inquiry is declined, and the answer never changes', async () => {
  const records = memory();
  const issuer = acquirer({ memory: records });
  const lateRequest = cardOf(CARD);
  expect(await inquire(issuer, lateRequest.id)).toBeUndefined();
  expect(await inquire(issuer, lateRequest.id)).toBeUndefined();
  const answer = await issuer.authorise(lateRequest);
  expect(answer.resultCode).toBe('800.100.191');
  expect(answer.clearing).toBeUndefined();
  expect(await issuer.authorise(lateRequest)).toEqual(answer);
  expect(await issuer.authorise(present('visa-credit', { id: lateRequest.id }))).toEqual(answer);
  expect(await inquire(issuer, lateRequest.id)).toBeUndefined();
  expect(documents(records, 'account')).toEqual([]);
  expect((await issuer.refer(reference('refund', lateRequest.id))).resultCode).toBe('700.400.520');
});

test.each([
  'capture',
  'reverse',
  'refund',
  'increase',
  'rebill',
  'receipt',
  'chargeback',
  'chargebackReversal',
] as const)('a %s that arrives after its inquiry moves nothing', async (operation) => {
  const records = memory();
  const issuer = acquirer({ memory: records });
  const payment = cardOf(CARD, { type: 'PA' });
  await issuer.authorise(payment);
  await issuer.refer(reference('capture', payment.id, { minor: 1_000n }));
  await issuer.refer(reference('chargeback', payment.id, { minor: 500n }));
  const before = [documents(records, 'account'), (await inquire(issuer, payment.id)) ?? {}];
  const late = reference(operation, payment.id, { minor: 100n });
  expect(await inquire(issuer, late.id)).toBeUndefined();
  expect((await issuer.refer(late)).resultCode).toBe('800.100.191');
  expect([documents(records, 'account'), (await inquire(issuer, payment.id)) ?? {}]).toEqual(before);
  expect((await issuer.refer(reference(operation, payment.id, { minor: 100n }))).resultCode).toBe('000.100.110');
});

type Work = (issuer: Acquirer, id: string) => Promise<unknown>;
const works: Readonly<Record<'authorisation' | 'inquiry', Work>> = {
  authorisation: (issuer, id) => issuer.authorise(cardOf(CARD, { id })),
  inquiry: (issuer, id) => inquire(issuer, id),
};

/** A memory whose first transaction lets `rival` begin before it continues. */
const withRival = (memory: Memory, rival: () => void): Memory => {
  let workCount = 0;
  return {
    ...memory,
    withLocks: (names, work) =>
      memory.withLocks(names, async (documents) => {
        workCount += 1;
        if (workCount === 1) {
          rival();
          // Long enough for the rival to read, request the lock and have to wait.
          for (let step = 0; step < 50; step += 1) await Promise.resolve();
        }
        return work(documents);
      }),
  };
};

test.each([
  ['authorisation', 'inquiry', '000.100.110', RICH - 12_500n],
  ['inquiry', 'authorisation', '800.100.191', undefined],
] as const)('%s first, %s while it runs: both see the same ending', async (first, second, ending, remaining) => {
  const records = memory();
  const { id } = cardOf(CARD);
  let rival: Promise<unknown> = Promise.resolve();
  const other = acquirer({ memory: records });
  const issuer = acquirer({
    memory: withRival(records, () => {
      rival = works[second](other, id);
    }),
  });
  const results = { [first]: await works[first](issuer, id), [second]: await rival };
  expect(results['authorisation']).toMatchObject({ resultCode: ending });
  if (remaining === undefined) expect(results['inquiry']).toBeUndefined();
  else expect(results['inquiry']).toEqual(results['authorisation']);
  expect(available(records)[0]).toBe(remaining);
});
