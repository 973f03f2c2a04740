/**
 * JSON as types, and flat wire names as JSON has them: `cart.items[0].name` is cart: { items: [{ name }] }, a map's key
 * a property.
 */

/**
 * Objects that inherit nothing, so that no name means anything to the language. `Object.create(null)` gives such too,
 * but as a hash table from its first field on: up to some twenty fields these take half of the time and of the room.
 */
class Bare {}
Reflect.deleteProperty(Bare.prototype, 'constructor');
Object.setPrototypeOf(Bare.prototype, null);

export const bare = <T>(): Record<string, T> => new Bare() as Record<string, T>;

type Group = { [name: string]: Json | Group };

/**
 * The nested form. Numbers in brackets make lists, in their order and without gaps; other keys make objects. Objects
 * have no prototype, so that no name means anything to the language. A number can be the key of a map too: which names
 * are lists is known from `lists`.
 */
export const nestedOf = (flat: Readonly<Record<string, string>>, lists: ReadonlySet<string> = LISTS): Json => {
  const root = bare<Json | Group>();
  for (const name in flat) put(root, name, flat[name] ?? '');
  return listed(root, '', lists);
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

/** `a.b[0].c` stands under a, b, 0 and c. A map's key is one step, dots and all. */
const put = (root: Group, name: string, value: string): void => {
  if (name.includes('[')) {
    const steps = [...name.matchAll(/\[([^[\]]*)\]|[^.[\]]+/g)].map(([step, key]) => key ?? step);
    const last = steps.pop() ?? '';
    steps.reduce(groupIn, root)[last] = value;
    return;
  }
  let group = root;
  let from = 0;
  for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', from)) {
    group = groupIn(group, name.slice(from, dot));
    from = dot + 1;
  }
  group[name.slice(from)] = value;
};

/** The group of this name, made if there is none. */
const groupIn = (group: Group, name: string): Group => {
  const inner = group[name];
  if (isGroup(inner)) return inner;
  const made = bare<Json | Group>();
  group[name] = made;
  return made;
};

const isGroup = (json: Json | Group | undefined): json is Group =>
  typeof json === 'object' && json !== null && !Array.isArray(json);

/** Groups that are lists as arrays: an object's whole-number names already stand in ascending order. */
const listed = (json: Json | Group, path: string, lists: ReadonlySet<string>): Json =>
  isGroup(json) && lists.has(path)
    ? Object.values(json).map((each) => within(each, path, lists))
    : within(json, path, lists);

/** The same inside of one group; a list's path is its elements' too. */
const within = (json: Json | Group, path: string, lists: ReadonlySet<string>): Json => {
  if (!isGroup(json)) return json;
  for (const name in json) {
    const inner = json[name];
    if (isGroup(inner)) (json as Group)[name] = listed(inner, path === '' ? name : `${path}.${name}`, lists);
  }
  return json as Json;
};

/** JSON as `JSON.stringify` takes it: what is undefined is not written. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json | undefined };
