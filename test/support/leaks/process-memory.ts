/**
 * The memory of a Node process on Linux: every writable page, byte by byte, and which of its texts are still reachable.
 * Garbage collection is forced through the inspector: start the process with `--inspect=127.0.0.1:0`.
 */
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';

/** A needle (its index) found in memory, in this spelling. */
export type MemoryFinding = { needle: number; spelling: NeedleEncoding; at: string };

export type NeedleEncoding = 'bytes' | 'hex' | 'hex, lower case' | 'hex, two bytes a digit';

const CHUNK = 4 << 20;

/**
 * All places where one of these hex texts is in the process's writable memory: as the bytes it stands for, or as text.
 * Throws when the process may not be read.
 */
export const findInMemory = (pid: number, needles: readonly string[]): MemoryFinding[] => {
  const search = searchFor(needles);
  const handle = openSync(`/proc/${pid}/mem`, 'r');
  try {
    return writableRanges(pid).flatMap((range) => scanRange(handle, range, search));
  } finally {
    closeSync(handle);
  }
};

type Range = { from: number; to: number; name: string };

const writableRanges = (pid: number): Range[] =>
  readFileSync(`/proc/${pid}/maps`, 'latin1')
    .split('\n')
    .flatMap((line) => {
      const [, from = '', to = '', rights = '', name = ''] =
        /^([0-9a-f]+)-([0-9a-f]+) (\S+) \S+ \S+ \d+ *(.*)$/.exec(line) ?? [];
      if (!rights.startsWith('rw')) return [];
      return [{ from: Number.parseInt(from, 16), to: Number.parseInt(to, 16), name }];
    });

type Needle = { bytes: Buffer; needle: number; spelling: NeedleEncoding };
/** A bit for each beginning of three bytes, so that one pass looks for all needles. */
type Search = { longest: number; starts: Uint8Array; at: ReadonlyMap<number, readonly Needle[]> };

const searchFor = (needles: readonly string[]): Search => {
  const all = needles.flatMap((hex, needle): Needle[] =>
    (
      [
        ['bytes', Buffer.from(hex, 'hex')],
        ['hex', Buffer.from(hex.toUpperCase(), 'latin1')],
        ['hex, lower case', Buffer.from(hex.toLowerCase(), 'latin1')],
        ['hex, two bytes a digit', Buffer.from(hex.toUpperCase(), 'utf16le')],
        ['hex, two bytes a digit', Buffer.from(hex.toLowerCase(), 'utf16le')],
      ] as const
    ).map(([spelling, bytes]) => ({ bytes, needle, spelling })),
  );
  const starts = new Uint8Array(1 << 21);
  const at = new Map<number, Needle[]>();
  for (const sought of all) {
    const start = sought.bytes.readUIntBE(0, 3);
    starts[start >> 3] = (starts[start >> 3] ?? 0) | (1 << (start & 7));
    at.set(start, [...(at.get(start) ?? []), sought]);
  }
  return { longest: Math.max(...all.map(({ bytes }) => bytes.length)), starts, at };
};

const scanRange = (handle: number, { from, to, name }: Range, search: Search): MemoryFinding[] => {
  const found: MemoryFinding[] = [];
  const chunk = Buffer.alloc(CHUNK + search.longest);
  for (let start = from; start < to; start += CHUNK) {
    const expected = Math.min(chunk.length, to - start);
    // Pages that the system reserves, or has unmapped meanwhile, cannot be read.
    const read = readIfMapped(handle, chunk.subarray(0, expected), start);
    for (const { needle, spelling, place } of placesIn(chunk.subarray(0, read), search))
      if (place < CHUNK) found.push({ needle, spelling, at: `${(start + place).toString(16)} ${name}` });
  }
  return found;
};

const readIfMapped = (handle: number, into: Buffer, at: number): number => {
  try {
    return readSync(handle, into, 0, into.length, at);
  } catch {
    return 0;
  }
};

const placesIn = (chunk: Buffer, { starts, at }: Search): (Needle & { place: number })[] => {
  const found: (Needle & { place: number })[] = [];
  let three = 0;
  for (let end = 0; end < chunk.length; end += 1) {
    three = ((three << 8) | (chunk[end] as number)) & 0xffffff;
    if (((starts[three >> 3] as number) & (1 << (three & 7))) === 0 || end < 2) continue;
    const place = end - 2;
    for (const sought of at.get(three) ?? [])
      if (chunk.subarray(place, place + sought.bytes.length).equals(sought.bytes)) found.push({ ...sought, place });
  }
  return found;
};

export type Inspected = {
  /** Collects all garbage several times, because some objects become unreachable only by a collection. */
  collect(): Promise<void>;
  /** All texts that are reachable now. */
  reachableTexts(): Promise<readonly string[]>;
  close(): void;
};

/** Attaches to the inspector at the address that the process printed: `ws://127.0.0.1:9229/…`. */
export const inspect = async (address: string): Promise<Inspected> => {
  const socket = new WebSocket(address);
  const waiting = new Map<number, (result: unknown) => void>();
  let snapshot: string[] = [];
  let last = 0;
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as { id?: number; method?: string; params?: { chunk?: string } };
    if (message.method === 'HeapProfiler.addHeapSnapshotChunk') snapshot.push(message.params?.chunk ?? '');
    if (message.id !== undefined) waiting.get(message.id)?.(message);
  });
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', reject);
  });
  const call = (method: string, params = {}): Promise<unknown> =>
    new Promise((resolve) => {
      last += 1;
      waiting.set(last, resolve);
      socket.send(JSON.stringify({ id: last, method, params }));
    });
  await call('HeapProfiler.enable');
  return {
    async collect() {
      for (let times = 0; times < 3; times += 1) await call('HeapProfiler.collectGarbage');
    },
    async reachableTexts() {
      snapshot = [];
      await call('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
      const { strings } = JSON.parse(snapshot.join('')) as { strings: string[] };
      snapshot = [];
      return strings;
    },
    close: () => socket.close(),
  };
};
