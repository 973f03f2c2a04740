/** Payment brands: the account that each requires, and the payment method (spec 2.24) that it counts as. */

/** Codes of paymentMethods (spec 2.24): card, direct debit, virtual account, bank transfer, gift card and other, … */
export type PaymentMethod = 'CC' | 'DC' | 'DD' | 'VA' | 'OT' | 'PP' | 'WA' | 'ET' | 'NT' | 'UA';

/** The kind of account: which parameters of the request contain it. */
export type AccountKind =
  | 'card'
  | 'pos'
  | 'bankAccount'
  | 'virtualAccount'
  | 'tokenAccount'
  | 'giftCard'
  | 'applePay'
  | 'googlePay'
  | 'samsungPay';

export type BrandRow = {
  /** The value of paymentBrand. */
  name: string;
  account: AccountKind;
  method: PaymentMethod;
  /** The first answer is pending: the shopper is redirected, and returns to shopperResultUrl. */
  asynchronous?: true;
  /** The shopper names the account later, at a bank: the request may come without one. */
  accountLater?: true;
};

/** A channel's own brand, beyond the gateway's table. */
export type ChannelBrand = {
  name: string;
  account: 'card' | 'bankAccount' | 'virtualAccount' | 'tokenAccount' | 'giftCard';
};

type WithBrands = { readonly brands?: readonly ChannelBrand[] };

const cardBrand = (name: string, method: 'CC' | 'DC' = 'CC'): BrandRow => ({ name, account: 'card', method });

/** The shopper confirms at the bank. */
const onlineTransferBrand = (name: string): BrandRow => ({
  name,
  account: 'bankAccount',
  method: 'OT',
  asynchronous: true,
  accountLater: true,
});

export const brands: readonly BrandRow[] = [
  cardBrand('VISA'),
  cardBrand('MASTER'),
  cardBrand('AMEX'),
  cardBrand('DINERS'),
  cardBrand('DISCOVER'),
  cardBrand('JCB'),
  cardBrand('MAESTRO', 'DC'),
  cardBrand('UNIONPAY'),
  cardBrand('CARTEBLEUE', 'DC'),
  cardBrand('INTERAC', 'DC'),
  cardBrand('VISADEBIT', 'DC'),
  cardBrand('VISAELECTRON', 'DC'),
  cardBrand('MASTERDEBIT', 'DC'),
  { name: 'DIRECTDEBIT_SEPA', account: 'bankAccount', method: 'DD' },
  { name: 'PAYPAL', account: 'virtualAccount', method: 'VA' },
  onlineTransferBrand('SOFORTUEBERWEISUNG'),
  onlineTransferBrand('GIROPAY'),
  onlineTransferBrand('EPS'),
  onlineTransferBrand('IDEAL'),
  onlineTransferBrand('TRUSTLY'),
  { name: 'PREPAYMENT', account: 'bankAccount', method: 'PP', accountLater: true },
  { name: 'GIFTCARD', account: 'giftCard', method: 'OT' },
  { name: 'APPLEPAY', account: 'applePay', method: 'WA' },
  { name: 'GOOGLEPAY', account: 'googlePay', method: 'WA' },
  { name: 'SAMSUNGPAY', account: 'samsungPay', method: 'WA' },
];

const byName: ReadonlyMap<string, BrandRow> = new Map(brands.map((row) => [row.name, row]));

/** The payment method of a channel's own brand, by the account that it requires. */
const methods: Readonly<Record<ChannelBrand['account'], PaymentMethod>> = {
  card: 'CC',
  bankAccount: 'DD',
  virtualAccount: 'VA',
  tokenAccount: 'NT',
  giftCard: 'OT',
};

/** One of the gateway's own brands. */
export const brandOf = (name: string): BrandRow | undefined => byName.get(name);

/** The gateway's brands and the channel's. A channel's own brand never overrides one of the gateway's. */
export const brandsOf = ({ brands: channelBrands = [] }: WithBrands): readonly BrandRow[] => [
  ...brands,
  ...channelBrands.filter(({ name }) => !byName.has(name)).map((row) => ({ ...row, method: methods[row.account] })),
];

/** The brand of this name for the channel. Undefined if the channel does not accept it (600.200.500). */
export const brandNamed = (channel: WithBrands, name: string): BrandRow | undefined =>
  byName.get(name) ?? brandsOf(channel).find((row) => row.name === name);

/**
 * Whether a brand that requires one kind of account accepts this kind: a card brand also fits a wallet and a terminal.
 */
export const isAccepting = ({ account }: Pick<BrandRow, 'account'>, sentKind: AccountKind): boolean =>
  account === sentKind || (account === 'card' && cardLike.has(sentKind));

const cardLike: ReadonlySet<AccountKind> = new Set<AccountKind>([
  'pos',
  'tokenAccount',
  'applePay',
  'googlePay',
  'samsungPay',
]);
