/** Several acquirers on one memory at the same time, as in several processes of a chain of stores. */
import { expect, test } from 'vitest';
import type { AcquirerAnswer } from '../../../src/gateway/spec/acquirer-answer.ts';
import {
  acquirer,
  available,
  cardOf,
  counters,
  documents,
  memory,
  nextId,
  present,
  reference,
} from './shop-counter.ts';

const codes = (answers: readonly AcquirerAnswer[]): Record<string, number> => {
  const codeCounts: Record<string, number> = {};
  for (const { details } of answers) {
    const code = details['AcquirerResponse'] ?? 'none';
    codeCounts[code] = (codeCounts[code] ?? 0) + 1;
  }
  return codeCounts;
};

test('two acquirers charge one account in parallel, and it pays no more than its funds', async () => {
  const records = memory();
  const acquirers = [acquirer({ memory: records }), acquirer({ memory: records })];
  const requests = Array.from({ length: 300 }, () =>
    cardOf('4761739001010168', { minor: 7n, year: '2031', month: '12' }),
  );
  const answers = await Promise.all(
    requests.flatMap((request, index) => acquirers[index % 2]?.authorise(request) ?? []),
  );
  // 10.00 is 142 times 0.07, and 0.06 is left.
  expect(codes(answers)).toEqual({ '00': 142, '51': 158 });
  expect(available(records)).toEqual([60n]);
});

test('the same request to both is one payment', async () => {
  const records = memory();
  const acquirers = [acquirer({ memory: records }), acquirer({ memory: records })];
  const request = cardOf('4111111111111111');
  const answers = await Promise.all([...acquirers, ...acquirers].map((issuer) => issuer.authorise(request)));
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  expect(available(records)).toEqual([10_000_000_000n - 12_500n]);
});

test('refunds through both never exceed the payment', async () => {
  const records = memory();
  const acquirers = [acquirer({ memory: records }), acquirer({ memory: records })];
  const request = cardOf('4111111111111111', { minor: 1_000n });
  await acquirers[0]?.authorise(request);
  const refunds = Array.from({ length: 50 }, () => reference('refund', request.id, { minor: 30n, id: nextId() }));
  const answers = await Promise.all(refunds.flatMap((refund, index) => acquirers[index % 2]?.refer(refund) ?? []));
  expect(answers.filter(({ resultCode }) => resultCode === '000.100.110')).toHaveLength(33);
  expect(available(records)).toEqual([10_000_000_000n - 100n]);
  expect(documents(records, 'outcome')).toHaveLength(51);
});

test('simultaneous refunds and rebills of many payments all reach their shared account', async () => {
  const records = memory();
  const acquirers = [acquirer({ memory: records }), acquirer({ memory: records })];
  const requests = Array.from({ length: 40 }, () => cardOf('4111111111111111', { minor: 1_000n }));
  await Promise.all(requests.map((request, index) => acquirers[index % 2]?.authorise(request)));
  const follow = requests.flatMap(({ id }) => [
    reference('refund', id, { minor: 300n }),
    reference('rebill', id, { minor: 100n }),
  ]);
  const answers = await Promise.all(follow.flatMap((request, index) => acquirers[index % 2]?.refer(request) ?? []));
  expect(codes(answers)).toEqual({ '00': 80 });
  expect(available(records)).toEqual([10_000_000_000n - 40n * 8_000n]);
});

test('one use of a key is accepted by only one of them', async () => {
  const records = memory();
  const ksn = counters('FFFF0102000099').nextKsn();
  const attempts = [1, 2, 3, 4].map(() => present('visa-credit', { by: 'swipe', ksn }));
  const answers = await Promise.all(attempts.map((request) => acquirer({ memory: records }).authorise(request)));
  expect(codes(answers)).toEqual({ '00': 1, '63': 3 });
});
