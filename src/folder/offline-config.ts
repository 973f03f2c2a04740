/**
 * The `offline` part of till.json: a readable format, and what each key means to the till. Older files keep their
 * meaning.
 */
import * as z from 'zod';
import { wantWords } from '../base/field-wants.ts';
import { parseAmount } from '../base/money.ts';
import {
  type Cap,
  cappedBrands,
  type GroupCaps,
  type KindLimits,
  type OfflineLimits,
  STANDARD_KEEP_FREE_BYTES,
  standardOperations,
} from '../till/offline/limits.ts';
import { unknownIn } from './unknown-keys.ts';

const amount = z.string().regex(/^\d{1,10}\.\d{2}$/, wantWords.wholeAmount);
const count = z.int(wantWords.whole).min(0).max(10_000);

const cap = { total: amount.optional(), count: count.optional() };
const group = z.strictObject({ upTo: amount.optional(), ...cap }).optional();
const groups = (names: readonly string[]) =>
  z.strictObject(Object.fromEntries(names.map((name) => [name, group]))).optional();

const kind = z.strictObject({
  /** The limit for one sale; 0.00 switches this kind off. */
  upTo: amount,
  /** Limits for what is waiting to be sent: in total, per card, per cashier. */
  ...cap,
  perCard: z.strictObject(cap).optional(),
  perCashier: z.strictObject(cap).optional(),
  /** Limits for what was taken in the last hour, and today. */
  perHour: z.strictObject(cap).optional(),
  perDay: z.strictObject(cap).optional(),
  brands: groups(cappedBrands),
  /** The type of the card, as far as its application reveals it. */
  cardTypes: groups(['debit', 'credit', 'prepaid', 'unknown']),
  entryModes: groups(['ICC', 'NFC_ICC']),
});

const currentSchema = z.strictObject({
  /** The chip approves offline. */
  chip: kind,
  /** The store takes the risk of an authorisation that is sent later. */
  deferred: kind,
  /** Both kinds together. */
  ...cap,
  /** The longest time without an answer of the gateway. */
  hours: z.number().positive().max(8_760).optional(),
  operations: z.array(z.enum(['sale', 'preauthorisation', 'increment', 'completion', 'void', 'release'])).optional(),
  /** Refunds waiting to be sent; 0.00 allows none. */
  refunds: z.strictObject({ upTo: amount, ...cap }).optional(),
  keepFreeMegabytes: z.int().min(0).max(1_000_000).optional(),
  /** Also accepts cards whose data the terminal did not authenticate, as long as authentication did not fail. */
  withoutDataAuthentication: z.boolean().optional(),
});

/** The format when there were only four limits. */
const olderSchema = z.looseObject({ chipUpTo: amount, deferredUpTo: amount, total: amount, count });

export type OfflineConfig = z.output<typeof currentSchema>;

const upgradeFormat = (value: unknown, context: z.RefinementCtx): unknown => {
  if (typeof value !== 'object' || value === null || !('chipUpTo' in value || 'deferredUpTo' in value)) return value;
  const read = olderSchema.safeParse(value);
  if (!read.success) {
    for (const { path, message } of read.error.issues)
      context.issues.push({ code: 'custom', path: [...path], message, input: value });
    return z.NEVER;
  }
  const { chipUpTo, deferredUpTo, ...together } = read.data;
  const withoutDataAuthentication = true;
  return { chip: { upTo: chipUpTo }, deferred: { upTo: deferredUpTo }, ...together, withoutDataAuthentication };
};

export const offlineShape = z.preprocess(upgradeFormat, currentSchema);

/** Off until the store sets limits. */
export const firstOffline: OfflineConfig = { chip: { upTo: '0.00' }, deferred: { upTo: '0.00' } };

/** Every amount in it, at any depth. */
export const amountsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return amount.safeParse(value).success ? [value] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(amountsIn) : [];
};

/** Throws `amount.malformed` when an amount does not fit this currency. */
export const offlineLimitsOf = (offline: OfflineConfig, currency: string): OfflineLimits => {
  const minor = (text: string): bigint => parseAmount(text, currency).minor;
  const capOf = (caps: { total?: string | undefined; count?: number | undefined } = {}): Cap => ({
    minor: caps.total === undefined ? undefined : minor(caps.total),
    count: caps.count,
  });
  const groupsOf = (named: OfflineConfig['chip']['brands'] = {}): GroupCaps =>
    Object.fromEntries(
      Object.entries(named).map(([name, caps]) => [
        name,
        { ...capOf(caps), upToMinor: caps?.upTo === undefined ? undefined : minor(caps.upTo) },
      ]),
    );
  // This version cannot apply an unknown limit, so it takes nothing that might exceed it.
  const isUnknown = unknownIn(offline).some(({ path, what }) => what === 'key' && !/^(chip|deferred)\./.test(path));
  const upTo = (of: { upTo: string }): bigint =>
    isUnknown || unknownIn(of).some(({ what }) => what === 'key') ? 0n : minor(of.upTo);
  const kindOf = (of: OfflineConfig['chip']): KindLimits => ({
    upToMinor: upTo(of),
    total: capOf(of),
    perCard: capOf(of.perCard),
    perCashier: capOf(of.perCashier),
    perHour: capOf(of.perHour),
    perDay: capOf(of.perDay),
    brands: groupsOf(of.brands),
    cardTypes: groupsOf(of.cardTypes),
    entryModes: groupsOf(of.entryModes),
  });
  const { hours, keepFreeMegabytes, refunds = { upTo: '0.00' } } = offline;
  return {
    currency,
    chip: kindOf(offline.chip),
    deferred: kindOf(offline.deferred),
    together: capOf(offline),
    operations: offline.operations ?? standardOperations,
    refunds: { upToMinor: upTo(refunds), ...capOf(refunds) },
    windowMs: hours === undefined ? undefined : Math.round(hours * 3_600_000),
    keepFreeBytes: keepFreeMegabytes === undefined ? STANDARD_KEEP_FREE_BYTES : keepFreeMegabytes * 1024 * 1024,
    withoutDataAuthentication: offline.withoutDataAuthentication ?? false,
  };
};
