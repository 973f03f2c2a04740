/**
 * The store's offline limits one by one: what is set, used and left. Several can be changed at once, with immediate
 * effect.
 */

import type { LimitSetting, LimitsReport, LimitsState } from '../api/contract/limits.ts';
import type { Actor } from '../api/ports/session.ts';
import { Malformed } from '../api/problems.ts';
import { HOUR_MS } from '../base/clock.ts';
import { errorText, isFault } from '../base/fault.ts';
import { type WrongField, wrongFieldsOf } from '../base/field-wants.ts';
import type { LocalizedMessage } from '../base/localized-message.ts';
import { type OfflineConfig, offlineLimitsOf, offlineShape } from '../folder/offline-config.ts';
import { decimal } from '../reconciliation/report.ts';
import type { Objection } from '../till/offline/card.ts';
import type { Cap, KindExposure, OfflineLimits, Sum } from '../till/offline/limits.ts';
import { standardOperations } from '../till/offline/limits.ts';
import { changeLimits, withLimit } from './change.ts';
import type { OfflineReadiness } from './decision.ts';
import type { LimitsParts } from './port.ts';
import { type CardsTaken, type Judgement, judge, recentCards } from './recent-cards.ts';
import { offlineReport } from './report.ts';

export type LimitChanges = Readonly<Record<string, string>>;

export type LimitsService = {
  state(): LimitsState;
  report(): Promise<LimitsReport>;
  /**
   * Changes all of them or none. Throws `request.malformed` with the name of each invalid limit, or
   * `journal.unwritable`.
   */
  change(changes: LimitChanges, actor: Actor): LimitsState;
  /** The limits as these changes would make them, without changing anything. Throws as `change` does. */
  withChanges(changes: LimitChanges): OfflineLimits;
};

export const openLimitsService = ({ running, dataDir, ids, events, clock }: LimitsParts): LimitsService => {
  const { currency } = running.config;
  let offline = running.config.offline;
  const judged = () => {
    const readiness = running.offline.readiness();
    return [readiness, judge(recentCards(running, clock.now()), readiness)] as const;
  };
  const state = (): LimitsState => stateOf(offline, ...judged());
  return {
    state,
    async report() {
      const online = await running.isGatewayReachable();
      return { online, ...offlineReport(...judged()) };
    },
    change(changes, actor) {
      const who = actor.name ?? actor.program;
      change(offline, changes, currency);
      const before = { folder: dataDir, journal: running.journal, by: who, ids };
      offline = changeLimits(before, (configured) => change(configured, changes, currency));
      // Not reached when the file could not be written: the previous limits then stay in force.
      running.offline.holdTo(offlineLimitsOf(offline, currency));
      events.tell({ on: 'changed', what: 'limits' });
      return state();
    },
    withChanges: (changes) => offlineLimitsOf(change(offline, changes, currency), currency),
  };
};

const change = (offline: OfflineConfig, changes: LimitChanges, currency: string): OfflineConfig => {
  const wrong = Object.entries(changes).flatMap(([name, text]) => {
    const wants = objectionTo(offline, [name, text], currency);
    return wants === undefined ? [] : [{ ...wants, name }];
  });
  if (wrong.length > 0) throw new Malformed(wrong);
  const all = Object.entries(changes).reduce<unknown>(
    (so, [name, text]) => withLimit(so as OfflineConfig, name, text.trim()),
    offline,
  );
  return offlineShape.parse(all);
};

/** Checks each change alone, so that the error names the wrong one. */
const objectionTo = (
  offline: OfflineConfig,
  [name, text]: [string, string],
  currency: string,
): Omit<WrongField, 'name'> | undefined => {
  try {
    const { success, error, data } = offlineShape.safeParse(withLimit(offline, name, text.trim()));
    if (!success) return wrongFieldsOf(error.issues)[0];
    offlineLimitsOf(data, currency);
    return undefined;
  } catch (error) {
    if (isFault(error, 'command.malformed', 'amount.malformed')) return { says: errorText(error) };
    throw error;
  }
};

const stateOf = (offline: OfflineConfig, readiness: OfflineReadiness, judged: Judgement): LimitsState => ({
  settings: settingsOf(offline, readiness),
  written: { ...offline },
  ready: judged.ready,
  why: judged.why && objectionMessage(judged.why),
  cards: judged.cards && localizedCards(judged.cards),
});

const localizedCards = ({ why, ...cards }: CardsTaken): NonNullable<LimitsState['cards']> => ({
  ...cards,
  why: why && objectionMessage(why),
});

const objectionMessage = ({ code, why }: Objection): LocalizedMessage => ({ code: `offline.${code}`, says: why });

