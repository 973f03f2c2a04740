/** Connections to one PostgreSQL database: a few, kept open, and replaced when lost. */
import pg from 'pg';
import type { DiskTrouble } from '../../base/databases.ts';
import { errorText, Fault, isFault } from '../../base/fault.ts';

const CONNECT_MS = 15_000;
/** The time limit for a hanging statement: in the server, and here in case the server disappears without an answer. */
const STATEMENT_MS = 30_000;
const SILENT_MS = 40_000;
const INT8 = 20;

export interface PostgresPool {
  /** Runs work that may be repeated: on another connection if the first was lost. Throws `gateway.state`. */
  use<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T>;
  /** A dedicated connection on which `statements` have started a transaction; it must be released in any case. */
  begin(statements: string): Promise<{ client: pg.PoolClient; release(how?: { broken: true }): void }>;
  /** The error as a fault of the gateway, without the password. */
  faultOf(error: unknown): Fault;
  end(): Promise<void>;
}

export const createPool = (url: string, connections: number): PostgresPool => {
  const secrets = secretsOf(url);
  const faultOf = (error: unknown) => postgresFault(error, secrets);
  const pool = new pg.Pool(configOf(url, connections));
  // An error of an idle connection removes it from the pool, and an error of a busy one fails its statement: both are
  // handled there. Without a listener either would end the process.
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
  /** All pooled connections may have been lost: then the last attempt uses a new one. */
  const retryUntilKept = async <T>(work: () => Promise<T>, triesLeft = connections + 1): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (isLost(error) && triesLeft > 1) return retryUntilKept(work, triesLeft - 1);
      throw faultOf(error);
    }
  };
  let exited: Promise<void> | undefined;
  return {
    use: async (work) => (await retryUntilKept(() => checkedOut(work, { keep: false }))).result,
    async begin(statements) {
      const { client } = await retryUntilKept(() => checkedOut((each) => each.query(statements), { keep: true }));
      return { client, release: (how) => client.release(how?.broken === true) };
    },
    faultOf,
    end() {
      exited ??= pool.end();
      return exited;
    },
  };
};

const configOf = (url: string, connections: number): pg.PoolConfig => ({
  connectionString: url,
  max: connections,
  connectionTimeoutMillis: CONNECT_MS,
  statement_timeout: STATEMENT_MS,
  query_timeout: SILENT_MS,
  // A gateway that hangs within a transaction must not keep its locks forever.
  idle_in_transaction_session_timeout: STATEMENT_MS,
  keepAlive: true,
  application_name: 'tillgate',
  options: '-c synchronous_commit=on',
  // 64-bit integers stay integers.
  types: {
    getTypeParser: (oid: number, format?: 'text' | 'binary') =>
      oid === INT8 ? BigInt : format === 'binary' ? pg.types.getTypeParser(oid, 'binary') : pg.types.getTypeParser(oid),
  },
});

/** The password as written in the URL, and decoded. Throws `gateway.state` if it is not a URL. */
const secretsOf = (url: string): string[] => {
  // The parser's own error would show the whole address.
  if (!URL.canParse(url))
    throw new Fault('gateway.state', { why: 'the address of the PostgreSQL database is not a URL' });
  const { password, searchParams } = new URL(url);
  return [password, decode(password), searchParams.get('password') ?? ''].filter((each) => each !== '');
};

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

// Converts errors of PostgreSQL and its driver to faults of the gateway, never with a password in them.

/** Connection lost (class 08), or the server is shutting down or starting (57P01 to 57P03). */
const LOST = /^(08\w{3}|57P0[123]|ECONNRESET|EPIPE)$/;
const LOST_WORDS = /^(Connection terminated|Client has encountered a connection error)/;

/** disk_full, read_only_sql_transaction (a setting, or a standby) and io_error. */
const troubles: Readonly<Record<string, DiskTrouble>> = {
  '53100': 'diskFull',
  '25006': 'readOnly',
  '58030': 'diskFails',
};

/** Whether the connection is lost, so that another one may work. */
const isLost = (error: unknown): boolean => LOST.test(codeOf(error)) || LOST_WORDS.test(errorText(error));

/**
 * `gateway.state` for any error, without it as a cause: the driver's errors contain rows and addresses. `secrets` are
 * removed from the text.
 */
const postgresFault = (error: unknown, secrets: readonly string[]): Fault => {
  if (isFault(error)) return error;
  const message = errorText(error);
  const code = codeOf(error);
  const value = [message, code === '' || message.includes(code) ? '' : `(${code})`]
    .filter((each) => each !== '')
    .join(' ');
  const clean = secrets.reduce((text, secret) => text.replaceAll(secret, '***'), value);
  const reason = `PostgreSQL: ${clean === '' ? 'no answer' : clean}`;
  const trouble = Object.hasOwn(troubles, code) ? troubles[code] : undefined;
  return new Fault('gateway.state', trouble === undefined ? { why: reason } : { why: reason, trouble });
};

const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
