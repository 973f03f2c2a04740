/** Finds the row for a name as sent: `cart.items[12].name` has the row `cart.items[n].name`. */
import type { ParameterRow, Rows } from './row.ts';

export type ParameterLookup =
  | { kind: 'row'; row: ParameterRow }
  /** A map's row: `map` is its name without the key. */
  | { kind: 'entry'; row: ParameterRow; map: string; key: string }
  /** `canonical` is the name without its index or key, for "did you mean". */
  | { kind: 'stranger'; canonical: string };

/** A malformed index, in a name that is reported back. */
const INDEX_WRONG = /\[[0-9]{0,9}\](?=\.)/g;
/** The end of the name of a map's row. */
export const KEY = '[key]';

/** A look-up in these rows. Plain names take one step. */
export const lookupOf = (rows: Rows): ((name: string) => ParameterLookup) => {
  const exactRows = new Map<string, ParameterLookup>();
  const listRows = new Map<string, ParameterLookup>();
  const maps = new Map<string, ParameterRow>();
  for (const [name, row] of Object.entries(rows)) {
    if (name.endsWith(KEY)) maps.set(name.slice(0, -KEY.length), row);
    else (name.includes('[n]') ? listRows : exactRows).set(name, { kind: 'row', row });
  }
  return (name) => {
    const exact = exactRows.get(name);
    if (exact !== undefined) return exact;
    if (!name.includes('[')) return { kind: 'stranger', canonical: name };
    const template = listTemplateOf(name);
    const inList = template === undefined ? undefined : listRows.get(template);
    if (inList !== undefined) return inList;
    return entryOf(name, maps) ?? { kind: 'stranger', canonical: canonicalOf(name) };
  };
};

/** The name with `[n]` for each index; undefined if the brackets contain anything else, even a literal n. */
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
 * Whether the text between these positions is an index: 0 to 999, without leading zeros. Spec 8 limits the items of a
 * cart, and no other list needs more. Called for every list name of every request, therefore without a regular
 * expression.
 */
const isIndex = (name: string, from: number, to: number): boolean => {
  const digits = to - from;
  if (digits < 1 || digits > 3 || (digits > 1 && name[from] === '0')) return false;
  for (let i = from; i < to; i += 1) {
    const code = name.charCodeAt(i);
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
