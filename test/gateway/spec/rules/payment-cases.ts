/** Requests that break the rules of payments and registrations, the messages, and the corrections. A pure table. */
import type { Where } from '../../../../src/gateway/spec/rules/payment.ts';
import { browser } from '../../../../src/gateway/spec/rules/three-d-secure.ts';

export const card = 'card.number card.expiryMonth card.expiryYear';
export const pos = 'pos.entryMode pos.terminalId pos.encryptedSred.data pos.encryptedSred.ksn';
export const bank = 'paymentBrand=DIRECTDEBIT_SEPA bankAccount.holder bankAccount.iban';
export const paypal = 'paymentBrand=PAYPAL virtualAccount.accountId';
export const gift = 'paymentBrand=GIFTCARD giftCard.number';
export const network = 'tokenAccount.number tokenAccount.type';
export const decrypted = `${card} threeDSecure.verificationId threeDSecure.eci`;
const browserNames = browser.join(' ');
const address = 'billing.street1 billing.city billing.postcode billing.country';
const person = 'customer.givenName customer.surname';
export const empty = 'may not be empty';
const uncharged = `${empty} when mode is REPEATED and source is MIT, unless a registration is charged`;
const v2 = `${empty} in a 3D Secure v2 request`;
const decryptedMessage = `${empty} when the source of a decrypted wallet is sent`;

type Row = readonly [names: string, errors: Readonly<Record<string, string>>, mendedBy: string];

const all = (names: string, text: string) => Object.fromEntries(names.split(' ').map((name) => [name, text]));
const forbiddenWith = (name: string, other: string): Readonly<Record<string, string>> => ({
  [name]: `${empty} when ${other} is sent`,
});
const pair = (base: string, [left, right]: readonly [string, string]): readonly Row[] => [
  [`${base} ${left}`, forbiddenWith(right, left), right],
  [`${base} ${right}`, forbiddenWith(left, right), left],
];

const sellersTake = 'of all sellers together may not be more than the amount';
const seller = (sellerIndex: number, id: string, amount: string): string =>
  `marketPlace.sellers[${sellerIndex}].id=${id} marketPlace.sellers[${sellerIndex}].amount=${amount}`;

/** Sent with a payment | the error | the parameters that correct it, added or in place of others. */
/** `secure`: the parameters that make the request use 3-D Secure. */
const browserRows = (secure: string): readonly Row[] => [
  ...browser.map(
    (name): Row => [
      `${secure} ${person} ${name}`,
      all(`${browserNames} ${address}`.replace(`${name} `, ''), v2),
      `${browserNames} ${address}`,
    ],
  ),
  [
    `${secure} ${person} ${browserNames} ${address} standingInstruction.type=INSTALLMENT`,
    { 'standingInstruction.numberOfInstallments': `${v2} for installments` },
    'standingInstruction.numberOfInstallments',
  ],
];

const commonRows: readonly Row[] = [
  [
    'amount=1.50 currency=JPY',
    { amount: 'must have no decimals other than 00: this currency has no minor unit' },
    'amount=1.00',
  ],
  [
    'forex.amount=1.50 forex.currency=KRW',
    { 'forex.amount': 'must have no decimals other than 00: this currency has no minor unit' },
    'forex.currency=USD',
  ],
  ...pair('', ['forex.amount', 'forex.currency']),
  [
    `amount=10.00 ${seller(0, 'a', '6.00')} ${seller(1, 'b', '4.01')}`,
    all('marketPlace.sellers[0].amount marketPlace.sellers[1].amount', sellersTake),
    'marketPlace.sellers[1].amount=4.00',
  ],
  [`amount=10 ${seller(7, 'a', '10.01')}`, { 'marketPlace.sellers[7].amount': sellersTake }, 'amount=10.01'],
  [
    `amount=10.00 ${seller(0, 'a', '1.00')} ${seller(1, 'a', '1.00')}`,
    all('marketPlace.sellers[0].id marketPlace.sellers[1].id', 'may name each seller only once'),
    'marketPlace.sellers[1].id=b',
  ],
  ['customer.email', all(person, `${empty} when any other customer parameter is sent`), person],
  ...pair(person, ['customer.identificationDocType', 'customer.identificationDocId']),
  ...pair('', ['shipping.customer.identificationDocType', 'shipping.customer.identificationDocId']),
  ...['billing', 'merchant.billing'].flatMap((parentId): Row[] => [
    [
      `${parentId}.street1=12`,
      { [`${parentId}.street1`]: `may not be digits only, together with ${parentId}.street2` },
      `${parentId}.street2`,
    ],
    [
      `${parentId}.street1=12 ${parentId}.street2=34`,
      { [`${parentId}.street1`]: `may not be digits only, together with ${parentId}.street2` },
      `${parentId}.street1`,
    ],
    [
      `${parentId}.street2=34`,
      { [`${parentId}.street1`]: `may not be digits only, together with ${parentId}.street2` },
      `${parentId}.street1`,
    ],
  ]),
  ...['billing', 'shipping', 'merchant.billing', 'merchant.shipping'].map(
    (parentId): Row => [
      `${parentId}.houseNumber2`,
      forbiddenWith(`${parentId}.houseNumber1`, `${parentId}.houseNumber2`),
      `${parentId}.houseNumber1`,
    ],
  ),
  ...browserRows('threeDSecure.challengeIndicator'),
  ...browserRows('threeDSecure.authenticationInd').slice(0, 1),
  [
    'threeDSecure.deviceInfo standingInstruction.type=INSTALLMENT',
    { 'standingInstruction.numberOfInstallments': `${v2} for installments` },
    'standingInstruction.type=RECURRING',
  ],
  ['recurringMigration.connectorTxId1', { 'recurringMigration.paymentType': empty }, 'recurringMigration.paymentType'],
];

