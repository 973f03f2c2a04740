/** The simulated bank as a shopper's browser meets it: asks whether to pay, and sends him back to the shop. */

import { type Money, printMoney } from '../../../../base/money.ts';
import { escaped } from '../../../../base/text.ts';
import {
  browserPage,
  isOwnForm,
  LEADS_AWAY,
  onlyBy,
  redirectToShop,
  shortForm,
  wordsPageOf,
} from '../../../browser-page.ts';
import { decidePending, type PendingRooms } from './pending.ts';
import { visitPath } from './visit.ts';

/** Where the page belongs, with `:id` for the payment's id. */
export const shopperPagePath = visitPath(':id');

const methods = ['GET', 'HEAD', 'POST'];

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
    if (!methods.includes(request.method)) {
      return onlyBy(methods, wordsPage(405, 'Not possible', 'This page can only be looked at and answered.'));
    }
    const id = idOf(request.url);
    const visit = id === undefined ? undefined : await rooms.ledger.read('visit', id);
    if (id === undefined || visit === undefined) return nothingWaits();

    const decision = request.method === 'POST' ? await decisionOf(request) : 'none';
    if (decision === 'tooLong') return wordsPage(413, 'Not possible', 'That was more than an answer to this page.');
    // Like a window that is closed: nothing is decided, and the shop is told that it waits.
    if (decision === 'later') return redirectToShop(visit.returnTo);
    if (decision !== 'none') {
      await decidePending(rooms, id, decision);
      await decided(id);
      return redirectToShop(visit.returnTo);
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

/** `later`: the window was closed, and the payment waits on until its time is over. */
type Decided = 'pays' | 'refuses' | 'later';

const decisions: ReadonlySet<string> = new Set<Decided>(['pays', 'refuses', 'later']);

/** A form that another site sends decides nothing, whatever it says: only this page's own buttons do. */
const decisionOf = async (request: Request): Promise<Decided | 'none' | 'tooLong'> => {
  const form = await shortForm(request, BODY_MAX_BYTES);
  if (form === 'tooLong') return form;
  const decision = form.get('decision') ?? '';
  return decisions.has(decision) && isOwnForm(request) ? (decision as Decided) : 'none';
};

type Question = { shop: string; amount: Money };

const OF = 'simulated bank';

/** Asks the shopper. Sent back to the same address with `decision` pays, refuses or later. */
const questionPage = ({ shop, amount }: Question): Response => {
  const body = `
<h1>Pay ${escaped(printMoney(amount))}?</h1>
<p class="note">This is a simulated bank. No real money moves.</p>
<dl>
<dt>Shop</dt><dd>${escaped(shop)}</dd>
<dt>Amount</dt><dd>${escaped(printMoney(amount))}</dd>
</dl>
<form method="post">
<button class="yes" type="submit" name="decision" value="pays">Yes, pay</button>
<button type="submit" name="decision" value="refuses">No, do not pay</button>
<button type="submit" name="decision" value="later">Close without an answer</button>
</form>`;
  return browserPage({ status: 200, title: 'Confirm the payment', of: OF, body, formAction: LEADS_AWAY });
};

/** Says in words why there is nothing to decide. */
const wordsPage = wordsPageOf(OF);
