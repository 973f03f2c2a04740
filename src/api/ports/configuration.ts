/** Who may change what in a till's configuration: one table, for whatever way a change comes in. */
import type { Permission } from '../contract/roles.ts';

/** By the field's dotted name; a field below one that stands here is changed by the same permission. */
export const configurationPermissions = {
  merchant: 'pairTerminal',
  // The limits are amounts of it.
  currency: 'changeLimits',
  terminalId: 'pairTerminal',
  location: 'pairTerminal',
  preauthorisation: 'changeLimits',
  terminal: 'pairTerminal',
  device: 'pairTerminal',
  'device.testHost': 'sayTestHost',
  simulatedTerminal: 'diagnose',
  terminals: 'pairTerminal',
  // After these days a stored sale's card data is destroyed, sent or not.
  keepCardDataDays: 'changeLimits',
  // Its times too: by them "not found" proves that a payment never arrived.
  gateway: 'changeGateway',
  queue: 'pairTerminal',
  secondCopy: 'exportJournal',
  offline: 'changeLimits',
  printers: 'pairTerminal',
  paper: 'pairTerminal',
  screens: 'pairTerminal',
  // How long somebody else finds the screens open.
  'screens.lockAfterMinutes': 'manageStaff',
  businessDay: 'closeBatch',
} as const satisfies Readonly<Record<string, Permission>>;

export type ConfigurationField = keyof typeof configurationPermissions;

/** A field that nobody thought of is a manager's. */
const unlisted: Permission = 'changeGateway';

/** What it takes to change this field: the permission of the longest name in the table that it is, or stands below. */
export const permissionToChange = (field: ConfigurationField | (string & {})): Permission => {
  for (let name = field; name !== ''; name = name.slice(0, Math.max(0, name.lastIndexOf('.'))))
    if (Object.hasOwn(configurationPermissions, name)) return configurationPermissions[name as ConfigurationField];
  return unlisted;
};
