/** Who may do what at a till. One table, for the commands and the screens alike. */

export const roles = ['cashier', 'manager', 'technician'] as const;
export type Role = (typeof roles)[number];

export const isRole = (text: string): text is Role => (roles as readonly string[]).includes(text);

export type Permission =
  /** Is let in at the screens, to do whatever else the role does. */
  | 'signIn'
  | 'sell'
  | 'refund'
  | 'void'
  | 'tip'
  | 'preauthorise'
  /** Money to a card without an earlier payment. */
  | 'credit'
  /** Says how a sale ended that neither terminal nor gateway can tell of. */
  | 'forceEnding'
  /** Says that an unpaid sale was settled otherwise, or writes it off. */
  | 'settleUnpaid'
  | 'closeBatch'
  /** Closes a batch in which something is still unknown or unsent. */
  | 'overrideClose'
  | 'exportJournal'
  | 'importJournal'
  | 'changeLimits'
  | 'manageStaff'
  | 'pairTerminal'
  /** Lets a program sell, refund and void with a key of its own. */
  | 'approveKey'
  | 'diagnose'
  /** Says that a terminal is at its maker's test host. */
  | 'sayTestHost'
  /** Begins the live till beside the test till. */
  | 'goLive'
  /** Says where the till's data folder belongs, and takes over what the gateway knows of it. */
  | 'placeTill'
  /** Has the till send its payments to another gateway, or as another channel. */
  | 'changeGateway'
  /** The sales of everybody, not one's own alone. */
  | 'seeAll';

const atTheCounter: readonly Role[] = ['cashier', 'manager'];
const inCharge: readonly Role[] = ['manager'];
const atTheMachine: readonly Role[] = ['manager', 'technician'];

export const permissions: Readonly<Record<Permission, readonly Role[]>> = {
  signIn: roles,
  sell: atTheCounter,
  refund: atTheCounter,
  void: atTheCounter,
  tip: atTheCounter,
  preauthorise: atTheCounter,
  credit: inCharge,
  forceEnding: inCharge,
  settleUnpaid: inCharge,
  closeBatch: inCharge,
  overrideClose: inCharge,
  exportJournal: atTheMachine,
  importJournal: atTheMachine,
  changeLimits: inCharge,
  manageStaff: inCharge,
  pairTerminal: atTheMachine,
  approveKey: inCharge,
  diagnose: ['cashier', 'manager', 'technician'],
  sayTestHost: inCharge,
  goLive: inCharge,
  placeTill: inCharge,
  changeGateway: inCharge,
  seeAll: atTheMachine,
};

export const isPermission = (text: string): text is Permission => Object.hasOwn(permissions, text);

export const permissionNames = Object.keys(permissions) as Permission[];

/** All that a role may do. */
export const permissionsOf = (role: Role): Permission[] =>
  permissionNames.filter((permission) => mayDo(role, permission));

export const mayDo = (role: Role, permission: Permission): boolean => permissions[permission].includes(role);

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
