/** What a reply of the gateway means for a sale; an approval that does not match the request does not count. */
import { expect, test } from 'vitest';
import { Fault } from '../../../src/base/fault.ts';
import { eventOf } from '../../../src/till/gateway/answer.ts';
import { inquiryAnswerIn } from '../../../src/till/gateway/evidence.ts';
import type { Intent } from '../../../src/till/machine/facts.ts';
import type { HostReply } from '../../../src/till/ports.ts';

const intent: Intent = {
  sale: 'a'.repeat(32),
  operation: 'sale',
  amount: { minor: 1250n, currency: 'EUR' },
  terminalId: '1',
  sequence: 1,
  receipt: 1,
  gateway: 'g',
  key: 'k',
  at: 0,
};
const validBody = {
  id: '0123456789abcdef0123456789abcdef',
  merchantTransactionId: intent.sale,
  amount: '12.50',
  currency: 'EUR',
};
const offline = () => ({ kind: 'refused', why: 'off' }) as const;

type Means = Extract<HostReply, { kind: 'answered' }>['means'];
const answered = (means: Means, body: Record<string, unknown> = validBody): HostReply => ({
  kind: 'answered',
  means,
  code: '000.100.110',
  description: 'd',
  body,
});

const rows: [says: string, reply: HostReply, on: string, why?: string][] = [
  ['approved', answered('approved'), 'hostApproved'],
  ['declined', answered('declined'), 'hostDeclined'],
  ['refused', answered('refused'), 'hostRefused'],
  ['too many requests', answered('later'), 'hostNotReached'],
  ['pending', answered('pending'), 'hostSilent', 'the answer 000.100.110 is neither yes nor no'],
  ['an unknown code', answered('unknown'), 'hostSilent', 'the answer 000.100.110 is neither yes nor no'],
  ['never sent', { kind: 'notSent', fault: new Fault('host.unreachable', { why: 'x' }) }, 'hostNotReached'],
  ['no answer', { kind: 'silent', fault: new Fault('host.silent', { why: 'x' }) }, 'hostSilent'],
  [
    'approved, for another sale',
    answered('approved', { ...validBody, merchantTransactionId: 'b' }),
    'hostSilent',
    'the approval is for another sale',
  ],
  [
    'approved, for a cent less',
    answered('approved', { ...validBody, amount: '12.49' }),
    'hostSilent',
    'the approval is for another amount',
  ],
  [
    'approved, in another currency',
    answered('approved', { ...validBody, currency: 'USD' }),
    'hostSilent',
    'the approval is for another amount',
  ],
  [
    'approved, for a malformed amount',
    answered('approved', { ...validBody, amount: '12,50' }),
    'hostSilent',
    'the approval is for another amount',
  ],
  [
    'approved, without an amount',
    answered('approved', { id: validBody.id }),
    'hostSilent',
    'the approval names no amount',
  ],
  [
    'approved, without a payment',
    answered('approved', { ...validBody, id: '' }),
    'hostSilent',
    'the approval names no payment',
  ],
  [
    'approved, with numbers in place of texts',
    answered('approved', { ...validBody, amount: 12.5 }),
    'hostSilent',
    'the approval names no amount',
  ],
];

test.each(rows)('%s', (_, reply, on, reason) => {
  const event = eventOf(reply, intent, offline);
  expect(event.on).toBe(on);
  if (reason !== undefined) expect(event).toMatchObject({ why: reason });
});

test('keeps the known facts of an answer, and drops unknown ones', () => {
  const body = {
    ...validBody,
    extra: 'x',
    pos: {
      statusText: 'APPROVED',
      clearing: { authorizationIssuerCode: 'A1', identifier: 'I' },
      iccDataResponse: '91',
    },
  };
  expect(eventOf(answered('approved', body), intent, offline)).toEqual({
    on: 'hostApproved',
    answer: {
      code: '000.100.110',
      description: 'd',
      payment: validBody.id,
      statusText: 'APPROVED',
      authorisationCode: 'A1',
      identifier: 'I',
    },
  });
});

test.each([
  ['registrationId', { registrationId: '8ac7a4a1123456789012345678901234' }],
  ['registration.id', { registration: { id: '8ac7a4a1123456789012345678901234' } }],
])('%s names the stored card, kept unchanged', (_, reported) => {
  expect(eventOf(answered('approved', { ...validBody, ...reported }), intent, offline)).toMatchObject({
    answer: { registrationId: '8ac7a4a1123456789012345678901234' },
  });
});

test('an invalid id is not kept', () => {
  const event = eventOf(answered('approved', { ...validBody, registrationId: '4761739001010010' }), intent, offline);
  expect(JSON.stringify(event)).not.toContain('registrationId');
});

test('a refusal names the parameter, and why', () => {
  const parameterErrors = [{ name: 'createRegistration', value: 'true', message: 'cannot be true here' }];
  expect(eventOf(answered('refused', { result: { parameterErrors } }), intent, offline)).toMatchObject({
    answer: { description: 'd: createRegistration cannot be true here' },
  });
  for (const odd of [null, 'x', [], [null], [{ name: 'x' }], [{ message: 'y' }]])
    expect(eventOf(answered('refused', { result: { parameterErrors: odd } }), intent, offline)).toMatchObject({
      answer: { description: 'd' },
    });
  expect(eventOf(answered('refused', { result: null }), intent, offline)).toMatchObject({ on: 'hostRefused' });
});

test('an answer without a payment is recorded as evidence of none', () => {
  expect(inquiryAnswerIn(answered('declined', {})).payments).toBeUndefined();
  expect(inquiryAnswerIn(answered('declined', { id: validBody.id })).payments).toEqual([{ payment: validBody.id }]);
});
