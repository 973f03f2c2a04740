/** The steps of every payment that asks an acquirer for money, with a sent or a stored account. */
import { type Money, parseAmount } from '../../base/money.ts';
import { codes } from '../../base/result-codes.ts';
import { assess, screeningNames } from '../risk/assess.ts';
import type { AccountKind } from '../spec/brands.ts';
import type { Flat } from '../spec/operation.ts';
import { isSet } from '../spec/parameters/kinds.ts';
import type { Payment, PaymentFacts, Registration } from '../store/records.ts';
import type { KeyedRequest, Session } from '../store/store.ts';
import { unlock } from '../wallets/unlock.ts';
import {
  type CheckedAccount,
  checkAccount,
  checkedOf,
  factsOf,
  posOf,
  sentCardOf,
  storedBankAccountOf,
  storedCardOf,
  terminalCardToStore,
} from './account.ts';
import type { Authorisation } from './acquirer.ts';
import { type Call, endOf, type Gateway, openedAnswer } from './endpoint.ts';
import type { OpenedPayment, PaymentOpening } from './processing.ts';
import { answerOnce, claimsOf } from './repeats.ts';
import { type Answer, refuseWith } from './response.ts';
import { shortIdOf } from './short-id.ts';
import { registrationOf } from './stored-account.ts';

/** The fields common to both kinds of request. */
export type PayRequest = {
  entityId: string;
  amount: string;
  currency: string;
  /** 3D: only authenticates the cardholder, without a payment. */
  paymentType: 'PA' | 'DB' | 'CD' | 'PA.CP' | '3D';
  merchantTransactionId?: string;
  createRegistration?: string;
};

/** The paying account: its parameters among the request's, and its source. */
export type Payer = {
  kind: AccountKind;
  account: Flat;
  registration?: Registration;
  checkout?: CheckoutTurn;
  /** The schedule that this payment is a run of. */
  scheduleId?: string;
  /** The path of the result in the shopper's return address, without the id: `/v1/threeDSecure/`. */
  resource?: string;
};

/** Identifies a payment in a checkout, in place of the request's own claims. */
export type CheckoutTurn = {
  id: string;
  /** The path of the checkout's result: part of the shopper's return address. */
  resourcePath: string;
  claims: readonly KeyedRequest[];
  names: readonly string[];
  /** Within the payment's own transaction: whether it may start; records it if so. */
  begin(session: Session, paymentId: string): Promise<boolean>;
};

/** Processes the payment and answers. The payer is the request's account, or a registration's. */
export const authorise = async (gateway: Gateway, call: Call<PayRequest>, payer: Payer): Promise<Answer> => {
  const openedPayment = await carryOutPayment(gateway, call, payer);
  // A request for a payment always opens a payment.
  if (openedPayment.kind === 'nothing') throw new TypeError('a payment opened nothing');
  if (payer.account['notificationUrl'] !== undefined) gateway.checkoutSignal.wake();
  return openedAnswer(openedPayment, call);
};

/** The same without the answer. `nothing` if its checkout did not let it start. */
export const carryOutPayment = async (
  gateway: Gateway,
  call: Call<PayRequest>,
  sentPayer: Payer,
): Promise<OpenedPayment> => {
  const { checkout } = sentPayer;
  const { request, channel, at } = call;
  const { hash } = gateway;
  const id = gateway.ids.next();
  const amount = parseAmount(request.amount, request.currency);
  const { kind } = sentPayer;
  const {
    account,
    claim,
    errors: locked,
  } = await unlock({ kind, account: sentPayer.account, amount, channel, at, hash });
  const { storable, errors: unopened } = terminalCardToStore(gateway.acquirer, account);
  const errors = [...locked, ...unopened];
  const { risk: rules, entityId } = channel;
  const names = rules === undefined ? [] : screeningNames({ request: account, entityId, hash, rules });
  const ownClaims = checkout?.claims ?? claimsOf(request, call.fingerprint, call.key);
  const openedPayment = await gateway.processing.carryOut({
    id,
    claims: claim === undefined ? ownClaims : [...ownClaims, { key: claim, fingerprint: call.fingerprint() }],
    names: checkout === undefined ? names : [...checkout.names, ...names],
    open: (session) =>
      errors.length > 0
        ? Promise.resolve(undefined)
        : openPayment(gateway, call, { ...sentPayer, account, storable, id, amount, session }),
  });
  if (openedPayment.kind === 'differs')
    return (await otherChannelsPayment(gateway, call, openedPayment.paymentId)) ?? openedPayment;
  if (openedPayment.kind !== 'nothing' || errors.length === 0) return openedPayment;
  const answer = refuseWith({ code: codes.parameterInvalid, parameterErrors: errors }, endOf(call));
  return { kind: 'answer', answer: checkout === undefined ? await answerOnce(gateway.store, call, answer) : answer };
};

/** Only a wallet's token can be shared with another channel's payment. Nothing else is revealed about that payment. */
const otherChannelsPayment = async (
  { store }: Gateway,
  call: Call<PayRequest>,
  paymentId: string | undefined,
): Promise<OpenedPayment | undefined> => {
  const earlierPayment = paymentId === undefined ? undefined : await store.payment(paymentId);
  if (earlierPayment === undefined || earlierPayment.entityId === call.channel.entityId) return undefined;
  const reason = 'The wallet’s token was already used, at another channel. Each token can pay only once.';
  return { kind: 'answer', answer: refuseWith({ code: codes.duplicate, why: reason }, endOf(call)) };
};

type PayerWork = Payer & { storable?: Flat; id: string; amount: Money; session: Session };

