/** The gateway as a till's host: each answer tells the time, and that the line is there. */
import { type Clock, dateTime } from '../base/clock.ts';
import { gatewayClient } from '../gateway/client/client.ts';
import { meaningOf } from '../gateway/spec/results.ts';
import { type Host, type HostReply, LIST_MOST } from '../till/ports.ts';
import type { GatewayLine } from './gateway-line.ts';
import { hostUnlessRefused } from './plain-gateway.ts';

export const hostOver = (client: ReturnType<typeof gatewayClient>): Host => ({
  pay: (parameters, key) => client.post('v1/payments', parameters, key),
  refer: (payment, parameters, key) => client.post(`v1/payments/${encodeURIComponent(payment)}`, parameters, key),
  find: (merchantTransactionId, linked) =>
    client.get('v1/query', { merchantTransactionId, ...(linked && { includeLinkedTransactions: 'true' }) }),
  list: ({ from, to }) =>
    client.get('v1/query', { 'date.from': dateTime(from), 'date.to': dateTime(to), limit: String(LIST_MOST) }),
  meaningOf,
});

export type HostWish = {
  clock: Clock;
  timeoutMs: number;
  /** Wraps the gateway that is asked: for traces, and for tests. */
  around?(host: Host): Host;
};

/** The gateway over its line, asked only where it may be; `heard` as of `withTrustedTime`. */
export const openHost = (
  line: GatewayLine,
  { clock, timeoutMs, around = (host) => host }: HostWish,
  heard: (serverMs: number | undefined) => void,
): Host => {
  const client = hostOver(gatewayClient({ ...line, clock, timeoutMs }));
  return withTrustedTime(hostUnlessRefused(around(client), line.plain), heard);
};

// A gateway that is listened to: each answer tells that the line is up, and what time it is.

/** `heard` is called with each answer's own time, ms since 1970, or undefined when it does not tell. */
export const withTrustedTime = (host: Host, heard: (serverMs: number | undefined) => void): Host => {
  const listen = async (reply: Promise<HostReply>): Promise<HostReply> => {
    const came = await reply;
    if (came.kind === 'answered') heard(came.date ?? timestampOf(came.body['timestamp']));
    return came;
  };
  return eachReply(host, listen);
};

/** The same gateway, each of whose answers goes through `listen`. */
const eachReply = (host: Host, listen: (reply: Promise<HostReply>) => Promise<HostReply>): Host => ({
  ...host,
  pay: (parameters, key) => listen(host.pay(parameters, key)),
  refer: (payment, parameters, key) => listen(host.refer(payment, parameters, key)),
  find: (reference, linked) => listen(host.find(reference, linked)),
  list: (period) => listen(host.list(period)),
});

/** `yyyy-MM-dd HH:mm:ss+0000`, host API spec 2.35. */
const timestampOf = (text: unknown): number | undefined => {
  const [, day, time, hours, minutes] = (typeof text === 'string' ? written.exec(text) : null) ?? [];
  const at = Date.parse(`${day}T${time}${hours}:${minutes}`);
  return Number.isNaN(at) ? undefined : at;
};

const written = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)([+-]\d\d):?(\d\d)$/;

type Line = { readonly online: boolean /** Wall time, ms. */; readonly since: number };

/** Whether the line to the gateway is there, as the last request told, and since when. */
export type LineWatch = {
  now(): Line;
  /** Told of each change. */
  changed(hear: (line: Line) => void): () => void;
  /** The same gateway: each answer, and each that does not come, is noticed. */
  over(host: Host): Host;
};

/** Before the first request it counts as there. */
export const watchLine = (clock: Clock): LineWatch => {
  let line: Line = { online: true, since: clock.now() };
  const hearing = new Set<(line: Line) => void>();
  const noticed = async (asked: Promise<HostReply>): Promise<HostReply> => {
    const reply = await asked;
    const online = reply.kind === 'answered';
    if (online !== line.online) {
      line = { online, since: clock.now() };
      for (const hear of [...hearing]) hear(line);
    }
    return reply;
  };
  return {
    now: () => line,
    changed(hear) {
      hearing.add(hear);
      return () => void hearing.delete(hear);
    },
    over: (host) => eachReply(host, noticed),
  };
};
