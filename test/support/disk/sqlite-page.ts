/**
 * Where a byte is in a page of a SQLite file or of its write-ahead log, according to the file format
 * (https://www.sqlite.org/fileformat2.html, 1.6 and 4.1).
 */
import { closeSync, openSync, readSync } from 'node:fs';

/**
 * Whether these bytes are layout and not stored values: the file's own header; the last byte of a b-tree page's cell
 * pointers with the unused zeros after it; the zeros of a free block after its size; those at the end of a page with
 * the rest of a long row; or those of an unused page after the last byte of the page before.
 */
export const isLayout = (file: string, offset: number, length: number): boolean => {
  const handle = openSync(file, 'r');
  try {
    const at = pageAt(handle, offset);
    if (at === undefined) return false;
    const page = bytesAt(handle, at.page, at.size);
    // 1.3: 100 bytes of numbers, such as the number of pages; no stored value is there.
    if (at.isFirst && offset - at.page + length <= 100) return true;
    // The first page of a database begins with the file's own header.
    const header = at.isFirst ? 100 : 0;
    const kind = page[header] ?? 0;
    if (page.length < at.size) return false;
    if (at.isDatabase && offset === at.page + at.size - 1) return isUnused(handle, at.page + at.size, at.size);
    if (![2, 5, 10, 13].includes(kind)) return isRowsEnd(page, offset - at.page);
    const pointers = header + (kind === 2 || kind === 5 ? 12 : 8);
    const end = pointers + 2 * page.readUInt16BE(header + 3);
    const cells = page.readUInt16BE(header + 5) || 65_536;
    const inPage = offset - at.page;
    return (inPage === end - 1 && inPage + length <= cells) || isFreeBlock(page, header, { at: inPage, length });
  } finally {
    closeSync(handle);
  }
};

/** 1.6, free blocks: the offset of the next one and the size of this one, two bytes each, and then unused bytes. */
const isFreeBlock = (page: Buffer, header: number, { at, length }: { at: number; length: number }): boolean => {
  for (let block = page.readUInt16BE(header + 1); block > 0 && block + 4 <= page.length; ) {
    if (at === block + 3) return at + length <= block + page.readUInt16BE(block + 2);
    const next = page.readUInt16BE(block);
    // In ascending order; anything else is a damaged page.
    if (next <= block) return false;
    block = next;
  }
  return false;
};

/** 1.6, overflow pages: after the row's last byte there are zeros up to the end of the page. */
const isRowsEnd = (page: Buffer, offset: number): boolean => page.subarray(offset + 1).every((byte) => byte === 0);

/**
 * 1.5: a page in the list of unused pages names the next one and how many it lists, neither of which is a value. The
 * listed pages can contain old rows, so one of them counts only if it is all zeros.
 */
const isUnused = (handle: number, from: number, size: number): boolean => {
  if (bytesAt(handle, from, size).every((byte) => byte === 0)) return true;
  const next = (at: number) => bytesAt(handle, at, 4).readUInt32BE(0);
  const visited = new Set<number>();
  for (let page = next(32); page > 0 && !visited.has(page); page = next((page - 1) * size)) {
    if ((page - 1) * size === from) return true;
    visited.add(page);
  }
  return false;
};

type Place = { page: number; size: number; isFirst: boolean; isDatabase: boolean };

/** The page around the byte, in either kind of file. */
const pageAt = (handle: number, offset: number): Place | undefined => {
  const start = bytesAt(handle, 0, 32);
  if (start.length < 32) return undefined;
  if (start.toString('latin1', 0, 16) === 'SQLite format 3\0') {
    const pageSize = start.readUInt16BE(16);
    const size = pageSize === 1 ? 65_536 : pageSize;
    const number = Math.floor(offset / size);
    return { page: number * size, size, isFirst: number === 0, isDatabase: true };
  }
  const magic = start.readUInt32BE(0);
  if (magic !== 0x377f0682 && magic !== 0x377f0683) return undefined;
  const size = start.readUInt32BE(8);
  const frame = Math.floor((offset - 32) / (size + 24));
  if (frame < 0) return undefined;
  const page = 32 + frame * (size + 24) + 24;
  const number = bytesAt(handle, page - 24, 4);
  return number.length < 4 ? undefined : { page, size, isFirst: number.readUInt32BE(0) === 1, isDatabase: false };
};

const bytesAt = (handle: number, from: number, size: number): Buffer => {
  const bytes = Buffer.alloc(size);
  return bytes.subarray(0, readSync(handle, bytes, 0, size, from));
};
