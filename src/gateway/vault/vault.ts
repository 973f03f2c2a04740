/**
 * Encrypts stored accounts: each under a data key of its own, which is wrapped by a vault key. A record can only be
 * decrypted as the record of the registration and the entity it was encrypted for.
 *
 * Uses only AES-256-GCM, HMAC, HKDF and SHA-256: OpenSSL and BoringSSL both have them.
 */
import { createHmac, hkdfSync } from 'node:crypto';
import { Fault, isFault } from '../../base/fault.ts';
import type { Random } from '../../base/ids.ts';
import type { SealedAccount } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import { decrypt, encrypt, KEY_BYTES } from './cipher.ts';
import type { Keyring } from './keyring.ts';

/** The owner of a record: the registration's id and its channel. */
export type Owner = { id: string; entityId: string };

export interface Vault {
  /** The source of the keys, for people. */
  readonly from: string;
  /** Throws `vault.refused` for a security code, a PIN, a cryptogram, an unknown part, or a missing number. */
  seal(account: StoredAccount, owner: Owner): SealedAccount;
  /**
   * Encrypts a whole waiting request, including the security code (PCI DSS requirement 3.3.2 allows it to be stored,
   * encrypted, until the authorisation is over). The caller destroys it then; nothing else may be encrypted with this.
   */
  sealWaiting(text: string, owner: Owner): SealedAccount;
  /** Throws as `open` does. */
  openWaiting(sealed: SealedAccount, owner: Owner): string;
  /** Encrypts a webhook's secret: 64 hex digits. */
  sealSecret(secret: string, owner: Owner): SealedAccount;
  /** Throws as `open` does. */
  openSecret(sealed: SealedAccount, owner: Owner): string;
  /**
   * Throws `vault.broken` if anything was changed or belongs to another owner, `vault.keyUnknown` if its key is not
   * available.
   */
  open(sealed: SealedAccount, owner: Owner): StoredAccount;
  /** 64 hex digits, equal for equal accounts in any spelling, and meaningless without the vault's keys. */
  hashOf(account: StoredAccount): string;
  /**
   * The same box with its data key wrapped by the current key. Throws as `open` does; the box itself is not decrypted.
   */
  rewrap(sealed: SealedAccount, owner: Owner): SealedAccount;
  /** The id of the key that encrypts now. */
  keyId(): string;
  /** 16 hex digits that identify these keys: a database remembers which keys it belongs to. */
  readonly mark: string;
}

export const openVault = (keyring: Keyring, random: Random): Vault => {
  const hashKey = deriveKey(keyring.lookup, 'account hash');
  const wrap = (dataKey: Uint8Array): Pick<SealedAccount, 'keyId' | 'wrappedKey'> => {
    const { id, key } = keyring.current();
    return { keyId: id, wrappedKey: encrypt({ key, associated: wrapContextOf(id) }, dataKey, random) };
  };
  const unwrap = ({ keyId, wrappedKey }: SealedAccount): Uint8Array =>
    decrypt({ key: keyring.keyOf(keyId).key, associated: wrapContextOf(keyId) }, wrappedKey);
  const sealText = (text: string, associated: string): SealedAccount => {
    const dataKey = random(KEY_BYTES);
    const plaintext = Buffer.from(text, 'utf8');
    const box = encrypt({ key: dataKey, associated }, plaintext, random);
    const sealed = { ...wrap(dataKey), box };
    dataKey.fill(0);
    plaintext.fill(0);
    return sealed;
  };
  const openText = (sealed: SealedAccount, associated: string): string => {
    const dataKey = unwrap(sealed);
    const plaintext = Buffer.from(decrypt({ key: dataKey, associated }, sealed.box));
    const text = plaintext.toString('utf8');
    dataKey.fill(0);
    plaintext.fill(0);
    return text;
  };
  return {
    from: keyring.from,
    seal(account, owner) {
      checkStorable(account);
      return sealText(JSON.stringify(account), boxOf(owner));
    },
    open: (sealed, owner) => guardSealed(owner, () => JSON.parse(openText(sealed, boxOf(owner))) as StoredAccount),
    sealWaiting: (text, owner) => sealText(text, waitingContextOf(owner)),
    openWaiting: (sealed, owner) => guardSealed(owner, () => openText(sealed, waitingContextOf(owner))),
    sealSecret: (secret, owner) => sealText(secret, secretOf(owner)),
    openSecret: (sealed, owner) => guardSealed(owner, () => openText(sealed, secretOf(owner))),
    hashOf(account) {
      const { kind, number } = numberOf(account);
      return createHmac('sha256', hashKey)
        .update(JSON.stringify([kind, number]))
        .digest('hex');
    },
    rewrap: (sealed, owner) =>
      guardSealed(owner, () => {
        const dataKey = unwrap(sealed);
        const wrapped = { ...wrap(dataKey), box: sealed.box };
        dataKey.fill(0);
        return wrapped;
      }),
    keyId: () => keyring.current().id,
    mark: Buffer.from(deriveKey(keyring.lookup, 'mark')).toString('hex').slice(0, 16),
  };
};

