/** A file on a disk with a write cache: what a reader sees now, and what would be left after a power cut. */
import type { Dice } from '../chance/dice.ts';

/**
 * The unit that a disk writes completely or not at all, in bytes: on older disks the first, on newer ones the second.
 */
export const SECTORS = [512, 4096] as const;
export type Sector = (typeof SECTORS)[number];

type Change = { offset: number; bytes: Uint8Array } | { size: number };

export interface Medium {
  readonly size: number;
  read(offset: number, length: number): Uint8Array;
  write(offset: number, bytes: Uint8Array): void;
  truncate(size: number): void;
  /** What was written so far is safe. */
  sync(): void;
  /** Everything written is safe, even without a sync: only the program ended, not the power. */
  settle(): void;
  /** The power was cut: each unsynced sector is there or not, in any order, as the dice decide. */
  lose(dice: Dice, sector: Sector): void;
  /** Whether a sync has ever made the file's name safe. */
  readonly isNamed: boolean;
}

export const medium = (): Medium => {
  const current = bytes();
  const safe = bytes();
  let cached: Change[] = [];
  let named = false;

  const settle = (): void => {
    for (const change of cached) apply(safe, change);
    cached = [];
    named = true;
  };

  return {
    get size() {
      return current.size;
    },
    get isNamed() {
      return named;
    },
    read: (offset, length) => current.all().subarray(offset, offset + length),
    write(offset, written) {
      const change = { offset, bytes: written };
      cached.push(change);
      apply(current, change);
    },
    truncate(size) {
      cached.push({ size });
      apply(current, { size });
    },
    sync: settle,
    settle,
    lose(dice, sector) {
      const stored = dice.one([0, 10, 50, 90, 100] as const);
      for (const change of cached)
        for (const part of sectorsOf(change, sector)) if (dice.percent(stored)) apply(safe, part);
      cached = [];
      current.become(safe.all());
    },
  };
};

/** A torn write: whole sectors of it arrive independently. */
function* sectorsOf(change: Change, sector: Sector): Generator<Change> {
  if ('size' in change) return yield change;
  const { offset, bytes: written } = change;
  for (let from = 0; from < written.length; ) {
    const to = Math.min(written.length, from + sector - ((offset + from) % sector));
    yield { offset: offset + from, bytes: written.subarray(from, to) };
    from = to;
  }
}

const apply = (store: Bytes, change: Change): void => {
  if ('size' in change) store.resize(change.size);
  else store.put(change.offset, change.bytes);
};

type Bytes = ReturnType<typeof bytes>;

/** Bytes that grow: a gap before written bytes reads as zeros. */
const bytes = () => {
  let room = new Uint8Array(65_536);
  let size = 0;
  const reserve = (minBytes: number): void => {
    if (minBytes <= room.length) return;
    const larger = new Uint8Array(Math.max(minBytes, room.length * 2));
    larger.set(room.subarray(0, size));
    room = larger;
  };
  return {
    get size() {
      return size;
    },
    all: (): Uint8Array => room.subarray(0, size),
    put(offset: number, written: Uint8Array): void {
      reserve(offset + written.length);
      room.set(written, offset);
      size = Math.max(size, offset + written.length);
    },
    resize(to: number): void {
      reserve(to);
      if (to < size) room.fill(0, to, size);
      size = to;
    },
    become(content: Uint8Array): void {
      room.fill(0, content.length, Math.max(size, content.length));
      reserve(content.length);
      room.set(content);
      size = content.length;
    },
  };
};
