/** Random calls of a till's local API: every route, with bodies that a program or a page would send. */
import { type Permission, permissions, roles } from '../../../src/api/contract/roles.ts';
import type { Config } from '../../../src/folder/config.ts';
import type { Dice } from '../chance/dice.ts';

export type CallContext = {
  dice: Dice;
  /** The present content of till.json. */
  config(): Config;
  /** The ids of sales in progress. */
  liveIds(): readonly string[];
  /** The caller with their own PIN; absent for a caller without one. */
  person: { name: string; pin: string } | undefined;
};
export type Call = { path?: string; body?: unknown };

const eur = (dice: Dice) => ({ amount: `${dice.between(1, 60)}.00`, currency: 'EUR' });
const name = (dice: Dice): string => dice.one(['Eve', 'Eve', 'Max', 'Anna', 'Tess']);
const pin = (dice: Dice): string => dice.one(['918273', '564738', '471193']);
const anyPermission = (dice: Dice): Permission => dice.one(Object.keys(permissions) as [Permission, ...Permission[]]);
const receipt = (dice: Dice): number => dice.between(1, 4);
const live = ({ dice, liveIds }: CallContext): string => {
  const [first = 'none', ...otherIds] = liveIds();
  return dice.one([first, ...otherIds]);
};
const statement = { reason: 'the bank said so', evidence: 'its list of today' };
const channel = { baseUrl: 'http://127.0.0.1:1/', entityId: 'ab'.repeat(16), token: 'a-token-of-the-shop' };
const settlement = (): FormData => {
  const form = new FormData();
  form.append('file', new Blob(['a,b\n1,2\n']), 'settlement.csv');
  return form;
};

type Changed = (config: Config, dice: Dice) => Config;
const offline =
  (change: Partial<Config['offline']>): Changed =>
  (config) => ({
    ...config,
    offline: { ...config.offline, ...change },
  });
const gateway =
  (change: Partial<Config['gateway']>): Changed =>
  (config) => ({
    ...config,
    gateway: { ...config.gateway, ...change },
  });

/** One change of till.json for each of its parts that has its own permission. */
const changes: readonly [Changed, ...Changed[]] = [
  (config, dice) => offline({ chip: { upTo: `${dice.between(51, 9_999)}.00` } })(config, dice),
  offline({ hours: 8_760 }),
  offline({ refunds: { upTo: '900.00' } }),
  offline({ withoutDataAuthentication: false }),
  gateway({ baseUrl: 'https://elsewhere.example/' }),
  gateway({ entityId: 'e'.repeat(32) }),
  gateway({ requestLifeMs: 50_000 }),
  (config, dice) => ({ ...config, merchant: { ...config.merchant, name: `SHOP ${dice.between(1, 99)}` } }),
  (config, dice) => ({ ...config, paper: { footer: [`${dice.between(1, 99)}`] } }),
  (config) => ({ ...config, currency: 'USD' }),
  (config) => ({ ...config, currency: 'EUR' }),
  (config, dice) => ({ ...config, terminalId: `${dice.between(1, 9_999)}` }),
  (config) => ({ ...config, keepCardDataDays: 1 }),
  (config) => ({ ...config, screens: { lockAfterMinutes: 480 } }),
  (config) => ({ ...config, businessDay: { cutOff: '12:00', timeZone: 'UTC' } }),
  (config) => ({ ...config, preauthorisation: { days: 31 } }),
  (config) => ({ ...config, queue: { atOnce: 2 } }),
  (config) => ({ ...config, printers: [] }),
];

const configuration = ({ dice, config }: CallContext): Call => {
  let uploads = config();
  for (let times = dice.between(1, 3); times > 0; times -= 1) uploads = dice.one(changes)(uploads, dice);
  return { body: { text: JSON.stringify(uploads) } };
};

