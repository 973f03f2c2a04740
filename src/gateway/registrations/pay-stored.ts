/** POST /v1/registrations/{id}/payments: charges or credits a stored account. */
import { authorise } from '../payments/authorise.ts';
import { endpoint, type Gateway } from '../payments/endpoint.ts';
import { startTypes } from '../payments/pay.ts';
import { answerOnce } from '../payments/repeats.ts';
import type { ApiOperation, Flat } from '../spec/operation.ts';
import { isSet } from '../spec/parameters/kinds.ts';
import { holderRows, paymentRows } from '../spec/rules/accepts.ts';
import { accountKindOf } from '../spec/rules/accounts.ts';
import { paymentRules } from '../spec/rules/payment.ts';
import type { Registration } from '../store/records.ts';
import { endedRegistrationAnswer, isUsable, registrationOf, unknownRegistrationAnswer } from './registration.ts';

const accepts = { ...paymentRows, ...holderRows, paymentType: startTypes };
const needs = ['entityId', 'amount', 'currency', 'paymentType'] as const;

const holderNeedsOverride = (name: 'card.holder' | 'bankAccount.holder') => ({
  name,
  message: 'is accepted for a stored account only with overrideHolder=true',
  holds: (sent: Flat) => sent[name] === undefined || isSet(sent['overrideHolder']),
});

export const payStoredOperation = {
  method: 'POST',
  path: '/v1/registrations/:id/payments',
  summary: 'Charge or credit a stored account by its id.',
  accepts,
  needs,
  rules: [
    ...paymentRules('onRegistration'),
    holderNeedsOverride('card.holder'),
    holderNeedsOverride('bankAccount.holder'),
  ],
} satisfies ApiOperation<typeof accepts, (typeof needs)[number]>;

export const payStored = endpoint(payStoredOperation, async (gateway, call) => {
  const registration = await registrationOf(gateway.store, call);
  if (registration === undefined) return answerOnce(gateway.store, call, unknownRegistrationAnswer(call));
  if (!isUsable(registration, call.at) || registration.sealed === undefined) {
    return answerOnce(gateway.store, call, endedRegistrationAnswer(call));
  }
  const { kind, stored } = openAccount(gateway, registration);
  const account = accountOf(call.request, { registration, stored });
  return authorise(gateway, call, { kind, account, registration });
});

/** Decrypts the account from the vault. */
export const openAccount = ({ vault }: Gateway, { id, entityId, sealed }: Registration) => {
  if (sealed === undefined) throw new TypeError('a registration in use has an account');
  const stored = vault.open(sealed, { id, entityId });
  return { kind: accountKindOf(stored) ?? 'card', stored };
};

type Parts = { registration: Registration; stored: Readonly<Record<string, string>> };

/**
 * The request with the stored account added. The stored values take precedence; a holder that is sent fills an empty
 * one, for this payment only (spec 2.23, overrideHolder). The scheme's reference of the first payment is added too.
 */
export const accountOf = (request: Flat, { registration, stored }: Parts): Flat => {
  const { initialTransactionId } = registration.facts;
  return {
    'standingInstruction.initialTransactionId': initialTransactionId,
    paymentBrand: registration.paymentBrand,
    ...request,
    ...stored,
  };
};
