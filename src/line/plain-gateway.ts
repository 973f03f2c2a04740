/**
 * Payments over plain http to a gateway on another machine: never over the public network, and within a private one
 * only if a manager has allowed this address. An address that was in use before this permission existed keeps working,
 * and the manager is warned. The permission is a row in the journal's file, written in one step with its entry.
 */
import { Fault } from '../base/fault.ts';
import { isLoopback, isPrivateNetwork, reachOf } from '../base/gateway-address.ts';
import type { Sql } from '../journal/sql.ts';
import type { Host, HostReply } from '../till/ports.ts';

/** `usedBefore`: sales were sent there before the permission existed. */
export type PlainPermission =
  | { readonly state: 'none' }
  | { readonly state: 'usedBefore' }
  /** `by` is absent where no staff have been added. `at` is wall time, ms. */
  | { readonly state: 'allowed'; readonly at: number; readonly by?: string };

export type PlainGatewayState = {
  /** The gateway's address as configured. */
  readonly address: string;
  readonly reach: 'privateNetwork' | 'elsewhere';
  readonly permission: PlainPermission;
};

export type PlainGateway = {
  /** Undefined if the connection is encrypted or does not leave this machine. */
  state(): PlainGatewayState | undefined;
  /** Why nothing may be sent to the gateway; undefined when it may. */
  refusalFault(): Fault | undefined;
};

const table = `CREATE TABLE IF NOT EXISTS plain_gateway (origin TEXT PRIMARY KEY, allowed_at INTEGER, by TEXT) STRICT`;

/** Scheme, host and port: a token that may be sent to one path may be sent to the others. */
const originOf = (address: string): string => new URL(address).origin;

/** Notes the gateways that sales were already sent to when the permission was introduced. */
export const notePlainGateways = (sql: Sql): void => {
  sql.run(table);
  const names = sql.all(
    `SELECT DISTINCT coalesce(json_extract(body, '$.intent.gateway'), json_extract(body, '$.gateway')) AS name
     FROM entry WHERE kind IN ('intended', 'movedTo')`,
  );
  for (const { name } of names) {
    // `ENTITYID at ADDRESS`; no till could be configured with the embedded gateway's address.
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

/** `address`: of a gateway on the network; undefined for the embedded one. Without `sql` nothing was allowed. */
export const openPlainGateway = (sql: Sql | undefined, address: string | undefined): PlainGateway => {
  const reach = address === undefined ? undefined : (reachOf(address) ?? 'elsewhere');
  if (address === undefined || reach === undefined || reach === 'encrypted' || reach === 'thisMachine')
    return { state: () => undefined, refusalFault: () => undefined };
  sql?.run(table);
  const permission = (): PlainPermission =>
    reach === 'elsewhere' || sql === undefined ? { state: 'none' } : permissionOf(sql, address);
  return {
    state: () => ({ address: withoutCredentials(address), reach, permission: permission() }),
    refusalFault() {
      if (permission().state !== 'none') return undefined;
      return new Fault(reach === 'elsewhere' ? 'gateway.plain' : 'gateway.plainUnallowed', {
        url: withoutCredentials(address),
      });
    },
  };
};

/**
 * The address in the form that is allowed and recorded: without a path, and without possible secrets. Throws
 * `gateway.plain` for one that nobody can allow, `gateway.encrypted` for one that needs no permission.
 */
export const permittedOrigin = (address: string): string => {
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

/** Called inside a journal write: stored together with its entry, or not at all. */
export const allowPlain = (sql: Sql, address: string, { at, by }: { at: number; by: string | undefined }): void => {
  sql.run(table);
  const row = [originOf(address), at, by ?? null];
  sql.run('INSERT OR REPLACE INTO plain_gateway (origin, allowed_at, by) VALUES (?, ?, ?)', ...row);
};

/** Withdraws the permission, also for an address that was in use before permissions existed. */
export const disallowPlain = (sql: Sql, address: string): void => {
  sql.run(table);
  sql.run('DELETE FROM plain_gateway WHERE origin = ?', originOf(address));
};

/** The same host, which receives nothing while the connection may not be used: every call is proved not sent. */
export const refusePlainHost = (host: Host, { refusalFault }: PlainGateway): Host => {
  const refuseOr =
    <Of extends unknown[]>(ask: (...parameters: Of) => Promise<HostReply>) =>
    async (...parameters: Of): Promise<HostReply> => {
      const fault = refusalFault();
      return fault === undefined ? ask(...parameters) : { kind: 'notSent', fault };
    };
  return {
    ...host,
    pay: refuseOr(host.pay),
    refer: refuseOr(host.refer),
    find: refuseOr(host.find),
    list: refuseOr(host.list),
  };
};

/** Whether a connection for this address may go to the resolved host: the permission covers a private network only. */
export const mayReach = (address: string): ((found: string) => boolean) => {
  const reach = reachOf(address);
  if (reach === 'encrypted') return () => true;
  return (found) => isLoopback(found) || (reach === 'privateNetwork' && isPrivateNetwork(found));
};
