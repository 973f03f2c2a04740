/** The till's configuration: a readable file beside the journal, and one with the secrets that nobody else may read. */
import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { isCurrency } from '../base/currencies.ts';
import { Fault, isFault, wordsOf } from '../base/fault.ts';
import { makeFolder } from '../base/folder.ts';
import { fromHex, toHex } from '../base/hex.ts';
import type { Ids, Random } from '../base/ids.ts';
import { syncFolder } from '../base/made-once.ts';
import { parseAmount } from '../base/money.ts';
import { amountsIn, firstOffline, offlineShape } from './offline-config.ts';
import { paperShape, printersShape } from './paper-config.ts';
import { screensShape } from './screens-config.ts';
import { isSealed, openSecrets, sealSecrets } from './sealed-secrets.ts';

const entityId = z.string().regex(/^[0-9a-f]{32}$/, 'must be 32 lower-case hex digits');

const isTimeZone = (name: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
};

const terminalId = z.string().regex(/^\d{1,32}$/, 'must be 1 to 32 digits');

const device = z.strictObject({
  /** pos.deviceType. */
  deviceType: z.string().min(1).max(32),
  /** pos.deviceId: the digits of the serial number; left out when it has none. */
  deviceId: z
    .string()
    .regex(/^\d{1,32}$/, 'must be 1 to 32 digits')
    .optional(),
  model: z.string().max(100),
  serial: z.string().max(100),
  firmware: z.string().max(100),
  /** `yyyy-MM-dd HH:mm:ss` in UTC. */
  pairedAt: z.string().regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/, 'must be a time such as 2026-01-31 23:59:59'),
  /** A manager said that it is at its maker's test host: a test till sells on it, though it is no simulated one. */
  testHost: z.literal(true).optional(),
});

const fields = z.strictObject({
  merchant: z.strictObject({
    name: z.string().min(1).max(100),
    address: z.array(z.string().max(100)).max(4),
    id: z.string().min(1).max(32),
    vat: z.string().max(32).optional(),
  }),
  currency: z.string().refine(isCurrency, 'must be an ISO 4217 code such as EUR'),
  /** pos.terminalId: the number the acquirer gave this terminal. */
  terminalId,
  /** How many days banks keep a pre-authorised amount for this store; 7 where it is not said. */
  preauthorisation: z.strictObject({ days: z.int().min(1).max(31) }).optional(),
  /** The address of the paired terminal: `mpi+serial:/dev/ttyACM0`. */
  terminal: z.string().min(1).optional(),
  /** What the paired terminal said of itself: written by pairing, and how it is found again at another port. */
  device: device.optional(),
  /** More terminals beside the first, each with the acquirer's number for it; their counters are T2, T3 … */
  terminals: z
    .array(z.strictObject({ terminalId, terminal: z.string().min(1), device: device.optional() }))
    .max(9)
    .optional(),
  /** How long a stored sale's card data may wait to be sent; then it is destroyed. 30 if left out. */
  keepCardDataDays: z.int().min(1).max(365).optional(),
  gateway: z.strictObject({
    entityId,
    /** Of a gateway elsewhere, ending in a slash. Without it the gateway in the box is used. */
    baseUrl: z.url().regex(/\/$/, 'must end in a slash').optional(),
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
      cutOff: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as 04:00'),
      timeZone: z.string().refine(isTimeZone, 'must be a time zone such as Europe/Vienna'),
    })
    .optional(),
});

