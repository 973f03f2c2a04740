/** The payment in the path of a request, if it is the asking channel's. */
import type { Payment } from '../store/records.ts';
import type { Call, Gateway } from './endpoint.ts';

/**
 * As it now stands, after another try to end it if it has no ending. Another channel's is left alone: asking what
 * became of it takes its time, by which it could be told from one that is nobody's, and may end it.
 */
export const ownPayment = async (
  { store, processing }: Gateway,
  { id = '', channel }: Call<unknown>,
): Promise<Payment | undefined> => {
  const kept = await store.payment(id);
  if (kept?.entityId !== channel.entityId) return undefined;
  return kept.state === 'done' ? kept : processing.look(id);
};
