/** The till's configuration: a readable file beside the journal, and one with the secrets that nobody else may read. */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { isCurrency } from '../base/currencies.ts';
import { Fault, wordsOf } from '../base/fault.ts';
import { fromHex, toHex } from '../base/hex.ts';
import type { Ids, Random } from '../base/ids.ts';

const amount = z.string().regex(/^\d{1,10}\.\d{2}$/, 'must be an amount such as 50.00');
const entityId = z.string().regex(/^[0-9a-f]{32}$/, 'must be 32 lower-case hex digits');

const shape = z.strictObject({
  merchant: z.strictObject({
    name: z.string().min(1).max(100),
    address: z.array(z.string().max(100)).max(4),
    id: z.string().min(1).max(32),
    vat: z.string().max(32).optional(),
  }),
  currency: z.string().refine(isCurrency, 'must be an ISO 4217 code such as EUR'),
  /** pos.terminalId: the number the acquirer gave this terminal. */
  terminalId: z.string().regex(/^\d{1,32}$/, 'must be 1 to 32 digits'),
  /** The address of the paired terminal: `mpi+serial:/dev/ttyACM0`. */
  terminal: z.string().min(1).optional(),
  gateway: z.strictObject({
    entityId,
    /** Of a gateway elsewhere, ending in a slash. Without it the gateway in the box is used. */
    baseUrl: z.url().regex(/\/$/, 'must end in a slash').optional(),
    /** How long one answer may take. */
    timeoutMs: z.int().min(1_000).max(60_000),
    /** How long a request can be under way before "not found" proves that it never arrived. */
    requestLifeMs: z.int().min(0).max(600_000),
  }),
  offline: z.strictObject({ chipUpTo: amount, deferredUpTo: amount, total: amount, count: z.int().min(0).max(10_000) }),
});

export type Config = z.output<typeof shape>;

const secretsShape = z.strictObject({
  token: z.string().min(8),
  /** Hex, 32 bytes: wraps the data keys of the queue. */
  tillKey: z.string().regex(/^[0-9A-F]{64}$/),
});

export type Secrets = { token: string; tillKey: Uint8Array };

const firstConfig = (ids: Ids): Config => ({
  merchant: { name: 'MY SHOP', address: ['Change this in till.json'], id: '4711' },
  currency: 'EUR',
  terminalId: '10000001',
  gateway: { entityId: ids.next(), timeoutMs: 15_000, requestLifeMs: 30_000 },
  offline: { chipUpTo: '50.00', deferredUpTo: '0.00', total: '500.00', count: 50 },
});

/** Reads both files of a data folder, and makes them on the first start. Throws `config.malformed` with the field. */
export const loadConfig = (
  folder: string,
  { ids, random }: { ids: Ids; random: Random },
): { config: Config; secrets: Secrets } => {
  make(folder);
  const config = load(join(folder, 'till.json'), shape, () => firstConfig(ids));
  const secrets = load(join(folder, 'till.secrets.json'), secretsShape, () => ({
    token: Buffer.from(random(24)).toString('base64url'),
    tillKey: toHex(random(32)),
  }));
  return { config, secrets: { token: secrets.token, tillKey: fromHex(secrets.tillKey) } };
};

const make = (folder: string): void => {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new Fault('config.malformed', { file: folder, why: wordsOf(error) }, error);
  }
};

const load = <T>(file: string, as: z.ZodType<T>, first: () => T): T => {
  if (!existsSync(file)) save(file, first());
  try {
    return as.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    throw new Fault(
      'config.malformed',
      { file, why: error instanceof z.ZodError ? issues(error) : wordsOf(error) },
      error,
    );
  }
};

const issues = ({ issues }: z.ZodError): string =>
  issues.map(({ path, message }) => `${path.join('.') || 'it'}: ${message}`).join('; ');

/** Whole or not at all: a power cut leaves the old file. Nobody but the owner may read either. */
const save = (file: string, value: unknown): void => {
  const fresh = `${file}.new`;
  writeFileSync(fresh, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600, flush: true });
  renameSync(fresh, file);
};