/** Rules across fields; said together with what is wrong with the fields themselves. */
const shape = fields
  .refine(({ gateway }) => gateway.requestLifeMs >= gateway.timeoutMs, {
    path: ['gateway', 'requestLifeMs'],
    error: 'must not be less than timeoutMs: a request may be under way as long as its answer is waited for',
    when: ({ value }) => fields.safeParse(value).success,
  })
  .refine(({ offline, currency }) => amountsIn(offline).every((text) => isAmount(text, currency)), {
    path: ['offline'],
    error: 'must be amounts of the till’s currency',
    when: ({ value }) => fields.safeParse(value).success,
  })
  .refine(({ terminalId, terminals = [] }) => differ([terminalId, ...terminals.map((one) => one.terminalId)]), {
    path: ['terminals'],
    error: 'must each have a terminalId of their own: the gateway tells requests apart by it',
    when: ({ value }) => fields.safeParse(value).success,
  })
  .refine(({ terminal, terminals = [] }) => differ([terminal ?? '', ...terminals.map((one) => one.terminal)]), {
    path: ['terminals'],
    error: 'must each be at an address of their own: a terminal takes one sale at a time',
    when: ({ value }) => fields.safeParse(value).success,
  });

const differ = (names: readonly string[]): boolean => new Set(names).size === names.length;

const isAmount = (text: string, currency: string): boolean => {
  try {
    return parseAmount(text, currency).currency === currency;
  } catch (error) {
    if (isFault(error, 'amount.malformed')) return false;
    throw error;
  }
};

export type Config = z.output<typeof fields>;
export type PairedDevice = NonNullable<Config['device']>;

const secretsShape = z.strictObject({
  /** The access token of this till's channel. */
  token: z.string().min(8),
  /** Hex, 32 bytes: wraps the data keys of the queue. */
  tillKey: z.string().regex(/^[0-9A-F]{64}$/),
  /** Hex, 32 bytes: the private key of the till's signatures. A file from before there were any gets one. */
  signingKey: z
    .string()
    .regex(/^[0-9A-F]{64}$/)
    .optional(),
});

export type Secrets = { token: string; tillKey: Uint8Array; signingKey: Uint8Array };

export const journalFile = (folder: string): string => join(folder, 'journal.db');
const configFile = (folder: string): string => join(folder, 'till.json');
const secretsFile = (folder: string): string => join(folder, 'till.secrets.json');

/** Stands in a new till.json until somebody gives the acquirer's. */
export const MADE_UP_TERMINAL_ID = '10000001';

const firstConfig = (ids: Ids): Config => ({
  merchant: { name: 'MY SHOP', address: ['Change this in till.json'], id: '000000012345678' },
  currency: 'EUR',
  terminalId: MADE_UP_TERMINAL_ID,
  gateway: { entityId: ids.next(), timeoutMs: 15_000, requestLifeMs: 30_000 },
  offline: firstOffline,
});

/**
 * Reads till.json, and makes it on the first start. Beside a journal it is never made anew: the till would be another
 * one, asking another gateway about its sales. Throws `config.malformed` with the field, or `folder.unusable`.
 */
export const loadConfig = (folder: string, ids: Ids): Config => {
  makeFolder(folder);
  const file = configFile(folder);
  if (!existsSync(file) && hasJournal(folder)) {
    throw new Fault('config.malformed', { file, why: 'it is gone, though the till’s journal is there' });
  }
  return load(file, shape, () => firstConfig(ids));
};

/**
 * Reads till.json, changes it, and writes it whole or not at all. Throws `config.malformed` with the field when either
 * the file or what would be written is not as it must be; the file is as it was then.
 */
export const changeConfig = (folder: string, ids: Ids, change: (config: Config) => Config): Config => {
  const file = configFile(folder);
  const changed = change(loadConfig(folder, ids));
  const { success, error, data } = shape.safeParse(changed);
  if (!success) throw new Fault('config.malformed', { file, why: issues(error) }, error);
  save(file, data);
  return data;
};

/** Whoever has secrets has had a journal: a till that forgot its sales would begin its receipts anew, and double. */
export const refuseLostJournal = (folder: string): void => {
  if (existsSync(secretsFile(folder)) && !hasJournal(folder)) {
    throw new Fault('journal.gone', { path: journalFile(folder) });
  }
};

type SecretsWish = {
  random: Random;
  isNew: boolean;
  /** From this machine's key store, 32 bytes: the file lies sealed under it, and is sealed if it was not. */
  sealKey?: Uint8Array | undefined;
};

