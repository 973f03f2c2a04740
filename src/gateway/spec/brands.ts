/** Payment brands: what account each takes, and under which method of spec 2.24 it is counted. */

/** Codes of paymentMethods (spec 2.24): card, direct debit, virtual account, bank transfer, gift card and other, … */
export type PaymentMethod = 'CC' | 'DC' | 'DD' | 'VA' | 'OT' | 'PP' | 'WA' | 'ET' | 'NT' | 'UA';

/** How the account came: which parameters of the request hold it. */
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
  /** The first answer is pending: the shopper is sent away, and comes back to shopperResultUrl. */
  asynchronous?: true;
  /** The shopper names the account later, at a bank: the request may come without one. */
  accountLater?: true;
};

/** A brand of a channel's own, beyond the gateway's table. */
export type ChannelBrand = {
  name: string;
  account: 'card' | 'bankAccount' | 'virtualAccount' | 'tokenAccount' | 'giftCard';
};

type WithBrands = { readonly brands?: readonly ChannelBrand[] };

const card = (name: string, method: 'CC' | 'DC' = 'CC'): BrandRow => ({ name, account: 'card', method });

/** The shopper confirms at their bank. */
const onlineTransfer = (name: string): BrandRow => ({
  name,
  account: 'bankAccount',
  method: 'OT',
  asynchronous: true,
  accountLater: true,
});

/** The gateway's own brands. */
export const brands: readonly BrandRow[] = [
  card('VISA'),
  card('MASTER'),
  card('AMEX'),
  card('DINERS'),
  card('DISCOVER'),
  card('JCB'),
  card('MAESTRO', 'DC'),
  card('UNIONPAY'),
  card('CARTEBLEUE', 'DC'),
  card('INTERAC', 'DC'),
  card('VISADEBIT', 'DC'),
  card('VISAELECTRON', 'DC'),
  card('MASTERDEBIT', 'DC'),
  { name: 'DIRECTDEBIT_SEPA', account: 'bankAccount', method: 'DD' },
  { name: 'PAYPAL', account: 'virtualAccount', method: 'VA' },
  onlineTransfer('SOFORTUEBERWEISUNG'),
  onlineTransfer('GIROPAY'),
  onlineTransfer('EPS'),
  onlineTransfer('IDEAL'),
  onlineTransfer('TRUSTLY'),
  { name: 'PREPAYMENT', account: 'bankAccount', method: 'PP', accountLater: true },
  { name: 'GIFTCARD', account: 'giftCard', method: 'OT' },
  { name: 'APPLEPAY', account: 'applePay', method: 'WA' },
  { name: 'GOOGLEPAY', account: 'googlePay', method: 'WA' },
  { name: 'SAMSUNGPAY', account: 'samsungPay', method: 'WA' },
];

const byName: ReadonlyMap<string, BrandRow> = new Map(brands.map((row) => [row.name, row]));

/** How a channel's own brands are counted, by the account that they take. */
const methods: Readonly<Record<ChannelBrand['account'], PaymentMethod>> = {
  card: 'CC',
  bankAccount: 'DD',
  virtualAccount: 'VA',
  tokenAccount: 'NT',
  giftCard: 'OT',
};

/** One of the gateway's own brands. */
export const brandOf = (name: string): BrandRow | undefined => byName.get(name);

/** The gateway's brands and the channel's. A channel's own brand never changes one of the gateway's. */
export const brandsOf = ({ brands: own = [] }: WithBrands): readonly BrandRow[] => [
  ...brands,
  ...own.filter(({ name }) => !byName.has(name)).map((row) => ({ ...row, method: methods[row.account] })),
];

/** The brand of this name as the channel knows it. Undefined: it is not set up here (600.200.500). */
export const brandNamed = (channel: WithBrands, name: string): BrandRow | undefined =>
  byName.get(name) ?? brandsOf(channel).find((row) => row.name === name);

/** Whether an account of this kind can be of a brand that takes that one: a card’s brand is in a wallet and a till. */
export const takes = ({ account }: Pick<BrandRow, 'account'>, sent: AccountKind): boolean =>
  account === sent || (account === 'card' && cardLike.has(sent));

const cardLike: ReadonlySet<AccountKind> = new Set<AccountKind>([
  'pos',
  'tokenAccount',
  'applePay',
  'googlePay',
  'samsungPay',
]);
