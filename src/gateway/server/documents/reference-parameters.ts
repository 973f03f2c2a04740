/** The reference’s part on parameters: every row once, in the spec’s chapters. */
import type { ApiOperation } from '../../spec/operation.ts';
import type { ParameterRow, Req } from '../../spec/parameters/row.ts';
import { type Chapter, chapterOf, chapters } from './chapters.ts';
import { anchor, type Html, html, nothing } from './html.ts';

/** A chapter with its rows; each name’s row is the one that the first of most operations has. */
export type ReferenceChapter = { id: string; chapter: Chapter; rows: ReadonlyMap<string, ParameterRow> };

/** The chapters that any of these operations takes something of. */
export const chaptersOf = (operations: readonly ApiOperation[]): readonly ReferenceChapter[] => {
  const rows = new Map<string, ParameterRow>();
  for (const [name, taken] of takenRows(operations)) {
    const [most] = [...taken].sort((one, other) => other[1] - one[1]);
    if (most !== undefined) rows.set(name, most[0]);
  }
  const grouped = Map.groupBy(rows, ([name]) => chapterOf(name));
  return chapters.flatMap((chapter) => {
    const own = grouped.get(chapter);
    return own === undefined ? [] : [{ id: `section-${chapter.prefix || 'basic'}`, chapter, rows: new Map(own) }];
  });
};

/** For each name, how many operations take which row. */
const takenRows = (operations: readonly ApiOperation[]): ReadonlyMap<string, ReadonlyMap<ParameterRow, number>> => {
  const taken = new Map<string, Map<ParameterRow, number>>();
  for (const [name, row] of operations.flatMap(({ accepts }) => Object.entries(accepts))) {
    const rows = taken.get(name) ?? new Map<ParameterRow, number>();
    taken.set(name, rows.set(row, (rows.get(row) ?? 0) + 1));
  }
  return taken;
};

/** Where a parameter is described. */
export const partOf = (parts: readonly ReferenceChapter[], name: string): ReferenceChapter | undefined =>
  parts.find(({ rows }) => rows.has(name));

export const chapterSection = ({ id, chapter, rows }: ReferenceChapter): Html => html`
<article><h3 id="${id}">${chapter.title} <span class="quiet">spec ${chapter.spec}</span></h3>
${rowList([...rows], 'anchored')}</article>`;

const reqWords: Readonly<Record<Req, string>> = { R: 'required', C: 'conditional', O: 'optional' };

/** Rows as a list of names and what is said of them. `anchored` ones can be linked to. */
export const rowList = (rows: readonly (readonly [string, ParameterRow])[], links: 'anchored' | 'plain'): Html => html`
<dl class="rows">${rows.map(
  ([name, row]) => html`
<div${links === 'anchored' ? html` id="${name}"` : nothing}><dt>${
    links === 'anchored' ? html`<a href="${anchor(name)}"><code>${name}</code></a>` : html`<code>${name}</code>`
  }<span class="req ${row.req}">${reqWords[row.req]}</span></dt>
<dd><p>${row.says}${keyOf(row)}</p>
<p class="quiet">Must be ${row.wants}. Example: <code>${row.example}</code></p></dd></div>`,
)}
</dl>`;

const keyOf = ({ key }: ParameterRow): Html =>
  key === undefined ? nothing : html` <span class="quiet">The key is ${key.wants}.</span>`;
