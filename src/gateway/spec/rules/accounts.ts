/** One account per request, and a brand that fits it (spec 2.2, paymentBrand): cards and other accounts. */
import { type AccountKind, brandOf, brands, isAccepting } from '../brands.ts';
import { type Rule, requireWhen, type SentValues } from '../operation.ts';
import { requireTogether, usedStructuresOf, usesStructure } from './shared.ts';

// Wallets (spec 2.6): the provider's token, or the card that the merchant decrypted.

export const wallets = ['applePay', 'googlePay', 'samsungPay'] as const satisfies readonly AccountKind[];
export type WalletKind = (typeof wallets)[number];

export const isWallet = (kind: AccountKind): kind is WalletKind => (wallets as readonly AccountKind[]).includes(kind);

/** A source means that the merchant decrypted the wallet; without one its parameters belong to the token. */
const walletFormOf = (values: SentValues, wallet: WalletKind): 'token' | 'decrypted' =>
  values[`${wallet}.source`] === undefined ? 'token' : 'decrypted';

const sources = wallets.map((wallet) => `${wallet}.source` as const);

const isDecrypted = (values: SentValues): boolean => sources.some((source) => values[source] !== undefined);

const eachWallet: readonly Rule[] = wallets.flatMap((wallet): Rule[] => {
  const appliesTo = usesStructure(wallet);
  const [token, source] = [`${wallet}.paymentToken`, `${wallet}.source`];
  return [
    {
      name: token,
      message: `may not be empty, unless ${source} and the decrypted card are sent`,
      appliesTo,
      holds: (values) => !appliesTo(values) || values[token] !== undefined || values[source] !== undefined,
    },
    {
      name: source,
      message: `may not be sent together with ${token}`,
      appliesTo,
      holds: (values) => values[source] === undefined || values[token] === undefined,
    },
  ];
});

export const walletRules: readonly Rule[] = [
  ...eachWallet,
  ...requireWhen(
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
export const accountKindOf = (values: SentValues): AccountKind | undefined => {
  const structures = usedStructuresOf(values);
  const wallet = wallets.find((name) => structures.has(name));
  if (wallet !== undefined) return wallet;
  if (structures.has('pos')) return values['card.number'] === undefined ? 'pos' : 'card';
  return accounts.find(([kind]) => structures.has(kind))?.[0] ?? laterAccountOf(values);
};

const brandOfRequest = (values: SentValues) => brandOf(values['paymentBrand'] ?? '');

const laterAccountOf = (values: SentValues): AccountKind | undefined => {
  const brand = brandOfRequest(values);
  return brand?.accountLater === true ? brand.account : undefined;
};

/** A card from a wallet is the wallet’s account. */
const isOutOf = (values: SentValues, [one, other]: readonly [AccountKind, AccountKind]): boolean =>
  one === 'card' && isWallet(other) && walletFormOf(values, other) === 'decrypted';

/** A gift card beside a paying card was bought, or is for somebody; only its own brand means that it pays. */
const isInformation = (values: SentValues, [one, other]: readonly [AccountKind, AccountKind]): boolean => {
  const otherKind = one === 'giftCard' ? other : other === 'giftCard' ? one : undefined;
  return (
    otherKind !== undefined && isAccepting({ account: 'card' }, otherKind) && values['paymentBrand'] !== 'GIFTCARD'
  );
};

const hasSeveral = (values: SentValues): boolean => {
  const structures = usedStructuresOf(values);
  return accounts.filter(([kind]) => structures.has(kind)).length > 1;
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
      message: `${other} properties may not be sent together with ${one} properties`,
      appliesTo: hasSeveral,
      holds: (values: SentValues) => {
        const structures = usedStructuresOf(values);
        return (
          !structures.has(one) ||
          !structures.has(other) ||
          isOutOf(values, [one, other]) ||
          isInformation(values, [one, other])
        );
      },
    })),
);

const hasAccount = (values: SentValues): boolean => {
  const structures = usedStructuresOf(values);
  return accounts.some(([kind]) => structures.has(kind));
};

/**
 * The missing account of a request without any: what the brand requires; without a brand, a card. Only the channel
 * knows what its own brands require (`accountMissing`).
 */
const requiredAccountOf = (values: SentValues): AccountKind | undefined =>
  values['paymentBrand'] === undefined ? 'card' : brandOfRequest(values)?.account;

const takenByBrands: readonly AccountKind[] = [...new Set(brands.map(({ account }) => account))];

const requireAccount = (isOptional: (values: SentValues) => boolean): readonly Rule[] => {
  const appliesTo = (values: SentValues): boolean => !hasAccount(values) && !isOptional(values);
  return takenByBrands.map((account) => ({
    name: 'paymentBrand',
    message: `${account} properties must be set`,
    appliesTo,
    holds: (values) => requiredAccountOf(values) !== account || !appliesTo(values),
  }));
};

