/**
 * Changes the store's offline limits: one limit by its dotted name, or all of them off. The journal records who changed
 * them, and the limits before and after.
 */
import * as z from 'zod';
import { Fault } from '../base/fault.ts';
import { wrongFieldsText } from '../base/field-wants.ts';
import { type Ids, systemIds } from '../base/ids.ts';
import { type Config, changeConfig } from '../folder/config.ts';
import { type OfflineConfig, offlineShape } from '../folder/offline-config.ts';
import type { Journal } from '../journal/journal.ts';

export const LIMITS = 'limits';

type LimitsChanged = {
  on: 'limitsChanged';
  by?: string;
  /** The person who approved the change. */
  approvedBy?: string;
  before: OfflineConfig;
  after: OfflineConfig;
};

/** Writes to the journal who changed the limits. Throws `journal.unwritable`. */
export const noteLimits = (journal: Pick<Journal, 'write'>, changed: Omit<LimitsChanged, 'on'>): void =>
  journal.write([
    { subject: LIMITS, kind: 'limitsChanged', body: JSON.stringify({ on: 'limitsChanged', ...changed }) },
  ]);

type Changing = { folder: string; journal: Journal; by: string | undefined; ids?: Ids };

/**
 * Writes the change to the journal, then to till.json. Returns the limits that apply from the next start. Throws
 * `command.malformed` for invalid limits, and then changes nothing.
 */
export const changeLimits = (
  { folder, journal, by, ids = systemIds }: Changing,
  change: (offline: OfflineConfig) => unknown,
): OfflineConfig => {
  const entry = (before: OfflineConfig, after: OfflineConfig): void => noteLimits(journal, { by, before, after });
  let limitsChange: Pick<LimitsChanged, 'before' | 'after'> | undefined;
  try {
    const changed = changeConfig(folder, ids, (config: Config) => {
      const after = checked(change(config.offline));
      entry(config.offline, after);
      limitsChange = { before: config.offline, after };
      return { ...config, offline: after };
    });
    return changed.offline;
  } catch (error) {
    // The file could not be written, so the journal must not keep saying that the limits changed.
    if (limitsChange !== undefined) entry(limitsChange.after, limitsChange.before);
    throw error;
  }
};

const checked = (offline: unknown): OfflineConfig => {
  const { success, error, data } = offlineShape.safeParse(offline);
  if (success) return data;
  throw new Fault('command.malformed', { why: wrongFieldsText(error.issues) }, error);
};

/** Parses a value as till.json has it. Lists are separated by commas; `none` removes a limit. */
export const withLimit = (offline: OfflineConfig, key: string, text: string): unknown => {
  const path = key.split('.');
  if (!path.every((name) => /^[A-Za-z_]{1,40}$/.test(name) && !Object.hasOwn(Object.prototype, name)))
    throw new Fault('command.malformed', { why: `"${key}" is not the name of a limit, such as chip.upTo` });
  return withValue(offline, path, textOf(path.at(-1) ?? '', text));
};

const textOf = (name: string, text: string): unknown => {
  if (text === 'none') return undefined;
  if (['count', 'hours', 'keepFreeMegabytes'].includes(name)) return /^\d+(\.\d+)?$/.test(text) ? Number(text) : text;
  if (name === 'operations') return text.split(',').map((each) => each.trim());
  if (name === 'withoutDataAuthentication')
    return text === 'yes' || text === 'true' ? true : text === 'no' ? false : text;
  // An amount in whole units means no cents.
  return /^\d+$/.test(text) ? `${text}.00` : text;
};

const withValue = (target: unknown, [name = '', ...rest]: readonly string[], value: unknown): unknown => {
  const copy = typeof target === 'object' && target !== null ? { ...target } : {};
  const at = copy as Record<string, unknown>;
  const updated = rest.length === 0 ? value : withValue(at[name] ?? startOf(name), rest, value);
  if (updated === undefined) delete at[name];
  else at[name] = updated;
  return copy;
};

/** The value that a group of limits needs before the first limit in it can be set. */
const startOf = (name: string): unknown => (name === 'refunds' ? { upTo: '0.00' } : {});

/** The names of all limits, for a help text. NAME stands for one of the names in brackets after it. */
export const limitNames = (): string[] =>
  namesIn(z.toJSONSchema(offlineShape, { io: 'output', unrepresentable: 'any' }) as Schema);

type Schema = {
  properties?: Record<string, Schema>;
  propertyNames?: { enum?: string[] };
  additionalProperties?: Schema;
};

const namesIn = ({ properties, propertyNames, additionalProperties }: Schema): string[] => {
  const names = propertyNames?.enum;
  if (names !== undefined) {
    const below = namesIn(additionalProperties ?? {});
    return [`NAME.(${below.join(' ')}), NAME one of ${names.join(' ')}`];
  }
  return Object.entries(properties ?? {}).flatMap(([name, schema]) => {
    const below = namesIn(schema);
    return below.length === 0 ? [name] : below.map((each) => `${name}.${each}`);
  });
};
