/** One account to a request, and a brand that fits it (spec 2.2, paymentBrand): cards, and accounts that are none. */
import { type AccountKind, brandOf, brands, takes } from '../brands.ts';
import { needed, type Rule, type SentValues } from '../operation.ts';
import { bothOrNeither, structuresOf, uses } from './shared.ts';

// Wallets (spec 2.6): the provider's token, or the card that the merchant took out of it.

export const wallets = ['applePay', 'googlePay', 'samsungPay'] as const satisfies readonly AccountKind[];
export type WalletKind = (typeof wallets)[number];

export const isWallet = (kind: AccountKind): kind is WalletKind => (wallets as readonly AccountKind[]).includes(kind);

/** The source says that the merchant decrypted; whatever else there is of a wallet goes with its token. */
const wayOf = (sent: SentValues, wallet: WalletKind): 'token' | 'decrypted' =>
  sent[`${wallet}.source`] === undefined ? 'token' : 'decrypted';

const sources = wallets.map((wallet) => `${wallet}.source` as const);

const isDecrypted = (sent: SentValues): boolean => sources.some((source) => sent[source] !== undefined);

const eachWallet: readonly Rule[] = wallets.flatMap((wallet): Rule[] => {
  const when = uses(wallet);
  const [token, source] = [`${wallet}.paymentToken`, `${wallet}.source`];
  return [
    {
      name: token,
      says: `may not be empty, unless ${source} and the decrypted card are sent`,
      when,
      holds: (sent) => !when(sent) || sent[token] !== undefined || sent[source] !== undefined,
    },
    {
      name: source,
      says: `may not be sent together with ${token}`,
      when,
      holds: (sent) => sent[source] === undefined || sent[token] === undefined,
    },
  ];
});

export const walletRules: readonly Rule[] = [
  ...eachWallet,
  ...needed(
    isDecrypted,
    ['card.number', 'card.expiryMonth', 'card.expiryYear', 'threeDSecure.verificationId', 'threeDSecure.eci'],
    'may not be empty when the source of a decrypted wallet is sent',
  ),
];

/** The structures that hold an account, and the parameter that an error about each of them names. */
const accounts: readonly (readonly [kind: AccountKind, name: string])[] = [
  ['card', 'card.number'],
  ['pos', 'pos.entryMode'],
  ['virtualAccount', 'virtualAccount.accountId'],
  ['bankAccount', 'bankAccount.holder'],
  ['tokenAccount', 'tokenAccount.number'],
  ['giftCard', 'giftCard.number'],
  ...wallets.map((wallet) => [wallet, `${wallet}.paymentToken`] as const),
];

/**
 * Which account the request holds. A number that was keyed in at a terminal is a card; the card out of a wallet is the
 * wallet's. Undefined: none, unless its brand lets the shopper name it later.
 */
export const accountKindOf = (sent: SentValues): AccountKind | undefined => {
  const used = structuresOf(sent);
  const wallet = wallets.find((name) => used.has(name));
  if (wallet !== undefined) return wallet;
  if (used.has('pos')) return sent['card.number'] === undefined ? 'pos' : 'card';
  return accounts.find(([kind]) => used.has(kind))?.[0] ?? laterOf(sent);
};

const brandSent = (sent: SentValues) => brandOf(sent['paymentBrand'] ?? '');

const laterOf = (sent: SentValues): AccountKind | undefined => {
  const brand = brandSent(sent);
  return brand?.accountLater === true ? brand.account : undefined;
};

/** The card out of a wallet is the wallet’s account. */
const isOutOf = (sent: SentValues, [one, other]: readonly [AccountKind, AccountKind]): boolean =>
  one === 'card' && isWallet(other) && wayOf(sent, other) === 'decrypted';

/** A gift card beside a card that pays is what was bought, or whom it is for; its own brand says that it pays. */
const isInformation = (sent: SentValues, [one, other]: readonly [AccountKind, AccountKind]): boolean => {
  const beside = one === 'giftCard' ? other : other === 'giftCard' ? one : undefined;
  return beside !== undefined && takes({ account: 'card' }, beside) && sent['paymentBrand'] !== 'GIFTCARD';
};

const hasSeveral = (sent: SentValues): boolean => {
  const used = structuresOf(sent);
  return accounts.filter(([kind]) => used.has(kind)).length > 1;
};

/**
 * Two structures that exclude each other, one rule for each two: the error names the later one of the table. A card and
 * a terminal do not: that is a number which was keyed in.
 */
const exclusive: readonly Rule[] = accounts.flatMap(([other, name], at) =>
  accounts
    .slice(0, at)
    .filter(([one]) => one !== 'card' || other !== 'pos')
    .map(([one]) => ({
      name,
      says: `${other} properties may not be sent together with ${one} properties`,
      when: hasSeveral,
      holds: (sent: SentValues) => {
        const used = structuresOf(sent);
        return !used.has(one) || !used.has(other) || isOutOf(sent, [one, other]) || isInformation(sent, [one, other]);
      },
    })),
);

const hasAccount = (sent: SentValues): boolean => {
  const used = structuresOf(sent);
  return accounts.some(([kind]) => used.has(kind));
};

/**
 * What is missing when there is no account at all: what the brand takes; without a brand, a card. What another brand
 * than the gateway's takes is known to the channel alone (`accountMissing`).
 */
