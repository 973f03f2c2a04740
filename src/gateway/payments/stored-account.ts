/** Turns a request's account into a registration that can be stored, and back (spec 2.23). */
import { codes } from '../../base/result-codes.ts';
import { type Channel, isLive } from '../channel.ts';
import type { AccountKind } from '../spec/brands.ts';
import type { Flat, Rule, SentValues } from '../spec/operation.ts';
import { isSet } from '../spec/parameters/kinds.ts';
import { accountKindOf } from '../spec/rules/accounts.ts';
import type { Registration } from '../store/records.ts';
import { type CheckedAccount, echoOf, liveFact, storedCardOf, warningsOf } from './account.ts';
import type { Call, Gateway } from './endpoint.ts';

/**
 * The parameters of each account that are encrypted. Security codes, PINs and cryptograms are not stored: they are
 * valid once.
 */
const storedFields: Partial<Record<AccountKind, readonly string[]>> = {
  card: ['card.number', 'card.expiryMonth', 'card.expiryYear', 'card.holder', 'card.numberType'],
  bankAccount: [
    'bankAccount.holder',
    'bankAccount.bankName',
    'bankAccount.number',
    'bankAccount.iban',
    'bankAccount.bankCode',
    'bankAccount.bic',
    'bankAccount.country',
    'bankAccount.mandate.id',
    'bankAccount.mandate.dateOfSignature',
  ],
  virtualAccount: ['virtualAccount.accountId'],
  tokenAccount: ['tokenAccount.number', 'tokenAccount.type', 'tokenAccount.expiryMonth', 'tokenAccount.expiryYear'],
};

/** Which accounts can be stored as sent: encrypted ones and gift cards cannot. */
export const isStorable = (kind: AccountKind | undefined): boolean =>
  kind !== undefined && storedFields[kind] !== undefined;

type Account = { kind: AccountKind; account: Flat; checked: CheckedAccount };

/** Success of a request that moves no money: "Transaction succeeded", or the simulators' test text. */
export const successCodeOf = (channel: Pick<Channel, 'mode'>): string =>
  isLive(channel) ? codes.succeeded : codes.succeededInTest;

/** A registration of this account, encrypted, with a new id. */
export const registrationOf = (
  gateway: Gateway,
  call: Call<object>,
  { kind, account, checked }: Account,
): Registration => {
  const { vault, ids } = gateway;
  const id = ids.next();
  const { entityId } = call.channel;
  const secret = pickFields(account, storedFields[kind] ?? []);
  const card = kind === 'card' ? storedCardOf(account) : undefined;
  const initialTransactionId = account['standingInstruction.initialTransactionId'];
  return {
    id,
    entityId,
    paymentMethod: checked.method,
    paymentBrand: checked.paymentBrand ?? 'UNKNOWN',
    at: call.at,
    keptUntil: keepUntil(account, call.at),
    state: 'active',
    sealed: vault.seal(secret, { id, entityId }),
    accountHash: vault.hashOf(secret),
    facts: {
      requestId: call.requestId,
      echo: echoOf(account),
      resultCode: successCodeOf(call.channel),
      live: liveFact(call.channel),
      card,
      ...maskAccount(kind, secret),
      initialTransactionId,
      warnings: warningsOf(call.warnings),
    },
  };
};

const pickFields = (account: Flat, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.flatMap((name) => (account[name] === undefined ? [] : [[name, account[name]]])));

const RETENTION_MONTHS = 14;

/** Fourteen months after the card's expiry, or after today for an account without one. Wall time, ms. */
const keepUntil = (account: Flat, at: number): number => {
  const year = account['card.expiryYear'] ?? account['tokenAccount.expiryYear'];
  const month = account['card.expiryMonth'] ?? account['tokenAccount.expiryMonth'];
  if (year !== undefined && month !== undefined) return Date.UTC(Number(year), Number(month) + RETENTION_MONTHS, 1);
  return monthsAfter(at, RETENTION_MONTHS);
};

/** The time this many calendar months later. */
export const monthsAfter = (at: number, months: number): number => {
  const date = new Date(at);
  return date.setUTCMonth(date.getUTCMonth() + months);
};

/** The account as it may be shown: the last four characters of numbers. */
const maskAccount = (kind: AccountKind, secret: Readonly<Record<string, string>>) => {
  if (kind === 'bankAccount') {
    const { 'bankAccount.holder': holder = '', 'bankAccount.bic': bic, 'bankAccount.country': country } = secret;
    const number = secret['bankAccount.iban'] ?? secret['bankAccount.number'] ?? '';
    return { bankAccount: { holder, last4Digits: number.slice(-4), bic, country } };
  }
  const accountId = secret['virtualAccount.accountId'];
  return accountId === undefined ? {} : { virtualAccount: { accountId } };
};

const numbers = [
  'card.number',
  'tokenAccount.number',
  'bankAccount.iban',
  'bankAccount.number',
  'virtualAccount.accountId',
] as const;

/** Whether the account's number is present: one that the shopper names later, at the bank, cannot be stored now. */
export const hasNumber = (sent: SentValues): boolean => numbers.some((name) => sent[name] !== undefined);

/** A terminal's card: the channel decides whether it can be decrypted for the vault. */
const isEncryptedCard = (sent: SentValues): boolean =>
  accountKindOf(sent) === 'pos' && sent['pos.encryptedSred.data'] !== undefined;

/** A request to store an account needs one that can be stored. */
export const storableRules: readonly Rule[] = [
  {
    name: 'createRegistration',
    message:
      'can be true for a card, bank account, virtual account or token in plain, or a terminal’s encrypted card: ' +
      'this account cannot be stored',
    holds: (sent) =>
      !isSet(sent['createRegistration']) ||
      (isStorable(accountKindOf(sent)) && hasNumber(sent)) ||
      isEncryptedCard(sent),
  },
];
