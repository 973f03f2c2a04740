/**
 * The account of a request: its brand and method, the parts that may be stored, and its errors before anybody is asked.
 */
import { codes } from '../../base/result-codes.ts';
import { type Brand, brandOfPan } from '../../emv/brands.ts';
import { luhnIsValid } from '../../emv/luhn.ts';
import { type Channel, isLive } from '../channel.ts';
import { type AccountKind, brandNamed, isAccepting, type PaymentMethod } from '../spec/brands.ts';
import { bankCodeOf, ibanIsValid } from '../spec/iban.ts';
import type { Flat } from '../spec/operation.ts';
import { isEchoed } from '../spec/parameters/all.ts';
import type { ParameterError } from '../spec/parameters/errors.ts';
import { isSet } from '../spec/parameters/kinds.ts';
import type { Warning } from '../spec/parameters/parser.ts';
import { accountKindOf } from '../spec/rules/accounts.ts';
import type { KeptCard, PaymentFacts } from '../store/records.ts';
import type { Acquirer, Authorisation } from './acquirer.ts';
import type { Call } from './endpoint.ts';
import { shortIdOf } from './short-id.ts';

/** `brandResult`: the brand was determined from the number because none was sent. */
export type CheckedAccount =
  | { resultCode: string; why: string; method: PaymentMethod; paymentBrand?: string }
  | { paymentBrand?: string; brandResult?: string; method: PaymentMethod; resultCode?: never };

/** Brands under which a merchant may send a number of these: cards with two brands, and a brand's own products. */
const sentAs: ReadonlyMap<string, readonly Brand[]> = new Map<string, readonly Brand[]>([
  ['CARTEBLEUE', ['VISA', 'MASTER']],
  ['INTERAC', ['VISA', 'MASTER', 'MAESTRO']],
  ['VISADEBIT', ['VISA']],
  ['VISAELECTRON', ['VISA']],
  ['MASTERDEBIT', ['MASTER']],
  ['MAESTRO', ['MASTER']],
  ['DISCOVER', ['DINERS', 'UNIONPAY']],
]);

/** The brand implied by a wallet's parameters. */
const walletBrands: Partial<Record<AccountKind, string>> = {
  applePay: 'APPLEPAY',
  googlePay: 'GOOGLEPAY',
  samsungPay: 'SAMSUNGPAY',
};
const isWallet = (brand: string): boolean => Object.values(walletBrands).includes(brand);

type AccountCheck = { kind: AccountKind; request: Flat; channel: Channel; at: number };

/**
 * The account's brand and method, or the result code that refuses it: an unknown brand, an invalid number, an expired
 * account. `at` is wall time, ms.
 */
