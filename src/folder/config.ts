/** The till's configuration: a readable file beside the journal. */

import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { printAddress, readAddress } from '../../drivers/address.ts';
import { Fault, isFault } from '../base/fault.ts';
import { type WrongField, wantWords, wrongFieldsOf } from '../base/field-wants.ts';
import { isGatewayAddress } from '../base/gateway-address.ts';
import type { Ids } from '../base/ids.ts';
import { isCurrency, parseAmount } from '../base/money.ts';
import { isTimeZone } from '../base/wall-time.ts';
import type { ShopLocation } from '../till/machine/facts.ts';
import { checkedBy, issues, readJson, saveWhole } from './kept-file.ts';
import { amountsIn, firstOffline, offlineShape } from './offline-config.ts';
import { paperShape, printersShape, screensShape } from './paper-config.ts';
import { makeOwnedFolder, ownersOf } from './rights/folder-rights.ts';
import { carryUnknown, knownOf, type PassedOver, parsedKnown, unknownIn } from './unknown-keys.ts';

const entityId = z.string().regex(/^[0-9a-f]{32}$/, wantWords.entityId);

const isTerminalAddress = (text: string): boolean => {
  try {
    return readAddress(text).link !== undefined;
  } catch (error) {
    if (isFault(error, 'terminal.unknown')) return false;
    throw error;
  }
};
const terminalAddress = z.string().refine(isTerminalAddress, wantWords.terminalAddress);

const terminalId = z.string().regex(/^\d{1,32}$/, wantWords.digits);

/** Text, as the host API writes it: a number of JSON would lose zeros, and gain digits. */
const degrees = (most: number) =>
  z
    .string()
    .regex(/^-?\d{1,3}\.\d{1,8}$/, wantWords.degrees)
    .refine((text) => Math.abs(Number(text)) <= most, `must be between -${most} and ${most} degrees`);

const device = z.strictObject({
  /** pos.deviceType. */
  deviceType: z.string().min(1).max(32),
  /** pos.deviceId: the digits of the serial number; left out when it has none. */
  deviceId: z
    .string()
    .regex(/^\d{1,32}$/, wantWords.digits)
    .optional(),
  model: z.string().max(100),
  serial: z.string().max(100),
  firmware: z.string().max(100),
  /** `yyyy-MM-dd HH:mm:ss` in UTC. */
  pairedAt: z.string().regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/, wantWords.moment),
  /** A manager said that it is at its maker's test host: a test till sells on it, though it is no simulated one. */
  testHost: z.literal(true).optional(),
  /** Rows of its protocol's table of dialects (docs/reference/dialects.md) that it was heard to speak. */
  dialects: z.array(z.string().min(1).max(60)).max(60).optional(),
});

