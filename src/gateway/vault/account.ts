/** Which parts of an account may be stored, and which of them is its number. */
import { Fault } from '../../base/fault.ts';

/** Flat wire names and their values: `card.number`, `bankAccount.iban`; and `kind`, which of the accounts it is. */
export type StoredAccount = Readonly<Record<string, string>>;

/** All that may be sealed (spec 2.5, 2.7, 2.8, 2.9, 2.26). What is not here is refused: unknown means never stored. */
const storable: ReadonlySet<string> = new Set([
  'kind',
  ...['number', 'holder', 'expiryMonth', 'expiryYear', 'numberType'].map((name) => `card.${name}`),
  ...[
    'holder',
    'bankName',
    'number',
    'iban',
    'bankCode',
    'bic',
    'country',
    'mandate.id',
    'mandate.dateOfSignature',
  ].map((name) => `bankAccount.${name}`),
  'virtualAccount.accountId',
  ...['number', 'type', 'expiryMonth', 'expiryYear'].map((name) => `tokenAccount.${name}`),
  ...['number', 'holder', 'type'].map((name) => `giftCard.${name}`),
]);

/** Security codes, PINs and cryptograms: refused for a reason that is told (PCI DSS requirement 3.3.1). */
const NEVER = /(^|\.)(cvv|dtvc|cryptogram|pin|encryptedPin|encryptedSred|verificationId|paymentToken)(\.|$)/;

/** Throws `vault.refused` when a part may not be stored, or no number is there. It names parts and never values. */
export const checkStorable = (account: StoredAccount): void => {
  for (const name of Object.keys(account)) {
    if (NEVER.test(name)) throw refused(`${name} is never kept after the payment that it came with`);
    if (!storable.has(name)) throw refused(`${/^[\w.]{1,64}$/.test(name) ? name : 'one parameter'} is no part of one`);
  }
  numberOf(account);
};

type AccountNumber = { kind: string; number: string };

/** The number in canonical form, so that two spellings of one account are equal text. Throws `vault.refused`. */
export const numberOf = (account: StoredAccount): AccountNumber => {
  for (const [name, canonical] of numbers) {
    const text = account[name];
    if (text !== undefined) return { kind: name.split('.', 1)[0] ?? '', number: canonical(text, account) };
  }
  throw refused('it has no number');
};

type Canonical = (text: string, account: StoredAccount) => string;

const digits: Canonical = (text) => text.replace(/\D/g, '');
const compact: Canonical = (text) => text.replace(/\s/g, '').toUpperCase();
/** A bank's own account number means nothing without the bank. */
const atBank: Canonical = (text, account) =>
  [text, account['bankAccount.bankCode'] ?? account['bankAccount.bic'] ?? '']
    .map((part) => compact(part, account))
    .join('@');

/** The first that is sent is the number. */
const numbers: readonly (readonly [name: string, canonical: Canonical])[] = [
  ['card.number', digits],
  ['tokenAccount.number', digits],
  ['bankAccount.iban', compact],
  ['bankAccount.number', atBank],
  ['virtualAccount.accountId', (text) => text.trim()],
  ['giftCard.number', compact],
];

const refused = (why: string): Fault => new Fault('vault.refused', { why });
