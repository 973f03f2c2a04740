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
import { issues, readJson, readReported, replaceJson } from './json-file.ts';
import { amountsIn, firstOffline, offlineShape } from './offline-config.ts';
import { paperShape, printersShape, screensShape } from './paper-config.ts';
import { makeOwnedFolder, ownersOf } from './rights/folder-rights.ts';
import { carryUnknown, type IgnoredKey, knownOf, parsedKnown, unknownIn } from './unknown-keys.ts';

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

/** Text, as in the host API: a JSON number would lose zeros or gain digits. */
const degreesSchema = (maxDegrees: number) =>
  z
    .string()
    .regex(/^-?\d{1,3}\.\d{1,8}$/, wantWords.degrees)
    .refine((text) => Math.abs(Number(text)) <= maxDegrees, `must be between -${maxDegrees} and ${maxDegrees} degrees`);

const device = z.strictObject({
  /** pos.deviceType. */
  deviceType: z.string().min(1).max(32),
  /** pos.deviceId: the digits of the serial number; absent when it has none. */
  deviceId: z
    .string()
    .regex(/^\d{1,32}$/, wantWords.digits)
    .optional(),
  model: z.string().max(100),
  serial: z.string().max(100),
  firmware: z.string().max(100),
  /** `yyyy-MM-dd HH:mm:ss` in UTC. */
  pairedAt: z.string().regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/, wantWords.moment),
  /**
   * A manager said that it is connected to its maker's test host, so a test till may sell on it although it is not
   * simulated.
   */
  testHost: z.literal(true).optional(),
  /** The dialects that it was observed to speak, by their names in docs/reference/dialects.md. */
  dialects: z.array(z.string().min(1).max(60)).max(60).optional(),
});

/** Checks each field by itself; the rules across fields are below. */
export const configSchema = z.strictObject({
  merchant: z.strictObject({
    name: z.string().min(1).max(100),
    address: z.array(z.string().max(100)).max(4),
    id: z.string().min(1).max(32),
    vat: z.string().max(32).optional(),
  }),
  currency: z.string().refine(isCurrency, wantWords.currency),
  /** pos.terminalId: the id that the acquirer gave this terminal. */
  terminalId,
  /** The shop's location: pos.location.* of each request that involves a terminal. */
  location: z
    .strictObject({
      latitude: degreesSchema(90),
      longitude: degreesSchema(180),
      /** Metres. */
      accuracy: z.int().min(0).max(100_000).optional(),
    })
    .optional(),
  /** How many days banks hold a pre-authorised amount for this store; 7 if absent. */
  preauthorisation: z.strictObject({ days: z.int().min(1).max(31) }).optional(),
  /** The address of the paired terminal: `mpi+serial:/dev/ttyACM0`. */
  terminal: terminalAddress.optional(),
  /** The identity of the paired terminal, written by pairing, by which it is found again at another port. */
  device: device.optional(),
  /** Somebody chose to use a simulated terminal while none is paired; an installed till requires this choice. */
  simulatedTerminal: z.literal(true).optional(),
  /** Terminals after the first, each with the acquirer's id for it; their counters are T2, T3 and so on. */
  terminals: z
    .array(z.strictObject({ terminalId, terminal: terminalAddress, device: device.optional() }))
    .max(9)
    .optional(),
  /** How many days a stored sale's card data may wait to be sent before it is destroyed; 30 if absent. */
  keepCardDataDays: z.int().min(1).max(365).optional(),
  gateway: z.strictObject({
    entityId,
    /** The address of an external gateway, ending in a slash. If absent, the bundled gateway is used. */
    baseUrl: z.url().regex(/\/$/, wantWords.slash).optional(),
    /** Live tills: the processor that the bundled gateway sends its payments to. Its token is a secret. */
    upstream: z.strictObject({ baseUrl: z.string().refine(isGatewayAddress, wantWords.https), entityId }).optional(),
    /** The longest time to wait for an answer. */
    timeoutMs: z.int().min(1_000).max(60_000),
    /** How long a request can be in progress before "not found" proves that it never arrived. */
    requestLifeMs: z.int().min(0).max(600_000),
  }),
  /** How many stored messages are sent in parallel; 4 if absent. */
  queue: z.strictObject({ atOnce: z.int().min(1).max(32) }).optional(),
  /** A folder on another disk or a network share, to which journal and queue are copied soon after each step. */
  secondCopy: z.string().min(1).optional(),
  offline: offlineShape,
  /** Receipt printers; the first one is the default. */
  printers: printersShape,
  /** What the store adds to its receipts, and which of them are printed automatically. */
  paper: paperShape,
  screens: screensShape,
  /** When a business day ends, in the store's time. If absent: 04:00 in the machine's time zone. */
  businessDay: z
    .strictObject({
      cutOff: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, wantWords.timeOfDay),
      timeZone: z.string().refine(isTimeZone, wantWords.timeZone),
    })
    .optional(),
});

