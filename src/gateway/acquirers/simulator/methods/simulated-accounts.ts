/**
 * Accounts that are no cards and no tokens: bank accounts, debited directly, asked for a transfer, or confirmed by the
 * shopper at the bank (spec 2.8); virtual accounts; gift cards.
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
  missing,
  rich,
  type SimulatedMethod,
  visitOf,
} from './method.ts';

type TestAccount = { opening: bigint; against?: MethodVerdict; needsMandate?: true };

/** In the words of ISO 20022's external reason codes, as SEPA banks give them. */
const closed: MethodVerdict = { code: '62', resultCode: codes.accountBlocked, reason: 'AC04' };
const noMandate: MethodVerdict = { code: '57', resultCode: codes.mandateMissing, reason: 'MD01' };
const shortOfFunds = { reason: 'AM04' };

/** By IBAN. All of them are of one bank code whose numbers serve as the public test accounts. */
export const testBankAccounts: ReadonlyMap<string, TestAccount> = new Map([
  ['DE93100000001234567891', { opening: rich, against: closed }],
  ['DE66100000001234567892', { opening: euros(10n) }],
  ['DE39100000001234567893', { opening: rich, needsMandate: true }],
]);

/** Where transfers by the shopper go to: the merchant's account at the simulated bank. */
const merchantBankAccount = {
  holder: 'Tillgate Test Merchant',
  number: 'DE23100000001234567890',
  bic: 'MARKDEF1100',
  country: 'DE',
};

/**
 * Reads a bank account by its brand: PREPAYMENT, one that the shopper confirms at their bank, or else a direct debit. A
 * payout (CD) goes straight to the account, whatever the brand.
 */
export const bankAccount: SimulatedMethod = (request) => {
  const { paymentBrand, paymentType } = request;
  if (paymentType !== 'CD' && paymentBrand === 'PREPAYMENT') return prepayment(request);
  if (paymentType !== 'CD' && brandOf(paymentBrand ?? '')?.asynchronous === true) return onlineTransfer(request);
  return directDebit(request);
};

const directDebit = (request: Authorisation): MethodAccount | MethodRefusal => {
  const number = numberOf(request);
  if (number === undefined) return missing('bankAccount.iban or bankAccount.number');
  if (typeof number !== 'string') return number;
  const { opening, against, needsMandate }: TestAccount = testBankAccounts.get(number) ?? { opening: rich };
  const unmandated = needsMandate && request.paymentType !== 'CD' && !request.parameters['bankAccount.mandate.id'];
  return { purse: { number, opening }, against: against ?? (unmandated ? noMandate : undefined), shortOfFunds };
};

/** The shopper is told where to transfer to, and nothing is taken until the money's receipt is booked (RC). */
const prepayment = ({ id, paymentType }: Authorisation): MethodAccount | MethodRefusal => {
  if (paymentType !== 'PA') {
    return {
      refused: codes.notConfigured,
      why: 'PREPAYMENT begins with PA; the money is booked with RC when it has come.',
    };
  }
  return {
    merchantBankAccount,
    tells: (code): Readonly<Record<string, string>> => (code === '00' ? { TransferUsage: usageOf(id) } : {}),
  };
};

/** What the shopper writes on the transfer, so that it can be matched: letters and digits in groups of four. */
const usageOf = (id: string): string =>
  id
    .slice(-12)
    .toUpperCase()
    .replace(/.{4}(?=.)/g, '$& ');

/** The shopper chooses the account at their bank unless the request names it already. */
const onlineTransfer = (request: Authorisation): MethodAccount | MethodRefusal => {
  const number = numberOf(request);
  if (number !== undefined && typeof number !== 'string') return number;
  const visit = visitOf(request);
  if ('refused' in visit) return visit;
  if (number === undefined) return { visit };
  const { opening, against }: TestAccount = testBankAccounts.get(number) ?? { opening: rich };
  return { purse: { number, opening }, visit, against, shortOfFunds };
};