/** Each field by itself; rules across fields stand below. */
export const configSchema = z.strictObject({
  merchant: z.strictObject({
    name: z.string().min(1).max(100),
    address: z.array(z.string().max(100)).max(4),
    id: z.string().min(1).max(32),
    vat: z.string().max(32).optional(),
  }),
  currency: z.string().refine(isCurrency, wantWords.currency),
  /** pos.terminalId: the number the acquirer gave this terminal. */
  terminalId,
  /** Where the shop stands: pos.location.* of each request that a terminal takes part in. */
  location: z
    .strictObject({
      latitude: degrees(90),
      longitude: degrees(180),
      /** Metres. */
      accuracy: z.int().min(0).max(100_000).optional(),
    })
    .optional(),
  /** How many days banks keep a pre-authorised amount for this store; 7 where it is not said. */
  preauthorisation: z.strictObject({ days: z.int().min(1).max(31) }).optional(),
  /** The address of the paired terminal: `mpi+serial:/dev/ttyACM0`. */
  terminal: terminalAddress.optional(),
  /** What the paired terminal said of itself: written by pairing, and how it is found again at another port. */
  device: device.optional(),
  /** Somebody had this till use a simulated terminal while none is paired: an installed till waits for that. */
  simulatedTerminal: z.literal(true).optional(),
  /** More terminals beside the first, each with the acquirer's number for it; their counters are T2, T3 … */
  terminals: z
    .array(z.strictObject({ terminalId, terminal: terminalAddress, device: device.optional() }))
    .max(9)
    .optional(),
  /** How long a stored sale's card data may wait to be sent; then it is destroyed. 30 if left out. */
  keepCardDataDays: z.int().min(1).max(365).optional(),
  gateway: z.strictObject({
    entityId,
    /** Of a gateway elsewhere, ending in a slash. Without it the gateway in the box is used. */
    baseUrl: z.url().regex(/\/$/, wantWords.slash).optional(),
    /** Of a live till: the processor that the gateway in the box sends its payments to. Its token is a secret. */
    upstream: z.strictObject({ baseUrl: z.string().refine(isGatewayAddress, wantWords.https), entityId }).optional(),
    /** How long one answer may take. */
    timeoutMs: z.int().min(1_000).max(60_000),
    /** How long a request can be under way before "not found" proves that it never arrived. */
    requestLifeMs: z.int().min(0).max(600_000),
  }),
  /** How many stored messages are sent at once; 4 where it is not said. */
  queue: z.strictObject({ atOnce: z.int().min(1).max(32) }).optional(),
  /** A folder on another disk, or on a share: journal and queue are copied there soon after each step. */
  secondCopy: z.string().min(1).optional(),
  offline: offlineShape,
  /** Receipt printers; the first is the one that is meant where nothing is said. */
  printers: printersShape,
  /** What the store adds to its receipts, and which are printed by themselves. */
  paper: paperShape,
  screens: screensShape,
  /** When a business day ends, in the store's own time. Left out: 04:00 in the machine's time zone. */
  businessDay: z
    .strictObject({
      cutOff: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, wantWords.timeOfDay),
      timeZone: z.string().refine(isTimeZone, wantWords.timeZone),
    })
    .optional(),
});

/** Rules across fields; said together with what is wrong with the fields themselves. */
const shape = configSchema
  .refine(({ gateway }) => gateway.requestLifeMs >= gateway.timeoutMs, {
    path: ['gateway', 'requestLifeMs'],
    error: wantWords.requestLife,
    when: ({ value }) => configSchema.safeParse(value).success,
  })
  .refine(({ gateway }) => gateway.baseUrl === undefined || gateway.upstream === undefined, {
    path: ['gateway', 'upstream'],
    error: wantWords.upstreamAlone,
    when: ({ value }) => configSchema.safeParse(value).success,
  })
  .refine(({ offline, currency }) => amountsIn(offline).every((text) => isAmount(text, currency)), {
    path: ['offline'],
    error: wantWords.ownCurrency,
    when: ({ value }) => configSchema.safeParse(value).success,
  })
  .refine(({ terminalId, terminals = [] }) => differ([terminalId, ...terminals.map((one) => one.terminalId)]), {
    path: ['terminals'],
    error: wantWords.ownNumbers,
    when: ({ value }) => configSchema.safeParse(value).success,
  })
  .refine(
    ({ terminal, terminals = [] }) => differ([terminal, ...terminals.map((one) => one.terminal)].map(inOneSpelling)),
    { path: ['terminals'], error: wantWords.ownAddresses, when: ({ value }) => configSchema.safeParse(value).success },
  );

/** `com3` and `\\.\COM3` are one port. */
const inOneSpelling = (address: string | undefined): string =>
  address === undefined ? '' : printAddress(readAddress(address));

const differ = (names: readonly string[]): boolean => new Set(names).size === names.length;

const isAmount = (text: string, currency: string): boolean => {
  try {
    return parseAmount(text, currency).currency === currency;
  } catch (error) {
    if (isFault(error, 'amount.malformed')) return false;
    throw error;
  }
};

export type Config = z.output<typeof configSchema>;
export type PairedDevice = NonNullable<Config['device']>;

/** pos.location.* for the till's intents; nothing where the shop gives no place. */
export const locationOf = ({ location }: Config): { location?: ShopLocation } => {
  if (location === undefined) return {};
  const { accuracy, ...place } = location;
  return { location: { ...place, accuracy: accuracy === undefined ? undefined : String(accuracy) } };
};

