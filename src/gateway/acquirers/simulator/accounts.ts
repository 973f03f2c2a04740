/** Whom the simulated issuers know: the test cards, and every other plausible number as an ordinary rich account. */
import { type Brand, brandOfPan } from '../../../emv/brands.ts';
import { luhnIsValid } from '../../../emv/luhn.ts';
import { type TestCard, testCards } from '../../../emv/test-cards.ts';
import { type BillingAddress, testAddress } from './avs.ts';

/** An account's fixed facts. Amounts are euro cents, and their like in the currency of a payment (`worth.ts`). */
export type IssuerAccount = Pick<TestCard, 'pan' | 'psn' | 'brand' | 'pin' | 'account' | 'availableMinor'> & {
  /** What it can spend has no end. */
  readonly endless?: boolean;
  /** YYMM; absent where any date that has not passed will do. */
  readonly expiry?: string;
  /** The most one payment may take; response 61 above it. */
  readonly perTransactionMinor?: bigint;
  /** How many payments a UTC day may see; response 65 above it. */
  readonly perDay?: number;
  /** `none`: the issuer knows no address. Absent: the test address. */
  readonly address?: BillingAddress | 'none';
};

/** What still holds when a known account is charged again without its card. */
export type AccountRules = Pick<IssuerAccount, 'account' | 'endless' | 'expiry' | 'perTransactionMinor' | 'perDay'>;

export const defaultAccounts: readonly IssuerAccount[] = Object.values<TestCard>(testCards);

/** 25,000.00, for accounts that say nothing else. */
export const perTransactionDefaultMinor = 2_500_000n;

/** 10,000,000.00 */
const richMinor = 1_000_000_000n;

export type AccountLookup = { kind: 'account'; account: IssuerAccount } | { kind: 'unknown' } | { kind: 'misdialled' };

/** Looks numbers up. A number nobody issued has a wrong check digit (`misdialled`) or no brand (`unknown`). */
export const accountBook = (accounts: readonly IssuerAccount[]): ((pan: string) => AccountLookup) => {
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

/** The rules of accounts by the key that stands for their number; of what nobody listed, those of a rich account. */
export const ruleBook = (
  accounts: readonly IssuerAccount[],
  keyOf: (pan: string) => string,
): ((accountKey: string | undefined) => AccountRules) => {
  const byKey = new Map<string | undefined, AccountRules>(accounts.map((account) => [keyOf(account.pan), account]));
  return (accountKey) => byKey.get(accountKey) ?? { account: 'open' };
};

/** The address on file, for comparison. */
export const addressOf = ({ address = testAddress }: Pick<IssuerAccount, 'address'>): BillingAddress | undefined =>
  address === 'none' ? undefined : address;