export const checkAccount = ({ kind, request, channel, at }: AccountCheck): CheckedAccount => {
  const sentBrand = request['paymentBrand'] ?? walletBrands[kind];
  const row = sentBrand === undefined ? undefined : brandNamed(channel, sentBrand);
  if (sentBrand !== undefined && row === undefined) {
    return {
      resultCode: codes.notConfigured,
      why: `The brand ${sentBrand} is not accepted by this channel.`,
      method: 'CC',
      paymentBrand: sentBrand,
    };
  }
  const method = row?.method ?? 'CC';
  const base = sentBrand === undefined ? { method } : { method, paymentBrand: sentBrand };
  const refuse = (resultCode: string, reason: string): CheckedAccount => ({ ...base, resultCode, why: reason });

  if (row !== undefined && !isAccepting(row, kind))
    return refuse(codes.brandMismatch, `${row.name} requires ${row.account} properties.`);
  const month = request['card.expiryMonth'] ?? request['tokenAccount.expiryMonth'];
  const year = request['card.expiryYear'] ?? request['tokenAccount.expiryYear'];
  const number = request['card.number'] ?? request['tokenAccount.number'];
  if (number !== undefined && !luhnIsValid(number))
    return refuse(codes.accountNumberInvalid, 'The number has a wrong check digit.');
  if (month !== undefined && year !== undefined && at >= Date.UTC(Number(year), Number(month), 1)) {
    return refuse(codes.cardExpired, 'The card has expired.');
  }
  const iban = request['bankAccount.iban'];
  if (iban !== undefined && !ibanIsValid(iban))
    return refuse(codes.accountNumberInvalid, 'The IBAN has a wrong length or check digits.');
  if (number === undefined || kind === 'pos') return base;
  const panBrand = brandOfPan(number);
  if (sentBrand === undefined) {
    if (panBrand === undefined) return refuse(codes.brandMissing, 'The number belongs to no known brand.');
    return { method, paymentBrand: panBrand, brandResult: panBrand };
  }
  const isMatching =
    panBrand !== undefined && (panBrand === sentBrand || sentAs.get(sentBrand)?.includes(panBrand) === true);
  // A wallet's brand tells nothing about the number in it. If none was sent, the number's brand is returned beside the
  // wallet's.
  if (isWallet(sentBrand)) {
    return panBrand === undefined || request['paymentBrand'] !== undefined ? base : { ...base, brandResult: panBrand };
  }
  // A channel's own brand has its own numbers.
  if (isMatching || isOwn(channel, sentBrand)) return base;
  return refuse(codes.brandMismatch, 'The number is not one of this brand.');
};

const isOwn = (channel: Channel, brand: string): boolean => channel.brands?.some(({ name }) => name === brand) === true;

/**
 * The missing parameters of a request without an account whose brand is the channel's own: the rules know only the
 * gateway's brands. An unknown brand is refused as not accepted.
 */
export const accountMissing = (channel: Channel, request: Flat): readonly ParameterError[] => {
  const { paymentBrand } = request;
  if (paymentBrand === undefined || accountKindOf(request) !== undefined) return [];
  const row = brandNamed(channel, paymentBrand);
  if (row === undefined || row.accountLater === true) return [];
  return [{ name: 'paymentBrand', value: paymentBrand, message: `${row.account} properties must be set` }];
};

/** The card whose number comes with the request or from the vault. */
export const sentCardOf = (request: Flat): NonNullable<Authorisation['card']> | undefined => {
  const { 'card.number': number, 'card.expiryMonth': expiryMonth, 'card.expiryYear': expiryYear } = request;
  const { 'card.cvv': cvv, 'card.holder': holder } = request;
  if (number === undefined || expiryMonth === undefined || expiryYear === undefined) return undefined;
  return { number, expiryMonth, expiryYear, cvv, holder };
};

/** First six and last four digits; only the last four of a number too short to hide anything between them. */
export const storedCardOf = (request: Flat): KeptCard | undefined => {
  const card = sentCardOf(request);
  if (card === undefined) return undefined;
  const { number, holder, expiryMonth, expiryYear } = card;
  return {
    bin: number.length < 12 ? undefined : number.slice(0, 6),
    last4Digits: number.slice(-4),
    holder,
    expiryMonth,
    expiryYear,
  };
};

/**
 * The parts of a bank account that reports show: never the number. Undefined if the shopper chooses the account at the
 * bank.
 */
export const storedBankAccountOf = (request: Flat): PaymentFacts['bankAccount'] => {
  const { 'bankAccount.iban': iban, 'bankAccount.holder': holder, 'bankAccount.bic': bic } = request;
  const number = iban ?? request['bankAccount.number'];
  const bankCode = request['bankAccount.bankCode'] ?? bankCodeOf(iban ?? '') ?? bic;
  if (number === undefined && bankCode === undefined) return undefined;
  return { last4Digits: number?.slice(-4), bankCode, holder };
};

