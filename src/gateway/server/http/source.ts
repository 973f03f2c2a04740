/** The parameters of a request as text: the query of a GET, the body of a POST. */

import { type ReadBody, readText } from '../../client/body.ts';
import type { Endpoint } from '../../payments/endpoint.ts';

/** For a body; a thousand cart items fit. The server limits the address, and so does this where there is no server. */
const BYTES_MAX = 1024 * 1024;
/** For a shopper's browser: a wallet's token is the longest that it has to send. */
const SHOPPER_BYTES_MAX = 64 * 1024;
const FORM = 'application/x-www-form-urlencoded';

/** Reads no more than is allowed. Never throws: an interrupted body is refused. */
export const readParameters = async ({ operation }: Endpoint, request: Request): Promise<ReadBody> => {
  const queryStart = request.url.indexOf('?');
  const query = queryStart < 0 ? '' : request.url.slice(queryStart + 1);
  if (operation.method !== 'POST') {
    return query.length > BYTES_MAX
      ? refuse(`The query has more than ${BYTES_MAX} bytes.`)
      : { kind: 'text', text: query };
  }
  if (query !== '') return refuse('Send the parameters of a POST in the body, not in the address.');
  if (!isForm(request.headers.get('content-type') ?? '')) {
    return refuse(`The Content-Type must be ${FORM}; charset=UTF-8.`);
  }
  const encoding = request.headers.get('content-encoding') ?? 'identity';
  if (!/^identity$/i.test(encoding)) return refuse('The body must not have a Content-Encoding.');
  const maxBytes = operation.access === 'checkout' ? SHOPPER_BYTES_MAX : BYTES_MAX;
  try {
    return await readText(request, maxBytes);
  } catch {
    return refuse('The body was interrupted.');
  }
};

const refuse = (reason: string): ReadBody => ({ kind: 'refused', why: reason });

/** The media type of forms, with no other character set than UTF-8. Further parameters are ignored. */
const isForm = (contentType: string): boolean => FORM_TYPE.test(contentType) && !OTHER_CHARSET.test(contentType);
const FORM_TYPE = new RegExp(`^\\s*${FORM}\\s*(;|$)`, 'i');
const OTHER_CHARSET = /;\s*charset(?!=(utf-?8|"utf-?8")\s*(;|$))\s*=/i;
