/** The return URL of a checkout, and the gateway's own call of the same address (spec 2.31, 6). */
import { returnUrlWith } from '../spec/return-url.ts';
import type { Checkout } from './store/checkouts.ts';

type Place = Pick<Checkout, 'id' | 'kind'>;

/** What tells how the checkout ended: `/v1/checkouts/{id}/payment`. */
export const resourcePathOf = ({ id, kind }: Place): string => `/v1/checkouts/${id}/${kind}`;

/** The shop's address with the checkout's id and path. Undefined for what is no address of the web. */
export const returnUrlOf = (address: string, { id, kind }: Place): string | undefined =>
  returnUrlWith(address, { id, resourcePath: resourcePathOf({ id, kind }) });
