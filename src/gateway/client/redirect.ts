/**
 * A temporary redirect (spec 4.4 and 7): nothing was done with the request, and it is to be sent again as it is. Card
 * data goes to the origin that was set and encrypted, or nowhere.
 */
import { Fault } from '../../base/fault.ts';
import { printable } from '../../base/mask.ts';

/** The only status that promises both: the others may come after something was done. */
const TEMPORARY = 307;

export const isTemporaryRedirect = ({ status }: Response): boolean => status === TEMPORARY;

/** As often as this a request is sent on. */
const FOLLOWED_MOST = 5;

/** The next address of a request that was sent to these, one after the other. Throws `host.redirected`. */
export const nextAddress = (sent: readonly string[], { headers }: Response): string => {
  const location = headers.get('location') ?? '';
  const from = sent.at(-1) ?? '';
  if (location === '' || !URL.canParse(location, from)) throw redirected('the redirect names no address');
  const to = new URL(location, from);
  to.hash = '';
  const here = new URL(from);
  const isThere = to.hostname !== here.hostname || to.port !== here.port || `${to.username}${to.password}` !== '';
  if (isThere || !/^https?:$/.test(to.protocol)) throw redirected(`it leads to another address, ${to.host}`);
  if (to.protocol !== 'https:' || here.protocol !== 'https:')
    throw redirected('it leads to a line that is not encrypted');
  if (sent.includes(to.href)) throw redirected('it leads in a circle');
  if (sent.length > FOLLOWED_MOST) throw redirected(`it was sent on more than ${FOLLOWED_MOST} times`);
  return to.href;
};

const redirected = (why: string): Fault => new Fault('host.redirected', { why: printable(why, 120) });