/** Rows for channels that authenticate cardholders, except for registrations, which charge nothing. */
export const authenticating: readonly Row[] = [
  ...browserRows('paymentType=DB'),
  [
    'paymentType=DB standingInstruction.type=INSTALLMENT',
    { 'standingInstruction.numberOfInstallments': `${v2} for installments` },
    'standingInstruction.mode=REPEATED standingInstruction.initialTransactionId',
  ],
];

const posPairs: readonly Row[] = [
  ...pair(pos, ['pos.encryptedPin.data', 'pos.encryptedPin.ksn']),
  ...pair('pos.entryMode pos.terminalId pos.iccDataRequest', ['pos.encryptedSred.data', 'pos.encryptedSred.ksn']),
  ...pair(pos, ['pos.location.latitude', 'pos.location.longitude']),
];

const noOverride: Row = [
  `${card} overridePaymentType[VISA]=PA`,
  { 'overridePaymentType[VISA]': 'is accepted only when a checkout is created' },
  'overridePaymentType[VISA]=',
];

const redirected: Row = [
  `paymentBrand=SOFORTUEBERWEISUNG`,
  { shopperResultUrl: `${empty}: with this brand the shopper is redirected and must be able to return` },
  'shopperResultUrl',
];

/** Each structure with its account, and the name in an error about it. */
export const structures: readonly (readonly [kind: string, names: string, name: string])[] = [
  ['card', card, 'card.number'],
  ['pos', pos, 'pos.entryMode'],
  ['virtualAccount', 'virtualAccount.accountId', 'virtualAccount.accountId'],
  ['bankAccount', 'bankAccount.holder bankAccount.iban', 'bankAccount.holder'],
  ['tokenAccount', network, 'tokenAccount.number'],
  ['giftCard', 'giftCard.number', 'giftCard.number'],
  ['applePay', 'applePay.paymentToken', 'applePay.paymentToken'],
  ['googlePay', 'googlePay.paymentToken', 'googlePay.paymentToken'],
  ['samsungPay', 'samsungPay.paymentToken', 'samsungPay.paymentToken'],
];

