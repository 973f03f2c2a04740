/** One account of each kind as sent in a request, with its brand. */
import { type Parameters, plainCard } from '../../support/gateway/gateway.ts';
import { apple, google, samsung } from '../acquirers/methods/wallet-tokens.ts';

export const bankAccount: Parameters = {
  paymentBrand: 'DIRECTDEBIT_SEPA',
  'bankAccount.holder': 'Jane Jones',
  'bankAccount.iban': 'AT611904300234573201',
  'bankAccount.bic': 'STSPAT2GXXX',
  'bankAccount.country': 'AT',
};

export const virtualAccount: Parameters = {
  paymentBrand: 'PAYPAL',
  'virtualAccount.accountId': 'jane.jones@example.com',
};

export const tokenAccount: Parameters = {
  'tokenAccount.number': '4111111111111111',
  'tokenAccount.type': 'NETWORK',
  'tokenAccount.expiryMonth': '05',
  'tokenAccount.expiryYear': '2034',
};

export const giftCard: Parameters = { paymentBrand: 'GIFTCARD', 'giftCard.number': '9900000000001000' };

export const terminal: Parameters = {
  'pos.entryMode': 'ICC',
  'pos.terminalId': '70001234',
  'pos.encryptedSred.data': '9C1D0E5A77B3A2F89C1D0E5A77B3A2F8',
  'pos.encryptedSred.ksn': 'FFFF9876543210E00002',
};

const decrypted: Parameters = {
  ...plainCard,
  'threeDSecure.verificationId': 'AgAAAAAABk4DWZ4C28yUQAAAAAA=',
  'threeDSecure.eci': '07',
};

export const wallets = {
  applePay: { token: { 'applePay.paymentToken': apple() }, decrypted: { ...decrypted, 'applePay.source': 'web' } },
  googlePay: { token: { 'googlePay.paymentToken': google() }, decrypted: { ...decrypted, 'googlePay.source': 'app' } },
  samsungPay: {
    token: { 'samsungPay.paymentToken': samsung() },
    decrypted: { ...decrypted, 'samsungPay.source': 'app' },
  },
} as const satisfies Record<string, Record<'token' | 'decrypted', Parameters>>;

/** A sale with this account, without a card unless the account is one. */
export const saleWith = (account: Parameters, extra: Parameters = {}): Parameters => ({
  amount: '10.00',
  currency: 'EUR',
  paymentType: 'DB',
  ...account,
  ...extra,
});
