/** The readable reference: one page, made from the same tables as the parser. */
import { pageIcon } from '../../browser-page.ts';
import type { ApiOperation } from '../../spec/operation.ts';
import { anchor, type Html, html } from './html.ts';
import { answerSection, codeSection } from './reference-answers.ts';
import { operationLink, operationSection } from './reference-operations.ts';
import { chapterSection, chaptersOf } from './reference-parameters.ts';
import { style } from './reference-style.ts';

export { referenceHeaders } from './reference-style.ts';

/** A whole HTML page, to be sent with `referenceHeaders`. */
export const referencePage = (operations: readonly ApiOperation[]): string => {
  const parts = chaptersOf(operations);
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
<ul>${parts.map(({ id, chapter }) => html`<li><a href="${anchor(id)}">${chapter.title}</a></li>`)}</ul>
<h2>Answers</h2>
<ul><li><a href="#answers">Fields of an answer</a></li><li><a href="#statuses">HTTP statuses</a></li>
<li><a href="#codes">Result codes</a></li></ul>
</nav>
<main id="content">
<h1>Host API reference</h1>
${introduction}
<section><h2 id="operations">Operations</h2>
${operations.map((operation) => operationSection(operation, parts))}</section>
<section><h2 id="parameters">Parameters</h2>${parts.map(chapterSection)}</section>
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
