/** What the asker reads: `Accept-Language` (RFC 9110, 12.5.4), as a browser or a POS program sends it. */
import type { Context } from 'hono';
import { parseAccept } from 'hono/utils/accept';

/** Language tags (BCP 47), the best first; none where nothing was sent. */
export const languagesOf = (c: Context): string[] =>
  parseAccept(c.req.header('accept-language') ?? '')
    .map(({ type }) => type)
    .filter((tag) => tag !== '' && tag !== '*');
