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
type RoomImports = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Each room in a circle, with the shortest path around it. */
export const roomCircles = (sources: readonly Source[]): string[] =>
  houses.flatMap((house) => {
    const roomImportsByRoom = importsByRoom(house, sources);
    const circlesFound = [...roomImportsByRoom.keys()]
      .sort()
      .flatMap((room) => shortestCircle(room, roomImportsByRoom) ?? []);
    return circlesFound.map(({ room, chain }) => `${house}/${room} imports itself: ${chain.join(', ')}`);
  });

const importsByRoom = (house: string, sources: readonly Source[]): RoomImports => {
  const roomImportsByRoom = new Map<string, Map<string, string>>();
  for (const source of sources) {
    const room = roomOf(house, source.path);
    if (room === undefined) continue;
    const roomImports = roomImportsByRoom.get(room) ?? new Map<string, string>();
    roomImportsByRoom.set(room, roomImports);
    for (const { from } of importsOf(source)) {
      if (from?.startsWith('.') !== true) continue;
      const to = posix.join(posix.dirname(source.path), from);
      const other = roomOf(house, to);
      if (other !== undefined && other !== room && !roomImports.has(other))
        roomImports.set(other, `${source.path} → ${to}`);
    }
  }
  return roomImportsByRoom;
};

const roomOf = (house: string, path: string): string | undefined => {
  const [room, ...below] = path.startsWith(`${house}/`) ? path.slice(house.length + 1).split('/') : [];
  return below.length === 0 ? undefined : room;
};

/** The shortest chain of imports by which a room imports itself through others; undefined for a room in no circle. */
const shortestCircle = (
  room: string,
  roomImportsByRoom: RoomImports,
): { room: string; chain: string[] } | undefined => {
  const chains = new Map<string, string[]>([[room, []]]);
  for (const [reachedRoom, chain] of chains)
    for (const [to, importLine] of roomImportsByRoom.get(reachedRoom) ?? []) {
      if (to === room) return { room, chain: [...chain, importLine] };
      if (!chains.has(to)) chains.set(to, [...chain, importLine]);
    }
  return undefined;
};
