/** An online shop in front of the simulator: requests with methods other than cards, and the resulting balances. */
import { money } from '../../../../src/base/money.ts';
import { openLedger } from '../../../../src/gateway/acquirers/simulator/ledger.ts';
import type { PendingContext } from '../../../../src/gateway/acquirers/simulator/methods/shopper-decision.ts';
import type { Authorisation } from '../../../../src/gateway/payments/acquirer.ts';
import type { AcquirerAnswer } from '../../../../src/gateway/spec/acquirer-answer.ts';
import type { AccountKind } from '../../../../src/gateway/spec/brands.ts';
import { documents, type Memory, NOW, nextId, seededRandom } from '../shop-counter.ts';

export type RequestParts = {
  id?: string;
  type?: 'PA' | 'DB' | 'CD';
  minor?: bigint;
  currency?: string;
  brand?: string;
  custom?: Readonly<Record<string, string>>;
  at?: number;
};

/** A debit of 12.50 EUR by default. Parameters are given without their section: `iban` for `bankAccount.iban`. */
export const request = (
  account: AccountKind,
  parameters: Readonly<Record<string, string>>,
  parts: RequestParts = {},
): Authorisation => ({
  id: parts.id ?? nextId(),
  paymentType: parts.type ?? 'DB',
  amount: money(parts.minor ?? 1_250n, parts.currency ?? 'EUR'),
  account,
  paymentBrand: parts.brand,
  parameters: Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [/^shopper|\./.test(name) ? name : `${account}.${name}`, value]),
  ),
  customParameters: parts.custom ?? {},
  at: parts.at ?? NOW,
});

/** The balances of all purses, thousandths of a unit. */
export const purseBalances = (memory: Memory): bigint[] =>
  documents(memory, 'purse').map(({ available }) => BigInt(String(available)));

/** The context for a shopper's decision, over the same memory as the acquirer. */
export const pendingRooms = (memory: Memory): PendingContext => ({
  ledger: openLedger(memory),
  clock: { now: () => NOW, monotonic: () => 0, after: () => () => undefined },
  random: seededRandom(7),
});

/** The answer in short: the result code and the bank's own code. */
export const codesOf = ({ resultCode, details }: AcquirerAnswer): string =>
  [resultCode, details['AcquirerResponse']].filter(Boolean).join(' ');