const followUpCall = ({ dice }: CallContext): Call => {
  const operation = dice.one(['refund', 'void', 'release', 'completion', 'increment', 'tip']);
  const amounts = operation === 'tip' ? { tip: eur(dice) } : dice.percent(50) ? { amount: eur(dice) } : {};
  const keepFields = operation === 'completion' && dice.percent(50) ? { keepRest: true } : {};
  return { path: `/sales/${receipt(dice)}/${operation}`, body: { ...amounts, ...keepFields } };
};

const begins = ({ dice }: CallContext): Call => ({
  body: { amount: eur(dice), operation: dice.one(['sale', 'sale', 'preauthorisation', 'credit']) },
});

const address = 'mpi+tcp://127.0.0.1:1';

/** A call for each documented route, by method and path. Streams never end, and change nothing. */
export const callOf: Readonly<Record<string, (context: CallContext) => Call>> = {
  'POST /session': ({ dice }) => ({ body: { name: name(dice), pin: '918273' } }),
  'POST /session/code': () => ({ body: { code: 'a-code' } }),
  'POST /session/touch': () => ({}),
  'PUT /session/pin': ({ person }) => ({ body: { current: person?.pin ?? '918273', pin: person?.pin ?? '918273' } }),
  'POST /override': ({ dice, person }) => ({
    body: {
      ...(dice.percent(80) && person ? person : { name: 'Max', pin: '918273' }),
      permission: anyPermission(dice),
    },
  }),
  'DELETE /browsers/{id}': () => ({ path: '/browsers/0123456789abcdef' }),
  'POST /sales': begins,
  'POST /sales/{receipt}/{operation}': followUpCall,
  'POST /sales/{receipt}/print': ({ dice }) => ({ path: `/sales/${receipt(dice)}/print`, body: {} }),
  'POST /live/{id}/cancel': (context) => ({ path: `/live/${live(context)}/cancel` }),
  'POST /training': () => ({ body: { on: false } }),
  'POST /claims': () => ({ body: {} }),
  'POST /likely': ({ dice }) => ({ body: { amount: eur(dice) } }),
  'POST /printers': ({ dice }) => ({
    body: { name: dice.one(['Bar', 'Kitchen']), address: 'escpos+tcp://127.0.0.1:1', width: 80 },
  }),
  'DELETE /printers/{name}': ({ dice }) => ({ path: `/printers/${dice.one(['Bar', 'Kitchen'])}` }),
  'POST /printers/{name}/test': () => ({ path: '/printers/None/test' }),
  'POST /reports/print': () => ({ body: { lines: ['X'] } }),
  'POST /drawer': () => ({}),
  'POST /x-reports': () => ({}),
  'POST /closing': ({ dice }) => ({ body: dice.percent(50) ? {} : { override: 'the line is down' } }),
  'POST /reconciliations': () => ({ body: settlement() }),
  'POST /reconciliations/comparison': () => ({ body: settlement() }),
  'POST /reconciliations/{id}/differences/{n}': () => ({
    path: '/reconciliations/r1/differences/1',
    body: { choice: 'accept', note: '' },
  }),
  'POST /open-items/send': () => ({}),
  'POST /open-items/{receipt}': ({ dice }) => ({
    path: `/open-items/${receipt(dice)}`,
    body: { action: dice.one(['askNow', 'sendNow', 'retry', 'sayCharged', 'sayNotCharged']), ...statement },
  }),
  'POST /queue/retry': () => ({}),
  'POST /queue/comparison': () => ({}),
  'POST /unresolved/late-approvals': () => ({}),
  'POST /journal/exports': () => ({ body: { passphrases: ['first passphrase', 'second passphrase'] } }),
  'POST /journal/exports/{id}/confirmation': () => ({ path: '/journal/exports/1/confirmation' }),
  'POST /taken-over': () => ({ body: { passphrases: ['first passphrase', 'second passphrase'], sealed: '{}' } }),
  'POST /taken-over/send': () => ({}),
  'POST /taken-over/back': () => ({}),
  'POST /journal/seal': () => ({}),
  'PUT /limits': ({ dice }) => ({ body: { changes: { 'chip.upTo': `${dice.between(51, 9_999)}.00` } } }),
  'POST /limits/replay': () => ({ body: { changes: { 'chip.upTo': '90.00' } } }),
  'POST /staff': ({ dice }) => ({ body: { name: name(dice), role: dice.one(roles as never), pin: pin(dice) } }),
  'PUT /staff/{name}/pin': ({ dice }) => ({ path: `/staff/${name(dice)}/pin`, body: { pin: pin(dice) } }),
  'DELETE /staff/{name}': () => ({ path: '/staff/Eve' }),
  'POST /pos-keys': ({ dice }) => ({ body: { name: dice.one(['Kiosk', 'Web']) } }),
  'POST /pos-keys/{name}/approval': ({ dice }) => ({ path: `/pos-keys/${dice.one(['Kiosk', 'Web'])}/approval` }),
  'DELETE /pos-keys/{name}': ({ dice }) => ({ path: `/pos-keys/${dice.one(['Kiosk', 'Web'])}` }),
  'POST /going-live/gateway': () => ({ body: channel }),
  'POST /going-live': () => ({ body: { channel } }),
  'POST /going-live/found': () => ({}),
  'POST /machine/compare': () => ({}),
  'POST /machine/take-over': () => ({}),
  'POST /machine/plain-http': () => ({ body: { address: 'http://10.0.0.1/', allowed: true } }),
  'POST /machine/moved': () => ({}),
  'POST /machine/copied': () => ({ body: { terminalIds: ['70002'] } }),
  'POST /devices/{counter}/ask': () => ({ path: '/devices/T1/ask' }),
  'POST /devices/search': () => ({ body: { places: [address] } }),
  'POST /devices/meet': () => ({ body: { address } }),
  'POST /devices': () => ({ body: { address, counter: 'T2', terminalId: '70003' } }),
  'DELETE /devices/{counter}': () => ({ path: '/devices/T1' }),
  'POST /devices/{counter}/test-host': () => ({ path: '/devices/T1/test-host', body: { atTestHost: true } }),
  'POST /devices/simulated': () => ({}),
  'POST /devices/diagnosis': () => ({ body: { address, echoes: 0 } }),
  'POST /line/test': () => ({}),
  'PUT /configuration': configuration,
  'POST /configuration/plan': configuration,
  'POST /configuration/undo': () => ({}),
  'POST /bundle': () => ({}),
  'POST /closing/cancel': () => ({}),
};