/** The account by its IBAN, or by its number together with its bank's. */
const numberOf = ({ parameters }: Authorisation): string | undefined | MethodRefusal => {
  const iban = parameters['bankAccount.iban'];
  if (iban)
    return ibanIsValid(iban) ? iban : { refused: codes.accountNumberInvalid, why: 'bankAccount.iban fails its check.' };
  const number = parameters['bankAccount.number'];
  if (!number) return undefined;
  const bank = parameters['bankAccount.bankCode'] || parameters['bankAccount.bic'];
  if (!bank) return missing('bankAccount.bankCode or bankAccount.bic');
  return `${bank} ${number}`;
};

// Virtual accounts, such as online wallets known by an e-mail address (spec 2.7).

type TestVirtualAccount = { opening?: bigint; against?: MethodVerdict; asks?: true };

/** By what stands before the @, or the whole account id where there is none. */
export const testVirtualAccounts: ReadonlyMap<string, TestVirtualAccount> = new Map<string, TestVirtualAccount>([
  ['closed', { against: { code: '62', resultCode: codes.accountBlocked } }],
  ['unknown', { against: { code: '14', resultCode: codes.accountUnknown } }],
  ['nofunds', { opening: 0n }],
  ['poor', { opening: euros(10n) }],
  ['asks', { asks: true }],
]);

/** Reads the account id, in letters of either case. The account that asks sends the shopper to a page first. */
export const virtualAccount: SimulatedMethod = (request) => {
  const number = request.parameters['virtualAccount.accountId']?.trim().toLowerCase();
  if (!number) return missing('virtualAccount.accountId');
  const name = number.split('@')[0] ?? '';
  const { opening = rich, against, asks }: TestVirtualAccount = testVirtualAccounts.get(name) ?? {};
  const account = { purse: { number, opening }, against };
  if (!asks || request.paymentType === 'CD') return account;
  const visit = visitOf(request);
  return 'refused' in visit ? visit : { ...account, visit };
};

// Gift cards: a balance that is known to the card, and told with every answer about it (spec 2.26).

type TestCard = { opening?: bigint; against?: MethodVerdict };

/** By number. 9 begins numbers that no international issuer has. */
export const testGiftCards: ReadonlyMap<string, TestCard> = new Map<string, TestCard>([
  ['9900000000000000', { opening: 0n }],
  ['9900000000000010', { opening: euros(10n) }],
  ['9900000000001000', { opening: euros(1_000n) }],
  ['9900000000050000', { opening: euros(50_000n) }],
  ['9900000000000041', { against: { code: '41' } }],
  ['9900000000000054', { against: { code: '54' } }],
  ['9900000000000062', { against: { code: '62' } }],
]);

const ordinary = euros(100n);

/** A card holds no more. */
const most = euros(50_000n);

/** Reads card and PIN. A PIN that is sent must be the number's last four characters; none need be sent. */
export const giftCard: SimulatedMethod = ({ parameters, amount: { currency } }) => {
  const number = parameters['giftCard.number'];
  if (!number) return missing('giftCard.number');
  const { opening = ordinary, against }: TestCard = testGiftCards.get(number) ?? {};
  return {
    purse: { number, opening, most },
    against,
    paysPart: true,
    pin: pinOf(number, parameters['giftCard.pin']),
    tells: (code, left) => (left !== undefined && codesWithBalance.has(code) ? balanceOf(left, currency) : {}),
  };
};

const pinOf = (number: string, pin: string | undefined): NonNullable<MethodAccount['pin']> => {
  if (!pin) return 'none';
  return pin === number.slice(-4) ? 'right' : 'wrong';
};

/** Who has the wrong PIN, or a card that is lost, is not told what is on it. */
const codesWithBalance: ReadonlySet<ResponseCode> = new Set(['00', '51', '61']);

/** The balance in the payment's currency, as the host API writes amounts, what is too fine for it left out. */
const balanceOf = (left: bigint, currency: string): Readonly<Record<string, string>> => {
  // Amounts of the host API have two decimals: the third of a currency with three is always zero.
  const step = exponentOf(currency) === 3 ? 10n : 1n;
  const minor = (left / (unitWorth(currency) * step)) * step;
  // Below zero only after a forced approval: then there is nothing on it.
  return { Balance: printAmount({ minor: minor < 0n ? 0n : minor, currency }), BalanceCurrency: currency };
};