export const journalFile = (folder: string): string => join(folder, 'journal.db');
const configFile = (folder: string): string => join(folder, 'till.json');

/** Stands in a new till.json until somebody gives the acquirer's. */
export const MADE_UP_TERMINAL_ID = '10000001';

/** Stands in a new till.json until the shop gives its own. */
export const MADE_UP_MERCHANT = { name: 'MY SHOP', address: ['Change this in till.json'], id: '000000012345678' };

const firstConfig = (ids: Ids): Config => ({
  merchant: MADE_UP_MERCHANT,
  currency: 'EUR',
  terminalId: MADE_UP_TERMINAL_ID,
  gateway: { entityId: ids.next(), timeoutMs: 15_000, requestLifeMs: 30_000 },
  offline: firstOffline,
});

/**
 * Values of till.json that decide neither about money nor about a terminal: where a newer version has written one that
 * this one does not know, it is passed over. Any other value that is not known is refused by its name.
 */
const passedOver: readonly PassedOver[] = [
  { path: /^(paper|screens)\.language$/ },
  // Nothing is printed by itself then.
  { path: /^paper\.print$/ },
  // A printer that this version cannot speak to is as none.
  { path: /^printers\.\d+$/ },
  { path: /^printers\.\d+\.(codePage|columns)$/ },
  // The narrower paper: what is laid out for it fits on any.
  { path: /^printers\.\d+\.width$/, instead: 58 },
  // What this version does not know it takes offline at no time.
  { path: /^offline\.operations\.\d+$/ },
];

/**
 * Reads till.json, and makes it on the first start. Beside a journal it is never made anew: the till would be another
 * one, asking another gateway about its sales. Throws `config.malformed` with the field, or `folder.unusable`.
 */
export const loadConfig = (folder: string, ids: Ids): Config => {
  makeOwnedFolder(folder, { owners: ownersOf(folder) });
  const file = configFile(folder);
  if (!existsSync(file) && hasJournal(folder)) {
    throw new Fault('config.malformed', { file, why: 'it is gone, though the till’s journal is there' });
  }
  if (!existsSync(file)) saveWhole(file, firstConfig(ids));
  return checkedBy(file, () => configBrought(readJson(file)));
};

/**
 * Reads till.json, changes it, and writes it whole or not at all. Throws `config.malformed` with the field when either
 * the file or what would be written is not as it must be; the file is as it was then.
 */
export const changeConfig = (folder: string, ids: Ids, change: (config: Config) => Config): Config =>
  writeConfig(folder, change(loadConfig(folder, ids)));

/** Writes a till.json, whatever stood there. Throws `config.malformed` with the field, or `folder.unusable`. */
export const writeConfig = (folder: string, config: Config): Config => {
  const file = configFile(folder);
  const { success, error, data } = shape.safeParse(config);
  if (!success) throw new Fault('config.malformed', { file, why: issues(error) }, error);
  saveWhole(file, carryUnknown(config, data));
  return data;
};

/** A journal that something was written into. */
export const hasJournal = (folder: string): boolean => {
  const file = journalFile(folder);
  return existsSync(file) && statSync(file).size > 0;
};

/**
 * What is wrong with a configuration that somebody brings, field by field; nothing when it can be taken. A key that is
 * not known is refused, unless it stands in the configuration that is here, too.
 */
export const configFaults = (value: unknown, here?: Config): WrongField[] => {
  const isHere = new Set(unknownIn(here).map(({ path }) => path));
  const known = knownOf(configSchema, value, isHere.size === 0 ? [] : passedOver);
  const strangers = unknownIn(known).filter(({ path }) => !isHere.has(path));
  return [
    ...strangers.map(({ path, nearest }) => ({
      name: path,
      says: nearest === undefined ? 'is not known' : `is not known; did you mean ${nearest}?`,
    })),
    ...wrongFieldsOf(shape.safeParse(known).error?.issues ?? [], 'it'),
  ];
};

/** The same with what is not known of it beside it, for `writeConfig`. To be called once `configFaults` names none. */
export const configBrought = (value: unknown): Config => parsedKnown(shape, value, passedOver);
