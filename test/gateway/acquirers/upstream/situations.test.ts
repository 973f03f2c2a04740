/** Each behaviour of the processor: what is known afterwards, and what an inquiry finds. Each request is sent once. */
import { expect, test } from 'vitest';
import { isFault } from '../../../../src/base/fault.ts';
import { meaningOf } from '../../../../src/gateway/spec/results.ts';
import type { Behaviour } from '../../../support/gateway/upstream-host.ts';
import { bench, GRACE_MS, sale, TIMEOUT_MS } from './bench.ts';

type Ending = 'approved' | 'declined' | 'never';
type Row = readonly [situation: string, behaviour: Behaviour, at: string, then: Ending | 'same'];

const answering = (status: number, bytes: string, books: 'booked' | 'lost' = 'booked'): Behaviour => ({
  does: 'says',
  status,
  bytes,
  books,
});
const body = (result: object, extra: object = {}) => JSON.stringify({ id: 'x'.repeat(32), result, ...extra });

const situations: readonly Row[] = [
  ['approves', { does: 'answers' }, '000.100.110', 'same'],
  ['approves with its live code', { does: 'answers', code: '000.000.000' }, '000.000.000', 'same'],
  ['declines', { does: 'answers', code: '800.100.151' }, '800.100.151', 'same'],
  ['refuses', { does: 'answers', code: '100.100.101' }, '100.100.101', 'same'],
  ['declines with status 200', { does: 'answers', code: '800.100.151', status: 200 }, '800.100.151', 'same'],
  ['throttles this gateway', answering(400, body({ code: '800.120.100' }), 'lost'), '900.100.310', 'same'],
  ['does not know this gateway', answering(403, body({ code: '800.900.300' }), 'lost'), '900.100.310', 'same'],
  ['processes it and hangs', { does: 'hangs', books: 'booked' }, '900.100.300', 'approved'],
  ['processes it and never completes its answer', { does: 'drips' }, '900.100.300', 'approved'],
  ['loses it and hangs', { does: 'hangs', books: 'lost' }, '900.100.300', 'never'],
  ['closes the connection before reading it', { does: 'cuts', at: 'head' }, '900.100.300', 'never'],
  ['processes it and closes the connection', { does: 'cuts', at: 'booked' }, '900.100.300', 'approved'],
  ['closes the connection during its answer', { does: 'cuts', at: 'answer' }, '900.100.300', 'approved'],
  ['answers with a page', answering(200, '<html>ok</html>'), '900.100.300', 'approved'],
  ['answers nothing', answering(204, ''), '900.100.300', 'approved'],
  ['answers with a list', answering(200, '[]', 'lost'), '900.100.300', 'never'],
  ['answers without a code', answering(200, '{"id":"1"}', 'lost'), '900.100.300', 'never'],
  ['fails inside', answering(500, '{}', 'lost'), '900.100.300', 'never'],
  ['declines with status 500', answering(500, body({ code: '800.100.151' })), '900.100.300', 'approved'],
  ['approves with status 500', answering(500, body({ code: '000.100.110' }), 'lost'), '900.100.300', 'never'],
  ['approves with status 400', { does: 'answers', status: 400 }, '900.100.300', 'approved'],
  [
    'redirects',
    { ...answering(307, body({ code: '800.100.151' }), 'lost'), headers: { location: '/v1/payments' } } as Behaviour,
    '900.100.300',
    'never',
  ],
  ['says a malformed code', answering(400, body({ code: '800.100' }), 'lost'), '900.100.300', 'never'],
  [
    'answers with an uncertain code',
    answering(400, body({ code: '900.100.400' }, { id: 'none' }), 'lost'),
    '900.100.400',
    'never',
  ],
  ['calls it a duplicate', answering(400, body({ code: '800.110.100' }, { id: undefined })), '800.110.100', 'approved'],
  ['approves the query, but no payment', answering(200, body({ code: '000.000.100' }), 'lost'), '900.100.300', 'never'],
  ['approves without an id', { does: 'answers', added: { id: undefined } }, '900.100.300', 'approved'],
  [
    'approves another reference',
    { does: 'answers', added: { merchantTransactionId: 'another-one' } },
    '900.100.300',
    'approved',
  ],
  [
    'declines another reference',
    { does: 'answers', code: '800.100.151', added: { merchantTransactionId: 'another-one' } },
    '900.100.300',
    'declined',
  ],
  ['approves another amount', { does: 'answers', added: { amount: '12.49' } }, '900.100.300', 'approved'],
  ['approves another currency', { does: 'answers', added: { currency: 'USD' } }, '900.100.300', 'approved'],
  ['approves another type', { does: 'answers', added: { paymentType: 'PA' } }, '900.100.300', 'approved'],
  ['sends more than is read', { does: 'floods' }, '900.100.300', 'approved'],
];

test.each(situations)('%s', async (_, behaviour, code, then) => {
  const { host, clock, acquirer, open } = await bench();
  host.next(behaviour);
  const request = sale({ at: clock.now() });
  const requested = acquirer.authorise(request);
  await host.waitForRequests(1);
  if (behaviour.does === 'hangs' || behaviour.does === 'drips') {
    await waitForPost(host.posted);
    await clock.advance(TIMEOUT_MS);
  }
  expect((await requested).resultCode).toBe(code);

  // Another process, later, with only the stored documents.
  const other = open();
  const earlyOutcome = await other.inquire(request.id, request.at).catch((error: unknown) => error);
  if (then === 'never') expect(isFault(earlyOutcome, 'host.silent')).toBe(true);
  await clock.advance(GRACE_MS);
  const found = await other.inquire(request.id, request.at);
  if (then === 'never') expect(found).toBeUndefined();
  else
    expect(then === 'same' ? found?.resultCode : meaningOf(found?.resultCode ?? '')).toBe(
      then === 'same' ? code : then,
    );
  // A repeat gets the result, and the processor does not see it.
  const repeatAnswer = await other.authorise(request);
  expect(meaningOf(repeatAnswer.resultCode)).toBe(then === 'never' ? 'declined' : meaningOf(found?.resultCode ?? ''));
  expect(host.posted.length).toBeLessThanOrEqual(1);
  expect(clock.waiting()).toBe(0);
});

const waitForPost = async (posted: readonly unknown[]): Promise<void> => {
  while (posted.length === 0) await new Promise((resolve) => setImmediate(resolve));
};
