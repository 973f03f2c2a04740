/**
 * Draws docs/reference/architecture.svg: the folders of the program in layers, from the table of allowed imports. A
 * folder is drawn above everything it imports. Its box lists only the imports that it does not also reach through
 * another folder.
 */
import { allowedImports } from '../../test/house/table.ts';

/** The purpose of each folder in a few words. A folder that is missing here is an error. */
const purposes: Readonly<Record<string, string>> = {
  electron: 'the till as a desktop app',
  'src/cli': 'commands',
  'src/ui': 'the screens',
  'src/shop': 'a sample web shop',
  'src/app': 'assembles and serves the till',
  'src/selling': 'starting, following, finding sales',
  'src/takeover': 'moved folders, other tills’ sales',
  'src/books': 'batches, X and Z, reconciliation',
  'src/recovery': 'unresolved sales, the audit',
  'src/offline': 'limits, exposure, trusted time',
  'src/terminals': 'pairing, diagnosis, traces',
  'src/printing': 'receipts in every form, printers',
  'src/staff': 'people, PINs, permissions',
  'src/ledger': 'recorded sales',
  'src/line': 'the connection to the gateway',
  'src/folder': 'till.json, keys, file permissions',
  'src/owner': 'the owner’s socket',
  'src/api': 'the local API',
  'src/locales': 'what people read, by language',
  'src/reconciliation': 'batch and settlement totals',
  'src/receipt': 'a finished sale as receipt rows',
  'src/queue': 'messages waiting to be sent',
  'src/journal': 'write-ahead log of every step',
  'src/till': 'one sale',
  'src/gateway': 'the host API',
  'src/emv': 'TLV, tags, cards',
  'src/base': 'money, clock, faults',
  drivers: 'terminals as bytes',
};

/** Folders whose subfolders are listed in their box. */
const houses = ['src/till', 'src/gateway', 'drivers'];

type GrowingRoom = Room & { inner: string[]; below: Set<string> };
type Room = { path: string; name: string; inner: readonly string[]; below: ReadonlySet<string> };

const roomOf = (path: string): string | undefined => {
  const [top = '', next] = path.replace(/^type /, '').split('/');
  if (top === 'src') return next === undefined ? undefined : `src/${next}`;
  return top === 'drivers' || top === 'electron' ? top : undefined;
};

const roomsIn = (table: Readonly<Record<string, readonly string[]>>): ReadonlyMap<string, Room> => {
  const rooms = new Map<string, GrowingRoom>();
  const roomsAboveAll: GrowingRoom[] = [];
  for (const [row, targets] of Object.entries(table)) {
    const path = roomOf(row);
    if (path === undefined) continue;
    const room = rooms.get(path) ?? { path, name: path.replace('src/', ''), inner: [], below: new Set() };
    rooms.set(path, room);
    if (houses.includes(path) && row.split('/').length - path.split('/').length === 1)
      room.inner.push(row.slice(path.length + 1));
    for (const target of targets.map(roomOf)) if (target !== undefined && target !== path) room.below.add(target);
    if (targets.includes('src')) roomsAboveAll.push(room);
  }
  // A folder that may import all of `src` is above every folder except those that import it.
  for (const { path, below } of roomsAboveAll) {
    for (const other of rooms.keys()) if (other !== path && !reachOf(rooms, other).has(path)) below.add(other);
  }
  return rooms;
};

/** Layers from bottom to top. Throws if the allowed imports form a circle. */
const layersOf = (rooms: ReadonlyMap<string, Room>): Room[][] => {
  const layers: Room[][] = [];
  const placedPaths = new Set<string>();
  while (placedPaths.size < rooms.size) {
    const layer = [...rooms.values()].filter(
      ({ path, below }) => !placedPaths.has(path) && [...below].every((each) => placedPaths.has(each)),
    );
    if (layer.length === 0) throw new Error('rooms may import each other in a circle');
    for (const { path } of layer) placedPaths.add(path);
    layers.push(layer);
  }
  return layers;
};

/** Everything a folder reaches through the folders below it. */
const reachOf = (rooms: ReadonlyMap<string, Room>, from: string, reachedPaths = new Set<string>()): Set<string> => {
  for (const path of rooms.get(from)?.below ?? []) {
    if (reachedPaths.has(path)) continue;
    reachedPaths.add(path);
    reachOf(rooms, path, reachedPaths);
  }
  return reachedPaths;
};

/** The folders below that no other folder below reaches. */
const nearestBelow = (rooms: ReadonlyMap<string, Room>, { below }: Room): string[] =>
  [...below].filter((path) => ![...below].some((other) => other !== path && reachOf(rooms, other).has(path)));

const WIDTH = 1080;
const TOP = 96;
const GAP = 18;
const LANE = 16;
const SINGLE = { width: 240, height: 68 };
const CHIP = { width: 92, height: 20 };
const chipsAcross = 5;

type Box = { room: Room; x: number; y: number; width: number; height: number };

