/**
 * The accounts of the simulated issuers: the test cards, and every other valid card number as an ordinary account with
 * ample funds.
 */
import { type Brand, brandOfPan } from '../../../emv/brands.ts';
import { luhnIsValid } from '../../../emv/luhn.ts';
import { type TestCard, testCards } from '../../../emv/test-cards.ts';

/** The fixed facts of an account. Amounts are euro cents; `worth.ts` converts them to the currency of a payment. */
export type IssuerAccount = Pick<TestCard, 'pan' | 'psn' | 'brand' | 'pin' | 'account' | 'availableMinor'> & {
  /** The account's funds never run out. */
  readonly endless?: boolean;
  /** YYMM. Absent if any date that has not passed is accepted. */
  readonly expiry?: string;
  /** The maximum amount of one payment; response 61 above it. */
  readonly perTransactionMinor?: bigint;
  /** The maximum number of payments in a UTC day; response 65 above it. */
  readonly perDay?: number;
  /** `none`: the issuer knows no address. Absent: the test address. */
  readonly address?: BillingAddress | 'none';
};

/** The rules that still apply when a known account is charged again without its card. */
export type AccountRules = Pick<IssuerAccount, 'account' | 'endless' | 'expiry' | 'perTransactionMinor' | 'perDay'>;

export const defaultAccounts: readonly IssuerAccount[] = Object.values<TestCard>(testCards);

/** 25,000.00 for accounts without a limit of their own. */
export const perTransactionDefaultMinor = 2_500_000n;

/** 10,000,000.00 */
const richMinor = 1_000_000_000n;

export type AccountLookup = { kind: 'account'; account: IssuerAccount } | { kind: 'unknown' } | { kind: 'misdialled' };

/** Looks numbers up. A number without an issuer has a wrong check digit (`misdialled`) or no brand (`unknown`). */
export const createAccountLookup = (accounts: readonly IssuerAccount[]): ((pan: string) => AccountLookup) => {
  const byPan = new Map(accounts.map((account) => [account.pan, account]));
  return (pan) => {
    const known = byPan.get(pan);
    if (known !== undefined) return { kind: 'account', account: known };
    if (!/^\d{12,19}$/.test(pan) || !luhnIsValid(pan)) return { kind: 'misdialled' };
    const brand: Brand | undefined = brandOfPan(pan);
    if (brand === undefined) return { kind: 'unknown' };
    return {
      kind: 'account',
      account: { pan, psn: '00', brand, pin: '1234', account: 'open', availableMinor: richMinor },
    };
  };
};

/** The rules of accounts by their hashed number; an unlisted account gets those of an ordinary one. */
export const createRuleLookup = (
  accounts: readonly IssuerAccount[],
  keyOf: (pan: string) => string,
): ((accountKey: string | undefined) => AccountRules) => {
  const byKey = new Map<string | undefined, AccountRules>(accounts.map((account) => [keyOf(account.pan), account]));
  return (accountKey) => byKey.get(accountKey) ?? { account: 'open' };
};

/** The address on file, for comparison. */
export const addressOf = ({ address = testAddress }: Pick<IssuerAccount, 'address'>): BillingAddress | undefined =>
  address === 'none' ? undefined : address;

// Address verification compares the billing address that the merchant sent with the address on file.

/** An account's address as its issuer knows it. */
type BillingAddress = { readonly street1: string; readonly postcode: string };

/** The address on file of every account without one of its own. */
export const testAddress: BillingAddress = { street1: '1 Test Street', postcode: '12345' };

/**
 * One letter for the host API's result.avsResponse (spec 2.35): F both match, A the address only, Z the postcode only,
 * N neither, U no address to compare with. Undefined if the parameters contain neither billing.street1 nor
 * billing.postcode; a field that was not sent does not match. Case and spaces make no difference.
 */
export const avsResponseOf = (
  parameters: Readonly<Record<string, string>>,
  onFile: BillingAddress | undefined,
): string | undefined => {
  const street = parameters['billing.street1'] ?? '';
  const postcode = parameters['billing.postcode'] ?? '';
  if (street === '' && postcode === '') return undefined;
  if (onFile === undefined) return 'U';
  const streetMatches = normalise(street) === normalise(onFile.street1);
  const postcodeMatches = normalise(postcode) === normalise(onFile.postcode);
  if (streetMatches) return postcodeMatches ? 'F' : 'A';
  return postcodeMatches ? 'Z' : 'N';
};

const normalise = (text: string): string => text.replace(/\s+/g, '').toUpperCase();
