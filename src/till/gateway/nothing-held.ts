/** Whether a release that was refused was refused because nothing is held any more: then it is done all the same. */
import { codes } from '../../base/result-codes.ts';
import type { Intent } from '../machine/facts.ts';
import type { Host, HostReply } from '../ports.ts';
import { textAt } from './answer.ts';

/**
 * Asks the gateway for the pre-authorisation: it was given back there by somebody else, and nothing was charged on it,
 * or the gateway has no such payment. What it does not list proves nothing.
 */
export const isNothingHeld = async (host: Host, reply: HostReply, { follows }: Intent): Promise<boolean> => {
  if (reply.kind !== 'answered' || follows === undefined) return false;
  const { code } = reply;
  if (code !== codes.cannotReverse && code !== codes.nothingToReverse) return false;
  const list = await host.find(follows.sale, 'linked');
  if (list.kind !== 'answered') return false;
  if (list.code === codes.transactionNotFound) return code === codes.nothingToReverse;
  const { payments } = list.body;
  if (list.means !== 'approved' || !Array.isArray(payments)) return false;
  const moved = payments
    .filter((one: unknown) => textAt(one, 'referencedId') === follows.payment)
    .map((one: unknown) => ({
      type: textAt(one, 'paymentType'),
      means: host.meaningOf(textAt(one, 'result.code') ?? '', one),
    }))
    .filter(({ means }) => means !== 'declined' && means !== 'refused' && means !== 'testAnswer');
  const isCertain = moved.every(({ means }) => means === 'approved' || means === 'liveAnswer');
  return isCertain && moved.some(({ type }) => type === 'RV') && moved.every(({ type }) => type !== 'CP');
};
