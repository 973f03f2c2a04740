/** The permissions of each role, for commands and screens alike. */

export const roles = ['cashier', 'manager', 'technician'] as const;
export type Role = (typeof roles)[number];

export const isRole = (text: string): text is Role => (roles as readonly string[]).includes(text);

const everybody: readonly Role[] = roles;
const atTheCounter: readonly Role[] = ['cashier', 'manager'];
const inCharge: readonly Role[] = ['manager'];
const atTheMachine: readonly Role[] = ['manager', 'technician'];

export const permissions = {
  /** Signs in at the screens, for everything else that the role may do. */
  signIn: everybody,
  sell: atTheCounter,
  refund: atTheCounter,
  void: atTheCounter,
  tip: atTheCounter,
  preauthorise: atTheCounter,
  /** Money to a card without an earlier payment. */
  credit: inCharge,
  /** Records how a sale ended if neither terminal nor gateway knows it. */
  forceEnding: inCharge,
  /** Records that an unpaid sale was settled in another way, or writes it off. */
  settleUnpaid: inCharge,
  closeBatch: inCharge,
  /** Closes a batch with sales that are still unknown or unsent. */
  overrideClose: inCharge,
  exportJournal: atTheMachine,
  importJournal: atTheMachine,
  changeLimits: inCharge,
  manageStaff: inCharge,
  pairTerminal: atTheMachine,
  /** Lets a program sell, refund and void with its own key. */
  approveKey: inCharge,
  diagnose: everybody,
  /** Confirms that a terminal uses its manufacturer's test host. */
  sayTestHost: inCharge,
  /** Creates the live till beside the test till. */
  goLive: inCharge,
  /** Decides where the till's data folder belongs, and imports its sales from the gateway. */
  placeTill: inCharge,
  /** Changes the gateway or channel for payments. */
  changeGateway: inCharge,
  /** Sees everyone's sales, not only one's own. */
  seeAll: atTheMachine,
};

export type Permission = keyof typeof permissions;

export const isPermission = (text: string): text is Permission => Object.hasOwn(permissions, text);

export const permissionNames = Object.keys(permissions) as Permission[];

export const permissionsOf = (role: Role): Permission[] =>
  permissionNames.filter((permission) => mayDo(role, permission));

export const mayDo = (role: Role, permission: Permission): boolean => permissions[permission].includes(role);

/** By the field's dotted name; a listed name also covers all fields below it. */
export const configurationPermissions = {
  merchant: 'pairTerminal',
  // The limits are amounts in this currency.
  currency: 'changeLimits',
  terminalId: 'pairTerminal',
  location: 'pairTerminal',
  preauthorisation: 'changeLimits',
  terminal: 'pairTerminal',
  device: 'pairTerminal',
  'device.testHost': 'sayTestHost',
  simulatedTerminal: 'diagnose',
  terminals: 'pairTerminal',
  // After this many days a stored sale's card data is destroyed, even if it was not sent.
  keepCardDataDays: 'changeLimits',
  // Includes its timeouts: they decide when "not found" proves that a payment never arrived.
  gateway: 'changeGateway',
  queue: 'pairTerminal',
  secondCopy: 'exportJournal',
  offline: 'changeLimits',
  printers: 'pairTerminal',
  paper: 'pairTerminal',
  screens: 'pairTerminal',
  // How long another person would find the screens open.
  'screens.lockAfterMinutes': 'manageStaff',
  businessDay: 'closeBatch',
} as const satisfies Readonly<Record<string, Permission>>;

export type ConfigurationField = keyof typeof configurationPermissions;

/** An unlisted field may only be changed by managers. */
const unlisted: Permission = 'changeGateway';

/** The permission to change this field: that of its longest listed prefix. */
export const permissionToChange = (field: ConfigurationField | (string & {})): Permission => {
  for (let name = field; name !== ''; name = name.slice(0, Math.max(0, name.lastIndexOf('.'))))
    if (Object.hasOwn(configurationPermissions, name)) return configurationPermissions[name as ConfigurationField];
  return unlisted;
};
