/** Turns an acquirer's answer into a payment's ending: its result code, the approved amount, the stored facts. */

import { isResultCode } from '../../base/code-meanings.ts';
import { type Money, parseAmount } from '../../base/money.ts';
import { codes } from '../../base/result-codes.ts';
import type { AcquirerAnswer } from '../spec/acquirer-answer.ts';
import { meaningOf } from '../spec/results.ts';
import type { Payment, PaymentFacts, Registration } from '../store/records.ts';
import type { PaymentEnding } from '../store/store.ts';
import { isOnlyForNow } from './repeats.ts';
import { INITIAL_TRANSACTION } from './response.ts';

/**
 * The ending of a payment that the acquirer never saw, discovered after a crash: no money moved. The catalogue's
 * "previously pending transaction timed out", which every client treats as rejected.
 */
export const NEVER_SENT = codes.timedOutPending;
const UNSENT = 'It was interrupted and never reached the acquirer.';
const MALFORMED_CODE = codes.acquirerError;

export const applyEnding = (payment: Payment, { resultCode, facts, amount, registration }: PaymentEnding): Payment => ({
  ...payment,
  amount: amount ?? payment.amount,
  registrationId: registration?.id ?? payment.registrationId,
  facts,
  state: 'done',
  resultCode,
});

/**
 * Without an answer it was never sent, and a request that came too early had no effect: an equal request is a new one.
 */
export const endingOf = (open: Payment, answer: AcquirerAnswer | undefined): PaymentEnding => {
  const { stores: registration, inDoubt: _, ...facts } = open.facts;
  if (answer === undefined) return { resultCode: NEVER_SENT, facts: { ...facts, why: UNSENT }, releases: 'claims' };
  const resultCode = codeOf(answer.resultCode, facts);
  return {
    resultCode,
    facts: factsAfter(facts, answer),
    releases: isOnlyForNow(resultCode) ? 'claims' : undefined,
    amount: partialAmountOf(open, answer),
    registration:
      meaningOf(resultCode) === 'approved' ? registration && withInitialTransaction(registration, answer) : undefined,
  };
};

/** The amount of a partial approval: the one that is reversed, refunded and shown from then on. */
const partialAmountOf = ({ amount }: Payment, { resultCode, approvedAmount }: AcquirerAnswer): Money | undefined =>
  approvedAmount === undefined || meaningOf(resultCode) !== 'approved'
    ? undefined
    : parseAmount(approvedAmount, amount.currency);

/** Adds the scheme's reference of the payment that stored the account: later payments without the shopper name it. */
const withInitialTransaction = (registration: Registration, { details }: AcquirerAnswer): Registration => {
  const initialTransactionId = details[INITIAL_TRANSACTION];
  if (initialTransactionId === undefined) return registration;
  return { ...registration, facts: { ...registration.facts, initialTransactionId } };
};

/** Adds the acquirer's answer, and the account that it decrypted; an account sent unencrypted stays. */
export const factsAfter = (
  previous: PaymentFacts,
  { resultCode: _, account, ...answer }: AcquirerAnswer,
): PaymentFacts => {
  const facts = { ...previous };
  if (account !== undefined) {
    const { brand, ...card } = account;
    const { bin = card.bin, holder = card.holder } = facts.card ?? {};
    facts.card = { ...card, ...facts.card, bin, holder };
    facts.paymentBrand ??= brand;
  }
  facts.answer = answer;
  return facts;
};

/** Success in the processor's own test system has its own code. */
export const codeOf = (code: string, { echo }: PaymentFacts): string => {
  if (!isResultCode(code)) return MALFORMED_CODE;
  return code === codes.succeededInTest && echo['testMode'] === 'EXTERNAL' ? codes.succeededInConnectorTest : code;
};
