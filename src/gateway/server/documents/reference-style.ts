/** The look of the reference: screen and paper, wide and narrow, light and dark. */
import { createHash } from 'node:crypto';
import { ICON_POLICY } from '../../browser-page.ts';

export const style = `
:root { color-scheme: light dark; --page: #fff; --ink: #1c2430; --quiet: #54606f; --line: #d8dee6; --tint: #f3f5f8;
  --link: #0b57b0; --must: #a3260f; --sometimes: #7a4d00; }
@media (prefers-color-scheme: dark) { :root { --page: #12161c; --ink: #e4e9f0; --quiet: #a3afbe; --line: #323b47;
  --tint: #1b212a; --link: #86b8ff; --must: #ff9c87; --sometimes: #f0bf6a; } }
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--page); color: var(--ink); font: 1rem/1.55 system-ui, sans-serif; }
a { color: var(--link); text-underline-offset: .15em; }
a:focus-visible, summary:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 2px; }
code, pre { font: .9em/1.5 ui-monospace, "Cascadia Mono", Menlo, Consolas, monospace; }
code { overflow-wrap: anywhere; }
pre { background: var(--tint); border: 1px solid var(--line); border-radius: 6px; padding: .75rem 1rem;
  margin: .75rem 0;
  white-space: pre-wrap; overflow-wrap: anywhere; }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 1rem; top: 1rem; background: var(--page); padding: .5rem 1rem; z-index: 1; }
.layout { max-width: 78rem; margin: 0 auto; padding: 0 1rem 4rem; }
nav h2 { font-size: .8rem; letter-spacing: .05em; text-transform: uppercase; color: var(--quiet);
  margin: 1.25rem 0 .35rem; }
nav ul { list-style: none; margin: 0; padding: 0; columns: 11rem; column-gap: 1rem; font-size: .9rem; }
nav ul.operations { columns: 17rem; }
nav li { break-inside: avoid; }
nav a { display: block; padding: .3rem 0; text-decoration: none; overflow-wrap: anywhere; }
nav a:hover { text-decoration: underline; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 2rem 0 .5rem; }
main > section > h2 { font-size: 1.45rem; line-height: 1.25; margin: 3rem 0 .75rem; padding-bottom: .35rem;
  border-bottom: 2px solid var(--line); }
h3 { font-size: 1.1rem; line-height: 1.35; margin: 2.25rem 0 .5rem; overflow-wrap: anywhere; }
h4 { font-size: .95rem; margin: 1.1rem 0 .25rem; }
p { max-width: 46rem; margin: .5rem 0; }
.quiet { color: var(--quiet); font-weight: 400; }
.method { display: inline-block; font: 600 .8rem/1 ui-monospace, Menlo, Consolas, monospace; padding: .35em .55em;
  margin-right: .5em;
  border: 1px solid currentColor; border-radius: 4px; vertical-align: .1em; }
.chips { list-style: none; padding: 0; margin: .25rem 0; display: flex; flex-wrap: wrap; gap: .25rem .9rem; }
details { margin: .6rem 0; }
summary { cursor: pointer; padding: .3rem 0; color: var(--link); width: fit-content; }
details ul.plain { margin: .25rem 0; padding-left: 1.2rem; }
dl.rows { margin: .75rem 0; border-top: 1px solid var(--line); }
dl.rows > div { padding: .6rem 0; border-bottom: 1px solid var(--line); }
dl.rows > div:target { background: var(--tint); box-shadow: -6px 0 0 var(--tint), -9px 0 0 var(--link); }
dt { font-weight: 600; }
dd { margin: .15rem 0 0; }
dd p { margin: 0; }
.req { font-size: .8rem; font-weight: 600; margin-left: .5em; white-space: nowrap; }
.R { color: var(--must); } .C { color: var(--sometimes); } .O { color: var(--quiet); font-weight: 400; }
@media (min-width: 48rem) {
  dl.rows > div { display: grid; grid-template-columns: minmax(14rem, 2fr) 3fr; gap: 0 1.5rem; }
  dd { margin: 0; }
}
@media (min-width: 64rem) {
  .layout { display: grid; grid-template-columns: 17rem minmax(0, 1fr); gap: 0 3rem; align-items: start; }
  nav { position: sticky; top: 0; max-height: 100vh; overflow-y: auto; padding-bottom: 2rem; }
  nav ul, nav ul.operations { columns: auto; }
}
@media print {
  :root { --page: #fff; --ink: #000; --quiet: #333; --line: #bbb; --tint: #fff; --link: #000; --must: #000;
  --sometimes: #000; }
  nav, .skip { display: none; }
  details::details-content { content-visibility: visible; block-size: auto; }
  .layout { display: block; max-width: none; padding: 0; }
  body { font-size: 9.5pt; }
  h2, h3, h4 { break-after: avoid; }
  dl.rows > div, pre { break-inside: avoid; }
  a { text-decoration: none; }
}
`;

/** Sent with the page: nothing runs, nothing is loaded, and only this very style applies. */
export const referenceHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/html;charset=UTF-8',
  'content-security-policy': [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    ICON_POLICY,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
};
