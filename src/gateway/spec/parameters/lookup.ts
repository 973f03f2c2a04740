/** From a name as it was sent to its row: `cart.items[12].name` is the row `cart.items[n].name`. */
import type { ParameterRow, Rows } from './row.ts';

export type ParameterLookup =
  | { kind: 'row'; row: ParameterRow }
  /** A map's row: `map` is its name without the key. */
  | { kind: 'entry'; row: ParameterRow; map: string; key: string }
  /** `canonical` is the name with its index or key taken out, for "did you mean". */
  | { kind: 'stranger'; canonical: string };

/** What stands where an index should, in a name that is told back. */
const INDEX_WRONG = /\[[0-9]{0,9}\](?=\.)/g;
/** Ends the name of a map's row. */
export const KEY = '[key]';

/** A look-up over these rows. Plain names cost one step. */
export const lookupOf = (rows: Rows): ((name: string) => ParameterLookup) => {
  const plain = new Map<string, ParameterLookup>();
  const listed = new Map<string, ParameterLookup>();
  const maps = new Map<string, ParameterRow>();
  for (const [name, row] of Object.entries(rows)) {
    if (name.endsWith(KEY)) maps.set(name.slice(0, -KEY.length), row);
    else (name.includes('[n]') ? listed : plain).set(name, { kind: 'row', row });
  }
  return (name) => {
    const known = plain.get(name);
    if (known !== undefined) return known;
    if (!name.includes('[')) return { kind: 'stranger', canonical: name };
    const template = listTemplateOf(name);
    const inList = template === undefined ? undefined : listed.get(template);
    if (inList !== undefined) return inList;
    return entryOf(name, maps) ?? { kind: 'stranger', canonical: canonicalOf(name) };
  };
};

/** The name with `[n]` for each index; undefined if anything else stands in brackets, be it the n itself. */
const listTemplateOf = (name: string): string | undefined => {
  let template = '';
  let from = 0;
  for (let open = name.indexOf('['); open >= 0; open = name.indexOf('[', from)) {
    const close = name.indexOf(']', open);
    if (!isIndex(name, open + 1, close)) return undefined;
    template += `${name.slice(from, open)}[n]`;
    from = close + 1;
  }
  return template + name.slice(from);
};

/**
 * Whether an index stands from here to there: 0 to 999, without zeros before it. Spec 8 bounds the items of a cart,
 * and nothing needs more elsewhere. Asked for every list name of every request, so without a regular expression.
 */
const isIndex = (name: string, from: number, to: number): boolean => {
  const digits = to - from;
  if (digits < 1 || digits > 3 || (digits > 1 && name[from] === '0')) return false;
  for (let at = from; at < to; at += 1) {
    const code = name.charCodeAt(at);
    if (code < 48 || code > 57) return false;
  }
  return true;
};

const entryOf = (name: string, maps: ReadonlyMap<string, ParameterRow>): ParameterLookup | undefined => {
  if (!name.endsWith(']')) return undefined;
  const open = name.lastIndexOf('[');
  const map = name.slice(0, open);
  const key = name.slice(open + 1, -1);
  const row = maps.get(map);
  return row === undefined || key.includes(']') ? undefined : { kind: 'entry', row, map, key };
};

const canonicalOf = (name: string): string => {
  const indexed = name.replace(INDEX_WRONG, '[n]');
  const open = indexed.lastIndexOf('[');
  return indexed.endsWith(']') && open > 0 ? `${indexed.slice(0, open)}${KEY}` : indexed;
};

/** The name with its indexes or its key taken out: what its row is called. */
export const templateOf = (found: ParameterLookup, name: string): string =>
  found.kind === 'entry' ? `${found.map}${KEY}` : (listTemplateOf(name) ?? name);
