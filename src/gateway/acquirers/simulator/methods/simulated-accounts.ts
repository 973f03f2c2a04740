/**
 * Accounts other than cards and tokens: bank accounts, debited directly, paid by transfer, or confirmed by the shopper
 * at the bank (spec 2.8); virtual accounts; gift cards.
 */
import { exponentOf, printAmount } from '../../../../base/money.ts';
import { codes } from '../../../../base/result-codes.ts';
import type { Authorisation } from '../../../payments/acquirer.ts';
import { brandOf } from '../../../spec/brands.ts';
import { ibanIsValid } from '../../../spec/iban.ts';
import type { ResponseCode } from '../responses.ts';
import { unitWorth } from '../worth.ts';
import {
  euros,
  type MethodAccount,
  type MethodRefusal,
  type MethodVerdict,
  refuseMissing,
  type SimulatedMethod,
  unlimitedFunds,
  visitOf,
} from './method.ts';

type TestAccount = { openingBalance: bigint; decline?: MethodVerdict; needsMandate?: true };

/** Uses the external reason codes of ISO 20022, as SEPA banks do. */
const closed: MethodVerdict = { code: '62', resultCode: codes.accountBlocked, reason: 'AC04' };
const noMandate: MethodVerdict = { code: '57', resultCode: codes.mandateMissing, reason: 'MD01' };
const shortOfFunds = { reason: 'AM04' };

/** By IBAN. All of them belong to one bank code whose numbers are public test accounts. */
export const testBankAccounts: ReadonlyMap<string, TestAccount> = new Map([
  ['DE93100000001234567891', { openingBalance: unlimitedFunds, decline: closed }],
  ['DE66100000001234567892', { openingBalance: euros(10n) }],
  ['DE39100000001234567893', { openingBalance: unlimitedFunds, needsMandate: true }],
]);

/** The account that shoppers transfer to: the merchant's at the simulated bank. */
const merchantBankAccount = {
  holder: 'Tillgate Test Merchant',
  number: 'DE23100000001234567890',
  bic: 'MARKDEF1100',
  country: 'DE',
};

/**
 * Reads a bank account by its brand: PREPAYMENT, a transfer that the shopper confirms at the bank, otherwise a direct
 * debit. A payout (CD) goes straight to the account, whatever the brand.
 */
export const bankAccount: SimulatedMethod = (request) => {
  const { paymentBrand, paymentType } = request;
  if (paymentType !== 'CD' && paymentBrand === 'PREPAYMENT') return prepayment(request);
  if (paymentType !== 'CD' && brandOf(paymentBrand ?? '')?.asynchronous === true) return onlineTransfer(request);
  return directDebit(request);
};

const directDebit = (request: Authorisation): MethodAccount | MethodRefusal => {
  const number = numberOf(request);
  if (number === undefined) return refuseMissing('bankAccount.iban or bankAccount.number');
  if (typeof number !== 'string') return number;
  const { openingBalance, decline, needsMandate }: TestAccount = testBankAccounts.get(number) ?? {
    openingBalance: unlimitedFunds,
  };
  const lacksMandate = needsMandate && request.paymentType !== 'CD' && !request.parameters['bankAccount.mandate.id'];
  return {
    purse: { number, openingBalance },
    decline: decline ?? (lacksMandate ? noMandate : undefined),
    shortOfFunds,
  };
};

/** Tells the shopper where to transfer to; nothing is taken until the receipt of the money is booked (RC). */
const prepayment = ({ id, paymentType }: Authorisation): MethodAccount | MethodRefusal => {
  if (paymentType !== 'PA') {
    return {
      refused: codes.notConfigured,
      why: 'PREPAYMENT starts with PA; RC books the money when it has arrived.',
    };
  }
  return {
    merchantBankAccount,
    detailsFor: (code): Readonly<Record<string, string>> =>
      code === '00' ? { TransferUsage: transferReferenceOf(id) } : {},
  };
};

/**
 * The reference that the shopper writes on the transfer, so that it can be matched: letters and digits in groups of
 * four.
 */
const transferReferenceOf = (id: string): string =>
  id
    .slice(-12)
    .toUpperCase()
    .replace(/.{4}(?=.)/g, '$& ');

/** The shopper chooses the account at the bank unless the request already names it. */
const onlineTransfer = (request: Authorisation): MethodAccount | MethodRefusal => {
  const number = numberOf(request);
  if (number !== undefined && typeof number !== 'string') return number;
  const visit = visitOf(request);
  if ('refused' in visit) return visit;
  if (number === undefined) return { visit };
  const { openingBalance, decline }: TestAccount = testBankAccounts.get(number) ?? { openingBalance: unlimitedFunds };
  return { purse: { number, openingBalance }, visit, decline, shortOfFunds };
};

