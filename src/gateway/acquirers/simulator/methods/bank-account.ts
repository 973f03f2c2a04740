/** Bank accounts: debited directly, asked for a transfer, or confirmed by the shopper at his bank (spec 2.8). */
import { codes } from '../../../../base/result-codes.ts';
import { brandOf } from '../../../spec/brands.ts';
import { ibanIsValid } from '../../../spec/iban.ts';
import type { Authorisation } from '../../acquirer.ts';
import {
  euros,
  type MethodAccount,
  type MethodRefusal,
  type MethodVerdict,
  missing,
  rich,
  type SimulatedMethod,
} from './method.ts';
import { visitOf } from './visit.ts';

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
 * Reads a bank account by its brand: PREPAYMENT, one that the shopper confirms at his bank, or else a direct debit. A
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
  const stands = against ?? (unmandated ? noMandate : undefined);
  return { purse: { number, opening }, ...(stands && { against: stands }), shortOfFunds };
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

/** What the shopper writes on his transfer, so that it can be matched: letters and digits in groups of four. */
const usageOf = (id: string): string =>
  id
    .slice(-12)
    .toUpperCase()
    .replace(/.{4}(?=.)/g, '$& ');

/** The shopper chooses his account at his bank unless the request names it already. */
const onlineTransfer = (request: Authorisation): MethodAccount | MethodRefusal => {
  const number = numberOf(request);
  if (number !== undefined && typeof number !== 'string') return number;
  const visit = visitOf(request);
  if ('refused' in visit) return visit;
  if (number === undefined) return { visit };
  const { opening, against }: TestAccount = testBankAccounts.get(number) ?? { opening: rich };
  return { purse: { number, opening }, visit, ...(against && { against }), shortOfFunds };
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
