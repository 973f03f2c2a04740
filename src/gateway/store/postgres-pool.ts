/** Connections to one PostgreSQL database: a few, kept, replaced when lost. */
import pg from 'pg';
import type { DiskTrouble } from '../../base/databases.ts';
import { Fault, isFault, wordsOf } from '../../base/fault.ts';

const CONNECT_MS = 15_000;
/** A statement that hangs: in the server, and should the server itself be gone without a word, here. */
const STATEMENT_MS = 30_000;
const SILENT_MS = 40_000;
const INT8 = 20;

export interface PostgresPool {
  /** Runs what may be done twice: on another connection again if the first was lost. Throws `gateway.state`. */
  use<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T>;
  /** A connection of its own on which `statements` have begun a transaction; to be released whatever happens. */
  begin(statements: string): Promise<{ client: pg.PoolClient; release(how?: { broken: true }): void }>;
  /** In the gateway's words, without the password. */
  fault(error: unknown): Fault;
  end(): Promise<void>;
}

export const poolOf = (url: string, connections: number): PostgresPool => {
  const secrets = secretsOf(url);
  const fault = (error: unknown) => postgresFault(error, secrets);
  const pool = new pg.Pool(configOf(url, connections));
  // What breaks an idle connection takes it out of the pool, and what breaks one at work fails its statement: both are
  // told there. Without a listener either would end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));

  const checkedOut = async <T>(work: (client: pg.PoolClient) => Promise<T>, { keep }: { keep: boolean }) => {
    const client = await pool.connect();
    try {
      const result = await work(client);
      if (!keep) client.release();
      return { client, result };
    } catch (error) {
      client.release(isLost(error) || !(error instanceof pg.DatabaseError));
      throw error;
    }
  };
  /** All kept connections may have been lost: then the last try is on a new one. */
  const untilKept = async <T>(work: () => Promise<T>, tries = connections + 1): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (isLost(error) && tries > 1) return untilKept(work, tries - 1);
      throw fault(error);
    }
  };
  let ended: Promise<void> | undefined;
  return {
    use: async (work) => (await untilKept(() => checkedOut(work, { keep: false }))).result,
    async begin(statements) {
      const { client } = await untilKept(() => checkedOut((each) => each.query(statements), { keep: true }));
      return { client, release: (how) => client.release(how?.broken === true) };
    },
    fault,
    end() {
      ended ??= pool.end();
      return ended;
    },
  };
};

const configOf = (url: string, connections: number): pg.PoolConfig => ({
  connectionString: url,
  max: connections,
  connectionTimeoutMillis: CONNECT_MS,
  statement_timeout: STATEMENT_MS,
  query_timeout: SILENT_MS,
  // A gateway that hangs within a work must not hold the others' names for ever.
  idle_in_transaction_session_timeout: STATEMENT_MS,
  keepAlive: true,
  application_name: 'tillgate',
  options: '-c synchronous_commit=on',
  // Whole numbers of 64 bits stay whole.
  types: {
    getTypeParser: (oid: number, format?: 'text' | 'binary') =>
      oid === INT8 ? BigInt : format === 'binary' ? pg.types.getTypeParser(oid, 'binary') : pg.types.getTypeParser(oid),
  },
});

/** The password as it stands in the url, and as it is meant. Throws `gateway.state` for what is no url. */
const secretsOf = (url: string): string[] => {
  // The parser's own error would show the whole address.
  if (!URL.canParse(url))
    throw new Fault('gateway.state', { why: 'the address of the PostgreSQL database is not a URL' });
  const { password, searchParams } = new URL(url);
  return [password, decoded(password), searchParams.get('password') ?? ''].filter((each) => each !== '');
};

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

// What PostgreSQL and its driver throw, in the gateway's words, and never with a password in them.

/** Connection lost (class 08), or the server going away or starting (57P01 to 57P03). */
const LOST = /^(08\w{3}|57P0[123]|ECONNRESET|EPIPE)$/;
const LOST_WORDS = /^(Connection terminated|Client has encountered a connection error)/;

/** disk_full, read_only_sql_transaction (a setting, or a standby) and io_error. */
const troubles: Readonly<Record<string, DiskTrouble>> = {
  '53100': 'diskFull',
  '25006': 'readOnly',
  '58030': 'diskFails',
};

/** Whether the connection is gone, and another one may do. */
const isLost = (error: unknown): boolean => LOST.test(codeOf(error)) || LOST_WORDS.test(wordsOf(error));

/**
 * `gateway.state` for whatever was thrown, without it as a cause: the driver's errors hold rows and addresses.
 * `secrets` are taken out of the words.
 */
const postgresFault = (error: unknown, secrets: readonly string[]): Fault => {
  if (isFault(error)) return error;
  const words = wordsOf(error);
  const code = codeOf(error);
  const said = [words, code === '' || words.includes(code) ? '' : `(${code})`].filter((each) => each !== '').join(' ');
  const clean = secrets.reduce((text, secret) => text.replaceAll(secret, '***'), said);
  const why = `PostgreSQL: ${clean === '' ? 'no answer' : clean}`;
  const trouble = Object.hasOwn(troubles, code) ? troubles[code] : undefined;
  return new Fault('gateway.state', trouble === undefined ? { why } : { why, trouble });
};

const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
