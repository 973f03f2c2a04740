/** Whether the line to the gateway is there, as the last request told, and since when. */
import type { Clock } from '../base/clock.ts';
import type { Host, HostReply } from '../till/ports.ts';

type Line = { readonly online: boolean /** Wall time, ms. */; readonly since: number };

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
    over: (host) => ({
      ...host,
      pay: (parameters, key) => noticed(host.pay(parameters, key)),
      refer: (payment, parameters, key) => noticed(host.refer(payment, parameters, key)),
      find: (reference, linked) => noticed(host.find(reference, linked)),
      list: (period) => noticed(host.list(period)),
    }),
  };
};