const settingsOf = (offline: OfflineConfig, { limits, exposure, moment }: OfflineReadiness): LimitSetting[] => {
  const { chip, deferred } = exposure;
  const { currency } = limits;
  const cap = (key: string, { cap: most, usedSum }: Measured): LimitSetting[] =>
    capRows(key, { cap: most, usedSum, currency });
  const both = { minor: chip.total.minor + deferred.total.minor, count: chip.total.count + deferred.total.count };
  return [
    ...kindRows('chip', { limits, usedSum: chip, offline }),
    ...kindRows('deferred', { limits, usedSum: deferred, offline }),
    ...cap('', { cap: limits.together, usedSum: both }),
    { key: 'refunds.upTo', kind: 'amount', value: decimal(limits.refunds.upToMinor, currency) },
    ...cap('refunds.', { cap: limits.refunds, usedSum: exposure.refunds }),
    hoursRow(limits, moment),
    keptFreeRow(limits, moment),
    { key: 'operations', kind: 'list', value: (offline.operations ?? standardOperations).join(',') },
    { key: 'withoutDataAuthentication', kind: 'switch', value: limits.withoutDataAuthentication ? 'yes' : 'no' },
  ];
};

const NONE = 'none';

/** `used` is absent where it depends on the card. */
type Measured = { cap: Cap; usedSum?: Sum | undefined };

/** Two rows, for a sum of money and for a number of sales, each with what is used of it. */
const capRows = (prefix: string, { cap, usedSum, currency }: Measured & { currency: string }): LimitSetting[] => {
  const { minor, count } = cap;
  const left =
    minor === undefined || usedSum === undefined ? undefined : minor > usedSum.minor ? minor - usedSum.minor : 0n;
  return [
    {
      key: `${prefix}total`,
      kind: 'amount',
      value: minor === undefined ? NONE : decimal(minor, currency),
      used: usedSum && decimal(usedSum.minor, currency),
      left: left === undefined ? undefined : decimal(left, currency),
    },
    {
      key: `${prefix}count`,
      kind: 'count',
      value: count === undefined ? NONE : String(count),
      used: usedSum && String(usedSum.count),
      left: usedSum && count !== undefined ? String(Math.max(0, count - usedSum.count)) : undefined,
    },
  ];
};

type Kind = { limits: OfflineLimits; usedSum: KindExposure; offline: OfflineConfig };

const kindRows = (kind: 'chip' | 'deferred', { limits, usedSum, offline }: Kind): LimitSetting[] => {
  const { currency } = limits;
  const of = limits[kind];
  const rows = (name: string, cap: Cap, sum?: Sum): LimitSetting[] =>
    capRows(`${kind}.${name}`, { cap, usedSum: sum, currency });
  return [
    { key: `${kind}.upTo`, kind: 'amount', value: decimal(of.upToMinor, currency) },
    ...rows('', of.total, usedSum.total),
    ...rows('perCard.', of.perCard),
    ...rows('perCashier.', of.perCashier),
    ...rows('perHour.', of.perHour, usedSum.hour),
    ...rows('perDay.', of.perDay, usedSum.day),
    ...groupRows(kind, offline[kind]),
  ];
};

/** The brands, card types and entry modes that the store has named. */
const groupRows = (kind: string, { brands, cardTypes, entryModes }: OfflineConfig['chip']): LimitSetting[] =>
  Object.entries({ brands, cardTypes, entryModes }).flatMap(([group, groupCaps]) =>
    Object.entries(groupCaps ?? {}).flatMap(([name, { upTo, total, count } = {}]) => {
      const prefix = `${kind}.${group}.${name}.`;
      return [
        { key: `${prefix}upTo`, kind: 'amount' as const, value: upTo ?? NONE },
        { key: `${prefix}total`, kind: 'amount' as const, value: total ?? NONE },
        { key: `${prefix}count`, kind: 'count' as const, value: count === undefined ? NONE : String(count) },
      ];
    }),
  );

const MEGABYTE = 1024 * 1024;

/** Hours, with one decimal unless they are whole. */
const hours = (ms: number): string => String(Math.round(ms / (HOUR_MS / 10)) / 10);

const hoursRow = ({ windowMs }: OfflineLimits, { sinceAnswer }: OfflineReadiness['moment']): LimitSetting => ({
  key: 'hours',
  kind: 'hours',
  value: windowMs === undefined ? NONE : hours(windowMs),
  used: 'ms' in sinceAnswer ? hours(sinceAnswer.ms) : undefined,
  left: 'ms' in sinceAnswer && windowMs !== undefined ? hours(Math.max(0, windowMs - sinceAnswer.ms)) : undefined,
});

const keptFreeRow = ({ keepFreeBytes }: OfflineLimits, { freeBytes }: OfflineReadiness['moment']): LimitSetting => ({
  key: 'keepFreeMegabytes',
  kind: 'count',
  value: String(Math.floor(keepFreeBytes / MEGABYTE)),
  left: String(Math.floor(Math.max(0, freeBytes - keepFreeBytes) / MEGABYTE)),
});