const sizeOf = ({ inner }: Room): { width: number; height: number } => {
  if (inner.length === 0) return SINGLE;
  const across = Math.min(chipsAcross, inner.length);
  const rows = Math.ceil(inner.length / chipsAcross);
  return {
    width: Math.max(SINGLE.width, across * (CHIP.width + 6) + 18),
    height: SINGLE.height + rows * (CHIP.height + 6),
  };
};

/** Boxes by layer, the highest layer first. A layer that is too wide continues in a second row. */
const boxesOf = (layers: readonly (readonly Room[])[]): { boxes: Box[]; height: number } => {
  const boxes: Box[] = [];
  let y = TOP;
  for (const row of layers.toReversed().flatMap(rowsOf)) {
    const sizes = row.map(sizeOf);
    const width = sizes.reduce((sum, size) => sum + size.width + GAP, -GAP);
    let x = (WIDTH - width) / 2;
    for (const [index, room] of row.entries()) {
      const size = sizes[index] ?? SINGLE;
      boxes.push({ room, x, y, ...size });
      x += size.width + GAP;
    }
    y += Math.max(...sizes.map(({ height }) => height)) + LANE;
  }
  return { boxes, height: y };
};

const rowsOf = (layer: readonly Room[]): Room[][] => {
  const rows: Room[][] = [[]];
  let usedWidth = 0;
  for (const room of layer) {
    const { width } = sizeOf(room);
    if (usedWidth + width > WIDTH - 2 * GAP) {
      rows.push([]);
      usedWidth = 0;
    }
    rows.at(-1)?.push(room);
    usedWidth += width + GAP;
  }
  return rows;
};

const STYLE = `
  svg { color-scheme: light dark; font-family: system-ui, sans-serif }
  .ground { fill: #fff } .box { fill: #f4f6f9; stroke: #b9c2cf } .house { fill: #eaf2ff; stroke: #7aa2dd }
  .chip { fill: #fff; stroke: #b7cdec } .on { fill: #2c62b0; font-size: 12px }
  text { fill: #18212d } .small { fill: #586576; font-size: 12px } .name { font-size: 15px; font-weight: 600 }
  .title { font-size: 22px; font-weight: 600 } .inner { font-size: 12px }
  @media (prefers-color-scheme: dark) {
    .ground { fill: #12161c } .box { fill: #1d242d; stroke: #46525f } .house { fill: #17273f; stroke: #41689e }
    .chip { fill: #12202f; stroke: #35557f } .on { fill: #8bb8f5 } text { fill: #e8edf3 } .small { fill: #9fabb8 }
  }`;

const namesOf = (paths: readonly string[]): string => `on ${paths.map((path) => path.replace('src/', '')).join(', ')}`;

const drawBox = ({ room, x, y, width, height }: Box, namedPaths: readonly string[]): string[] => {
  const middle = x + width / 2;
  const isHouse = room.inner.length > 0;
  const purpose = purposes[room.path];
  if (purpose === undefined) throw new Error(`${room.path}: state its purpose in build/docs/architecture-picture.ts`);
  const chips = room.inner.map((name, index) => {
    const across = Math.min(chipsAcross, room.inner.length);
    const left = middle - (across * (CHIP.width + 6) - 6) / 2 + (index % chipsAcross) * (CHIP.width + 6);
    const top = y + SINGLE.height - 20 + Math.floor(index / chipsAcross) * (CHIP.height + 6);
    return [
      `<rect class="chip" x="${left}" y="${top}" width="${CHIP.width}" height="${CHIP.height}" rx="5"/>`,
      `<text class="inner" x="${left + CHIP.width / 2}" y="${top + 14}" text-anchor="middle">${name}</text>`,
    ].join('');
  });
  return [
    `<rect class="${isHouse ? 'house' : 'box'}" x="${x}" y="${y}" width="${width}" height="${height}" rx="8"/>`,
    `<text class="name" x="${middle}" y="${y + 22}" text-anchor="middle">${room.name}</text>`,
    `<text class="small" x="${middle}" y="${y + 40}" text-anchor="middle">${purpose}</text>`,
    ...chips,
    ...(namedPaths.length === 0
      ? []
      : [`<text class="on" x="${middle}" y="${y + height - 9}" text-anchor="middle">${namesOf(namedPaths)}</text>`]),
  ];
};

/** The picture as SVG. It follows the reader's light or dark theme. */
export const architecturePicture = (table: Readonly<Record<string, readonly string[]>> = allowedImports): string => {
  const rooms = roomsIn(table);
  const { boxes, height } = boxesOf(layersOf(rooms));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="The rooms of Tillgate">`,
    `<style>${STYLE}</style>`,
    `<rect class="ground" width="${WIDTH}" height="${height}"/>`,
    '<text class="title" x="24" y="40">The rooms of Tillgate</text>',
    '<text class="small" x="24" y="64">A room imports only rooms below it. Its box lists the imports that it does not also reach through another room.</text>',
    ...boxes.flatMap((box) => drawBox(box, nearestBelow(rooms, box.room))),
    '</svg>',
    '',
  ].join('\n');
};
