/** Requests of a shopper's browser: authorised by the checkout's id, from any page, without a token. */
import { codes } from '../../../base/result-codes.ts';
import type { Channel } from '../../channel.ts';
import type { Endpoint } from '../../payments/endpoint.ts';
import type { Refusal } from '../../payments/response.ts';
import type { Store } from '../../store/store.ts';
import type { Authenticator } from './authentication.ts';
import { decodeForm, type FormBody } from './form.ts';
import type { WrittenAnswer } from './respond.ts';
import { readParameters } from './source.ts';

/** Finds the channel whose checkout has the id in the path. If two rows have one entityId, the first counts. */
export const createOwnerFinder = (
  { checkouts }: Pick<Store, 'checkouts'>,
  channels: readonly Channel[],
): ((id: string) => Promise<Channel | undefined>) => {
  const byEntityId = new Map(channels.toReversed().map((channel) => [channel.entityId, channel]));
  return async (id) => {
    const checkout = await checkouts.byId(id);
    return checkout === undefined ? undefined : byEntityId.get(checkout.entityId);
  };
};

export type FromShopper =
  | { refused: Refusal; channel?: never; throttledChannel?: never }
  /** Without a channel no such checkout exists for the caller. */
  | {
      channel: Channel | undefined;
      throttledChannel?: never;
      form: Extract<FormBody, { kind: 'form' }>;
      key: undefined;
    };

type ShopperRequest = { endpoint: Endpoint; request: Request; owner: Channel | undefined };

/**
 * The decoded form, and its checkout's channel. A token is not needed, but must be valid if sent. Only the shop may
 * send an Idempotency-Key: the shopper's side is recognised by the content.
 */
export const receiveFromShopper = async (
  authenticator: Authenticator,
  { endpoint, request, owner }: ShopperRequest,
): Promise<FromShopper> => {
  const header = request.headers.get('authorization');
  const admission = header === null ? undefined : authenticator.admit(header);
  if (admission !== undefined && admission.kind !== 'admitted') {
    return { refused: { code: codes.unauthenticated, status: admission.kind === 'malformed' ? 401 : 403 } };
  }
  const source = await readParameters(endpoint, request);
  if (source.kind === 'refused') return { refused: { code: codes.requestMalformed, why: source.why } };
  const form = decodeForm(source.text);
  if (form.kind === 'malformed') return { refused: { code: codes.requestMalformed, why: form.why } };
  const mayAsk = admission === undefined || (owner !== undefined && admission.channels.byEntityId.has(owner.entityId));
  return { channel: mayAsk ? owner : undefined, form, key: undefined };
};

/** Any shop's page may read the answer: the browser sends no credentials with the request. */
export const allowAnyOrigin = (answer: WrittenAnswer): WrittenAnswer => ({
  ...answer,
  headers: { ...answer.headers, 'access-control-allow-origin': '*' },
});

/** Whether the answer is shown as a page: a plain form was sent, and no script waits for JSON. */
export const wantsPage = (request: Request): boolean => {
  const accept = request.headers.get('accept') ?? '';
  return /\btext\/html\b/i.test(accept) && !/\bjson\b/i.test(accept);
};
