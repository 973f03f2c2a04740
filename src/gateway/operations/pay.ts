/** POST /v1/payments: authorise (PA), authorise and capture at once (DB, PA.CP), credit (CD). */
import { type Money, parseAmount } from '../../base/money.ts';
import type { AcquirerAnswer, Authorisation } from '../acquirers/acquirer.ts';
import { authentication } from '../parameters/authentication.ts';
import { card } from '../parameters/card.ts';
import { customParameters } from '../parameters/custom-parameters.ts';
import { forex } from '../parameters/forex.ts';
import { oneOf } from '../parameters/kinds.ts';
import { payment } from '../parameters/payment.ts';
import { pointOfSale } from '../parameters/point-of-sale.ts';
import type { Opening } from '../processing.ts';
import { claimsOf } from '../repeats.ts';
import type { KeptCard, Payment, PaymentFacts } from '../store/store.ts';
import { type Checked, checkCard } from './account.ts';
import { type Call, endpoint, type Gateway, openedAnswer } from './endpoint.ts';
import { factsOf } from './facts.ts';
import { needed, type Operation, type Parameters, type Rule } from './operation.ts';
import { amountFitsCurrency, bothOrNeither } from './rules.ts';

const accepts = {
  ...authentication,
  ...payment,
  ...forex,
  ...card,
  ...customParameters,
  ...pointOfSale,
  paymentType: oneOf(['PA', 'DB', 'CD', 'PA.CP'], 'What is to be done.', { example: 'DB' }),
};

const needs = ['entityId', 'amount', 'currency', 'paymentType'] as const;

type Accepts = typeof accepts;
type Request = Parameters<Accepts, (typeof needs)[number]>;
type Sent = Parameters<Accepts, never>;

const hasCard = (sent: Sent): boolean => sent['card.number'] !== undefined;
const hasPos = (sent: Sent): boolean => Object.keys(sent).some((name) => name.startsWith('pos.'));

const accountRules: readonly Rule<Accepts>[] = [
  {
    name: 'card.number',
    says: 'card properties must be set, or pos properties of a card that a terminal has read',
    holds: (sent) => hasCard(sent) || hasPos(sent),
  },
  ...needed<Accepts>(hasCard, ['card.expiryMonth', 'card.expiryYear']),
  ...needed<Accepts>(hasPos, ['pos.entryMode', 'pos.terminalId']),
  ...needed<Accepts>(
    (sent) => hasPos(sent) && !hasCard(sent),
    ['pos.encryptedSred.data', 'pos.encryptedSred.ksn'],
    'may not be empty, unless card.number is sent',
  ),
];

export const payOperation = {
  method: 'POST',
  path: '/v1/payments',
  says: 'Authorise, authorise and capture at once, or credit.',
  accepts,
  needs,
  rules: [
    amountFitsCurrency<Accepts>('amount', 'currency'),
    amountFitsCurrency<Accepts>('forex.amount', 'forex.currency'),
    ...bothOrNeither<Accepts>('forex.amount', 'forex.currency'),
    ...accountRules,
    ...bothOrNeither<Accepts>('pos.encryptedSred.data', 'pos.encryptedSred.ksn'),
    ...bothOrNeither<Accepts>('pos.encryptedPin.data', 'pos.encryptedPin.ksn'),
    ...bothOrNeither<Accepts>('pos.location.latitude', 'pos.location.longitude'),
  ],
} satisfies Operation<Accepts, (typeof needs)[number]>;

export const pay = endpoint(payOperation, async (gateway, call) => {
  const id = gateway.ids.next();
  const opened = await gateway.processing.carryOut({
    id,
    claims: claimsOf(call.request, call.fingerprint, call.key),
    open: async () => opening(gateway, call, id),
  });
  // A payment always opens one.
  if (opened.kind === 'nothing') throw new TypeError('a payment opened nothing');
  return openedAnswer(opened, call);
});

