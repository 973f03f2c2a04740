/** The readable reference: one page, made from the same tables as the parser. */

import { createHash } from 'node:crypto';
import { ICON_POLICY, pageIcon } from '../../browser-page.ts';
import type { ApiOperation } from '../../spec/operation.ts';
import { type CodeMeaning, meaningOf, resultCodes } from '../../spec/results.ts';
import { createExample } from './example.ts';
import { anchor, type Html, html, nothing } from './html.ts';
import { statuses } from './openapi.ts';
import { chapterNamed, chapterSection, chaptersOf, type ReferenceChapter, rowList } from './reference-parameters.ts';
import { responseRows } from './response-schema.ts';

/** A whole HTML page, to be sent with `referenceHeaders`. */
export const referencePage = (operations: readonly ApiOperation[]): string => {
  const chapters = chaptersOf(operations);
  const page = html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Host API reference</title>
${{ html: pageIcon }}
<style>${{ html: style }}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<div class="layout">
<nav aria-label="Contents">
<h2>Operations</h2>
<ul class="operations">${operations.map((operation) => html`<li>${operationLink(operation)}</li>`)}</ul>
<h2>Parameters</h2>
<ul>${chapters.map(({ id, chapter }) => html`<li><a href="${anchor(id)}">${chapter.title}</a></li>`)}</ul>
<h2>Answers</h2>
<ul><li><a href="#answers">Fields of an answer</a></li><li><a href="#statuses">HTTP statuses</a></li>
<li><a href="#codes">Result codes</a></li></ul>
</nav>
<main id="content">
<h1>Host API reference</h1>
${introduction}
<section><h2 id="operations">Operations</h2>
${operations.map((operation) => operationSection(operation, chapters))}</section>
<section><h2 id="parameters">Parameters</h2>${chapters.map(chapterSection)}</section>
<section><h2 id="answers">Answers</h2>${answerSection()}</section>
<section><h2 id="codes">Result codes</h2>${codeSection()}</section>
</main>
</div>
</body>
</html>
`;
  return page.html;
};

const introduction: Html = html`<p>Requests carry their parameters form-encoded in UTF-8
(<code>application/x-www-form-urlencoded</code>), reads and deletions in the query. Each carries
<code>Authorization: Bearer</code> and the channel’s token. An empty value counts as absent; a name that an operation
does not take is refused.</p>
<p>Answers are JSON. <code>result.code</code> says what became of a request; a client must tolerate fields that it does
not know. <code>[n]</code> in a name is an index from 0, <code>[key]</code> the key of a map.</p>
<p>The same as a machine reads it: <a href="openapi.json"><code>/openapi.json</code></a> (OpenAPI 3.1).</p>`;

/** The answer part of the reference: fields, HTTP statuses, and result codes by meaning. */
const answerSection = (): Html => html`
<p>Other structures of the request are given back too, except for secrets.</p>
${rowList(Object.entries(responseRows), 'plain')}
<h3 id="statuses">HTTP statuses</h3>
<p>What became of a payment stands in <code>result.code</code>, not in the status.</p>
<dl class="rows">${statuses.map(
  ([status, text]) => html`
<div><dt>${status}</dt><dd><p>${text}</p></dd></div>`,
)}</dl>`;

/** What a client should do for each meaning, in the order of the page. */
const meanings: readonly (readonly [CodeMeaning, string])[] = [
  ['approved', 'Done. A few of these codes require a manual check.'],
  ['pending', 'In progress. Query again, or wait for the notification.'],
  ['declined', 'Certainly not done: somebody declined it.'],
  ['refused', 'The request was invalid and was not processed.'],
  ['later', 'The request was not processed. Send it again.'],
  ['unknown', 'The result is unknown. Query the payment before doing anything else.'],
];

const codeSection = (): Html => {
  const byMeaning = Map.groupBy(resultCodes, ({ code }) => meaningOf(code));
  return html`${meanings.map(([meaning, text]) => {
    const codes = byMeaning.get(meaning) ?? [];
    return html`
<h3 id="codes-${meaning}">${meaning}</h3><p>${text}</p>
<details><summary>${codes.length} codes</summary><dl class="rows">${codes.map(
      ({ code, description }) => html`
<div><dt><code>${code}</code></dt><dd><p>${description}</p></dd></div>`,
    )}</dl></details>`;
  })}`;
};

/** The operation part of the reference: parameters, requirements and rules of each, with a request that it accepts. */
const idOf = ({ method, path }: ApiOperation): string => `${method}-${path}`;

const operationLink = (operation: ApiOperation): Html =>
  html`<a href="${anchor(idOf(operation))}">${operation.method} ${openApiPathOf(operation)}</a>`;

const openApiPathOf = ({ path }: ApiOperation): string => path.replace(/:([A-Za-z]+)/g, '{$1}');

const operationSection = (operation: ApiOperation, chapters: readonly ReferenceChapter[]): Html => {
  const { method, summary, needs } = operation;
  return html`
<article><h3 id="${idOf(operation)}"><span class="method">${method}</span><code>${openApiPathOf(operation)}</code></h3>
<p>${summary}</p>
<h4>Needs</h4>
<ul class="chips">${needs.map((name) => html`<li><a href="${anchor(name)}"><code>${name}</code></a></li>`)}</ul>
<h4>Takes</h4>
<ul class="chips">${partsOf(operation, chapters).map(
    ({ id, chapter }) => html`<li><a href="${anchor(id)}">${chapter.title}</a></li>`,
  )}</ul>
${ownRowsSection(operation, chapters)}${rulesOf(operation)}
<details><summary>Example</summary><pre>${curlOf(operation)}</pre></details>
</article>`;
};

const partsOf = ({ accepts }: ApiOperation, chapters: readonly ReferenceChapter[]): readonly ReferenceChapter[] => {
  const usedChapters = new Set(Object.keys(accepts).map((name) => chapterNamed(chapters, name)));
  return chapters.filter((part) => usedChapters.has(part));
};

/** Rows with a different meaning here than in the chapters below. */
const ownRowsSection = ({ accepts }: ApiOperation, chapters: readonly ReferenceChapter[]): Html => {
  const ownRowEntries = Object.entries(accepts).filter(
    ([name, row]) => chapterNamed(chapters, name)?.rows.get(name) !== row,
  );
  return ownRowEntries.length === 0 ? nothing : html`<h4>In this operation</h4>${rowList(ownRowEntries, 'plain')}`;
};

const rulesOf = ({ rules }: ApiOperation): Html => {
  if (rules.length === 0) return nothing;
  const lines = [...new Map(rules.map((rule) => [`${rule.name} ${rule.message}`, rule])).values()];
  return html`
<details><summary>Rules between parameters (${lines.length})</summary><ul class="plain">${lines.map(
    ({ name, message }) => html`<li><code>${name}</code> ${message}</li>`,
  )}</ul></details>`;
};

/** As typed in a shell. */
const curlOf = (operation: ApiOperation): string => {
  const get = operation.method === 'POST' ? [] : ['-G'];
  const verb = operation.method === 'DELETE' ? ['-X DELETE'] : [];
  const sent = Object.entries(createExample(operation)).map(
    ([name, value]) => `--data-urlencode ${quoteForShell(`${name}=${value}`)}`,
  );
  const url = `"$BASE_URL${openApiPathOf(operation).replace('{id}', '$ID')}"`;
  return [`curl ${url}`, ...verb, ...get, `-H "Authorization: Bearer $ACCESS_TOKEN"`, ...sent].join(' \\\n  ');
};

const quoteForShell = (text: string): string =>
  /^[A-Za-z0-9._=-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;

// The style of the reference: screen and paper, wide and narrow, light and dark.

const style = `
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

/** Sent with the page: no script runs, nothing is loaded, and only this style applies. */
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
