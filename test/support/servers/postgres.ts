/**
 * A real PostgreSQL server for tests, with nothing but Debian's package `postgresql`.
 *
 * It starts in a new folder below the system's temporary one: `initdb` creates the cluster there, and `pg_ctl -w`
 * starts it on 127.0.0.1 at a free port, with its socket in the folder, and waits until it answers. PostgreSQL refuses
 * to run as root, so root gives the folder to the user `postgres`, or to `nobody`, and runs both programs as that user.
 */
import { execFile, spawnSync } from 'node:child_process';
import { accessSync, chownSync, constants, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { reservePort } from './reserved-port.ts';

export type TestPostgres = {
  /** Creates an empty database; returns its address. */
  database(): Promise<string>;
  /** Stops at once, as after a crash, and starts again at the same port; returns when it answers. */
  restart(): void;
  /** Stops at once, and does not come back until `start`. */
  halt(): void;
  start(): void;
  /** As `halt` and `start`, while the event loop of this process goes on and sees its connections end. */
  haltBeside(): Promise<void>;
  startBeside(): Promise<void>;
  /** Runs a query as the server's owner in the database of `url`. */
  ask<Row extends pg.QueryResultRow>(url: string, sql: string): Promise<Row[]>;
  /**
   * Resolves when this condition holds in the database of `url`. The server checks by itself, since writes of gateways
   * in other processes are reported to nobody, and a trigger for that would make them wait for each other.
   */
  until(url: string, condition: string): Promise<void>;
  /** Stops it and removes everything that it created. */
  remove(): void;
};

const OWNER = 'tillgate';
const DEBIAN = '/usr/lib/postgresql';

/** Throws with the name of Debian's package if it is missing, and with the server's message if it fails. */
export const startPostgres = async (): Promise<TestPostgres> => {
  const programs = findPrograms();
  const user = unprivileged();
  const folder = mkdtempSync(join(tmpdir(), 'postgres-'));
  if (user !== undefined) chownSync(folder, user.uid, user.gid);
  const port = await reservePort();
  const data = join(folder, 'data');
  const log = join(folder, 'log');
  const env = { PATH: process.env['PATH'] ?? '', LC_ALL: 'C' };
  const run = (program: 'initdb' | 'pg_ctl', args: readonly string[]) => {
    const path = join(programs, program);
    const { status, stderr, error } = spawnSync(path, args, { cwd: folder, encoding: 'utf8', env, ...user });
    if (status !== 0) throw new Error(`${program} failed: ${error?.message ?? stderr}${logged(log)}`);
  };
  const settings = `-p ${port} -k ${folder} -c listen_addresses=127.0.0.1`;
  const startArgs = ['start', '-w', '-s', '-D', data, '-l', log, '-o', settings];
  const haltArgs = ['stop', '-w', '-s', '-D', data, '-m', 'immediate'];
  const start = () => run('pg_ctl', startArgs);
  const halt = () => run('pg_ctl', haltArgs);
  const runBeside = async (args: readonly string[]): Promise<void> => {
    await promisify(execFile)(join(programs, 'pg_ctl'), args, { cwd: folder, env, ...user });
  };
  const remove = () => {
    process.off('exit', remove);
    spawnSync(join(programs, 'pg_ctl'), haltArgs, { cwd: folder, ...user });
    rmSync(folder, { recursive: true, force: true });
  };
  // If a test run ends without its last hooks, the server must not survive it.
  process.on('exit', remove);
  try {
    run('initdb', ['-D', data, '-U', OWNER, '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync']);
    start();
  } catch (error) {
    remove();
    throw error;
  }
  const urlOf = (database: string) => `postgres://${OWNER}@127.0.0.1:${port}/${database}`;
  let databases = 0;
  return {
    start,
    halt,
    startBeside: () => runBeside(startArgs),
    haltBeside: () => runBeside(haltArgs),
    remove,
    ask,
    until,
    restart() {
      halt();
      start();
    },
    async database() {
      databases += 1;
      await ask(urlOf('postgres'), `create database test_${databases}`);
      return urlOf(`test_${databases}`);
    },
  };
};

const ask = async <Row extends pg.QueryResultRow>(url: string, sql: string): Promise<Row[]> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
};

/**
 * Checks fifty times a second, for at most five minutes: each statement of a block sees what has been committed by
 * then.
 */
const until = async (url: string, condition: string): Promise<void> => {
  const loop = `while not (${condition}) loop perform pg_sleep(0.02); end loop`;
  await ask(url, `set statement_timeout = '5min'; do $$ begin ${loop}; end $$`);
};

/** The folder of initdb and pg_ctl: on the PATH, or in Debian's place for them, newest version first. */
const findPrograms = (): string => {
  const versions = safely(() => readdirSync(DEBIAN)) ?? [];
  const debian = versions.sort((one, other) => Number(other) - Number(one)).map((each) => join(DEBIAN, each, 'bin'));
  const places = [...(process.env['PATH'] ?? '').split(delimiter), ...debian];
  const found = places.find((place) => ['initdb', 'pg_ctl'].every((name) => isProgram(join(place, name))));
  if (found === undefined) throw new Error('PostgreSQL is not installed: apt-get install postgresql');
  return found;
};

const isProgram = (path: string): boolean => safely(() => accessSync(path, constants.X_OK)) === null;

/** The result of `work`, null for nothing, or undefined if it fails. */
const safely = <T>(work: () => T): T | null | undefined => {
  try {
    return work() ?? null;
  } catch {
    return undefined;
  }
};

/** The user that root becomes. Undefined for everybody else. */
const unprivileged = (): { uid: number; gid: number } | undefined => {
  if (process.getuid?.() !== 0) return undefined;
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const [, , uid, gid] = ['postgres', 'nobody'].flatMap((name) => users.filter((each) => each[0] === name))[0] ?? [];
  if (uid === undefined || gid === undefined)
    throw new Error('PostgreSQL does not run as root, and there is no other user');
  return { uid: Number(uid), gid: Number(gid) };
};

const logged = (log: string): string => safely(() => `\n${readFileSync(log, 'utf8')}`) ?? '';
