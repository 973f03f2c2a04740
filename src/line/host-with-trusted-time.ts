/** A gateway that is listened to: each answer tells that the line is up, and what time it is. */
import type { Host, HostReply } from '../till/ports.ts';

/** `heard` is called with each answer's own time, ms since 1970, or undefined when it does not tell. */
export const withTrustedTime = (host: Host, heard: (serverMs: number | undefined) => void): Host => {
  const listen = async (reply: Promise<HostReply>): Promise<HostReply> => {
    const came = await reply;
    if (came.kind === 'answered') heard(came.date ?? timestampOf(came.body['timestamp']));
    return came;
  };
  return {
    ...host,
    pay: (parameters, key) => listen(host.pay(parameters, key)),
    refer: (payment, parameters, key) => listen(host.refer(payment, parameters, key)),
    find: (merchantTransactionId, linked) => listen(host.find(merchantTransactionId, linked)),
    list: (period) => listen(host.list(period)),
  };
};

/** `yyyy-MM-dd HH:mm:ss+0000`, host API spec 2.35. */
const timestampOf = (text: unknown): number | undefined => {
  const [, day, time, hours, minutes] = (typeof text === 'string' ? written.exec(text) : null) ?? [];
  const at = Date.parse(`${day}T${time}${hours}:${minutes}`);
  return Number.isNaN(at) ? undefined : at;
};

const written = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)([+-]\d\d):?(\d\d)$/;
