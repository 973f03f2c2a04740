/** What an acquirer's answer makes of a payment: its result code, the amount that was approved, the facts that stay. */
import { type Money, parseAmount } from '../base/money.ts';
import type { AcquirerAnswer } from './acquirers/acquirer.ts';
import { INITIAL_TRANSACTION } from './response.ts';
import { meaningOf } from './results.ts';
import type { Ending, Payment, PaymentFacts, Registration } from './store/store.ts';

/**
 * The ending of a payment that the acquirer never saw, found out after a crash: no money moved. The catalogue's
 * "previously pending transaction timed out", which every client counts as rejected.
 */
export const NEVER_SENT = '100.396.103';
const MALFORMED_CODE = '999.999.999';

/** The payment at its end. */
export const ended = (payment: Payment, { resultCode, facts, amount, registration }: Ending): Payment => ({
  ...payment,
  ...(amount === undefined ? {} : { amount }),
  ...(registration === undefined ? {} : { registrationId: registration.id }),
  facts,
  state: 'done',
  resultCode,
});

/** Without an answer it was never sent: an equal request is then a new one. */
export const endingOf = (open: Payment, answer: AcquirerAnswer | undefined): Ending => {
  const { stores: registration, inDoubt: _, ...facts } = open.facts;
  const payment = { ...open, facts };
  if (answer === undefined) {
    const why = 'It was interrupted and never reached the acquirer.';
    return { resultCode: NEVER_SENT, facts: { ...facts, why }, frees: 'claims' };
  }
  const resultCode = codeOf(answer.resultCode, payment.facts);
  const amount = partOf(payment, answer);
  const ending = { resultCode, facts: factsAfter(payment, answer), ...(amount === undefined ? {} : { amount }) };
  if (registration === undefined || meaningOf(resultCode) !== 'approved') return ending;
  return { ...ending, registration: referring(registration, answer) };
};

/** The amount of a partial approval: what is reversed, refunded and shown from then on. */
const partOf = ({ amount }: Payment, { resultCode, approvedAmount }: AcquirerAnswer): Money | undefined =>
  approvedAmount === undefined || meaningOf(resultCode) !== 'approved'
    ? undefined
    : parseAmount(approvedAmount, amount.currency);

/** With the scheme's reference of the payment that stored it: later payments without the shopper name it. */
const referring = (registration: Registration, { details }: AcquirerAnswer): Registration => {
  const initialTransactionId = details[INITIAL_TRANSACTION];
  if (initialTransactionId === undefined) return registration;
  return { ...registration, facts: { ...registration.facts, initialTransactionId } };
};

/** With what the acquirer said. */
export const factsAfter = ({ facts }: Payment, { resultCode: _, account, ...rest }: AcquirerAnswer): PaymentFacts => ({
  ...facts,
  ...kept(account, facts),
  answer: rest,
});

/** Success at the processor’s own test system has a code of its own. */
export const codeOf = (code: string, { echo }: PaymentFacts): string => {
  if (!/^\d{3}\.\d{3}\.\d{3}$/.test(code)) return MALFORMED_CODE;
  return code === '000.100.110' && echo['testMode'] === 'EXTERNAL' ? '000.100.112' : code;
};

/** The account as the acquirer found it behind encrypted data; what the merchant sent in plain stays. */
const kept = (account: AcquirerAnswer['account'], facts: PaymentFacts): Partial<PaymentFacts> => {
  if (account === undefined) return {};
  const { brand, ...card } = account;
  return { card: { ...card, ...facts.card }, paymentBrand: facts.paymentBrand ?? brand };
};