/** The terminal's data of a request, in the acquirer's form. */
export const posOf = (request: Flat): NonNullable<Authorisation['pos']> | undefined => {
  const { 'pos.entryMode': entryMode, 'pos.terminalId': terminalId } = request;
  if (entryMode === undefined || terminalId === undefined) return undefined;
  const sred = encryptedDataOf(request['pos.encryptedSred.data'], request['pos.encryptedSred.ksn']);
  const pin = encryptedDataOf(request['pos.encryptedPin.data'], request['pos.encryptedPin.ksn']);
  const { 'pos.iccDataRequest': icc, 'pos.panSequenceNumber': panSequenceNumber } = request;
  return {
    // The parser accepts no other value.
    entryMode: entryMode as NonNullable<Authorisation['pos']>['entryMode'],
    terminalId,
    encryptedSred: sred,
    encryptedPin: pin,
    iccDataRequest: icc,
    panSequenceNumber,
  };
};

const encryptedDataOf = (data: string | undefined, ksn: string | undefined) =>
  data === undefined || ksn === undefined ? undefined : { data, ksn };

// A terminal's encrypted card to be stored by its payment (spec 1.5): only if the channel's acquirer can decrypt it.

export type CardToStore = {
  /** The account as card parameters, for the vault only: none of it goes to the acquirer. */
  storable?: Flat;
  errors: readonly ParameterError[];
};

/** Empty if the request stores no terminal's card; otherwise the card, or why the request is refused. */
export const terminalCardToStore = (acquirer: Acquirer, account: Flat): CardToStore => {
  const pos = posOf(account);
  if (!isSet(account['createRegistration']) || pos === undefined || account['card.number'] !== undefined)
    return { errors: [] };
  const card = acquirer.openCard?.(pos, account);
  if (card !== undefined) {
    const { number, expiryMonth, expiryYear, holder } = card;
    const names = { 'card.number': number, 'card.expiryMonth': expiryMonth, 'card.expiryYear': expiryYear };
    return { storable: { ...account, ...names, 'card.holder': holder || account['card.holder'] }, errors: [] };
  }
  const message =
    'cannot be true here: this channel cannot open the terminal’s encrypted card data. Nothing was charged';
  return { errors: [{ name: 'createRegistration', value: 'true', message }] };
};

/** The stored card's brand is that of its number, if the request names none. */
export const checkedOf = (checked: CheckedAccount, { 'card.number': number }: Flat): CheckedAccount => {
  const brand = number === undefined ? undefined : brandOfPan(number);
  return checked.paymentBrand !== undefined || brand === undefined ? checked : { ...checked, paymentBrand: brand };
};

// The facts that every payment and registration keeps of its request.

type StoredFacts = Pick<PaymentFacts, 'descriptor' | 'requestId' | 'echo' | 'memo' | 'live' | 'warnings'>;

/** Descriptor, echo and warnings of a request; `merchant.name` overrides the descriptor (spec 2.2). */
export const factsOf = (call: Call<object>, id: string): StoredFacts => {
  const request = call.request as Readonly<Record<string, string | undefined>>;
  const descriptor = request['merchant.name'] ?? request['descriptor'];
  return {
    descriptor: descriptor ?? `${shortIdOf(id)} ${call.channel.name ?? 'Tillgate'}`,
    requestId: call.requestId,
    echo: echoOf(request),
    memo: request['merchantMemo'],
    live: liveFact(call.channel),
    warnings: warningsOf(call.warnings),
  };
};

/** The fact that marks payments and registrations of a live channel. */
export const liveFact = (channel: Channel): true | undefined => isLive(channel) || undefined;

/** The parameters that are returned, by their wire names. */
export const echoOf = (request: Readonly<Record<string, string | undefined>>): Record<string, string> => {
  const echo: Record<string, string> = {};
  for (const name in request) {
    const value = request[name];
    if (value !== undefined && name !== '__proto__' && isEchoed(name)) echo[name] = value;
  }
  return echo;
};

/** The warnings of a lenient channel, if there are any. */
export const warningsOf = (warnings: readonly Warning[]): readonly Warning[] | undefined =>
  warnings.length === 0 ? undefined : warnings;
