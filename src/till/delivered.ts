/** What became of one try to deliver a message. */
import type { SaleEvent } from './events.ts';
import type { HostReply } from './ports.ts';

export type Means = 'approved' | 'declined' | 'pending' | 'refused' | 'later' | 'unknown' | 'notSent' | 'silent';

/** With an event the message is settled by it; without one it waits or is parked, as `means` says. */
export type Delivered = { means: Means; note: string; event?: SaleEvent };

/** The channel or its configuration is wrong, not the message: it goes when that is put right. */
const channelTrouble = /^(800\.900|600\.[23]|500\.)/;

/** The word for an answer that settles nothing. */
export const noEnding = (reply: HostReply): Delivered => {
  if (reply.kind !== 'answered') return { means: reply.kind, note: reply.fault.message };
  const { means, code, description } = reply;
  const note = `${code} ${description}`;
  if (channelTrouble.test(code)) return { means: 'later', note };
  return { means: means === 'approved' || means === 'declined' ? 'unknown' : means, note };
};
