/**
 * Whatever the server does, and however often it is queried: no approval without an approval, no decline without a
 * decline, sent once.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isFault } from '../../../../src/base/fault.ts';
import type { AcquirerAnswer } from '../../../../src/gateway/spec/acquirer-answer.ts';
import { meaningOf, resultCodes } from '../../../../src/gateway/spec/results.ts';
import { type Behaviour, upstreamHost } from '../../../support/gateway/upstream-host.ts';
import { byNight } from '../../../support/night/night.ts';
import { bench, GRACE_MS, sale } from './bench.ts';

const code = fc.oneof(
  fc.constantFrom(...resultCodes.map((row) => row.code)),
  fc.stringMatching(/^[0-9]{3}\.[0-9]{3}\.[0-9]{3}$/),
  fc.string({ maxLength: 12 }),
);
const status = fc.constantFrom(200, 201, 204, 302, 307, 400, 401, 404, 429, 500, 502, 503);
const books = fc.constantFrom('booked' as const, 'lost' as const);
const oddBody = fc
  .tuple(code, fc.option(fc.json({ maxDepth: 2 })), fc.boolean())
  .map(([resultCode, other, named]) =>
    other === null || named ? JSON.stringify({ id: 'odd'.repeat(8), result: { code: resultCode } }) : other,
  );

const behaviour: fc.Arbitrary<Behaviour> = fc.oneof(
  fc.record({ does: fc.constant('answers' as const), code, status }),
  fc.record({ does: fc.constant('cuts' as const), at: fc.constantFrom('head' as const, 'booked', 'answer') }),
  fc.record({ does: fc.constant('says' as const), status, bytes: fc.oneof(oddBody, fc.string()), books }),
);
const lookup = fc.option(fc.record({ status, bytes: fc.oneof(oddBody, fc.string()) }), { nil: undefined });

/** Every code with its meaning that the server has put into an answer to the payment. */
const hasEvidence = (meaning: 'yes' | 'no', messages: readonly string[]): boolean =>
  messages.some((text) => {
    const codes = text.match(/\d{3}\.\d{3}\.\d{3}/g) ?? [];
    return codes.some((each) => {
      const codeMeaning = meaningOf(each);
      return meaning === 'yes' ? codeMeaning === 'approved' : ['declined', 'refused', 'later'].includes(codeMeaning);
    });
  });

test('the answer never claims more than the server said, and the payment is posted once', async () => {
  await fc.assert(
    fc.asyncProperty(behaviour, fc.array(lookup, { maxLength: 2 }), async (answerBehaviour, lookups) => {
      const { host, clock, acquirer, open } = await bench();
      host.next(answerBehaviour);
      const request = sale({ at: clock.now() });
      const answers: (AcquirerAnswer | undefined)[] = [await acquirer.authorise(request)];
      host.nextInquiry(...lookups.filter((each) => each !== undefined));
      const other = open();
      for (const _ of [...lookups, 'the truth', 'again']) {
        await clock.advance(GRACE_MS / 3);
        try {
          answers.push(await other.inquire(request.id, request.at));
        } catch (error) {
          if (!isFault(error, 'host.silent')) throw error;
        }
      }
      answers.push(await other.authorise(request));
      const messages = [
        JSON.stringify(answerBehaviour),
        JSON.stringify(lookups),
        ...host.booked.map((row) => row.code),
      ];
      for (const answer of answers) {
        const meaning = answer === undefined ? 'never' : meaningOf(answer.resultCode);
        if (meaning === 'approved') expect(hasEvidence('yes', messages)).toBe(true);
        if (['declined', 'refused', 'later'].includes(meaning)) {
          // After "not found" the id is closed: only then may a late request be declined without an answer of the
          // server.
          expect(
            hasEvidence('no', messages) || (answer?.resultCode === '800.100.191' && host.booked.length === 0),
          ).toBe(true);
        }
      }
      // A reported ending never changes.
      const endings = answers.filter((each) => each !== undefined && meaningOf(each.resultCode) === 'approved');
      expect(new Set(endings.map((each) => JSON.stringify(each))).size).toBeLessThanOrEqual(1);
      if (endings.length > 0) expect(answers.at(-1)).toEqual(endings[0]);
      expect(host.posted.length).toBeLessThanOrEqual(1);
      await host.close();
    }),
    { numRuns: byNight({ day: 40, night: 150 }) },
  );
});

test('a request sent by two processes at once is posted once, and both learn the same result', async () => {
  const { host, clock, acquirer, open } = await bench();
  const request = sale({ at: clock.now() });
  await Promise.all([acquirer, open(), open()].map((each) => each.authorise(request)));
  expect(host.posted).toHaveLength(1);
  expect((await open().authorise(request)).resultCode).toBe('000.100.110');
});

test('an inquiry that comes before the request closes its id: nothing is sent', async () => {
  const { host, clock, acquirer } = await bench();
  const request = sale();
  expect(await acquirer.inquire(request.id, clock.now())).toBeUndefined();
  expect((await acquirer.authorise(request)).resultCode).toBe('800.100.191');
  expect(await acquirer.inquire(request.id, clock.now())).toBeUndefined();
  expect(host.counts().requests).toBe(0);
});

test('a different request under a used id is not sent', async () => {
  const { host, acquirer } = await bench();
  const request = sale();
  await acquirer.authorise(request);
  const other = { ...request, amount: { minor: 1251n, currency: 'EUR' } };
  expect((await acquirer.authorise(other)).resultCode).toBe('800.110.100');
  expect(host.posted).toHaveLength(1);
});

test('an answer that comes after its id was closed is reported as an error', async () => {
  const { host, clock, acquirer, memory } = await bench();
  const request = sale({ at: clock.now() });
  host.next({ does: 'hangs', books: 'lost' });
  const requested = acquirer.authorise(request).catch((error: unknown) => error);
  await host.waitForRequests(1);
  // A process that slept longer than its own timeout: another one has closed the payment's id meanwhile.
  memory.documents.set(`upstream/${request.id}`, JSON.stringify({ kind: 'closed' }));
  await host.close();
  expect(await requested).toMatchObject({ resultCode: '900.100.300' });
  const second = await upstreamHost();
  const laterBench = await bench({ baseUrl: second.baseUrl });
  const lateRequest = sale({ at: laterBench.clock.now() });
  second.next({ does: 'answers' });
  const { withLocks } = laterBench.memory;
  let workCount = 0;
  laterBench.memory.withLocks = (names, work) => {
    workCount += 1;
    if (workCount === 2)
      laterBench.memory.documents.set(`upstream/${lateRequest.id}`, JSON.stringify({ kind: 'closed' }));
    return withLocks(names, work);
  };
  await expect(laterBench.acquirer.authorise(lateRequest)).rejects.toMatchObject({ code: 'host.silent' });
  await second.close();
});
