/** POST /v1/checkouts: what is to be paid, or that an account is to be stored, before the shopper says how. */
import { codes } from '../../../base/result-codes.ts';
import type { Flat } from '../../payments/account.ts';
import { endpoint } from '../../payments/endpoint.ts';
import { warned } from '../../payments/facts.ts';
import { startTypes } from '../../payments/pay.ts';
import { answerOnce, doneOnce } from '../../payments/repeats.ts';
import { type Body, warningsOf } from '../../payments/response.ts';
import type { ApiOperation } from '../../spec/operation.ts';
import { isSet } from '../../spec/parameters/kinds.ts';
import { offeredRegistrations } from '../../spec/parameters/registration.ts';
import { holderRows, paymentRows } from '../../spec/rules/accepts.ts';
import { checkoutRules, storesOnly } from '../../spec/rules/checkouts.ts';
import { paymentRules } from '../../spec/rules/payment.ts';
import { shared } from '../../spec/rules/shared.ts';
import { widgetIntegrity } from '../../widget/assets.ts';
import { checkoutAnswer, parametersRefused, tooManyOpen } from '../answers.ts';
import { CHECKOUT_MS, newCheckoutId, OPEN_MOST, sealedValues } from '../life.ts';
import { wrongValues } from '../request.ts';

const CREATED = codes.checkoutCreated;

/** Everything but the account, which is the shopper's to give: of it a holder may be known before, and a mandate. */
export const checkoutRows = {
  ...paymentRows,
  'card.holder': holderRows['card.holder'],
  'bankAccount.holder': holderRows['bankAccount.holder'],
  'bankAccount.mandate.id': holderRows['bankAccount.mandate.id'],
  'bankAccount.mandate.dateOfSignature': holderRows['bankAccount.mandate.dateOfSignature'],
  transactionDueDate: holderRows.transactionDueDate,
  ...offeredRegistrations,
  paymentType: startTypes,
};

export const createOperation = {
  method: 'POST',
  path: '/v1/checkouts',
  says:
    'Create a checkout for the payment widget. With createRegistration=true and neither amount nor paymentType it ' +
    'stores an account and charges nothing.',
  accepts: checkoutRows,
  needs: ['entityId'],
  rules: [...paymentRules('checkout'), ...shared(checkoutRules)],
} satisfies ApiOperation<typeof checkoutRows, 'entityId'>;

export const createCheckout = endpoint(createOperation, async (gateway, call) => {
  const { channel, at, warnings } = call;
  const values = sentParameters(call.request);
  const errors = await wrongValues(gateway.store, values, { channel, at });
  if (errors.length > 0) return answerOnce(gateway.store, call, parametersRefused(call, errors));
  const { entityId } = channel;
  const id = newCheckoutId(gateway);
  const checkout = {
    id,
    entityId,
    kind: storesOnly(call.request) ? 'registration' : 'payment',
    at,
    sealed: sealedValues(gateway, { id, entityId }, values),
    attempts: [],
  } as const;
  const more = { id, ...integrityOf(call.request), ...warningsOf(warned(warnings)) };
  const answer = await doneOnce(gateway.store, call, {
    names: [],
    async work(session) {
      const most = channel.limits?.openCheckouts ?? OPEN_MOST;
      const oldestAt = await session.checkouts.oldestOfFull({ entityId, since: at - CHECKOUT_MS, most });
      if (oldestAt !== undefined) return tooManyOpen(call, most, oldestAt + CHECKOUT_MS);
      await session.checkouts.add(checkout);
      return checkoutAnswer(call, { code: CREATED, id, more });
    },
  });
  gateway.checkoutSignal.ring();
  return answer;
});

/** The parameters that were sent. Who sent them stands in the checkout itself. */
export const sentParameters = (request: Flat): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(request).flatMap(([name, value]) =>
      value === undefined || name === 'entityId' ? [] : [[name, value]],
    ),
  );

/** The hash of the widget's script (spec 2.2, integrity), as a page's script element names it. */
const integrityOf = ({ integrity }: Flat): Body => {
  const hash = isSet(integrity) ? widgetIntegrity() : undefined;
  return hash === undefined ? {} : { integrity: hash };
};