/**
 * Calls that change nothing here, and one that ends the session that the others use: called as often as others, they
 * would take the place of calls that change something.
 */
const seldom: readonly string[] = [
  ...['POST /closing/cancel', 'POST /devices/search', 'PUT /session/pin'],
  ...['POST /queue/retry', 'POST /queue/comparison', 'POST /unresolved/late-approvals'],
  ...['POST /taken-over', 'POST /taken-over/send', 'POST /taken-over/back', 'POST /journal/seal'],
  ...['POST /journal/exports', 'POST /journal/exports/{id}/confirmation', 'POST /reconciliations/comparison'],
];

/** The calls to choose from at random. */
export const callAtRandom = (): [string, ...string[]] =>
  [...Object.keys(callOf).filter((route) => !seldom.includes(route)), ...calledOften] as [string, ...string[]];

/** Called more often than others: those that change most. */
const calledOften = [
  ...['PUT /configuration', 'PUT /configuration', 'PUT /configuration', 'POST /configuration/undo', 'PUT /limits'],
  ...[
    'POST /sales',
    'POST /sales',
    'POST /sales/{receipt}/{operation}',
    'POST /live/{id}/cancel',
    'POST /live/{id}/cancel',
    'POST /override',
  ],
  ...['POST /live/{id}/cancel', 'POST /live/{id}/cancel', 'POST /pos-keys', 'POST /staff', 'POST /closing'],
];
