/** The reference’s part on answers: their fields, the HTTP statuses, the result codes by what they mean. */
import { type CodeMeaning, meaningOf, resultCodes } from '../../spec/results.ts';
import { type Html, html } from './html.ts';
import { rowList } from './reference-parameters.ts';
import { responseRows } from './response-schema.ts';
import { statuses } from './statuses.ts';

export const answerSection = (): Html => html`
<p>Other structures of the request are given back too, except for secrets.</p>
${rowList(Object.entries(responseRows), 'plain')}
<h3 id="statuses">HTTP statuses</h3>
<p>What became of a payment stands in <code>result.code</code>, not in the status.</p>
<dl class="rows">${statuses.map(
  ([status, says]) => html`
<div><dt>${status}</dt><dd><p>${says}</p></dd></div>`,
)}</dl>`;

/** What a client should make of each meaning, in the order of the page. */
const meanings: readonly (readonly [CodeMeaning, string])[] = [
  ['approved', 'Done. Some of them ask for a look by a person.'],
  ['pending', 'Under way. Ask again, or wait for the notification.'],
  ['declined', 'Certainly not done, by somebody’s decision.'],
  ['refused', 'The request was wrong and was not carried out.'],
  ['later', 'It was not looked at. Send it again.'],
  ['unknown', 'Nobody knows yet. Ask for the payment before anything else is done.'],
];

export const codeSection = (): Html => {
  const byMeaning = Map.groupBy(resultCodes, ({ code }) => meaningOf(code));
  return html`${meanings.map(([meaning, says]) => {
    const codes = byMeaning.get(meaning) ?? [];
    return html`
<h3 id="codes-${meaning}">${meaning}</h3><p>${says}</p>
<details><summary>${codes.length} codes</summary><dl class="rows">${codes.map(
      ({ code, description }) => html`
<div><dt><code>${code}</code></dt><dd><p>${description}</p></dd></div>`,
    )}</dl></details>`;
  })}`;
};
