/** Tokens that stand for a card, issued by an outside provider or by the card network itself (spec 2.9). */
import { codes } from '../../../../base/result-codes.ts';
import { brandOfPan } from '../../../../emv/brands.ts';
import { luhnIsValid } from '../../../../emv/luhn.ts';
import type { Authorisation } from '../../../payments/acquirer.ts';
import { isPast } from '../request.ts';
import {
  euros,
  type MethodAccount,
  type MethodVerdict,
  refuseMissing,
  type SimulatedMethod,
  unlimitedFunds,
} from './method.ts';

/** Network tokens by their expiry year, as in public test data; a token with any other year is active. */
export const testExpiryYears: ReadonlyMap<string, MethodVerdict> = new Map<string, MethodVerdict>([
  ['2032', { code: '57' }],
  ['2033', { code: '12' }],
]);

type TestToken = { openingBalance?: bigint; decline?: MethodVerdict };

/** By token number, for both types. */
export const testTokens: ReadonlyMap<string, TestToken> = new Map<string, TestToken>([
  ['4895370000000056', { openingBalance: euros(10n) }],
  ['4895370000000064', { decline: { code: '62' } }],
  ['4895370000000072', { decline: { code: '14' } }],
]);

/** A network token that can be charged only with a cryptogram or a verification code. */
export const strictToken = '4895370000000080';

/**
 * Reads the token and its cryptogram or verification code. With either, a network token makes the stronger
 * authorisation; without them a weaker one, which the issuer accepts too except for the strict token. The details tell
 * which it was.
 */
export const tokenAccount: SimulatedMethod = (request) => {
  const { parameters } = request;
  const number = parameters['tokenAccount.number'];
  if (!number) return refuseMissing('tokenAccount.number');
  if (!luhnIsValid(number))
    return { refused: codes.accountNumberInvalid, why: 'tokenAccount.number has a wrong check digit.' };
  const brand = brandOfPan(number);
  if (brand === undefined) return { refused: codes.brandInvalid, why: 'tokenAccount.number has no known brand.' };
  const expiry = expiryOf(parameters);
  const { openingBalance = unlimitedFunds }: TestToken = testTokens.get(number) ?? {};
  const proof = proofOf(parameters);
  const decline = tokenVerdict(request, { number, proof });
  return {
    purse: { number, openingBalance },
    decline,
    echo: expiry && echoOf(brand, number, expiry),
    detailsFor: () => ({ TokenAuthentication: proof }),
  };
};

type Expiry = { month: string; year: string };

const expiryOf = (parameters: Authorisation['parameters']): Expiry | undefined => {
  const month = parameters['tokenAccount.expiryMonth'];
  const year = parameters['tokenAccount.expiryYear'];
  return month && year ? { month, year } : undefined;
};

/** The authentication sent with a network token. An outside provider's token has none. */
const proofOf = (parameters: Authorisation['parameters']): 'cryptogram' | 'dtvc' | 'none' => {
  if (parameters['tokenAccount.type'] !== 'NETWORK') return 'none';
  if (parameters['tokenAccount.cryptogram']) return 'cryptogram';
  return parameters['tokenAccount.dtvc'] ? 'dtvc' : 'none';
};

/** A value of zeros is wrong, like a security code of zeros; any other value is right. */
const isZeros = (proof: string | undefined): boolean =>
  proof !== undefined && (/^0+$/.test(proof) || /^A{4,}={0,2}$/.test(proof));

const tokenVerdict = (
  { parameters, at }: Authorisation,
  { number, proof }: { number: string; proof: ReturnType<typeof proofOf> },
): MethodVerdict | undefined => {
  const expiry = expiryOf(parameters);
  const network = parameters['tokenAccount.type'] === 'NETWORK';
  if (expiry && isPast(expiry, at)) return { code: '54' };
  const byYear = network && expiry ? testExpiryYears.get(expiry.year) : undefined;
  if (byYear) return byYear;
  if (proof !== 'none' && isZeros(parameters[`tokenAccount.${proof}`])) return { code: '82' };
  if (number === strictToken && proof === 'none') return { code: '1A' };
  return testTokens.get(number)?.decline;
};

const echoOf = (
  brand: NonNullable<MethodAccount['echo']>['brand'],
  number: string,
  { month, year }: Expiry,
): NonNullable<MethodAccount['echo']> => ({
  brand,
  bin: number.slice(0, 6),
  last4Digits: number.slice(-4),
  expiryMonth: month,
  expiryYear: year,
});
