/** POST /v1/payments/{id}: a follow-up of an earlier payment: CP, RV, RF, RB, RC, CB, CR, or PA to increase it. */
import { exponentOf, type Money, parseAmount } from '../../base/money.ts';
import { codes } from '../../base/result-codes.ts';
import type { ApiOperation, Flat, ParsedParameters } from '../spec/operation.ts';
import { oneOf, required } from '../spec/parameters/kinds.ts';
import { pointOfSale } from '../spec/parameters/point-of-sale.ts';
import { paymentRows } from '../spec/rules/accepts.ts';
import { referenceRules } from '../spec/rules/payment.ts';
import type { FollowUpType, Payment } from '../store/records.ts';
import type { Reader, Session } from '../store/store.ts';
import { factsOf } from './account.ts';
import type { Reference, ReferenceOperation } from './acquirer.ts';
import { type Call, endOf, endpoint, findOwnPayment, type Gateway, openedAnswer } from './endpoint.ts';
import { endsHold, type FollowUpParams, followUps, judgeFollowUp, type PaymentTree } from './payments.ts';
import type { PaymentOpening } from './processing.ts';
import { answerOnce, claimsOf, isOnlyForNow } from './repeats.ts';
import { refuseWith } from './response.ts';
import { shortIdOf } from './short-id.ts';

const accepts = {
  ...paymentRows,
  ...pointOfSale,
  paymentType: oneOf(['CP', 'RV', 'RF', 'RB', 'RC', 'CB', 'CR', 'PA'], 'The operation.', required('RF')),
};
const needs = ['entityId', 'paymentType'] as const;

type Accepts = typeof accepts;
type Request = ParsedParameters<Accepts, (typeof needs)[number]>;

export const referOperation = {
  method: 'POST',
  path: '/v1/payments/:id',
  summary:
    'Capture, reverse, refund and so on. A reversal without an amount is of all that is left; after captures it gives ' +
    'the rest back, and so does a capture with `sequence=FINAL` or the last of `numberOfCaptures`.',
  accepts,
  needs,
  rules: referenceRules,
} satisfies ApiOperation<Accepts, (typeof needs)[number]>;

export const refer = endpoint(referOperation, async (gateway, call) => {
  const id = gateway.ids.next();
  // A payment that an earlier failure left open is ended first, if possible.
  const parent = await findOwnPayment(gateway, call);
  const openedPayment = await gateway.processing.carryOut({
    id,
    claims: claimsOf(call.request, call.fingerprint, call.key),
    // One follow-up at a time for each chain: two simultaneous refunds must not both see the same remaining amount.
    names: parent === undefined ? [] : [`chain ${parent.rootId}`],
    open: (session) => openFollowUp(gateway, { call, id, session }),
  });
  if (call.request.notificationUrl !== undefined) gateway.checkoutSignal.wake();
  if (openedPayment.kind !== 'nothing') return openedAnswer(openedPayment, call);
  const { missingCode: missing } = followUps[call.request.paymentType];
  const answer = refuseWith({ code: missing, status: 404, why: 'There is no payment with this id.' }, endOf(call));
  const body = { id, paymentType: call.request.paymentType, ...answer.body };
  return answerOnce(gateway.store, call, { ...answer, body });
});

type ReferenceWork = { call: Call<Request>; id: string; session: Session };

const openFollowUp = async (
  gateway: Gateway,
  { call, id, session }: ReferenceWork,
): Promise<PaymentOpening | undefined> => {
  const tree = await paymentTreeOf(session, call);
  if (tree === undefined) return undefined;
  const { request, at } = call;
  const type = request.paymentType;
  const requested = amountOf(request);
  const parent = tree.payment;
  const rebillUpTo = type === 'RB' ? rebillLimitOf(call, parent) : undefined;
  const options: FollowUpParams = { type, requested, rebillUpTo };
  const verdict = refuseZero(requested) ?? refuseOtherBrand(request, parent) ?? judgeFollowUp(options, tree);
  const { facts } = parent;
  const ownFacts = factsOf(call, id);
  const isLast = type === 'CP' && endsHold(tree, request.sequence);
  const row = {
    id,
    entityId: parent.entityId,
    paymentType: type,
    paymentMethod: parent.paymentMethod,
    amount: 'amount' in verdict ? verdict.amount : (requested ?? parent.amount),
    at,
    shortId: shortIdOf(id),
    rootId: parent.rootId,
    merchantTransactionId: request.merchantTransactionId,
    referencedId: parent.id,
    facts: {
      ...ownFacts,
      echo: withTestModeOf(parent, ownFacts.echo),
      // A rebill is new money; all other follow-ups concern money that the acquirer already knows.
      acquirerId: type === 'RB' ? id : facts.acquirerId,
      paymentBrand: facts.paymentBrand,
      why: 'why' in verdict ? verdict.why : undefined,
      endsHold: isLast || undefined,
      confirms: (type === 'RC' && parent.paymentType !== 'PA') || undefined,
    },
  };
  await gateway.addNotification(session, request.notificationUrl, {
    id,
    entityId: parent.entityId,
    resourcePath: `/v1/payments/${id}`,
    paymentId: id,
    at,
  });
  if ('resultCode' in verdict) {
    const { resultCode } = verdict;
    const canEndDifferently = isOnlyForNow(resultCode) || dependsOnOthers(options, tree);
    return { payment: { ...row, state: 'done', resultCode }, isOnlyForNow: canEndDifferently };
  }
  const reference: Reference = {
    id,
    of: facts.acquirerId,
    parent: parent.id,
    operation: operationOf(type, parent),
    amount: verdict.amount,
    parameters: withTestModeOf(parent, isLast ? { ...request, sequence: 'FINAL' } : request),
    at,
  };
  const ask = () => gateway.acquirer.refer(reference);
  return { payment: { ...row, state: 'processing' }, waitsFor: isLast ? openFollowers(tree) : [], askAcquirer: ask };
};

