/** The gateway as a till's host: each answer also supplies the time, and shows that the line is up. */
import { type Clock, dateTime } from '../base/clock.ts';
import { gatewayClient } from '../gateway/client/client.ts';
import { meaningOf } from '../gateway/spec/results.ts';
import { type Host, type HostReply, LIST_MOST } from '../till/ports.ts';
import type { GatewayLine } from './gateway-line.ts';
import { refusePlainHost } from './plain-gateway.ts';

export const createHost = (client: ReturnType<typeof gatewayClient>): Host => ({
  pay: (parameters, key) => client.post('v1/payments', parameters, key),
  refer: (payment, parameters, key) => client.post(`v1/payments/${encodeURIComponent(payment)}`, parameters, key),
  find: (merchantTransactionId, linked) =>
    client.get('v1/query', { merchantTransactionId, ...(linked && { includeLinkedTransactions: 'true' }) }),
  list: ({ from, to }) =>
    client.get('v1/query', { 'date.from': dateTime(from), 'date.to': dateTime(to), limit: String(LIST_MOST) }),
  meaningOf,
});

export type HostOptions = {
  clock: Clock;
  timeoutMs: number;
  /** Wraps the gateway: for traces, and for tests. */
  wrap?(host: Host): Host;
};

/** The gateway over its line, if the till may use that line; `onTrustedTime` as in `withTrustedTime`. */
export const openHost = (
  line: GatewayLine,
  { clock, timeoutMs, wrap = (host) => host }: HostOptions,
  onTrustedTime: (serverMs: number | undefined) => void,
): Host => {
  const client = createHost(gatewayClient({ ...line, clock, timeoutMs }));
  return withTrustedTime(refusePlainHost(wrap(client), line.plain), onTrustedTime);
};

// Observes the gateway's answers: each shows that the line is up, and what time it is.

/** `onTrustedTime` is called with each answer's own time, ms since 1970, or undefined if it has none. */
export const withTrustedTime = (host: Host, onTrustedTime: (serverMs: number | undefined) => void): Host => {
  const listen = async (reply: Promise<HostReply>): Promise<HostReply> => {
    const came = await reply;
    if (came.kind === 'answered') onTrustedTime(came.date ?? timestampOf(came.body['timestamp']));
    return came;
  };
  return mapReplies(host, listen);
};

/** The same gateway; every answer passes through `listen`. */
const mapReplies = (host: Host, listen: (reply: Promise<HostReply>) => Promise<HostReply>): Host => ({
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

/** Whether the line to the gateway is up, according to the last request, and since when. */
export type LineWatch = {
  current(): Line;
  /** Calls back after each change. */
  onChange(listener: (line: Line) => void): () => void;
  /** The same gateway, whose answers and failures are observed. */
  watch(host: Host): Host;
};

/** Before the first request the line counts as up. */
export const watchLine = (clock: Clock): LineWatch => {
  let line: Line = { online: true, since: clock.now() };
  const listeners = new Set<(line: Line) => void>();
  const watchReply = async (request: Promise<HostReply>): Promise<HostReply> => {
    const reply = await request;
    const online = reply.kind === 'answered';
    if (online !== line.online) {
      line = { online, since: clock.now() };
      for (const hear of [...listeners]) hear(line);
    }
    return reply;
  };
  return {
    current: () => line,
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    watch: (host) => mapReplies(host, watchReply),
  };
};
