/** Tokens that stand for a card, of an outside provider or of the card network itself (spec 2.9). */
import { codes } from '../../../../base/result-codes.ts';
import { brandOfPan } from '../../../../emv/brands.ts';
import { luhnIsValid } from '../../../../emv/luhn.ts';
import type { Authorisation } from '../../../payments/acquirer.ts';
import { isPast } from '../request.ts';
import { euros, type MethodAccount, type MethodVerdict, missing, rich, type SimulatedMethod } from './method.ts';

/** Network tokens by the year of their expiry, as public test data has them; every other year is an active one. */
export const testExpiryYears: ReadonlyMap<string, MethodVerdict> = new Map<string, MethodVerdict>([
  ['2032', { code: '57' }],
  ['2033', { code: '12' }],
]);

type TestToken = { opening?: bigint; against?: MethodVerdict };

/** By token number, of both types. */
export const testTokens: ReadonlyMap<string, TestToken> = new Map<string, TestToken>([
  ['4895370000000056', { opening: euros(10n) }],
  ['4895370000000064', { against: { code: '62' } }],
  ['4895370000000072', { against: { code: '14' } }],
]);

/** A network token that is charged only with proof of the moment. */
export const strictToken = '4895370000000080';

/**
 * Reads token and proof. A network token's cryptogram or verification code makes the stronger authorisation; without
 * either it is a weaker one that the issuer takes too, but for the strict token. The details say which it was.
 */
export const tokenAccount: SimulatedMethod = (request) => {
  const { parameters } = request;
  const number = parameters['tokenAccount.number'];
  if (!number) return missing('tokenAccount.number');
  if (!luhnIsValid(number))
    return { refused: codes.accountNumberInvalid, why: 'tokenAccount.number has a wrong check digit.' };
  const brand = brandOfPan(number);
  if (brand === undefined) return { refused: codes.brandInvalid, why: 'tokenAccount.number is of no known brand.' };
  const expiry = expiryOf(parameters);
  const { opening = rich }: TestToken = testTokens.get(number) ?? {};
  const proof = proofOf(parameters);
  const against = tokenVerdict(request, { number, proof });
  return {
    purse: { number, opening },
    against,
    echo: expiry && echoOf(brand, number, expiry),
    tells: () => ({ TokenAuthentication: proof }),
  };
};

type Expiry = { month: string; year: string };

const expiryOf = (parameters: Authorisation['parameters']): Expiry | undefined => {
  const month = parameters['tokenAccount.expiryMonth'];
  const year = parameters['tokenAccount.expiryYear'];
  return month && year ? { month, year } : undefined;
};

/** What comes with a network token beyond itself. An outside provider's token has no such proof. */
const proofOf = (parameters: Authorisation['parameters']): 'cryptogram' | 'dtvc' | 'none' => {
  if (parameters['tokenAccount.type'] !== 'NETWORK') return 'none';
  if (parameters['tokenAccount.cryptogram']) return 'cryptogram';
  return parameters['tokenAccount.dtvc'] ? 'dtvc' : 'none';
};

/** Proofs of zeros only are wrong, as a security code of zeros is; every other one is right. */
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
  return testTokens.get(number)?.against;
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
