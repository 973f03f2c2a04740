/**
 * The till's configuration as a file to export, and an imported one: checked completely, previewed, with the previous
 * one kept for undoing.
 */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ConfigurationChange, ConfigurationPlan } from '../../api/contract/machine.ts';
import { permissionToChange } from '../../api/contract/roles.ts';
import type { ConfigurationExport } from '../../api/ports/devices.ts';
import { Malformed } from '../../api/problems.ts';
import { type Clock, dateTime } from '../../base/clock.ts';
import { Fault } from '../../base/fault.ts';
import { wrongField } from '../../base/field-wants.ts';
import { readTextFile } from '../../base/files.ts';
import type { Ids } from '../../base/ids.ts';
import { type Config, changeConfig, configFaults, loadConfig, parseConfig } from '../../folder/config.ts';
import { writable } from '../../folder/unknown-keys.ts';
import { openSalesFault } from '../pairing/pairing.ts';
import { withTestHostsOf } from '../pairing/test-host.ts';
import { twinsIn, withoutOthersTerminals } from '../pairing/twin-terminals.ts';

export type ConfigurationParts = {
  folder: string;
  ids: Ids;
  clock: Clock;
  /** Receipts of unfinished sales: their gateway and currency must not change. */
  openReceipts(): number[];
};

/** Checks the changes, and throws if one is not allowed. */
export type CheckChange = (changes: readonly ConfigurationChange[], before: Config, after: Config) => void;

const MARK = 'tillgate configuration 1';

/** till.json without secrets: those are in another file, but an address can contain a password. */
export const exportConfiguration = ({ folder, ids, clock }: ConfigurationParts): ConfigurationExport => {
  const config = loadConfig(folder, ids);
  const day = dateTime(clock.now()).slice(0, 10);
  const text = JSON.stringify(
    { file: MARK, made: `${dateTime(clock.now())} UTC`, configuration: writable(config) },
    withoutCredentials,
    2,
  );
  return { name: `till-${config.terminalId}-${day}.json`, text: `${text}\n` };
};

const withoutCredentials = (_: string, value: unknown): unknown =>
  typeof value === 'string' ? value.replace(/(\w+:\/\/)[^/@\s]*@/g, '$1') : value;

/** What the import would change. Throws `request.malformed` with each wrong field. */
export const previewImport = (text: string, { folder, ids }: ConfigurationParts): ConfigurationPlan => {
  const current = loadConfig(folder, ids);
  return planOf(current, parseImport(text, current));
};

/** The configuration as it would be here, without what only a person at this till can decide. */
const parseImport = (text: string, current: Config): Config =>
  withTestHostsOf(withoutOthersTerminals(read(text, current), current), current);

const planOf = (current: Config, imported: Config): ConfigurationPlan => {
  const changes = differences(current, imported);
  return { changes, restart: changes.length > 0 };
};

/**
 * Writes it, and keeps the previous one. Throws as `previewImport`, `pairing.salesOpen` and `check`, and then
 * changes nothing.
 */
export const importConfiguration = (text: string, parts: ConfigurationParts, check: CheckChange): ConfigurationPlan => {
  const { folder, ids } = parts;
  const before = loadConfig(folder, ids);
  const imported = parseImport(text, before);
  const plan = planOf(before, imported);
  if (plan.changes.length === 0) return plan;
  refuseOpen(plan.changes, before, parts);
  check(plan.changes, before, imported);
  writeFileSync(backupFile(folder), `${JSON.stringify(writable(before), null, 2)}\n`, { mode: 0o600, flush: true });
  changeConfig(folder, ids, () => imported);
  return plan;
};

/** What undoing the last import would change. Undefined when nothing is kept, or nothing differs. */
export const previewUndo = (parts: ConfigurationParts): ConfigurationPlan | undefined => {
  const file = backupFile(parts.folder);
  if (!existsSync(file)) return undefined;
  const current = loadConfig(parts.folder, parts.ids);
  const plan = planOf(current, withTestHostsOf(read(readTextFile(file), current), current));
  return plan.changes.length === 0 ? undefined : plan;
};

/** Restores the previous configuration. Throws `config.nothingToUndo`, `pairing.salesOpen`, and as `check`. */
export const undoImport = (parts: ConfigurationParts, check: CheckChange): ConfigurationPlan => {
  const plan = previewUndo(parts);
  const file = backupFile(parts.folder);
  if (plan === undefined) throw new Fault('config.nothingToUndo');
  const current = loadConfig(parts.folder, parts.ids);
  refuseOpen(plan.changes, current, parts);
  const stored = withTestHostsOf(read(readTextFile(file), current), current);
  check(plan.changes, current, stored);
  changeConfig(parts.folder, parts.ids, () => stored);
  rmSync(file);
  return plan;
};

const backupFile = (folder: string): string => join(folder, 'till.before-import.json');

/** Throws `request.malformed`: that it is not JSON, or with every wrong field. */
const read = (text: string, current: Config): Config => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Malformed([wrongField('file', 'wholeFile')]);
  }
  const inner = isExport(value) ? value.configuration : value;
  const faults = configFaults(inner, current);
  if (faults.length > 0) throw new Malformed(faults);
  const imported = parseConfig(inner);
  const twin = twinsIn(imported);
  if (twin !== undefined) throw twin;
  return imported;
};

const isExport = (value: unknown): value is { configuration: unknown } =>
  typeof value === 'object' && value !== null && 'configuration' in value && 'file' in value;

/** Answers must come from the gateway that the messages were sent to, in the currency of the sales. */
const bound = /^(gateway\.(entityId|baseUrl|upstream\b.*)|currency|terminal|terminalId|terminals\b.*)$/;
const refuseOpen = (
  changes: readonly ConfigurationChange[],
  { terminalId }: Config,
  { openReceipts }: ConfigurationParts,
): void => {
  if (!changes.some(({ field }) => bound.test(field))) return;
  const open = openReceipts();
  if (open.length > 0) throw openSalesFault(terminalId, open);
};

/** Value by value, in the order of the file; a list counts as one value. Unknown keys count too. */
const differences = (before: Config, after: Config): ConfigurationChange[] => {
  const [old, fresh] = [leaves(writable(before)), leaves(writable(after))];
  const names = [...new Set([...old.keys(), ...fresh.keys()])];
  return names
    .filter((name) => old.get(name) !== fresh.get(name))
    .map((field) => {
      const [oldValue, newValue] = [old.get(field), fresh.get(field)];
      return { field, before: oldValue, after: newValue, needs: permissionToChange(field) };
    });
};

type Leaves = Map<string, string>;

const leaves = (value: unknown, path = ''): Leaves =>
  new Map(
    Object.entries(value as object).flatMap(([name, inner]: [string, unknown]): [string, string][] => {
      const at = path === '' ? name : `${path}.${name}`;
      if (inner === undefined) return [];
      if (typeof inner === 'object' && inner !== null && !Array.isArray(inner)) return [...leaves(inner, at)];
      return [[at, typeof inner === 'string' ? inner : JSON.stringify(inner)]];
    }),
  );