/** The account by its IBAN, or by its number together with the bank's. */
const numberOf = ({ parameters }: Authorisation): string | undefined | MethodRefusal => {
  const iban = parameters['bankAccount.iban'];
  if (iban)
    return ibanIsValid(iban) ? iban : { refused: codes.accountNumberInvalid, why: 'bankAccount.iban fails its check.' };
  const number = parameters['bankAccount.number'];
  if (!number) return undefined;
  const bank = parameters['bankAccount.bankCode'] || parameters['bankAccount.bic'];
  if (!bank) return refuseMissing('bankAccount.bankCode or bankAccount.bic');
  return `${bank} ${number}`;
};

// Virtual accounts, such as online wallets known by an e-mail address (spec 2.7).

type TestVirtualAccount = { openingBalance?: bigint; decline?: MethodVerdict; needsShopper?: true };

/** By the part before the @, or by the whole account id if it has none. */
export const testVirtualAccounts: ReadonlyMap<string, TestVirtualAccount> = new Map<string, TestVirtualAccount>([
  ['closed', { decline: { code: '62', resultCode: codes.accountBlocked } }],
  ['unknown', { decline: { code: '14', resultCode: codes.accountUnknown } }],
  ['nofunds', { openingBalance: 0n }],
  ['poor', { openingBalance: euros(10n) }],
  ['asks', { needsShopper: true }],
]);

/** Reads the account id, ignoring case. The account `asks` sends the shopper to a page first. */
export const virtualAccount: SimulatedMethod = (request) => {
  const number = request.parameters['virtualAccount.accountId']?.trim().toLowerCase();
  if (!number) return refuseMissing('virtualAccount.accountId');
  const name = number.split('@')[0] ?? '';
  const {
    openingBalance = unlimitedFunds,
    decline,
    needsShopper,
  }: TestVirtualAccount = testVirtualAccounts.get(name) ?? {};
  const account = { purse: { number, openingBalance }, decline };
  if (!needsShopper || request.paymentType === 'CD') return account;
  const visit = visitOf(request);
  return 'refused' in visit ? visit : { ...account, visit };
};

// Gift cards: a stored balance, reported in every answer about the card (spec 2.26).

type TestCard = { openingBalance?: bigint; decline?: MethodVerdict };

/** By number. No international issuer has numbers that begin with 9. */
export const testGiftCards: ReadonlyMap<string, TestCard> = new Map<string, TestCard>([
  ['9900000000000000', { openingBalance: 0n }],
  ['9900000000000010', { openingBalance: euros(10n) }],
  ['9900000000001000', { openingBalance: euros(1_000n) }],
  ['9900000000050000', { openingBalance: euros(50_000n) }],
  ['9900000000000041', { decline: { code: '41' } }],
  ['9900000000000054', { decline: { code: '54' } }],
  ['9900000000000062', { decline: { code: '62' } }],
]);

const ordinary = euros(100n);

/** The maximum balance of a card. */
const maximum = euros(50_000n);

/** Reads card and PIN. A PIN, if sent, must be the number's last four characters. */
export const giftCard: SimulatedMethod = ({ parameters, amount: { currency } }) => {
  const number = parameters['giftCard.number'];
  if (!number) return refuseMissing('giftCard.number');
  const { openingBalance = ordinary, decline }: TestCard = testGiftCards.get(number) ?? {};
  return {
    purse: { number, openingBalance, maximum },
    decline,
    paysPart: true,
    pin: pinOf(number, parameters['giftCard.pin']),
    detailsFor: (code, remaining) =>
      remaining !== undefined && codesWithBalance.has(code) ? balanceOf(remaining, currency) : {},
  };
};

const pinOf = (number: string, pin: string | undefined): NonNullable<MethodAccount['pin']> => {
  if (!pin) return 'none';
  return pin === number.slice(-4) ? 'right' : 'wrong';
};

/** With a wrong PIN or a lost card, the balance is not revealed. */
const codesWithBalance: ReadonlySet<ResponseCode> = new Set(['00', '51', '61']);

/** The balance in the payment's currency, as the host API writes amounts, rounded down to its precision. */
const balanceOf = (remaining: bigint, currency: string): Readonly<Record<string, string>> => {
  // Amounts of the host API have two decimals: the third of a currency with three is always zero.
  const step = exponentOf(currency) === 3 ? 10n : 1n;
  const minor = (remaining / (unitWorth(currency) * step)) * step;
  // Below zero only after a forced approval: report a balance of zero then.
  return { Balance: printAmount({ minor: minor < 0n ? 0n : minor, currency }), BalanceCurrency: currency };
};
