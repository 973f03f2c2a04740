/** The simulated bank as a shopper's browser meets it: asks whether to pay, and sends him back to the shop. */
import { decidePending, type PendingRooms } from './pending.ts';
import { questionPage, wayBack, wordsPage } from './shopper-html.ts';
import { visitPath } from './visit.ts';

/** Where the page belongs, with `:id` for the payment's id. */
export const shopperPagePath = visitPath(':id');

/** A form of one field is far shorter. */
const BODY_MAX_BYTES = 4096;

/**
 * Answers GET with the question and POST with the way back (303) to the shop, where the payment's result can be asked
 * for; a POST that brings no decision, as shops send their shoppers, with the question. Who clicks a second time goes
 * back to the shop too: he must not be stranded. 404 where nothing waits, 405 for other methods, 413 for a long body.
 * `decided` hears the id of a payment that has its ending, before the shopper goes back and asks for it. Throws only
 * what the ledger and `decided` throw.
 */
export const shopperPage =
  (rooms: PendingRooms, decided: (id: string) => Promise<void> = async () => {}) =>
  async (request: Request): Promise<Response> => {
    if (!['GET', 'HEAD', 'POST'].includes(request.method)) {
      const refusal = wordsPage(405, 'Not possible', 'This page can only be looked at and answered.');
      refusal.headers.set('allow', 'GET, HEAD, POST');
      return refusal;
    }
    const id = idOf(request.url);
    const visit = id === undefined ? undefined : await rooms.ledger.read('visit', id);
    if (id === undefined || visit === undefined) return nothingWaits();

    const decision = request.method === 'POST' ? await decisionOf(request) : 'none';
    if (decision === 'tooLong') return wordsPage(413, 'Not possible', 'That was more than an answer to this page.');
    if (decision !== 'none') {
      await decidePending(rooms, id, decision);
      await decided(id);
      return wayBack(visit.returnTo);
    }
    const outcome = await rooms.ledger.read('outcome', id);
    if (outcome?.pending !== true) return nothingWaits();
    const { minor, currency } = outcome;
    return questionPage({ ...visit, amount: { minor, currency } });
  };

const nothingWaits = (): Response =>
  wordsPage(404, 'No payment waits here', 'It may have ended already, or never begun. The shop can tell you more.');

const idOf = (url: string): string | undefined =>
  /^\/v1\/simulators\/bank\/([A-Za-z0-9]{1,64})\/?$/.exec(new URL(url).pathname)?.[1];

/** A form that another site sends decides nothing, whatever it says: only this page's own buttons do. */
const decisionOf = async (request: Request): Promise<'pays' | 'refuses' | 'none' | 'tooLong'> => {
  // A shopper who leaves in the middle has decided nothing.
  const body = await shortBody(request).catch(() => '');
  if (body === undefined) return 'tooLong';
  const decision = new URLSearchParams(body).get('decision');
  if (decision !== 'pays' && decision !== 'refuses') return 'none';
  const from = request.headers.get('sec-fetch-site');
  return from === null || from === 'same-origin' ? decision : 'none';
};

const shortBody = async (request: Request): Promise<string | undefined> => {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of request.body ?? []) {
    length += piece.length;
    if (length > BODY_MAX_BYTES) return undefined;
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
};
