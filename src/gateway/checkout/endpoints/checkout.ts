/**
 * POST /v1/checkouts: what is to be paid, or that an account is to be stored, before the shopper chooses how; and POST
 * /v1/checkouts/{id}: changes its values.
 */
import { codes } from '../../../base/result-codes.ts';
import { warningsOf } from '../../payments/account.ts';
import {
  type Call,
  endpoint,
  type Gateway,
  refuseParameters,
  strictnessOf,
  traitsOf,
} from '../../payments/endpoint.ts';
import { startTypes } from '../../payments/pay.ts';
import { answerOnce, doOnce } from '../../payments/repeats.ts';
import type { Answer } from '../../payments/response.ts';
import type { ApiOperation, Flat, ParsedParameters } from '../../spec/operation.ts';
import type { ParameterError } from '../../spec/parameters/errors.ts';
import { isSet } from '../../spec/parameters/kinds.ts';
import { parserOf } from '../../spec/parameters/parser.ts';
import { offeredRegistrations } from '../../spec/parameters/registration.ts';
import { holderRows, paymentRows } from '../../spec/rules/accepts.ts';
import { checkoutRules, isStoreOnly, noOverrides } from '../../spec/rules/checkouts.ts';
import { paymentRules } from '../../spec/rules/payment.ts';
import { shared } from '../../spec/rules/shared.ts';
import type { Checkout } from '../../store/checkout-store.ts';
import type { Session } from '../../store/store.ts';
import { widgetIntegrity } from '../../widget/pages.ts';
import { checkoutAnswer, endedCheckoutAnswer, tooManyOpenAnswer, unknownCheckoutAnswer } from '../answers.ts';
import {
  CHECKOUT_MS,
  checkoutStateIn,
  isOver,
  lockNameOf,
  newCheckoutId,
  OPEN_MOST,
  sealedValues,
  type Values,
  valuesOf,
} from '../life.ts';
import { findWrongValues, mergeValues } from '../request.ts';

const CREATED = codes.checkoutCreated;

/**
 * Every parameter except the account, which the shopper enters: of the account, a holder and a mandate may be given
 * beforehand.
 */
const checkoutRows = {
  ...paymentRows,
  'card.holder': holderRows['card.holder'],
  'bankAccount.holder': holderRows['bankAccount.holder'],
  'bankAccount.mandate.id': holderRows['bankAccount.mandate.id'],
  'bankAccount.mandate.dateOfSignature': holderRows['bankAccount.mandate.dateOfSignature'],
  transactionDueDate: holderRows.transactionDueDate,
  ...offeredRegistrations,
  paymentType: startTypes,
};

const createOperation = {
  method: 'POST',
  path: '/v1/checkouts',
  summary:
    'Create a checkout for the payment widget. With createRegistration=true and neither amount nor paymentType it ' +
    'stores an account and charges nothing.',
  accepts: checkoutRows,
  needs: ['entityId'],
  rules: [...paymentRules('checkout'), ...shared(checkoutRules)],
} satisfies ApiOperation<typeof checkoutRows, 'entityId'>;

export const createCheckout = endpoint(createOperation, async (gateway, call) => {
  const { channel, at, warnings } = call;
  const values = sentParametersOf(call.request);
  const errors = await findWrongValues(gateway.store, values, { channel, at });
  if (errors.length > 0) return answerOnce(gateway.store, call, refuseParameters(call, errors));
  const { entityId } = channel;
  const id = newCheckoutId(gateway);
  const checkout = {
    id,
    entityId,
    kind: isStoreOnly(call.request) ? 'registration' : 'payment',
    at,
    sealed: sealedValues(gateway, { id, entityId }, values),
    attempts: [],
  } as const;
  // The hash of the widget's script (spec 2.2), for the integrity attribute of a page's script element.
  const integrity = isSet(call.request.integrity) ? widgetIntegrity() : undefined;
  const more = { id, integrity, parameterWarnings: warningsOf(warnings) };
  const answer = await doOnce(gateway.store, call, {
    names: [],
    async work(session) {
      const maxOpen = channel.limits?.openCheckouts ?? OPEN_MOST;
      const oldestAt = await session.checkouts.oldestWhenFull({ entityId, since: at - CHECKOUT_MS, most: maxOpen });
      if (oldestAt !== undefined) return tooManyOpenAnswer(call, maxOpen, oldestAt + CHECKOUT_MS);
      await session.checkouts.add(checkout);
      return checkoutAnswer(call, { code: CREATED, id, more });
    },
  });
  gateway.checkoutSignal.wake();
  return answer;
});