const opening = (gateway: Gateway, call: Call<Request>, id: string): Opening => {
  const { request, at, channel } = call;
  const amount = parseAmount(request.amount, request.currency);
  const plain = plainCardOf(request);
  const checked = plain === undefined ? undefined : checkCard(plain, request.paymentBrand, at);
  const facts: PaymentFacts = {
    ...factsOf(call, id),
    rootId: id,
    ...brandOf(request, checked),
    ...(plain === undefined ? {} : { card: keptCard(plain) }),
  };
  const row = {
    id,
    entityId: channel.entityId,
    paymentType: request.paymentType,
    amount,
    at,
    ...(request.merchantTransactionId === undefined ? {} : { merchantTransactionId: request.merchantTransactionId }),
    facts,
  };
  const refused =
    amount.minor === 0n ? '100.550.300' : checked && 'resultCode' in checked ? checked.resultCode : undefined;
  if (refused !== undefined) return { payment: { ...row, state: 'done', resultCode: refused } };
  return { payment: { ...row, state: 'processing' }, ask: () => ask(gateway, request, row) };
};

const brandOf = ({ paymentBrand }: Request, checked: Checked | undefined): Partial<PaymentFacts> => {
  if (checked !== undefined && !('resultCode' in checked)) return checked;
  return paymentBrand === undefined ? {} : { paymentBrand };
};

type Row = Pick<Payment, 'id' | 'at' | 'facts'> & { amount: Money };

const ask = ({ acquirer }: Gateway, request: Request, row: Row): Promise<AcquirerAnswer> => {
  const plain = plainCardOf(request);
  const pos = posOf(request);
  return acquirer.authorise({
    id: row.id,
    // Risk is never in the way here, so authorise-then-capture is one message to the acquirer.
    paymentType: request.paymentType === 'PA.CP' ? 'DB' : request.paymentType,
    amount: row.amount,
    ...(request.merchantTransactionId === undefined ? {} : { merchantTransactionId: request.merchantTransactionId }),
    ...(row.facts.paymentBrand === undefined ? {} : { paymentBrand: row.facts.paymentBrand }),
    ...(plain === undefined ? {} : { card: plain }),
    ...(pos === undefined ? {} : { pos }),
    customParameters: request.customParameters ?? {},
    at: row.at,
  });
};

const plainCardOf = (request: Request): NonNullable<Authorisation['card']> | undefined => {
  const { 'card.number': number, 'card.expiryMonth': expiryMonth, 'card.expiryYear': expiryYear } = request;
  if (number === undefined || expiryMonth === undefined || expiryYear === undefined) return undefined;
  const { 'card.cvv': cvv, 'card.holder': holder } = request;
  return {
    number,
    expiryMonth,
    expiryYear,
    ...(cvv === undefined ? {} : { cvv }),
    ...(holder === undefined ? {} : { holder }),
  };
};

/** First six and last four; of a number too short to hide anything between them, the last four only. */
const keptCard = ({ number, holder, expiryMonth, expiryYear }: NonNullable<Authorisation['card']>): KeptCard => ({
  ...(number.length < 12 ? {} : { bin: number.slice(0, 6) }),
  last4Digits: number.slice(-4),
  ...(holder === undefined ? {} : { holder }),
  expiryMonth,
  expiryYear,
});

const posOf = (request: Request): NonNullable<Authorisation['pos']> | undefined => {
  const { 'pos.entryMode': entryMode, 'pos.terminalId': terminalId } = request;
  if (entryMode === undefined || terminalId === undefined) return undefined;
  const sred = encryptedOf(request['pos.encryptedSred.data'], request['pos.encryptedSred.ksn']);
  const pin = encryptedOf(request['pos.encryptedPin.data'], request['pos.encryptedPin.ksn']);
  const { 'pos.iccDataRequest': icc, 'pos.panSequenceNumber': panSequenceNumber } = request;
  return {
    entryMode,
    terminalId,
    ...(sred === undefined ? {} : { encryptedSred: sred }),
    ...(pin === undefined ? {} : { encryptedPin: pin }),
    ...(icc === undefined ? {} : { iccDataRequest: icc }),
    ...(panSequenceNumber === undefined ? {} : { panSequenceNumber }),
  };
};

const encryptedOf = (data: string | undefined, ksn: string | undefined) =>
  data === undefined || ksn === undefined ? undefined : { data, ksn };
