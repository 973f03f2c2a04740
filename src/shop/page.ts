/**
 * The frame of every page of the shop: its head, its stylesheet, its content security policy. No page has a script of
 * its own.
 */
import { escapeText } from '../base/text.ts';

export const style = `
:root { color-scheme: light dark; --ink: #1b1f24; --soft: #57606a; --line: #e3e7eb; --paper: #fafaf7; --card: #fff;
  --accent: #1f5fbf; --on: #fff; --good: #1a7f4b; --bad: #b3261e; --wait: #8a5a00 }
@media (prefers-color-scheme: dark) { :root { --ink: #eceff2; --soft: #a9b2bb; --line: #343a41; --paper: #101316;
  --card: #1a1e23; --accent: #8ab8ff; --on: #0b1a30; --good: #6fd39d; --bad: #ff9d94; --wait: #f0bf66 } }
* { box-sizing: border-box }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.55 system-ui, "Noto Sans", sans-serif }
header { display: flex; align-items: center; justify-content: space-between; gap: 16px; max-width: 1040px;
  margin: 0 auto; padding: 20px }
header a { color: inherit; text-decoration: none; display: inline-flex; align-items: center; min-height: 44px }
.brand { font-weight: 700; font-size: 19px; letter-spacing: .01em }
main { max-width: 1040px; margin: 0 auto; padding: 12px 20px 64px }
h1 { font-size: 30px; line-height: 1.2; margin: 8px 0 6px; letter-spacing: -.01em }
h2 { font-size: 17px; margin: 0 0 12px }
p { margin: 0 0 16px } .soft { color: var(--soft) }
.goods { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 240px), 1fr)); gap: 20px; padding: 0;
  margin: 24px 0 0; list-style: none }
.good, .box { background: var(--card); border: 1px solid var(--line); border-radius: 14px; overflow: hidden }
.box { padding: 20px; overflow: visible }
.picture { height: 150px } .leaf { background: linear-gradient(135deg, #cfe3cf, #86ab8a) }
.clay { background: linear-gradient(135deg, #f1dccb, #c99b78) }
.sky { background: linear-gradient(135deg, #dbe7f3, #93b0cf) }
.about { padding: 16px 18px 18px } .about h2 { margin: 0 } .about p { margin: 2px 0 14px; color: var(--soft) }
.row { display: flex; align-items: center; justify-content: space-between; gap: 12px }
.price { font-variant-numeric: tabular-nums; font-weight: 600 }
button, .button { display: inline-flex; align-items: center; justify-content: center; min-height: 46px;
  padding: 8px 18px; border: 1px solid var(--accent); border-radius: 9px; background: var(--accent); color: var(--on);
  font: inherit; font-weight: 600; text-decoration: none; cursor: pointer }
.small { min-width: 44px; min-height: 44px; padding: 0; background: none; color: var(--ink); border-color: var(--line) }
.wide { width: 100% } :focus-visible { outline: 3px solid var(--accent); outline-offset: 3px }
.two { display: grid; grid-template-columns: minmax(0, 1fr); gap: 24px; margin-top: 20px; align-items: start }
@media (min-width: 820px) { .two { grid-template-columns: minmax(0, 560px) minmax(0, 1fr) } }
table { width: 100%; border-collapse: collapse } th { text-align: start; font-weight: 500 }
td, th { padding: 10px 0; padding-inline-end: 8px;
  border-bottom: 1px solid var(--line); vertical-align: middle } tr:last-child > * { border: 0 }
td:last-child { padding-inline-end: 0; text-align: end; font-variant-numeric: tabular-nums }
.count { display: flex; align-items: center; gap: 10px; justify-content: end } .count form { margin: 0 }
main > .two > form.box label { display: block; font-weight: 600; font-size: 14px; margin: 0 0 6px }
select { width: 100%; min-height: 48px; padding: 0 10px; margin: 0 0 16px; border: 1px solid #7d8790;
  border-radius: 9px; background: var(--card); color: var(--ink); font: inherit }
dl { margin: 0 } dt { font-weight: 600; font-variant-numeric: tabular-nums } dd { margin: 0 0 10px; color: var(--soft) }
.result { text-align: center; padding: 48px 20px } .word { font-size: 34px; font-weight: 700; margin: 8px 0 }
.sum { font-size: 20px; font-variant-numeric: tabular-nums } .good-end { color: var(--good) }
.bad-end { color: var(--bad) } .open-end { color: var(--wait) }
.sign { width: 64px; height: 64px; fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round;
  stroke-linejoin: round }
`;

/** Embedded, because a browser requests `/favicon.ico` for a page without an icon. */
const icon = encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><circle cx="8" cy="8" r="8" fill="#86ab8a"/>' +
    '<path d="M5 12V4l6 8V4" fill="none" stroke="#fff" stroke-width="2"/></svg>',
);

export type ShopPage = {
  title: string;
  body: string;
  status?: number;
  /** Origin of the gateway whose widget the page contains. */
  gateway?: string;
  /** Reloads itself after this many seconds. */
  againAfter?: number;
};

/** The policy allows only the shop itself and the gateway, and nothing inline. */
const policyOf = (gateway: string | undefined): string => {
  const widget = gateway === undefined ? [] : ['script', 'frame', 'connect'].map((kind) => `${kind}-src ${gateway}`);
  return [
    "default-src 'none'",
    `style-src 'self'${gateway === undefined ? '' : ` ${gateway}`}`,
    ...widget,
    `img-src data:${gateway === undefined ? '' : ` ${gateway}`}`,
    `form-action 'self'${gateway === undefined ? '' : ` ${gateway}`}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
};

export const page = ({ title, body, status = 200, gateway, againAfter }: ShopPage): Response =>
  new Response(
    `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeText(title)} · Nordwind</title>
<link rel="icon" href="data:image/svg+xml,${icon}">
<link rel="stylesheet" href="/shop.css">
</head>
<body>
<header><a class="brand" href="/">Nordwind</a><a href="/basket">Basket</a></header>
<main>
${body}
</main>
</body>
</html>
`,
    {
      status,
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': policyOf(gateway),
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        // A header that is undefined would be sent as the text "undefined".
        ...(againAfter === undefined ? {} : { refresh: String(againAfter) }),
      },
    },
  );
