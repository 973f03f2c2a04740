/**
 * The form sent to the processor: the merchant's own parameters, except those that concern only merchant and gateway.
 */
import { printAmount } from '../../../base/money.ts';
import type { Authorisation, Reference, ReferenceOperation } from '../../payments/acquirer.ts';
import type { FollowUpType } from '../../store/records.ts';

export type UpstreamForm = Readonly<Record<string, string | undefined>>;

/** The operation's paymentType in the host API. */
export const paymentTypeOf: Readonly<Record<ReferenceOperation, FollowUpType>> = {
  capture: 'CP',
  reverse: 'RV',
  refund: 'RF',
  rebill: 'RB',
  receipt: 'RC',
  chargeback: 'CB',
  chargebackReversal: 'CR',
  increase: 'PA',
};

/**
 * Not forwarded. The sender and the test mode are set anew; accounts are stored here and not there; the processor's
 * notifications and returning shoppers would bring ids that the merchant does not know. All customParameters are
 * forwarded, including forceResultCode: it is a switch of the host API's test systems, not of this gateway.
 */
const local: ReadonlySet<string> = new Set([
  'entityId',
  'testMode',
  'createRegistration',
  'registrationId',
  'notificationUrl',
  'shopperResultUrl',
  'integrity',
  // The memo appears only in reports, and the invoice number is not passed on (spec 2.2).
  'merchantMemo',
  'merchantInvoiceId',
]);
const localMaps = /^(authentication\.|simulator\.|overridePaymentType\[|registrations\[)/;

/** Carries the merchant's reference, because merchantTransactionId is this gateway's own. */
const OWN_REFERENCE = 'customParameters[merchantTransactionId]';

/**
 * The form for POST v1/payments, without entityId. The gateway's payment id is the merchantTransactionId, so that the
 * payment can be queried; the shopper returns to `page`, the gateway's own. Throws `amount.unrepresentable`.
 */
export const paymentForm = (request: Authorisation, page: string | undefined): UpstreamForm => {
  const { paymentType, paymentBrand, parameters } = request;
  return {
    ...cardOf(request),
    paymentBrand,
    ...forwardParameters(parameters),
    shopperResultUrl: page,
    ...moneyOf(request),
    paymentType,
    merchantTransactionId: request.id,
  };
};

/** The form for POST v1/payments/{id}, without entityId. Throws `amount.unrepresentable`. */
export const referenceForm = (request: Reference): UpstreamForm => ({
  ...forwardParameters(request.parameters),
  ...moneyOf(request),
  paymentType: paymentTypeOf[request.operation],
  merchantTransactionId: request.id,
});

const moneyOf = ({ amount }: Pick<Authorisation, 'amount'>): UpstreamForm => ({
  amount: printAmount(amount),
  currency: amount.currency,
});

const forwardParameters = (parameters: UpstreamForm): UpstreamForm => {
  const form: Record<string, string> = {};
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined && value !== '' && !local.has(name) && !localMaps.test(name)) form[name] = value;
  }
  const reference = form['merchantTransactionId'];
  return reference === undefined ? form : { [OWN_REFERENCE]: reference, ...form };
};

/** A card that is not among the parameters: from the vault, or from a wallet token decrypted here. */
const cardOf = ({ account, card }: Authorisation): UpstreamForm => {
  if (card === undefined || account !== 'card') return {};
  const { number, expiryMonth, expiryYear, cvv, holder } = card;
  return {
    'card.number': number,
    'card.expiryMonth': expiryMonth,
    'card.expiryYear': expiryYear,
    'card.cvv': cvv,
    'card.holder': holder,
  };
};
