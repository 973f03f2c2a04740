/** POST /v1/checkouts/{id}: other values for a checkout that is not paid (spec 2.23, the update step). */
import { codes } from '../../../base/result-codes.ts';
import { type Call, endpoint, type Gateway, strictnessOf, traitsOf } from '../../payments/endpoint.ts';
import { doneOnce } from '../../payments/repeats.ts';
import type { Answer } from '../../payments/response.ts';
import type { ParsedParameters } from '../../spec/operation.ts';
import type { ParameterError } from '../../spec/parameters/errors.ts';
import { parserOf } from '../../spec/parameters/parser.ts';
import { noOverrides, storesOnly } from '../../spec/rules/checkouts.ts';
import { shared } from '../../spec/rules/shared.ts';
import type { Session } from '../../store/store.ts';
import { checkoutAnswer, endedCheckout, parametersRefused, unknownCheckout } from '../answers.ts';
import { checkoutStateIn, isOver, sealedValues, turnOf, type Values, valuesOf } from '../life.ts';
import { updatedWith, wrongValues } from '../request.ts';
import type { Checkout } from '../store/checkouts.ts';
import { checkoutRows, createOperation, sentParameters } from './create.ts';

const UPDATED = codes.checkoutUpdated;

export const updateCheckout = endpoint(
  {
    method: 'POST',
    path: '/v1/checkouts/:id',
    says: 'Change values of a checkout that is not paid. A list that is sent, such as a cart’s items, is all of it.',
    accepts: checkoutRows,
    needs: ['entityId'],
    // What must hold between parameters is looked at when both are together.
    rules: shared(noOverrides),
  },
  (gateway, call) =>
    doneOnce(gateway.store, call, {
      names: [turnOf(call.id ?? '')],
      work: (session) => updated(gateway, session, call),
    }),
);

type UpdateCall = Call<ParsedParameters<typeof checkoutRows, 'entityId'>>;

const parse = parserOf(createOperation);

const updated = async (gateway: Gateway, session: Session, call: UpdateCall): Promise<Answer> => {
  const { id = '', channel, at } = call;
  const checkout = await session.checkouts.byId(id);
  if (checkout?.entityId !== channel.entityId) return unknownCheckout(call);
  if (isOver(checkout, at)) return endedCheckout(call, checkout);
  const sent = sentParameters(call.request);
  const standing = await checkoutStateIn(session, checkout);
  if (standing !== 'open') return parametersRefused(call, tooLate(sent, standing));
  const values = updatedWith(valuesOf(gateway, checkout), sent);
  const errors = await wrong(session, { checkout, values, call });
  if (errors.length > 0) return parametersRefused(call, errors);
  await session.checkouts.change({ ...checkout, sealed: sealedValues(gateway, checkout, values) });
  return checkoutAnswer(call, { code: UPDATED, id, more: { id } });
};

const tooLate = (sent: Values, standing: 'pending' | 'paid'): readonly ParameterError[] => {
  const message =
    standing === 'paid'
      ? 'cannot be changed: the checkout is done'
      : 'cannot be changed: a payment of the checkout is under way';
  return Object.keys(sent).map((name) => ({ name, value: null, message }));
};

type Changed = { checkout: Checkout; values: Values; call: UpdateCall };

const wrong = async (session: Session, { checkout, values, call }: Changed): Promise<readonly ParameterError[]> => {
  const { channel, at } = call;
  const whole = Object.assign(Object.create(null), values, { entityId: channel.entityId });
  const parsed = parse(whole, strictnessOf(channel), traitsOf(channel));
  if ('errors' in parsed) return parsed.errors;
  if ((storesOnly(values) ? 'registration' : 'payment') !== checkout.kind) {
    const message = 'cannot be set: the checkout was created to store an account, and its widget charges nothing';
    return ['amount', 'paymentType'].filter((name) => name in values).map((name) => ({ name, value: null, message }));
  }
  return wrongValues(session, values, { channel, at });
};