/**
 * After the last capture the acquirer holds nothing any more, so it would refuse a follow-up that the capture
 * overtakes.
 */
const openFollowers = ({ followers }: PaymentTree): string[] =>
  followers.flatMap(({ payment: { id, state } }) => (state === 'processing' ? [id] : []));

/** Follow-ups in progress count as done, but may still be declined: without them the request would be allowed. */
const dependsOnOthers = (request: FollowUpParams, { payment, followers }: PaymentTree): boolean => {
  const endedFollowers = followers.filter((follower) => follower.payment.state === 'done');
  return (
    endedFollowers.length < followers.length &&
    'amount' in judgeFollowUp(request, { payment, followers: endedFollowers })
  );
};

const operations: Readonly<Record<FollowUpType, ReferenceOperation>> = {
  PA: 'increase',
  CP: 'capture',
  RV: 'reverse',
  RF: 'refund',
  RB: 'rebill',
  RC: 'receipt',
  CB: 'chargeback',
  CR: 'chargebackReversal',
};

/** Undoing a capture means refunding it: captured money is no longer only held. */
const operationOf = (type: FollowUpType, parent: Payment): ReferenceOperation =>
  type === 'RV' && parent.paymentType === 'CP' ? 'refund' : operations[type];

/** The request's own parameters, in the test mode of the payment it follows: its money belongs to that system. */
const withTestModeOf = ({ facts }: Payment, sent: Flat): Readonly<Record<string, string>> => {
  const { testMode } = facts.echo;
  const { testMode: _, ...ownFacts } = sent;
  return (testMode === undefined ? ownFacts : { ...ownFacts, testMode }) as Readonly<Record<string, string>>;
};

/** The payment in the path with all its follow-ups, if it belongs to this merchant. */
const paymentTreeOf = async (session: Session, { id, channel }: Call<Request>): Promise<PaymentTree | undefined> => {
  const found: Payment | undefined = id === undefined ? undefined : await session.payment(id);
  return found?.entityId === channel.entityId ? readPaymentTree(session, found) : undefined;
};

/** Chargebacks have follow-ups that count for the payment; others have none, and are not looked up. */
const readPaymentTree = async (reader: Reader, payment: Payment): Promise<PaymentTree> => {
  const followers: PaymentTree[] = [];
  for (const each of await reader.followersOf(payment.id)) {
    const isDisputed = each.paymentType === 'CB' || each.paymentType === 'CR';
    followers.push(isDisputed ? await readPaymentTree(reader, each) : { payment: each, followers: [] });
  }
  return { payment, followers };
};

const amountOf = ({ amount, currency }: Request): Money | undefined =>
  amount === undefined || currency === undefined ? undefined : parseAmount(amount, currency);

/** The channel's limit for rebills, if it has one, in the payment's currency. */
const rebillLimitOf = (
  { channel: { rebillUpTo } }: Call<Request>,
  { amount: { currency } }: Payment,
): Money | undefined => {
  if (rebillUpTo === undefined) return undefined;
  // In a currency without a minor unit only whole units count.
  return parseAmount(exponentOf(currency) === 0 ? rebillUpTo.replace(/\.\d\d$/, '') : rebillUpTo, currency);
};

const refuseZero = (requested: Money | undefined) =>
  requested?.minor === 0n ? { resultCode: codes.amountMissing, why: 'The amount is zero.' } : undefined;

/** Follow-ups need no brand; if one is sent, it must be the payment's. */
const refuseOtherBrand = ({ paymentBrand: sent }: Request, { facts: { paymentBrand } }: Payment) =>
  sent === undefined || paymentBrand === undefined || sent === paymentBrand
    ? undefined
    : { resultCode: codes.brandDiffers, why: `The payment is of ${paymentBrand}.` };