const hasKnownBrand = (values: SentValues): boolean => brandOfRequest(values) !== undefined;

/** A brand of the gateway's table with another kind of account. The operation checks the channel's own brands. */
const mismatchRules: readonly Rule[] = takenByBrands.map((account) => ({
  name: 'paymentBrand',
  message: `requires ${account} properties, and others were sent`,
  appliesTo: hasKnownBrand,
  holds: (values) => {
    const brand = brandOfRequest(values);
    if (brand?.account !== account) return true;
    const kind = accountKindOf(values);
    return kind === undefined || isAccepting(brand, kind);
  },
}));

/** Kinds whose brand can be determined: from the number, from the chip, or because the structure's name is a brand. */
const selfEvident: ReadonlySet<AccountKind | undefined> = new Set(['card', 'pos', 'tokenAccount', ...wallets]);

const brandNeeded: Rule = {
  name: 'paymentBrand',
  message: 'may not be empty: only the brand of a card can be determined',
  holds: (values) =>
    values['paymentBrand'] !== undefined || !hasAccount(values) || selfEvident.has(accountKindOf(values)),
};

/** For a payment: a brand such as PREPAYMENT may come without an account. */
export const payingAccountRules: readonly Rule[] = [
  ...exclusive,
  ...requireAccount((values) => laterAccountOf(values) !== undefined),
  ...mismatchRules,
  brandNeeded,
];

/** For a registration: without an account there is nothing to store. */
export const storedAccountRules: readonly Rule[] = [
  ...exclusive,
  ...requireAccount(() => false),
  ...mismatchRules,
  brandNeeded,
];

// The card of a request, typed or read by a terminal (spec 2.5, 2.34).

/** A security code or an expiry date at a terminal belongs to the card that the terminal read. */
const isNumberExpected = (values: SentValues): boolean =>
  usesStructure('card')(values) && !usesStructure('pos')(values);

export const cardRules: readonly Rule[] = [
  ...requireWhen(isNumberExpected, ['card.number']),
  ...requireWhen(
    (values) => isNumberExpected(values) || values['card.number'] !== undefined,
    ['card.expiryMonth', 'card.expiryYear'],
  ),
];

/** Encrypted data together with the serial number of its key, and a location with both coordinates. */
export const posPairs: readonly Rule[] = [
  ...requireTogether('pos.encryptedPin.data', 'pos.encryptedPin.ksn'),
  ...requireTogether('pos.encryptedSred.data', 'pos.encryptedSred.ksn'),
  ...requireTogether('pos.location.latitude', 'pos.location.longitude'),
];

/** A chip may come without its data: the acquirer decides what it accepts. Some account data are required. */
export const posRules: readonly Rule[] = [
  ...requireWhen(usesStructure('pos'), ['pos.entryMode', 'pos.terminalId']),
  {
    name: 'pos.encryptedSred.data',
    message: 'may not be empty, unless card.number or pos.iccDataRequest is sent',
    holds: (values) =>
      !usesStructure('pos')(values) ||
      values['pos.encryptedSred.data'] !== undefined ||
      values['pos.iccDataRequest'] !== undefined ||
      values['card.number'] !== undefined,
  },
  ...posPairs,
];

// Accounts other than cards (spec 2.7 to 2.9), and the requirements of a migrated one (2.23).

/** With a brand whose shopper names the account at the bank, the country alone may be sent. */
const isWhole = (values: SentValues): boolean =>
  usesStructure('bankAccount')(values) && brandOf(values['paymentBrand'] ?? '')?.accountLater !== true;

export const otherAccountRules: readonly Rule[] = [
  ...requireWhen(usesStructure('virtualAccount'), ['virtualAccount.accountId']),
  ...requireWhen(usesStructure('tokenAccount'), ['tokenAccount.number', 'tokenAccount.type']),
  ...requireWhen(isWhole, ['bankAccount.holder']),
  {
    name: 'bankAccount.iban',
    message: 'may not be empty, unless bankAccount.number is sent',
    holds: (values) =>
      !isWhole(values) || values['bankAccount.iban'] !== undefined || values['bankAccount.number'] !== undefined,
  },
  {
    // An IBAN identifies its bank.
    name: 'bankAccount.bic',
    message: 'may not be empty with bankAccount.number, unless bankAccount.bankCode is sent',
    holds: (values) =>
      values['bankAccount.number'] === undefined ||
      values['bankAccount.iban'] !== undefined ||
      values['bankAccount.bankCode'] !== undefined ||
      values['bankAccount.bic'] !== undefined,
  },
];

export const migrationRules: readonly Rule[] = requireWhen(usesStructure('recurringMigration'), [
  'recurringMigration.paymentType',
]);