const openPayment = async (
  gateway: Gateway,
  call: Call<PayRequest>,
  work: PayerWork,
): Promise<PaymentOpening | undefined> => {
  const { request, at, channel } = call;
  const { id, kind, account, amount, registration, checkout } = work;
  if (checkout !== undefined && !(await checkout.begin(work.session, id))) return undefined;
  const checked = checkAccount({ kind, request: account, channel, at });
  const asksMoney = request.paymentType !== '3D' || !isSet(account['threeDSecure.npa']);
  const isNothing = amount.minor === 0n && asksMoney;
  const accountRefusal = isNothing
    ? { resultCode: codes.amountMissing, why: 'The amount is zero.' }
    : refusalOf(checked);
  // An impossible payment does not count among the attempts that risk rules consider.
  const screened =
    accountRefusal === undefined && channel.risk !== undefined ? await screen(gateway, call, work) : undefined;
  const refusal = accountRefusal ?? screened?.refused;
  const isStoring = refusal === undefined && isSet(request.createRegistration) && registration === undefined;
  const newRegistration = isStoring ? registrationOf(gateway, call, accountToStore(work, checked)) : undefined;
  const facts = paymentFacts(call, work, checked);
  facts.riskScore = screened?.score;
  facts.why = refusal?.why;
  facts.stores = newRegistration;
  facts.checkoutId = checkout?.id;
  facts.scheduleId = work.scheduleId;
  const payment: Payment = {
    id,
    entityId: channel.entityId,
    paymentType: request.paymentType,
    paymentMethod: checked.method,
    amount,
    at,
    shortId: shortIdOf(id),
    merchantTransactionId: request.merchantTransactionId,
    rootId: id,
    registrationId: (registration ?? newRegistration)?.id,
    facts,
    state: 'processing',
  };
  if (checkout === undefined) {
    const resourcePath = `${work.resource ?? '/v1/payments/'}${id}`;
    const notification = { id, entityId: channel.entityId, resourcePath, paymentId: id, at };
    await gateway.addNotification(work.session, account['notificationUrl'], notification);
  }
  if (refusal !== undefined) return { payment: { ...payment, state: 'done', resultCode: refusal.resultCode } };
  const authorisation = authorisationOf(call, work, payment);
  return {
    payment,
    askAcquirer: () => gateway.acquirer.authorise(authorisation),
    askInTransaction: (documents) => gateway.acquirer.authoriseInTransaction?.(documents, authorisation),
  };
};

/** The account itself, or the card that a terminal encrypted. */
const accountToStore = (
  { kind, account, storable }: PayerWork,
  checked: CheckedAccount,
): Parameters<typeof registrationOf>[2] =>
  storable === undefined
    ? { kind, account, checked }
    : { kind: 'card', account: storable, checked: checkedOf(checked, storable) };

/** The facts known of the payment before anybody is asked. */
const paymentFacts = (
  call: Call<PayRequest>,
  { id, account, registration }: PayerWork,
  checked: CheckedAccount,
): PaymentFacts => {
  const card = registration?.facts.card ?? storedCardOf(account);
  const holder = account['card.holder'];
  return {
    ...factsOf(call, id),
    acquirerId: id,
    paymentBrand: checked.paymentBrand,
    brandResult: checked.resultCode === undefined ? checked.brandResult : undefined,
    card: card === undefined || holder === undefined || holder === card.holder ? card : { ...card, holder },
    bankAccount: storedBankAccountOf(account),
  };
};

const refusalOf = (checked: CheckedAccount) => (checked.resultCode === undefined ? undefined : checked);

/** Applies the channel's risk rules, and records what they need for later payments. */
const screen = async (gateway: Gateway, { channel, at }: Call<PayRequest>, { account, session }: PayerWork) => {
  const { risk: rules, entityId } = channel;
  if (rules === undefined) return undefined;
  const assessed = await assess({ rules, request: account, session, entityId, at, hash: gateway.hash });
  if (assessed.sightings.length > 0) await session.addSightings(assessed.sightings);
  return assessed;
};

const authorisationOf = (
  { request, base, channel }: Call<PayRequest>,
  { kind, account, checkout, resource }: Payer,
  { id, at, amount, merchantTransactionId, facts: { paymentBrand } }: Payment,
): Authorisation => {
  const { parameters, customParameters } = parametersOf(account);
  parameters['simulator.baseUrl'] = base;
  if (channel.name !== undefined) parameters['simulator.shop'] = channel.name;
  // The path of the result in the shopper's return address; for a plain payment the payment's own path.
  if (checkout !== undefined) parameters['simulator.resourcePath'] = checkout.resourcePath;
  else if (resource !== undefined) parameters['simulator.resourcePath'] = `${resource}${id}`;
  const { paymentType } = request;
  return {
    id,
    // The risk rules were applied before, so authorise-then-capture is one message to the acquirer.
    paymentType: paymentType === 'PA.CP' ? 'DB' : paymentType === '3D' ? 'PA' : paymentType,
    amount,
    account: kind,
    parameters,
    customParameters,
    at,
    only: paymentType === '3D' ? 'authentication' : undefined,
    merchantTransactionId,
    paymentBrand,
    card: sentCardOf(account),
    pos: posOf(account),
  };
};

const CUSTOM = 'customParameters[';

/** All parameters sent, and the custom ones by their own names. In one loop: spreading so many names takes longer. */
const parametersOf = (account: Flat) => {
  const parameters: Record<string, string> = {};
  const customParameters: Record<string, string> = {};
  for (const name in account) {
    const value = account[name];
    if (value === undefined) continue;
    parameters[name] = value;
    if (name.startsWith(CUSTOM)) customParameters[name.slice(CUSTOM.length, -1)] = value;
  }
  return { parameters, customParameters };
};
