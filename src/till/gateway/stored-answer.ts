/** What the gateway's answer to a stored sale comes to, once a live channel's charge at a test till was taken back. */
import type { Intent } from '../machine/facts.ts';
import type { HostReply, OutgoingMessage, TillParts } from '../ports.ts';
import type { Delivered } from './delivered.ts';
import { forwarded } from './forwarded.ts';
import { takeBack } from './reversal.ts';

/** `listed`: what the gateway's list has of it, where it was asked. */
export type StoredAnswer = { message: OutgoingMessage; reply: HostReply; listed: HostReply | undefined };

export const answerToStored = async (
  { message, reply, listed }: StoredAnswer,
  intent: Intent,
  parts: TillParts,
): Promise<Delivered> => {
  if (reply.kind !== 'answered' || reply.means !== 'liveAnswer') return forwarded(reply, listed, intent);
  const back = await takeBack({ approval: reply, again: message.again ?? 0 }, intent, parts);
  return back.event === undefined ? back : forwarded(reply, listed, intent);
};
