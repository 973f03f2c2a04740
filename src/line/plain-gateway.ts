/**
 * Payments over plain http to a gateway on another machine: never over the public network, and within a private one
 * only where a manager has allowed this address. An address that was in use before that was asked for goes on, and the
 * manager is warned. The permission is a row in the journal's file, written in one step with its entry.
 */
import { Fault } from '../base/fault.ts';
import { isLoopback, isPrivateNetwork, reachOf } from '../base/gateway-address.ts';
import type { Sql } from '../journal/sql.ts';
import type { Host, HostReply } from '../till/ports.ts';

/** `usedBefore`: sales were sent there before a manager was asked. */
export type PlainPermission =
  | { readonly state: 'none' }
  | { readonly state: 'usedBefore' }
  /** `by` is absent where nobody is known at the till. `at` is wall time, ms. */
  | { readonly state: 'allowed'; readonly at: number; readonly by?: string };

export type PlainGatewayState = {
  /** The gateway's address as it is configured. */
  readonly address: string;
  readonly reach: 'privateNetwork' | 'elsewhere';
  readonly permission: PlainPermission;
};

export type PlainGateway = {
  /** Undefined where the way to the gateway is encrypted, or does not leave this machine. */
  state(): PlainGatewayState | undefined;
  /** Why nothing may be sent to the gateway; undefined when it may. */
  refusal(): Fault | undefined;
};

const table = `CREATE TABLE IF NOT EXISTS plain_gateway (origin TEXT PRIMARY KEY, allowed_at INTEGER, by TEXT) STRICT`;

/** Scheme, host and port: a token that may go to one path may go to the others. */
const originOf = (address: string): string => new URL(address).origin;

/** Gateways that sales were sent to are in use: what was allowed to go on when a manager began to be asked. */
export const notePlainGateways = (sql: Sql): void => {
  sql.run(table);
  const names = sql.all(
    `SELECT DISTINCT coalesce(json_extract(body, '$.intent.gateway'), json_extract(body, '$.gateway')) AS name
     FROM entry WHERE kind IN ('intended', 'movedTo')`,
  );
  for (const { name } of names) {
    // `ENTITYID at ADDRESS`; the gateway in the box is at no address that a till could be given.
    const address = / at (.*)$/.exec(String(name))?.[1] ?? '';
    if (reachOf(address) !== 'privateNetwork' || address === 'http://embedded/') continue;
    sql.run('INSERT OR IGNORE INTO plain_gateway (origin) VALUES (?)', originOf(address));
  }
};

const permissionOf = (sql: Sql, address: string): PlainPermission => {
  const row = sql.get('SELECT allowed_at, by FROM plain_gateway WHERE origin = ?', originOf(address));
  if (row === undefined) return { state: 'none' };
  const { allowed_at: at, by } = row;
  if (at === null || at === undefined) return { state: 'usedBefore' };
  return { state: 'allowed', at: Number(at), by: by == null ? undefined : String(by) };
};

/** `address`: of a gateway over the network; undefined of the one in the box. Without `sql` nothing was allowed. */
export const openPlainGateway = (sql: Sql | undefined, address: string | undefined): PlainGateway => {
  const reach = address === undefined ? undefined : (reachOf(address) ?? 'elsewhere');
  if (address === undefined || reach === undefined || reach === 'encrypted' || reach === 'thisMachine')
    return { state: () => undefined, refusal: () => undefined };
  sql?.run(table);
  const permission = (): PlainPermission =>
    reach === 'elsewhere' || sql === undefined ? { state: 'none' } : permissionOf(sql, address);
  return {
    state: () => ({ address: withoutCredentials(address), reach, permission: permission() }),
    refusal() {
      if (permission().state !== 'none') return undefined;
      return new Fault(reach === 'elsewhere' ? 'gateway.plain' : 'gateway.plainUnallowed', {
        url: withoutCredentials(address),
      });
    },
  };
};

/**
 * The address as it is allowed and written down: without a path, and without what may be secret. Throws `gateway.plain`
 * and `gateway.encrypted` for one that nobody can allow, or nobody has to.
 */
export const allowable = (address: string): string => {
  const reach = reachOf(address);
  if (reach === 'privateNetwork') return `${originOf(address)}/`;
  throw new Fault(reach === undefined || reach === 'elsewhere' ? 'gateway.plain' : 'gateway.encrypted', {
    url: withoutCredentials(address),
  });
};

/** An address may carry a password. */
const withoutCredentials = (address: string): string => {
  if (!URL.canParse(address)) return address;
  const url = new URL(address);
  url.username = '';
  url.password = '';
  return url.href;
};

/** Inside a journal write: with its entry, or not at all. */
export const allowPlain = (sql: Sql, address: string, { at, by }: { at: number; by: string | undefined }): void => {
  sql.run(table);
  const row = [originOf(address), at, by ?? null];
  sql.run('INSERT OR REPLACE INTO plain_gateway (origin, allowed_at, by) VALUES (?, ?, ?)', ...row);
};

/** The same for a permission that is taken back, and for an address that was in use before one was asked for. */
export const disallowPlain = (sql: Sql, address: string): void => {
  sql.run(table);
  sql.run('DELETE FROM plain_gateway WHERE origin = ?', originOf(address));
};

/** The same host, which is sent nothing while the way to it may not be used: proved not sent, whoever asks. */
export const hostUnlessRefused = (host: Host, { refusal }: PlainGateway): Host => {
  const unlessRefused =
    <Of extends unknown[]>(ask: (...of: Of) => Promise<HostReply>) =>
    async (...of: Of): Promise<HostReply> => {
      const fault = refusal();
      return fault === undefined ? ask(...of) : { kind: 'notSent', fault };
    };
  return {
    ...host,
    pay: unlessRefused(host.pay),
    refer: unlessRefused(host.refer),
    find: unlessRefused(host.find),
    list: unlessRefused(host.list),
  };
};

/** Whether a connection for this address may go to where its name led: what was allowed was a private network. */
export const mayReach = (address: string): ((found: string) => boolean) => {
  const reach = reachOf(address);
  if (reach === 'encrypted') return () => true;
  return (found) => isLoopback(found) || (reach === 'privateNetwork' && isPrivateNetwork(found));
};
