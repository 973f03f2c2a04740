/** Converts the gateway's reply to its meaning for a sale. A reply that does not fit the request is not its answer. */
import { isFault } from '../../base/fault.ts';
import { compare, isCurrency, type Money, parseAmount } from '../../base/money.ts';
import { brandOfPan } from '../../emv/brands.ts';
import { safeText } from '../../emv/card-text.ts';
import { luhnIsValid } from '../../emv/luhn.ts';
import type { SaleEvent } from '../machine/events.ts';
import type { HostAnswer, Intent } from '../machine/facts.ts';
import type { OfflineVerdict } from '../machine/offline-facts.ts';
import { operations } from '../machine/operations.ts';
import type { HostReply } from '../ports.ts';

type Body = Readonly<Record<string, unknown>>;

/** The text at a dotted path of a JSON body, or undefined when there is none. */
export const textAt = (body: unknown, path: string): string | undefined => {
  let value: unknown = body;
  for (const name of path.split('.'))
    value = typeof value === 'object' && value !== null ? (value as Body)[name] : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
};

/** The stored facts of an answer (spec 2.34, 2.35). Unknown fields are ignored, as the spec requires of clients. */
export const answerOf = ({
  code,
  description,
  body,
}: {
  code: string;
  description: string;
  body: Body;
}): HostAnswer => {
  const texts = {
    statusText: textAt(body, 'pos.statusText'),
    authorisationCode: textAt(body, 'pos.clearing.authorizationIssuerCode'),
    identifier: textAt(body, 'pos.clearing.identifier'),
    merchantId: textAt(body, 'pos.merchantId'),
    timestamp: textAt(body, 'pos.timestamp'),
    response: shortCode(textAt(body, 'resultDetails.AcquirerResponse')),
    advice: shortCode(textAt(body, 'resultDetails.MerchantAdviceCode')),
  };
  const payment = paymentIdOf(body);
  const registrationId = idIn(body, 'registrationId') ?? idIn(body, 'registration.id');
  const balance = amountIn({
    amount: textAt(body, 'resultDetails.Balance'),
    currency: textAt(body, 'resultDetails.BalanceCurrency'),
  });
  const known = Object.entries(texts).flatMap(([name, text]) => (text === undefined ? [] : [[name, cleanText(text)]]));
  return {
    code,
    description: safeText([description, ...refusedIn(body)].join(': ')),
    payment: payment || undefined,
    registrationId,
    ...Object.fromEntries(known),
    balance,
  };
};

/** Two letters or digits; a different acquirer sends longer texts, which are not kept. */
const shortCode = (text: string | undefined): string | undefined =>
  text !== undefined && /^[0-9A-Z]{2}$/.test(text) ? text : undefined;

/** The acquirer's numbers are long too: only what can be a card number is masked. */
const cleanText = (text: string): string =>
  /^\d{12,19}$/.test(text) && !(luhnIsValid(text) && brandOfPan(text) !== undefined) ? text : safeText(text);

/** The payment's id (spec 2.1: 32 letters and digits), unchanged: later requests name the payment by it. */
const paymentIdOf = (body: Body): string | undefined => idIn(body, 'id');

/** The first parameter that was refused, and why: the result itself only says "invalid or missing parameter". */
const refusedIn = (body: Body): string[] => {
  const errors = (body['result'] as Body | null | undefined)?.['parameterErrors'];
  const [first] = Array.isArray(errors) ? errors : [];
  const [name, message] = [textAt(first, 'name'), textAt(first, 'message')];
  return name === undefined || message === undefined ? [] : [`${name} ${message}`];
};

const idIn = (body: Body, path: string): string | undefined => {
  const id = textAt(body, path);
  return id !== undefined && /^[0-9A-Za-z]{32}$/.test(id) ? id : undefined;
};

/** The event for this reply to the sale's request. `offline`: whether the sale may go on without the gateway. */
export const eventOf = (reply: HostReply, intent: Intent, offline: () => OfflineVerdict): SaleEvent => {
  if (reply.kind === 'notSent') return { on: 'hostNotReached', why: reply.fault.message, offline: offline() };
  if (reply.kind === 'silent') return { on: 'hostSilent', why: reply.fault.message };
  const { means, code, body } = reply;
  const answer = answerOf(reply);
  if (means === 'refused') return { on: 'hostRefused', answer };
  // Too many requests: it was rejected before anything was done with it.
  if (means === 'later') return { on: 'hostNotReached', why: `${code} ${answer.description}`, offline: offline() };
  if (means === 'declined') return { on: 'hostDeclined', answer };
  if (means === 'testAnswer') return { on: 'hostOtherMode', answered: 'test', answer };
  if (means === 'liveAnswer') return { on: 'hostOtherMode', answered: 'live', answer };
  if (means !== 'approved') return { on: 'hostSilent', why: `the answer ${code} is neither yes nor no` };
  const approved = approvedPartOf(body, intent);
  if (approved !== undefined) return { on: 'hostApproved', answer: { ...answer, approved } };
  const misfit = misfitOf(body, intent);
  return misfit === undefined ? { on: 'hostApproved', answer } : { on: 'hostSilent', why: misfit };
};

/** The approved amount, if the request allowed partial approval and less than all was approved. */
export const approvedPartOf = (body: Body, intent: Intent): Money | undefined => {
  const amount = amountIn(body);
  if (intent.partial !== true || amount === undefined || amount.currency !== intent.amount.currency) return undefined;
  if (amount.minor <= 0n || compare(amount, intent.amount) >= 0) return undefined;
  return misfitOf(body, { ...intent, amount }) === undefined ? amount : undefined;
};

/** Why this approval does not match the request, or undefined. */
export const misfitOf = (body: Body, intent: Intent): string | undefined => {
  if (paymentIdOf(body) === undefined) return 'the approval names no payment';
  const reference = textAt(body, 'merchantTransactionId');
  if (reference !== undefined && reference !== intent.sale) return 'the approval is for another sale';
  const { amount, currency } = { amount: textAt(body, 'amount'), currency: textAt(body, 'currency') };
  // The request was for whatever is left, so a missing or different amount still matches it.
  if (operations[intent.operation].paymentType === 'RV' && (amount === undefined || intent.operation === 'release'))
    return undefined;
  if (amount === undefined || currency === undefined) return 'the approval names no amount';
  return sameAmount({ amount, currency }, intent) ? undefined : 'the approval is for another amount';
};

export const sameAmount = (
  reported: { amount: string; currency: string },
  { amount }: Pick<Intent, 'amount'>,
): boolean => {
  const reportedMinor = amountIn(reported);
  return reportedMinor?.currency === amount.currency && compare(reportedMinor, amount) === 0;
};

/** The amount of a payment, or undefined when it has no valid one; `unnamed`: the currency if none is named. */
export const amountIn = (body: unknown, unnamed?: Money['currency']): Money | undefined => {
  const amount = textAt(body, 'amount');
  const currency = textAt(body, 'currency') ?? unnamed;
  if (amount === undefined || currency === undefined || !isCurrency(currency)) return undefined;
  try {
    return parseAmount(amount, currency);
  } catch (error) {
    if (isFault(error, 'amount.malformed')) return undefined;
    throw error;
  }
};
