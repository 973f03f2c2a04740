/** The reference’s part on operations: what each takes, needs and forbids, with a request that it accepts. */
import type { ApiOperation } from '../../spec/operation.ts';
import { exampleOf } from './example.ts';
import { anchor, type Html, html, nothing } from './html.ts';
import { partOf, type ReferenceChapter, rowList } from './reference-parameters.ts';

const idOf = ({ method, path }: ApiOperation): string => `${method}-${path}`;

export const operationLink = (operation: ApiOperation): Html =>
  html`<a href="${anchor(idOf(operation))}">${operation.method} ${bracedPath(operation)}</a>`;

const bracedPath = ({ path }: ApiOperation): string => path.replace(/:([A-Za-z]+)/g, '{$1}');

export const operationSection = (operation: ApiOperation, parts: readonly ReferenceChapter[]): Html => {
  const { method, says, needs } = operation;
  return html`
<article><h3 id="${idOf(operation)}"><span class="method">${method}</span><code>${bracedPath(operation)}</code></h3>
<p>${says}</p>
<h4>Needs</h4>
<ul class="chips">${needs.map((name) => html`<li><a href="${anchor(name)}"><code>${name}</code></a></li>`)}</ul>
<h4>Takes</h4>
<ul class="chips">${partsOf(operation, parts).map(
    ({ id, chapter }) => html`<li><a href="${anchor(id)}">${chapter.title}</a></li>`,
  )}</ul>
${ownRows(operation, parts)}${rulesOf(operation)}
<details><summary>Example</summary><pre>${curlOf(operation)}</pre></details>
</article>`;
};

const partsOf = ({ accepts }: ApiOperation, parts: readonly ReferenceChapter[]): readonly ReferenceChapter[] => {
  const taken = new Set(Object.keys(accepts).map((name) => partOf(parts, name)));
  return parts.filter((part) => taken.has(part));
};

/** Rows that mean something else here than in the chapters below. */
const ownRows = ({ accepts }: ApiOperation, parts: readonly ReferenceChapter[]): Html => {
  const own = Object.entries(accepts).filter(([name, row]) => partOf(parts, name)?.rows.get(name) !== row);
  return own.length === 0 ? nothing : html`<h4>In this operation</h4>${rowList(own, 'plain')}`;
};

const rulesOf = ({ rules }: ApiOperation): Html => {
  if (rules.length === 0) return nothing;
  const lines = [...new Map(rules.map((rule) => [`${rule.name} ${rule.says}`, rule])).values()];
  return html`
<details><summary>Rules between parameters (${lines.length})</summary><ul class="plain">${lines.map(
    ({ name, says }) => html`<li><code>${name}</code> ${says}</li>`,
  )}</ul></details>`;
};

/** As one would type it in a shell. */
const curlOf = (operation: ApiOperation): string => {
  const get = operation.method === 'POST' ? [] : ['-G'];
  const verb = operation.method === 'DELETE' ? ['-X DELETE'] : [];
  const sent = Object.entries(exampleOf(operation)).map(
    ([name, value]) => `--data-urlencode ${quoted(`${name}=${value}`)}`,
  );
  const url = `"$BASE_URL${bracedPath(operation).replace('{id}', '$ID')}"`;
  return [`curl ${url}`, ...verb, ...get, `-H "Authorization: Bearer $ACCESS_TOKEN"`, ...sent].join(' \\\n  ');
};

const quoted = (text: string): string =>
  /^[A-Za-z0-9._=-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
