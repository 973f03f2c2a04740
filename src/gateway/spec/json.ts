/**
 * JSON types, and the conversion of flat wire names to JSON: `cart.items[0].name` becomes cart: { items: [{ name }] },
 * a map's key a property.
 */

/**
 * Objects without a prototype, so that no name has a meaning in the language. `Object.create(null)` would do, but makes
 * a hash table from the first field on: up to some twenty fields these take half the time and memory.
 */
class Bare {}
Reflect.deleteProperty(Bare.prototype, 'constructor');
Object.setPrototypeOf(Bare.prototype, null);

export const createBare = <T>(): Record<string, T> => new Bare() as Record<string, T>;

type Group = { [name: string]: Json | Group };

/**
 * The nested form. Numbers in brackets make lists, in their order and without gaps; other keys make objects. Objects
 * have no prototype, so that no name has a meaning in the language. A number can also be the key of a map, so `lists`
 * tells which names are lists.
 */
export const nestedOf = (flat: Readonly<Record<string, string>>, lists: ReadonlySet<string> = LISTS): Json => {
  const root = createBare<Json | Group>();
  for (const name in flat) put(root, name, flat[name] ?? '');
  return listGroups(root, '', lists);
};

/** The repeated structures of the host API (spec 2.19 to 2.22, 2.36). */
const LISTS: ReadonlySet<string> = new Set([
  'cart.items',
  'cart.payments',
  'marketPlace.sellers',
  'airline.passengers',
  'airline.passengers.legs',
  'matchedTransactions.payment',
]);

/** `a.b[0].c` is stored under a, b, 0 and c. A map's key is one step, even if it contains dots. */
const put = (root: Group, name: string, value: string): void => {
  if (name.includes('[')) {
    const steps = [...name.matchAll(/\[([^[\]]*)\]|[^.[\]]+/g)].map(([step, key]) => key ?? step);
    const lastName = steps.pop() ?? '';
    steps.reduce(subgroupOf, root)[lastName] = value;
    return;
  }
  let group = root;
  let start = 0;
  for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', start)) {
    group = subgroupOf(group, name.slice(start, dot));
    start = dot + 1;
  }
  group[name.slice(start)] = value;
};

/** The group of this name, created if there is none. */
const subgroupOf = (group: Group, name: string): Group => {
  const inner = group[name];
  if (isGroup(inner)) return inner;
  const subgroup = createBare<Json | Group>();
  group[name] = subgroup;
  return subgroup;
};

const isGroup = (json: Json | Group | undefined): json is Group =>
  typeof json === 'object' && json !== null && !Array.isArray(json);

/** Turns groups that are lists into arrays: an object's integer keys are already in ascending order. */
const listGroups = (json: Json | Group, path: string, lists: ReadonlySet<string>): Json =>
  isGroup(json) && lists.has(path)
    ? Object.values(json).map((each) => valueAt(each, path, lists))
    : valueAt(json, path, lists);

/** The same within one group; the elements of a list have the list's path. */
const valueAt = (json: Json | Group, path: string, lists: ReadonlySet<string>): Json => {
  if (!isGroup(json)) return json;
  for (const name in json) {
    const inner = json[name];
    if (isGroup(inner)) (json as Group)[name] = listGroups(inner, path === '' ? name : `${path}.${name}`, lists);
  }
  return json as Json;
};

/** JSON as `JSON.stringify` accepts it: undefined values are not written. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json | undefined };