/** Rules across fields, reported together with the errors of single fields. */
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
  .refine(({ terminalId, terminals = [] }) => areDistinct([terminalId, ...terminals.map((one) => one.terminalId)]), {
    path: ['terminals'],
    error: wantWords.ownNumbers,
    when: ({ value }) => configSchema.safeParse(value).success,
  })
  .refine(
    ({ terminal, terminals = [] }) =>
      areDistinct([terminal, ...terminals.map((one) => one.terminal)].map(normaliseAddress)),
    { path: ['terminals'], error: wantWords.ownAddresses, when: ({ value }) => configSchema.safeParse(value).success },
  );

/** `com3` and `\\.\COM3` are the same port. */
const normaliseAddress = (address: string | undefined): string =>
  address === undefined ? '' : printAddress(readAddress(address));

const areDistinct = (names: readonly string[]): boolean => new Set(names).size === names.length;

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

/** pos.location.* for the till's intents; empty when the shop gives no location. */
export const locationOf = ({ location }: Config): { location?: ShopLocation } => {
  if (location === undefined) return {};
  const { accuracy, ...place } = location;
  return { location: { ...place, accuracy: accuracy === undefined ? undefined : String(accuracy) } };
};

export const journalFile = (folder: string): string => join(folder, 'journal.db');
const configFile = (folder: string): string => join(folder, 'till.json');

/** The terminal id in a new till.json, until somebody enters the acquirer's. */
export const MADE_UP_TERMINAL_ID = '10000001';

/** The merchant in a new till.json, until the shop enters its own. */
export const MADE_UP_MERCHANT = { name: 'MY SHOP', address: ['Change this in till.json'], id: '000000012345678' };

const firstConfig = (ids: Ids): Config => ({
  merchant: MADE_UP_MERCHANT,
  currency: 'EUR',
  terminalId: MADE_UP_TERMINAL_ID,
  gateway: { entityId: ids.next(), timeoutMs: 15_000, requestLifeMs: 30_000 },
  offline: firstOffline,
});

/**
 * Values of till.json that affect neither money nor a terminal: an unknown value, written by a newer version, is
 * ignored. Any other unknown value is refused by its name.
 */
const passedOver: readonly IgnoredKey[] = [
  { path: /^(paper|screens)\.language$/ },
  // Nothing is then printed automatically.
  { path: /^paper\.print$/ },
  // A printer that this version cannot use counts as absent.
  { path: /^printers\.\d+$/ },
  { path: /^printers\.\d+\.(codePage|columns)$/ },
  // The narrower paper: its layout fits on any paper.
  { path: /^printers\.\d+\.width$/, instead: 58 },
  // An operation that this version does not know is never taken offline.
  { path: /^offline\.operations\.\d+$/ },
];

/**
 * Reads till.json, and creates it on the first start. It is never created anew beside a journal: the till would become
 * a different one, asking another gateway about its sales. Throws `config.malformed` with the field, or
 * `folder.unusable`.
 */
export const loadConfig = (folder: string, ids: Ids): Config => {
  makeOwnedFolder(folder, { owners: ownersOf(folder) });
  const file = configFile(folder);
  if (!existsSync(file) && hasJournal(folder)) {
    throw new Fault('config.malformed', { file, why: 'it is gone, though the till’s journal is there' });
  }
  if (!existsSync(file)) replaceJson(file, firstConfig(ids));
  return readReported(file, () => parseConfig(readJson(file)));
};

/**
 * Reads till.json, changes it, and writes it completely or not at all. Throws `config.malformed` with the field when
 * the file, or what would be written, is invalid; the file then stays as it was.
 */
export const changeConfig = (folder: string, ids: Ids, change: (config: Config) => Config): Config =>
  writeConfig(folder, change(loadConfig(folder, ids)));

/** Writes till.json, replacing any content. Throws `config.malformed` with the field, or `folder.unusable`. */
export const writeConfig = (folder: string, config: Config): Config => {
  const file = configFile(folder);
  const { success, error, data } = shape.safeParse(config);
  if (!success) throw new Fault('config.malformed', { file, why: issues(error) }, error);
  replaceJson(file, carryUnknown(config, data));
  return data;
};

export const hasJournal = (folder: string): boolean => {
  const file = journalFile(folder);
  return existsSync(file) && statSync(file).size > 0;
};

/**
 * The errors of an imported configuration, field by field; none if it is acceptable. An unknown key is refused, unless
 * the present configuration has it too.
 */
export const configFaults = (value: unknown, current?: Config): WrongField[] => {
  const currentPaths = new Set(unknownIn(current).map(({ path }) => path));
  const known = knownOf(configSchema, value, currentPaths.size === 0 ? [] : passedOver);
  const unknownEntries = unknownIn(known).filter(({ path }) => !currentPaths.has(path));
  return [
    ...unknownEntries.map(({ path, nearest }) => ({
      name: path,
      says: nearest === undefined ? 'is not known' : `is not known; did you mean ${nearest}?`,
    })),
    ...wrongFieldsOf(shape.safeParse(known).error?.issues ?? [], 'it'),
  ];
};

/** The parsed configuration with its unknown keys, for `writeConfig`. Call it once `configFaults` returns none. */
export const parseConfig = (value: unknown): Config => parsedKnown(shape, value, passedOver);
