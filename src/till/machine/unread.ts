/**
 * What a version does with an entry that it does not know. Each kind of entry about a sale is ignorable or critical,
 * and so is each field that was added to a kind later; the entry itself says so, for versions made before it. An
 * ignorable one can be skipped. After a critical one no version that does not know it may touch the sale.
 */
import type { SaleEventName } from './events.ts';
import { operations } from './operations.ts';

/** A new kind is critical unless a sale is the same without it. */
export const kinds: Readonly<Record<SaleEventName, 'critical' | 'ignorable'>> = {
  intended: 'critical',
  cardPresented: 'critical',
  amountFixed: 'critical',
  cardRead: 'critical',
  cardNotRead: 'critical',
  cancelAsked: 'critical',
  hostApproved: 'critical',
  hostDeclined: 'critical',
  hostRefused: 'critical',
  hostOtherMode: 'critical',
  hostNotReached: 'critical',
  hostSilent: 'critical',
  chipApproved: 'critical',
  chipDeclined: 'critical',
  chipGone: 'critical',
  chipNotAsked: 'critical',
  reversed: 'critical',
  forwarded: 'critical',
  withdrawn: 'critical',
  nothingToFollow: 'critical',
  terminalNoted: 'critical',
  terminalTook: 'critical',
  terminalUnready: 'critical',
  terminalApproved: 'critical',
  terminalDeclined: 'critical',
  terminalNotBegun: 'critical',
  terminalSilent: 'critical',
  terminalUnchanged: 'critical',
  terminalUnclear: 'critical',
  terminalReversed: 'critical',
  personSaid: 'critical',
  // Evidence: it changes nothing by itself.
  asked: 'ignorable',
  approvedLate: 'critical',
  cardDataExpired: 'critical',
  movedTo: 'critical',
  // The sale stays declined or not sent, whoever covers its money.
  unpaidEnded: 'ignorable',
  restarted: 'critical',
};

/**
 * Fields that were added to a kind after it was first written, and without which it must not be read: dotted paths in
 * the entry. Versions that do not know an added field that is not listed here can skip it.
 */
export const criticalFields: Readonly<Partial<Record<SaleEventName, readonly string[]>>> = {};

/** Values that decide what a sale is: any other value makes its entry critical and unknown. */
const deciding: Readonly<Partial<Record<SaleEventName, Readonly<Record<string, readonly unknown[]>>>>> = {
  intended: { 'intent.operation': Object.keys(operations), 'intent.by': [undefined, 'terminal'] },
  cardRead: {
    decision: ['goOnline', 'approvedOffline', 'declinedOffline'],
    'offline.kind': ['allowed', 'refused'],
  },
  hostOtherMode: { answered: ['test', 'live'] },
  reversed: { how: ['reversed', 'notFound', 'notApproved'] },
  terminalReversed: { how: ['reversed', 'refused', 'other'] },
};

/** Everything that determines an entry's meaning: two versions with the same text read the same journal alike. */
export const readingText = JSON.stringify([kinds, criticalFields, deciding]);

type Fields = Readonly<Record<string, unknown>>;

const isKind = (kind: unknown): kind is SaleEventName => typeof kind === 'string' && Object.hasOwn(kinds, kind);

type Decider = { readonly path: string; readonly names: readonly string[]; readonly values: readonly unknown[] };

/** Prepared once: a start of the till reads every entry. */
const deciders: Readonly<Partial<Record<string, readonly Decider[]>>> = Object.fromEntries(
  Object.entries(deciding).map(([kind, fields]) => [
    kind,
    Object.entries(fields).map(([path, values]) => ({ path, names: path.split('.'), values })),
  ]),
);

const fieldIn = (event: unknown, names: readonly string[]): unknown => {
  let at = event;
  for (const name of names) at = typeof at === 'object' && at !== null ? (at as Fields)[name] : undefined;
  return at;
};

/** The marks that an entry gets besides its fields. `fields`: those of another version. */
export const marksOf = (event: { readonly on: SaleEventName }, fields = criticalFields): Fields => {
  const critical = (fields[event.on] ?? []).filter((path) => fieldIn(event, path.split('.')) !== undefined);
  return {
    ignorable: kinds[event.on] === 'ignorable' || undefined,
    critical: critical.length > 0 ? critical : undefined,
  };
};

/** The name of what is unknown in an entry; undefined if everything that counts is known. `fields`: as in `marksOf`. */
export const unreadIn = (event: Fields, fields = criticalFields): { what: string; isCritical: boolean } | undefined => {
  const { on, ignorable, critical = [] } = event;
  if (!isKind(on)) return { what: String(on), isCritical: ignorable !== true };
  const known = fields[on] ?? [];
  const field = Array.isArray(critical) ? critical.find((path) => !known.includes(String(path))) : 'critical';
  if (field !== undefined) return { what: `${on}.${String(field)}`, isCritical: true };
  const other = deciders[on]?.find(({ names, values }) => !values.includes(fieldIn(event, names)));
  return other && { what: `${on}.${other.path}`, isCritical: true };
};
