/** The simulated bank's pages, as the shopper of an asynchronous method meets them. */
import { escaped } from '../../../../base/escaped.ts';
import { type Money, printMoney } from '../../../../base/money.ts';
import { browserPage, LEADS_AWAY, wordsPageOf } from '../../../browser-page.ts';

type Question = { shop: string; amount: Money };

const OF = 'simulated bank';

/** Asks the shopper. Sent back to the same address with `decision` pays, refuses or later. */
export const questionPage = ({ shop, amount }: Question): Response => {
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
export const wordsPage = wordsPageOf(OF);
