/** The parameter part of the reference: every row once, in the spec’s chapters. */
import type { ApiOperation } from '../../spec/operation.ts';
import { documentationOf, type ParameterRow, type Req } from '../../spec/parameters/row.ts';
import { anchor, type Html, html, nothing } from './html.ts';

/** A chapter with its rows; for each name the row that most operations use. */
export type ReferenceChapter = { id: string; chapter: Chapter; rows: ReadonlyMap<string, ParameterRow> };

/** The chapters with parameters that any of these operations accepts. */
export const chaptersOf = (operations: readonly ApiOperation[]): readonly ReferenceChapter[] => {
  const rows = new Map<string, ParameterRow>();
  for (const [name, rowCounts] of acceptedRows(operations)) {
    const [commonest] = [...rowCounts].sort((left, right) => right[1] - left[1]);
    if (commonest !== undefined) rows.set(name, commonest[0]);
  }
  const grouped = Map.groupBy(rows, ([name]) => chapterOf(name));
  return chapters.flatMap((chapter) => {
    const chapterRows = grouped.get(chapter);
    return chapterRows === undefined
      ? []
      : [{ id: `section-${chapter.prefix || 'basic'}`, chapter, rows: new Map(chapterRows) }];
  });
};

/** For each name, the number of operations that use each of its rows. */
const acceptedRows = (operations: readonly ApiOperation[]): ReadonlyMap<string, ReadonlyMap<ParameterRow, number>> => {
  const rowCounts = new Map<string, Map<ParameterRow, number>>();
  for (const [name, row] of operations.flatMap(({ accepts }) => Object.entries(accepts))) {
    const rows = rowCounts.get(name) ?? new Map<ParameterRow, number>();
    rowCounts.set(name, rows.set(row, (rows.get(row) ?? 0) + 1));
  }
  return rowCounts;
};

export const chapterNamed = (parts: readonly ReferenceChapter[], name: string): ReferenceChapter | undefined =>
  parts.find(({ rows }) => rows.has(name));

export const chapterSection = ({ id, chapter, rows }: ReferenceChapter): Html => html`
<article><h3 id="${id}">${chapter.title} <span class="quiet">spec ${chapter.spec}</span></h3>
${rowList([...rows], 'anchored')}</article>`;

const reqWords: Readonly<Record<Req, string>> = { R: 'required', C: 'conditional', O: 'optional' };

/** Rows as a list of names and descriptions. `anchored` ones can be linked to. */
export const rowList = (rows: readonly (readonly [string, ParameterRow])[], links: 'anchored' | 'plain'): Html => html`
<dl class="rows">${rows.map(
  ([name, row]) => html`
<div${links === 'anchored' ? html` id="${name}"` : nothing}><dt>${
    links === 'anchored' ? html`<a href="${anchor(name)}"><code>${name}</code></a>` : html`<code>${name}</code>`
  }<span class="req ${row.req}">${reqWords[row.req]}</span></dt>
<dd><p>${documentationOf(row)}${keyOf(row)}</p>
<p class="quiet">Must be ${row.mustBe}. Example: <code>${row.example}</code></p></dd></div>`,
)}
</dl>`;

const keyOf = ({ key }: ParameterRow): Html =>
  key === undefined ? nothing : html` <span class="quiet">The key is ${key.mustBe}.</span>`;

// How the reference groups parameters: by name prefix, under the spec’s headings. A pure table.

type Chapter = { prefix: string; title: string; spec: string };

/** In the order of the page. The longest prefix of a name wins; the empty one takes the rest. */
export const chapters: readonly Chapter[] = [
  { prefix: '', title: 'Basic parameters', spec: '2.2 to 2.4, 2.23, 2.24, 2.31' },
  { prefix: 'overridePaymentType[', title: 'Payment types by brand', spec: '2.2' },
  { prefix: 'forex.', title: 'Currency conversion', spec: '2.3' },
  { prefix: 'card.', title: 'Card', spec: '2.5' },
  { prefix: 'applePay.', title: 'Apple Pay', spec: '2.6' },
  { prefix: 'googlePay.', title: 'Google Pay', spec: '2.6' },
  { prefix: 'samsungPay.', title: 'Samsung Pay', spec: '2.6' },
  { prefix: 'virtualAccount.', title: 'Virtual account', spec: '2.7' },
  { prefix: 'bankAccount.', title: 'Bank account', spec: '2.8' },
  { prefix: 'tokenAccount.', title: 'Token account', spec: '2.9' },
  { prefix: 'giftCard.', title: 'Gift card', spec: '2.26' },
  { prefix: 'pos.', title: 'Point of sale', spec: '2.34' },
  { prefix: 'customer.', title: 'Customer', spec: '2.10' },
  { prefix: 'billing.', title: 'Billing address', spec: '2.12' },
  { prefix: 'shipping.', title: 'Shipping address', spec: '2.14' },
  { prefix: 'shipping.customer.', title: 'Shipping customer', spec: '2.11' },
  { prefix: 'merchant.', title: 'Merchant', spec: '2.18' },
  { prefix: 'merchant.billing.', title: 'Merchant billing address', spec: '2.13' },
  { prefix: 'merchant.shipping.', title: 'Merchant shipping address', spec: '2.15' },
  { prefix: 'corporate.', title: 'Corporate', spec: '2.16' },
  { prefix: 'sender.', title: 'Sender', spec: '2.17' },
  { prefix: 'recipient.', title: 'Recipient', spec: '2.17' },
  { prefix: 'cart.items[', title: 'Cart items', spec: '2.19' },
  { prefix: 'cart.payments[', title: 'Cart payments', spec: '2.20' },
  { prefix: 'marketPlace.', title: 'Marketplace', spec: '2.21' },
  { prefix: 'airline.', title: 'Airline', spec: '2.22' },
  { prefix: 'recurringMigration.', title: 'Migration of recurring payments', spec: '2.23' },
  { prefix: 'registrations[', title: 'Stored accounts offered by a checkout', spec: '2.23' },
  { prefix: 'standingInstruction.', title: 'Card on file', spec: '2.32' },
  { prefix: 'job.', title: 'Schedule', spec: '2.28' },
  { prefix: 'date.', title: 'Dates of queries and reports', spec: '2.24, 2.25' },
  { prefix: 'risk.', title: 'Risk', spec: '2.27' },
  { prefix: 'threeDSecure.', title: '3D Secure', spec: '2.29' },
  { prefix: 'customParameters[', title: 'Custom parameters', spec: '2.30' },
  { prefix: 'webhook.', title: 'Webhooks: an extension of the specification', spec: '6' },
];

const longestFirst = [...chapters].sort((left, right) => right.prefix.length - left.prefix.length);

export const chapterOf = (name: string): Chapter | undefined =>
  longestFirst.find(({ prefix }) => name.startsWith(prefix));
