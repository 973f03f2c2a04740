/**
 * The content of the tills' till.json: four limits on every other day, as in older files, and all limits on the rest.
 */
import { REQUEST_LIFE_MS, TIMEOUT_MS } from './till-run.ts';

type Cap = { readonly total?: bigint; readonly count?: number };

/** In minor units. Undefined means no cap. */
export type KindLimits = Cap & {
  readonly upTo: bigint;
  readonly perCard?: Cap;
  readonly perCashier?: Cap;
  readonly perHour?: Cap;
};
export type Limits = Cap & {
  readonly chip: KindLimits;
  readonly deferred: KindLimits;
  readonly refunds?: Cap & { readonly upTo: bigint };
};

const plainLimits: Limits = { chip: { upTo: 4_000n }, deferred: { upTo: 3_000n }, total: 20_000n, count: 10 };

const full: Limits = {
  chip: {
    ...{ upTo: 4_000n, total: 14_000n, count: 7 },
    perCard: { total: 9_000n, count: 5 },
    perCashier: { total: 10_000n, count: 6 },
    perHour: { total: 8_000n, count: 4 },
  },
  deferred: {
    ...{ upTo: 3_000n, total: 9_000n, count: 5 },
    perCard: { total: 8_000n, count: 4 },
    perCashier: { total: 8_000n, count: 4 },
    perHour: { total: 6_000n, count: 3 },
  },
  refunds: { upTo: 1_500n, total: 3_000n, count: 3 },
  total: 18_000n,
  count: 9,
};

export const limitsOf = (seed: number): Limits => (seed % 2 === 0 ? plainLimits : full);

/** An amount as till.json writes it. */
const write = (value: unknown): unknown => {
  if (typeof value === 'bigint') return `${value / 100n}.${String(value % 100n).padStart(2, '0')}`;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, write(each)]));
};

/** Older files have four limits with other names. */
const offlineOf = (seed: number): object => {
  const limits = limitsOf(seed);
  const operations = ['sale', 'preauthorisation', 'increment', 'completion', 'void', 'release'];
  if (limits === full) return { ...(write(limits) as object), operations, withoutDataAuthentication: true };
  const { chip, deferred, ...together } = limits;
  return write({ chipUpTo: chip.upTo, deferredUpTo: deferred.upTo, ...together }) as object;
};

type ConfigOptions = { seed: number; terminalId: string; isIntegrated: boolean };

export const configOf = ({ seed, terminalId, isIntegrated }: ConfigOptions): object => ({
  merchant: { name: 'SIMULATED SHOP', address: ['1 Seed Street'], id: '000000012345678' },
  currency: 'EUR',
  terminalId,
  ...(isIntegrated && { terminal: 'zvt+tcp://127.0.0.1:1' }),
  gateway: { entityId: 'e'.repeat(32), timeoutMs: TIMEOUT_MS, requestLifeMs: REQUEST_LIFE_MS },
  offline: offlineOf(seed),
});

/** The secrets of the till with this number. */
export const secretsOf = (number: number): object => ({
  token: 'simulation',
  tillKey: `5${number}`.repeat(32),
  signingKey: `6${number}`.repeat(32),
});