const needAccount: readonly Row[] = [
  ['', { paymentBrand: 'card properties must be set' }, card],
  ['card.holder', { paymentBrand: 'card properties must be set' }, card],
  ['paymentBrand=VISA', { paymentBrand: 'card properties must be set' }, network],
  ['paymentBrand=PAYPAL', { paymentBrand: 'virtualAccount properties must be set' }, paypal],
  ['paymentBrand=DIRECTDEBIT_SEPA', { paymentBrand: 'bankAccount properties must be set' }, bank],
  ['paymentBrand=GIFTCARD', { paymentBrand: 'giftCard properties must be set' }, gift],
  ['paymentBrand=APPLEPAY', { paymentBrand: 'applePay properties must be set' }, 'applePay.paymentToken'],
  ['paymentBrand=GOOGLEPAY', { paymentBrand: 'googlePay properties must be set' }, 'googlePay.paymentToken'],
  ['paymentBrand=SAMSUNGPAY', { paymentBrand: 'samsungPay properties must be set' }, 'samsungPay.paymentToken'],
  [
    `paymentBrand=PAYPAL ${card}`,
    { paymentBrand: 'requires virtualAccount properties, and others were sent' },
    'paymentBrand=VISA',
  ],
  [
    `paymentBrand=GIFTCARD ${pos}`,
    { paymentBrand: 'requires giftCard properties, and others were sent' },
    'paymentBrand=MAESTRO',
  ],
  [
    'paymentBrand=VISA bankAccount.holder bankAccount.iban',
    { paymentBrand: 'requires card properties, and others were sent' },
    'paymentBrand=PREPAYMENT',
  ],
  [
    `paymentBrand=DIRECTDEBIT_SEPA ${network}`,
    { paymentBrand: 'requires bankAccount properties, and others were sent' },
    'paymentBrand=MASTER',
  ],
  [
    `paymentBrand=APPLEPAY ${card}`,
    { paymentBrand: 'requires applePay properties, and others were sent' },
    'paymentBrand=AMEX',
  ],
  [
    'paymentBrand=GOOGLEPAY applePay.paymentToken',
    { paymentBrand: 'requires googlePay properties, and others were sent' },
    'paymentBrand=VISA',
  ],
  [
    'paymentBrand=SAMSUNGPAY googlePay.paymentToken',
    { paymentBrand: 'requires samsungPay properties, and others were sent' },
    'paymentBrand=GOOGLEPAY',
  ],
  [
    'virtualAccount.accountId',
    { paymentBrand: `${empty}: only the brand of a card can be determined` },
    'paymentBrand=PAYPAL',
  ],
  ['giftCard.pin', { paymentBrand: `${empty}: only the brand of a card can be determined` }, 'paymentBrand=GIFTCARD'],
  ['card.cvv', all(card, empty), card],
  ['card.number', all('card.expiryMonth card.expiryYear', empty), card],
  [`${pos} pos.entryMode=MANUAL card.number`, all('card.expiryMonth card.expiryYear', empty), card],
  ['pos.encryptedSred.data pos.encryptedSred.ksn', all('pos.entryMode pos.terminalId', empty), pos],
  [
    'pos.entryMode pos.terminalId',
    { 'pos.encryptedSred.data': `${empty}, unless card.number or pos.iccDataRequest is sent` },
    'pos.iccDataRequest',
  ],
  ['tokenAccount.cryptogram', all(network, empty), network],
  [
    'paymentBrand=DIRECTDEBIT_SEPA bankAccount.holder',
    { 'bankAccount.iban': `${empty}, unless bankAccount.number is sent` },
    'bankAccount.iban',
  ],
  ['paymentBrand=DIRECTDEBIT_SEPA bankAccount.iban', { 'bankAccount.holder': empty }, 'bankAccount.holder'],
  [
    'paymentBrand=DIRECTDEBIT_SEPA bankAccount.holder bankAccount.number',
    { 'bankAccount.bic': `${empty} with bankAccount.number, unless bankAccount.bankCode is sent` },
    'bankAccount.bankCode',
  ],
  [
    'paymentBrand=DIRECTDEBIT_SEPA bankAccount.holder bankAccount.number',
    { 'bankAccount.bic': `${empty} with bankAccount.number, unless bankAccount.bankCode is sent` },
    'bankAccount.bic',
  ],
  ...['applePay', 'googlePay', 'samsungPay'].flatMap((wallet): Row[] => [
    [
      `${wallet}.source ${wallet}.paymentToken ${decrypted}`,
      { [`${wallet}.source`]: `may not be sent together with ${wallet}.paymentToken` },
      `${wallet}.paymentToken=`,
    ],
    [`${wallet}.source`, all(decrypted, decryptedMessage), decrypted],
  ]),
  [
    'applePay.cardNetwork',
    { 'applePay.paymentToken': `${empty}, unless applePay.source and the decrypted card are sent` },
    'applePay.paymentToken',
  ],
];

const ofPayments: readonly Row[] = [
  redirected,
  [
    `${card} standingInstruction.mode=REPEATED standingInstruction.source=MIT`,
    {
      'standingInstruction.initialTransactionId': uncharged,
    },
    'standingInstruction.initialTransactionId',
  ],
];

const ofRegistrations: readonly Row[] = [
  [
    'paymentBrand=PREPAYMENT',
    { paymentBrand: 'bankAccount properties must be set' },
    bank.replace('DIRECTDEBIT_SEPA', 'PREPAYMENT'),
  ],
];

const withCard = (rows: readonly Row[]): readonly Row[] =>
  rows.map(([body, wrong, fix]): Row => [`${card} ${body}`, wrong, fix]);

export const table: Readonly<Record<Where, readonly Row[]>> = {
  payment: [...withCard(commonRows), ...posPairs, ...needAccount, ...ofPayments, noOverride],
  registration: [...withCard(commonRows), ...posPairs, ...needAccount, ...ofRegistrations, noOverride],
  onRegistration: [...commonRows, ...posPairs, redirected, noOverride],
  checkout: commonRows,
};

/** A lenient channel ignores unknown names: a structure may be present without its parameters. */
export const lenient: readonly (readonly [names: string, name: string, message: string])[] = [
  ['paymentBrand=PAYPAL virtualAccount.name=x', 'virtualAccount.accountId', empty],
  ...['googlePay', 'samsungPay'].map(
    (wallet) =>
      [
        `${wallet}.kind=x`,
        `${wallet}.paymentToken`,
        `${empty}, unless ${wallet}.source and the decrypted card are sent`,
      ] as const,
  ),
];