const wanted = (sent: SentValues): AccountKind | undefined =>
  sent['paymentBrand'] === undefined ? 'card' : brandSent(sent)?.account;

const takenByBrands: readonly AccountKind[] = [...new Set(brands.map(({ account }) => account))];

const absent = (may: (sent: SentValues) => boolean): readonly Rule[] => {
  const when = (sent: SentValues): boolean => !hasAccount(sent) && !may(sent);
  return takenByBrands.map((account) => ({
    name: 'paymentBrand',
    says: `${account} properties must be set`,
    when,
    holds: (sent) => wanted(sent) !== account || !when(sent),
  }));
};

const sentBrandIsOurs = (sent: SentValues): boolean => brandSent(sent) !== undefined;

/** A brand of the gateway's table with another account. The channel's own brands are the operation's to check. */
const misfits: readonly Rule[] = takenByBrands.map((account) => ({
  name: 'paymentBrand',
  says: `takes ${account} properties, and others were sent`,
  when: sentBrandIsOurs,
  holds: (sent) => {
    const brand = brandSent(sent);
    if (brand?.account !== account) return true;
    const kind = accountKindOf(sent);
    return kind === undefined || takes(brand, kind);
  },
}));

/** Kinds whose brand can be found out: by the number, by the chip, or because the structure's own name is a brand. */
const selfEvident: ReadonlySet<AccountKind | undefined> = new Set(['card', 'pos', 'tokenAccount', ...wallets]);

const brandNeeded: Rule = {
  name: 'paymentBrand',
  says: 'may not be empty: only the brand of a card can be found out',
  holds: (sent) => sent['paymentBrand'] !== undefined || !hasAccount(sent) || selfEvident.has(accountKindOf(sent)),
};

/** Of a payment: a brand such as PREPAYMENT may come without an account. */
export const payingAccountRules: readonly Rule[] = [
  ...exclusive,
  ...absent((sent) => laterOf(sent) !== undefined),
  ...misfits,
  brandNeeded,
];

/** Of a registration: without an account there is nothing to store. */
export const storedAccountRules: readonly Rule[] = [...exclusive, ...absent(() => false), ...misfits, brandNeeded];

// The card of a request, typed in or read by a terminal (spec 2.5, 2.34).

/** A security code or an expiry at a terminal says something about the card that the terminal read. */
const numberExpected = (sent: SentValues): boolean => uses('card')(sent) && !uses('pos')(sent);

export const cardRules: readonly Rule[] = [
  ...needed(numberExpected, ['card.number']),
  ...needed(
    (sent) => numberExpected(sent) || sent['card.number'] !== undefined,
    ['card.expiryMonth', 'card.expiryYear'],
  ),
];

/** Encrypted data with the serial number of its key, and a place with both its coordinates. */
export const posPairs: readonly Rule[] = [
  ...bothOrNeither('pos.encryptedPin.data', 'pos.encryptedPin.ksn'),
  ...bothOrNeither('pos.encryptedSred.data', 'pos.encryptedSred.ksn'),
  ...bothOrNeither('pos.location.latitude', 'pos.location.longitude'),
];

/** A chip may come without its data: the acquirer decides what it takes. Some account data there must be. */
export const posRules: readonly Rule[] = [
  ...needed(uses('pos'), ['pos.entryMode', 'pos.terminalId']),
  {
    name: 'pos.encryptedSred.data',
    says: 'may not be empty, unless card.number or pos.iccDataRequest is sent',
    holds: (sent) =>
      !uses('pos')(sent) ||
      sent['pos.encryptedSred.data'] !== undefined ||
      sent['pos.iccDataRequest'] !== undefined ||
      sent['card.number'] !== undefined,
  },
  ...posPairs,
];

// Accounts that are no cards (spec 2.7 to 2.9), and what a migrated one needs (2.23).

/** With a brand whose shopper names the account at the bank, its country may be all that is sent. */
const isWhole = (sent: SentValues): boolean =>
  uses('bankAccount')(sent) && brandOf(sent['paymentBrand'] ?? '')?.accountLater !== true;

export const otherAccountRules: readonly Rule[] = [
  ...needed(uses('virtualAccount'), ['virtualAccount.accountId']),
  ...needed(uses('tokenAccount'), ['tokenAccount.number', 'tokenAccount.type']),
  ...needed(isWhole, ['bankAccount.holder']),
  {
    name: 'bankAccount.iban',
    says: 'may not be empty, unless bankAccount.number is sent',
    holds: (sent) =>
      !isWhole(sent) || sent['bankAccount.iban'] !== undefined || sent['bankAccount.number'] !== undefined,
  },
  {
    // An IBAN names its bank.
    name: 'bankAccount.bic',
    says: 'may not be empty with bankAccount.number, unless bankAccount.bankCode is sent',
    holds: (sent) =>
      sent['bankAccount.number'] === undefined ||
      sent['bankAccount.iban'] !== undefined ||
      sent['bankAccount.bankCode'] !== undefined ||
      sent['bankAccount.bic'] !== undefined,
  },
];

export const migrationRules: readonly Rule[] = needed(uses('recurringMigration'), ['recurringMigration.paymentType']);