/**
 * Reads the secrets. Only a till whose journal is still empty gets new ones. Throws `secrets.gone`, and
 * `secrets.sealed` for a file that lies under a key that is not given.
 */
export const loadSecrets = (folder: string, { random, isNew, sealKey }: SecretsWish): Secrets => {
  const file = secretsFile(folder);
  if (!existsSync(file) && !isNew) throw new Fault('secrets.gone', { path: file });
  const kept = existsSync(file) ? readJson(file) : undefined;
  const secrets = checkedAs(file, secretsShape, () => {
    if (kept === undefined) return { token: Buffer.from(random(24)).toString('base64url'), tillKey: toHex(random(32)) };
    return isSealed(kept) ? openSecrets(kept, sealKey, file) : kept;
  });
  const { token, tillKey, signingKey = toHex(random(32)) } = secrets;
  const whole = { ...secrets, signingKey };
  const isKept = kept !== undefined && secrets.signingKey !== undefined && isSealed(kept) === (sealKey !== undefined);
  if (!isKept) save(file, sealKey === undefined ? whole : sealSecrets(whole, sealKey, random));
  return { token, tillKey: fromHex(tillKey), signingKey: fromHex(signingKey) };
};

/** The secrets of a folder whose till need not be able to start: of a dead one, or before its journal is open. */
export const readSecrets = (folder: string, sealKey?: Uint8Array): z.output<typeof secretsShape> | undefined => {
  const file = secretsFile(folder);
  try {
    const kept: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return secretsShape.parse(isSealed(kept) ? openSecrets(kept, sealKey, file) : kept);
  } catch {
    return undefined;
  }
};

/** Takes the seal off the secrets' file, by the recovery code's key. Throws `secrets.sealed`, `folder.unusable`. */
export const unsealSecrets = (folder: string, sealKey: Uint8Array): void => {
  const file = secretsFile(folder);
  const kept = readJson(file);
  if (isSealed(kept))
    save(
      file,
      checkedAs(file, secretsShape, () => openSecrets(kept, sealKey, file)),
    );
};

const hasJournal = (folder: string): boolean => {
  const file = journalFile(folder);
  return existsSync(file) && statSync(file).size > 0;
};

const load = <T>(file: string, as: z.ZodType<T>, first: () => T): T => {
  if (!existsSync(file)) save(file, first());
  return checkedAs(file, as, () => readJson(file));
};

const readJson = (file: string): unknown => checkedAs(file, z.unknown(), () => JSON.parse(readFileSync(file, 'utf8')));

/** Throws `config.malformed` with the file and what is wrong with it. */
const checkedAs = <T>(file: string, as: z.ZodType<T>, read: () => unknown): T => {
  try {
    return as.parse(read());
  } catch (error) {
    if (isFault(error)) throw error;
    throw new Fault(
      'config.malformed',
      { file, why: error instanceof z.ZodError ? issues(error) : wordsOf(error) },
      error,
    );
  }
};

/** What is wrong with a configuration, field by field; nothing when `loadConfig` would take it. */
export const configFaults = (value: unknown): { name: string; says: string }[] =>
  (shape.safeParse(value).error?.issues ?? []).map(({ path, message }) => ({
    name: path.join('.') || 'it',
    says: message,
  }));

const issues = ({ issues }: z.ZodError): string =>
  issues.map(({ path, message }) => `${path.join('.') || 'it'}: ${message}`).join('; ');

/** Whole or not at all: a power cut leaves the old file. Nobody but the owner may read either. */
const save = (file: string, value: unknown): void => {
  const fresh = `${file}.new`;
  try {
    writeFileSync(fresh, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600, flush: true });
    renameSync(fresh, file);
    syncFolder(dirname(file));
  } catch (error) {
    throw new Fault('folder.unusable', { path: dirname(file), why: wordsOf(error) }, error);
  }
};