/**
 * Records in the store which vault it belongs to, and throws `vault.foreign` if it is another's: noticed before a
 * stored account is needed, and before new ones are encrypted under keys that this database never had.
 */
export const proveVault = async (store: Pick<Store, 'keepFact'>, vault: Vault): Promise<void> => {
  if ((await store.keepFact('vault', vault.mark)) !== vault.mark)
    throw new Fault('vault.foreign', { from: vault.from });
};

const deriveKey = (secret: Uint8Array, use: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', secret, new Uint8Array(), `tillgate vault ${use}`, KEY_BYTES));

const wrapContextOf = (keyId: string): string => JSON.stringify(['data key', keyId]);
const secretOf = ({ id, entityId }: Owner): string => JSON.stringify(['webhook secret', entityId, id]);
const waitingContextOf = ({ id, entityId }: Owner): string => JSON.stringify(['waiting', entityId, id]);
const boxOf = ({ id, entityId }: Owner): string => JSON.stringify(['account', entityId, id]);

const guardSealed = <T>({ id }: Owner, work: () => T): T => {
  try {
    return work();
  } catch (error) {
    if (isFault(error)) throw error;
    throw new Fault('vault.broken', { id }, error);
  }
};

/** Flat wire names and their values: `card.number`, `bankAccount.iban`; and `kind`, the kind of account. */
export type StoredAccount = Readonly<Record<string, string>>;

const partsOf = (account: string, names: readonly string[]): string[] => names.map((name) => `${account}.${name}`);

/**
 * All parameters that may be encrypted (spec 2.5, 2.7, 2.8, 2.9, 2.26). Others are refused: unknown parameters are
 * never stored.
 */
const storable: ReadonlySet<string> = new Set([
  'kind',
  ...partsOf('card', ['number', 'holder', 'expiryMonth', 'expiryYear', 'numberType']),
  ...partsOf('bankAccount', [
    'holder',
    'bankName',
    'number',
    'iban',
    'bankCode',
    'bic',
    'country',
    'mandate.id',
    'mandate.dateOfSignature',
  ]),
  'virtualAccount.accountId',
  ...partsOf('tokenAccount', ['number', 'type', 'expiryMonth', 'expiryYear']),
  ...partsOf('giftCard', ['number', 'holder', 'type']),
]);

/** Security codes, PINs and cryptograms: refused with the reason (PCI DSS requirement 3.3.1). */
const NEVER = /(^|\.)(cvv|dtvc|cryptogram|pin|encryptedPin|encryptedSred|verificationId|paymentToken)(\.|$)/;

/** Throws `vault.refused` if a part may not be stored, or the number is missing. It names parts and never values. */
const checkStorable = (account: StoredAccount): void => {
  for (const name of Object.keys(account)) {
    if (NEVER.test(name)) throw refusedFault(`${name} is never stored after its payment`);
    if (!storable.has(name))
      throw refusedFault(`${/^[\w.]{1,64}$/.test(name) ? name : 'one parameter'} is no part of one`);
  }
  numberOf(account);
};

type AccountNumber = { kind: string; number: string };

/** The number in canonical form, so that two spellings of one account are equal texts. Throws `vault.refused`. */
const numberOf = (account: StoredAccount): AccountNumber => {
  for (const [name, canonical] of numbers) {
    const text = account[name];
    if (text !== undefined) return { kind: name.split('.', 1)[0] ?? '', number: canonical(text, account) };
  }
  throw refusedFault('it has no number');
};

type Canonical = (text: string, account: StoredAccount) => string;

const digitsOnly: Canonical = (text) => text.replace(/\D/g, '');
const compactUpperCase: Canonical = (text) => text.replace(/\s/g, '').toUpperCase();
/** An account number at a bank means nothing without the bank. */
const withBank: Canonical = (text, account) =>
  [text, account['bankAccount.bankCode'] ?? account['bankAccount.bic'] ?? '']
    .map((part) => compactUpperCase(part, account))
    .join('@');

/** The first of these that was sent is the number. */
const numbers: readonly (readonly [name: string, canonical: Canonical])[] = [
  ['card.number', digitsOnly],
  ['tokenAccount.number', digitsOnly],
  ['bankAccount.iban', compactUpperCase],
  ['bankAccount.number', withBank],
  ['virtualAccount.accountId', (text) => text.trim()],
  ['giftCard.number', compactUpperCase],
];

const refusedFault = (reason: string): Fault => new Fault('vault.refused', { why: reason });
