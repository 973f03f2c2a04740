/**
 * Circles of rooms: neighbouring folders that import each other, directly or through others. Imports of types count. If
 * a room needs something of a room above it, it declares a type of its own for it (`port.ts`), and the room above
 * passes an implementation.
 */
import { posix } from 'node:path';
import type { Source } from './source.ts';
import { importsOf } from './walls.ts';

/** Folders whose subfolders are rooms. A file directly in one of them belongs to no room. */
const houses = ['src', 'src/till', 'src/gateway', 'src/ui', 'drivers'];

/** For each room, the rooms it imports, each with the first import found. */
type Views = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Each room in a circle, with the shortest path around it. */
export const roomCircles = (sources: readonly Source[]): string[] =>
  houses.flatMap((house) => {
    const views = viewsIn(house, sources);
    const around = [...views.keys()].sort().flatMap((room) => wayAround(room, views) ?? []);
    return around.map(({ room, by }) => `${house}/${room} imports itself: ${by.join(', ')}`);
  });

const viewsIn = (house: string, sources: readonly Source[]): Views => {
  const views = new Map<string, Map<string, string>>();
  for (const source of sources) {
    const room = roomOf(house, source.path);
    if (room === undefined) continue;
    const seen = views.get(room) ?? new Map<string, string>();
    views.set(room, seen);
    for (const { from } of importsOf(source)) {
      if (from?.startsWith('.') !== true) continue;
      const to = posix.join(posix.dirname(source.path), from);
      const other = roomOf(house, to);
      if (other !== undefined && other !== room && !seen.has(other)) seen.set(other, `${source.path} → ${to}`);
    }
  }
  return views;
};

const roomOf = (house: string, path: string): string | undefined => {
  const [room, ...below] = path.startsWith(`${house}/`) ? path.slice(house.length + 1).split('/') : [];
  return below.length === 0 ? undefined : room;
};

/** The shortest chain of imports by which a room imports itself through others; undefined for a room in no circle. */
const wayAround = (room: string, views: Views): { room: string; by: string[] } | undefined => {
  const ways = new Map<string, string[]>([[room, []]]);
  for (const [at, by] of ways)
    for (const [to, shows] of views.get(at) ?? []) {
      if (to === room) return { room, by: [...by, shows] };
      if (!ways.has(to)) ways.set(to, [...by, shows]);
    }
  return undefined;
};
