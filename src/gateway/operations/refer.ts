/** POST /v1/payments/{id}: capture (CP), reverse (RV) or refund (RF) an earlier payment. */
import { type Money, parseAmount } from '../../base/money.ts';
import type { Reference } from '../acquirers/acquirer.ts';
import { authentication } from '../parameters/authentication.ts';
import { customParameters } from '../parameters/custom-parameters.ts';
import { oneOf } from '../parameters/kinds.ts';
import { payment } from '../parameters/payment.ts';
import { pointOfSale } from '../parameters/point-of-sale.ts';
import { followUps, mayFollow, type Standing } from '../payments.ts';
import type { Opening } from '../processing.ts';
import { claimsOf } from '../repeats.ts';
import { refusal } from '../response.ts';
import type { FollowUp, Payment, Session } from '../store/store.ts';
import { type Call, endOf, endpoint, type Gateway, openedAnswer } from './endpoint.ts';
import { factsOf } from './facts.ts';
import { needed, type Operation, type Parameters } from './operation.ts';
import { amountFitsCurrency, bothOrNeither } from './rules.ts';

const accepts = {
  ...authentication,
  ...payment,
  ...customParameters,
  ...pointOfSale,
  paymentType: oneOf(['CP', 'RV', 'RF'], 'What is to be done.', { example: 'RF' }),
};

const needs = ['entityId', 'paymentType'] as const;

type Accepts = typeof accepts;
type Request = Parameters<Accepts, (typeof needs)[number]>;

export const referOperation = {
  method: 'POST',
  path: '/v1/payments/:id',
  says: 'Capture, reverse or refund. A reversal without an amount is of all that is left.',
  accepts,
  needs,
  rules: [
    amountFitsCurrency<Accepts>('amount', 'currency'),
    ...needed<Accepts>(({ paymentType }) => paymentType === 'CP' || paymentType === 'RF', ['amount', 'currency']),
    ...bothOrNeither<Accepts>('amount', 'currency'),
  ],
} satisfies Operation<Accepts, (typeof needs)[number]>;

const words: Readonly<Record<FollowUp, Reference['operation']>> = { CP: 'capture', RV: 'reverse', RF: 'refund' };

export const refer = endpoint(referOperation, async (gateway, call) => {
  const id = gateway.ids.next();
  // One that an earlier failure left open is given an ending first, if there is one.
  await gateway.processing.look(call.id ?? '');
  const opened = await gateway.processing.carryOut({
    id,
    claims: claimsOf(call.request, call.fingerprint, call.key),
    open: (session) => opening(gateway, { call, id, session }),
  });
  if (opened.kind !== 'nothing') return openedAnswer(opened, call);
  const { missing } = followUps[call.request.paymentType];
  const answer = refusal({ code: missing, status: 404, why: 'There is no payment with this id.' }, endOf(call));
  return { ...answer, body: { id, paymentType: call.request.paymentType, ...answer.body } };
});

type Work = { call: Call<Request>; id: string; session: Session };

const opening = async (gateway: Gateway, { call, id, session }: Work): Promise<Opening | undefined> => {
  const standing = await standingOf(session, call);
  if (standing === undefined) return undefined;
  const { request, at } = call;
  const asked = amountOf(request);
  const parent = standing.payment;
  const verdict = zero(asked) ?? otherBrand(request, parent) ?? mayFollow(request.paymentType, standing, asked);
  const row = {
    id,
    entityId: parent.entityId,
    paymentType: request.paymentType,
    amount: 'amount' in verdict ? verdict.amount : (asked ?? parent.amount),
    at,
    ...(request.merchantTransactionId === undefined ? {} : { merchantTransactionId: request.merchantTransactionId }),
    referencedId: parent.id,
    facts: {
      ...factsOf(call, id),
      rootId: parent.facts.rootId,
      ...(parent.facts.paymentBrand === undefined ? {} : { paymentBrand: parent.facts.paymentBrand }),
      ...('why' in verdict ? { why: verdict.why } : {}),
    },
  };
  if ('resultCode' in verdict) return { payment: { ...row, state: 'done', resultCode: verdict.resultCode } };
  const reference = { id, of: row.facts.rootId, operation: words[request.paymentType], amount: verdict.amount, at };
  return { payment: { ...row, state: 'processing' }, ask: () => gateway.acquirer.refer(reference) };
};

/** The payment in the path, if it is this merchant's. */
const standingOf = async (session: Session, { id, channel }: Call<Request>): Promise<Standing | undefined> => {
  const found: Payment | undefined = id === undefined ? undefined : await session.payment(id);
  if (found === undefined || found.entityId !== channel.entityId) return undefined;
  return { payment: found, followers: await session.followersOf(found.id) };
};

const amountOf = ({ amount, currency }: Request): Money | undefined =>
  amount === undefined || currency === undefined ? undefined : parseAmount(amount, currency);

const zero = (asked: Money | undefined) =>
  asked?.minor === 0n ? { resultCode: '100.550.300', why: 'The amount is zero.' } : undefined;

/** Follow-ups need no brand; one that is sent must be the payment's. */
const otherBrand = ({ paymentBrand: sent }: Request, { facts: { paymentBrand } }: Payment) =>
  sent === undefined || paymentBrand === undefined || sent === paymentBrand
    ? undefined
    : { resultCode: '700.100.400', why: `The payment is of ${paymentBrand}.` };
