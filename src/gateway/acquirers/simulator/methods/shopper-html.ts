/** The simulated bank's pages: plain HTML that works without a script, with a policy that allows none. */

import { createHash } from 'node:crypto';
import { escaped } from '../../../../base/escaped.ts';
import { type Money, printMoney } from '../../../../base/money.ts';

const style = `
body { font: 1.125rem/1.5 system-ui, sans-serif; max-width: 32rem; margin: 3rem auto; padding: 0 1rem;
  color: #1a1a1a; background: #fff }
dt { font-weight: 600 } dd { margin: 0 0 .75rem; overflow-wrap: anywhere }
button { font: inherit; padding: .6rem 1.2rem; margin: .25rem .5rem .25rem 0; border: 2px solid #0b5394;
  border-radius: .3rem; background: #fff; color: #0b5394; cursor: pointer }
button.yes { background: #0b5394; color: #fff }
button:focus-visible { outline: 3px solid #b45f06; outline-offset: 2px }
`;

const styleHash = createHash('sha256').update(style).digest('base64');

export type Question = { shop: string; amount: Money; returnTo: string };

/** Asks the shopper. Sent back to the same address with `decision` pays or refuses. */
export const questionPage = ({ shop, amount, returnTo }: Question): Response => {
  const body = `
<h1>Pay ${escaped(printMoney(amount))}?</h1>
<p>This is a simulated bank. No real money moves.</p>
<dl>
<dt>Shop</dt><dd>${escaped(shop)}</dd>
<dt>Amount</dt><dd>${escaped(printMoney(amount))}</dd>
</dl>
<form method="post">
<button class="yes" type="submit" name="decision" value="pays">Yes, pay</button>
<button type="submit" name="decision" value="refuses">No, do not pay</button>
</form>`;
  // Browsers hold the way back to the shop against form-action too.
  return page({ status: 200, title: 'Confirm the payment', body, formAction: `'self' ${sourceOf(returnTo)}`.trim() });
};

/** An address's origin, unless it holds signs that end a directive or stand for every host. */
const sourceOf = (address: string): string => /^https?:\/\/[\w.:[\]-]+$/.exec(new URL(address).origin)?.[0] ?? '';

/** Says in words why there is nothing to decide. */
export const wordsPage = (status: number, title: string, words: string): Response =>
  page({ status, title, body: `\n<h1>${escaped(title)}</h1>\n<p>${escaped(words)}</p>`, formAction: "'none'" });

type Page = { status: number; title: string; body: string; formAction: string };

const page = ({ status, title, body, formAction }: Page): Response =>
  new Response(
    `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)} – simulated bank</title>
<style>${style}</style>
</head>
<body>
<main>${body}
</main>
</body>
</html>
`,
    { status, headers: { 'content-type': 'text/html; charset=utf-8', ...headersFor(formAction) } },
  );

const headersFor = (formAction: string): Record<string, string> => ({
  'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; form-action ${formAction}; base-uri 'none'; frame-ancestors 'none'`,
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
});

/** Back to the shop, by GET whatever the method was. */
export const wayBack = (returnTo: string): Response =>
  new Response(null, {
    status: 303,
    headers: { location: returnTo, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
  });