/** The parameters sent, without the sender's identity, which the checkout itself holds. */
const sentParametersOf = (request: Flat): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(request).flatMap(([name, value]) =>
      value === undefined || name === 'entityId' ? [] : [[name, value]],
    ),
  );

const UPDATED = codes.checkoutUpdated;

/** POST /v1/checkouts/{id}: other values for a checkout that is not paid (spec 2.23, the update step). */
export const updateCheckout = endpoint(
  {
    method: 'POST',
    path: '/v1/checkouts/:id',
    summary:
      'Change values of a checkout that is not paid. A list that is sent, such as a cart’s items, replaces the whole list.',
    accepts: checkoutRows,
    needs: ['entityId'],
    // The conditions between parameters are checked once old and new values are merged.
    rules: shared(noOverrides),
  },
  (gateway, call) =>
    doOnce(gateway.store, call, {
      names: [lockNameOf(call.id ?? '')],
      work: (session) => applyUpdate(gateway, session, call),
    }),
);

type UpdateCall = Call<ParsedParameters<typeof checkoutRows, 'entityId'>>;

const parse = parserOf(createOperation);

const applyUpdate = async (gateway: Gateway, session: Session, call: UpdateCall): Promise<Answer> => {
  const { id = '', channel, at } = call;
  const checkout = await session.checkouts.byId(id);
  if (checkout?.entityId !== channel.entityId) return unknownCheckoutAnswer(call);
  if (isOver(checkout, at)) return endedCheckoutAnswer(call, checkout);
  const sent = sentParametersOf(call.request);
  const state = await checkoutStateIn(session, checkout);
  if (state !== 'open') return refuseParameters(call, tooLateErrors(sent, state));
  const values = mergeValues(valuesOf(gateway, checkout), sent);
  const errors = await findErrors(session, { checkout, values, call });
  if (errors.length > 0) return refuseParameters(call, errors);
  await session.checkouts.change({ ...checkout, sealed: sealedValues(gateway, checkout, values) });
  return checkoutAnswer(call, { code: UPDATED, id, more: { id } });
};

const tooLateErrors = (sent: Values, state: 'pending' | 'paid'): readonly ParameterError[] => {
  const message =
    state === 'paid'
      ? 'cannot be changed: the checkout is done'
      : 'cannot be changed: a payment of the checkout is in progress';
  return Object.keys(sent).map((name) => ({ name, value: null, message }));
};

type UpdatedCheckout = { checkout: Checkout; values: Values; call: UpdateCall };

const findErrors = async (
  session: Session,
  { checkout, values, call }: UpdatedCheckout,
): Promise<readonly ParameterError[]> => {
  const { channel, at } = call;
  const merged = Object.assign(Object.create(null), values, { entityId: channel.entityId });
  const parsed = parse(merged, strictnessOf(channel), traitsOf(channel));
  if ('errors' in parsed) return parsed.errors;
  if ((isStoreOnly(values) ? 'registration' : 'payment') !== checkout.kind) {
    const message = 'cannot be set: the checkout was created to store an account, and its widget charges nothing';
    return ['amount', 'paymentType'].filter((name) => name in values).map((name) => ({ name, value: null, message }));
  }
  return findWrongValues(session, values, { channel, at });
};
