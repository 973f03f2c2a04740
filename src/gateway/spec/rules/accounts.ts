/** One account per request, and a brand that fits it (spec 2.2, paymentBrand): cards and other accounts. */
import { type AccountKind, brandOf, brands, takes } from '../brands.ts';
import { needed, type Rule, type SentValues } from '../operation.ts';
import { bothOrNeither, structuresOf, uses } from './shared.ts';

// Wallets (spec 2.6): the provider's token, or the card that the merchant decrypted.

export const wallets = ['applePay', 'googlePay', 'samsungPay'] as const satisfies readonly AccountKind[];
export type WalletKind = (typeof wallets)[number];

export const isWallet = (kind: AccountKind): kind is WalletKind => (wallets as readonly AccountKind[]).includes(kind);

/** A source means that the merchant decrypted the wallet; without one its parameters belong to the token. */
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

/** The structures that contain an account, and the parameter that an error about each of them names. */
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
 * The kind of account in the request. A number typed at a terminal is a card; a card from a wallet is the wallet's.
 * Undefined: no account, which is allowed only if the brand lets the shopper name it later.
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

/** A card from a wallet is the wallet’s account. */
const isOutOf = (sent: SentValues, [one, other]: readonly [AccountKind, AccountKind]): boolean =>
  one === 'card' && isWallet(other) && wayOf(sent, other) === 'decrypted';

/** A gift card beside a paying card was bought, or is for somebody; only its own brand means that it pays. */
const isInformation = (sent: SentValues, [one, other]: readonly [AccountKind, AccountKind]): boolean => {
  const beside = one === 'giftCard' ? other : other === 'giftCard' ? one : undefined;
  return beside !== undefined && takes({ account: 'card' }, beside) && sent['paymentBrand'] !== 'GIFTCARD';
};

const hasSeveral = (sent: SentValues): boolean => {
  const used = structuresOf(sent);
  return accounts.filter(([kind]) => used.has(kind)).length > 1;
};

/**
 * Two structures that exclude each other, one rule for each pair: the error names the later one in the table. A card
 * and a terminal do not: together they are a typed number.
 */
const exclusive: readonly Rule[] = accounts.flatMap(([other, name], i) =>
  accounts
    .slice(0, i)
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
 * The missing account of a request without any: what the brand requires; without a brand, a card. Only the channel
 * knows what its own brands require (`accountMissing`).
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

/** A brand of the gateway's table with another kind of account. The operation checks the channel's own brands. */
const misfits: readonly Rule[] = takenByBrands.map((account) => ({
  name: 'paymentBrand',
  says: `requires ${account} properties, and others were sent`,
  when: sentBrandIsOurs,
  holds: (sent) => {
    const brand = brandSent(sent);
    if (brand?.account !== account) return true;
    const kind = accountKindOf(sent);
    return kind === undefined || takes(brand, kind);
  },
}));

/** Kinds whose brand can be determined: from the number, from the chip, or because the structure's name is a brand. */
const selfEvident: ReadonlySet<AccountKind | undefined> = new Set(['card', 'pos', 'tokenAccount', ...wallets]);

const brandNeeded: Rule = {
  name: 'paymentBrand',
  says: 'may not be empty: only the brand of a card can be determined',
  holds: (sent) => sent['paymentBrand'] !== undefined || !hasAccount(sent) || selfEvident.has(accountKindOf(sent)),
};

/** For a payment: a brand such as PREPAYMENT may come without an account. */
export const payingAccountRules: readonly Rule[] = [
  ...exclusive,
  ...absent((sent) => laterOf(sent) !== undefined),
  ...misfits,
  brandNeeded,
];

/** For a registration: without an account there is nothing to store. */
export const storedAccountRules: readonly Rule[] = [...exclusive, ...absent(() => false), ...misfits, brandNeeded];

// The card of a request, typed or read by a terminal (spec 2.5, 2.34).

/** A security code or an expiry date at a terminal belongs to the card that the terminal read. */
const numberExpected = (sent: SentValues): boolean => uses('card')(sent) && !uses('pos')(sent);

export const cardRules: readonly Rule[] = [
  ...needed(numberExpected, ['card.number']),
  ...needed(
    (sent) => numberExpected(sent) || sent['card.number'] !== undefined,
    ['card.expiryMonth', 'card.expiryYear'],
  ),
];

/** Encrypted data together with the serial number of its key, and a location with both coordinates. */
export const posPairs: readonly Rule[] = [
  ...bothOrNeither('pos.encryptedPin.data', 'pos.encryptedPin.ksn'),
  ...bothOrNeither('pos.encryptedSred.data', 'pos.encryptedSred.ksn'),
  ...bothOrNeither('pos.location.latitude', 'pos.location.longitude'),
];

/** A chip may come without its data: the acquirer decides what it accepts. Some account data are required. */
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

// Accounts other than cards (spec 2.7 to 2.9), and the requirements of a migrated one (2.23).

/** With a brand whose shopper names the account at the bank, the country alone may be sent. */
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
    // An IBAN identifies its bank.
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
