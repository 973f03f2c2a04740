/** SQLite's file layer on simulated disks: one for all of them; the first part of a path names the disk. */
import sqlite3Init from '@sqlite.org/sqlite-wasm';
import { type Disk, DiskError, type Handle, type LockLevel } from './disk.ts';
import { SECTORS } from './medium.ts';

/** All of SQLite, compiled to WebAssembly: every call is synchronous. */
export const sqlite3 = await sqlite3Init();
const { capi, wasm } = sqlite3;

export const VFS_NAME = 'simulated-disk';

const disks = new Map<string, Disk>();
const handles = new Map<number, Handle & { deleteOnClose?: () => void }>();
let mounted = 0;

/** Gives the disk a name, with which the paths of its files begin. */
export const mount = (disk: Disk): string => {
  mounted += 1;
  const name = `/disk${mounted}`;
  disks.set(name, disk);
  return name;
};

export const unmount = (name: string): void => void disks.delete(name);

const located = (path: string): { disk: Disk; file: string } => {
  const [, first = '', ...rest] = path.split('/');
  const disk = disks.get(`/${first}`);
  if (disk === undefined) throw new DiskError('failed');
  return { disk, file: rest.join('/') };
};

type Pointer = number;

/** The code that SQLite gets for the result of a disk operation. */
const encode = (failed: number, operation: () => number | undefined): number => {
  try {
    return operation() ?? capi.SQLITE_OK;
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
    return error.kind === 'full' ? capi.SQLITE_FULL : failed;
  }
};

const handleAt = (file: Pointer): Handle => {
  const handle = handles.get(file);
  if (handle === undefined) throw new DiskError('failed');
  return handle;
};

const heap = (offset: Pointer, length: number): Uint8Array => wasm.heap8u().subarray(offset, offset + length);

const read = (file: Pointer, to: Pointer, length: number, offset: bigint): number =>
  encode(capi.SQLITE_IOERR_READ, () => {
    const bytes = handleAt(file).read(Number(offset), length);
    heap(to, bytes.length).set(bytes);
    if (bytes.length === length) return capi.SQLITE_OK;
    heap(to + bytes.length, length - bytes.length).fill(0);
    return capi.SQLITE_IOERR_SHORT_READ;
  });

/** The package's types leave out the fields of its structures. */
type Fields = { pointer: number; structInfo: { sizeof: number } } & Record<`$${string}`, number>;

const io = new capi.sqlite3_io_methods() as unknown as Fields;
io.$iVersion = 1;

const ioMethods = {
  xClose(file: Pointer) {
    handles.get(file)?.close();
    handles.delete(file);
    return capi.SQLITE_OK;
  },
  xRead: read,
  xWrite: (file: Pointer, from: Pointer, length: number, offset: bigint) =>
    encode(capi.SQLITE_IOERR_WRITE, () => void handleAt(file).write(Number(offset), heap(from, length).slice())),
  xTruncate: (file: Pointer, size: bigint) =>
    encode(capi.SQLITE_IOERR_TRUNCATE, () => void handleAt(file).truncate(Number(size))),
  xSync: (file: Pointer) => encode(capi.SQLITE_IOERR_FSYNC, () => void handleAt(file).sync()),
  xFileSize: (file: Pointer, to: Pointer) =>
    encode(capi.SQLITE_IOERR_FSTAT, () => void wasm.poke64(to, BigInt(handleAt(file).size))),
  xLock: (file: Pointer, level: number) =>
    encode(capi.SQLITE_IOERR_LOCK, () => (handleAt(file).lock(level as LockLevel) ? capi.SQLITE_OK : capi.SQLITE_BUSY)),
  xUnlock: (file: Pointer, level: number) =>
    encode(capi.SQLITE_IOERR_UNLOCK, () => void handleAt(file).unlock(level as LockLevel)),
  xCheckReservedLock: (file: Pointer, to: Pointer) =>
    encode(capi.SQLITE_IOERR_CHECKRESERVEDLOCK, () => void wasm.poke32(to, handleAt(file).isReserved ? 1 : 0)),
  xFileControl: () => capi.SQLITE_NOTFOUND,
  // The smallest sector that a disk may have: SQLite relies on no more.
  xSectorSize: () => Math.min(...SECTORS),
  // Bytes beside a write are safe from it; nothing more is promised.
  xDeviceCharacteristics: () => capi.SQLITE_IOCAP_POWERSAFE_OVERWRITE,
};

const vfs = new capi.sqlite3_vfs() as unknown as Fields;
const standard = new capi.sqlite3_vfs(capi.sqlite3_vfs_find(null)) as unknown as Fields;
vfs.$iVersion = 1;
vfs.$szOsFile = (capi.sqlite3_file as unknown as Fields).structInfo.sizeof;
vfs.$mxPathname = 256;
for (const method of ['$xRandomness', '$xSleep', '$xCurrentTime'] as const) vfs[method] = standard[method] ?? 0;

const vfsMethods = {
  xOpen(_vfs: Pointer, name: Pointer, file: Pointer, flags: number, flagsOut: Pointer) {
    return encode(capi.SQLITE_CANTOPEN, () => {
      const { disk, file: path } = located(String(wasm.cstrToJs(name)));
      if (!disk.exists(path) && (flags & capi.SQLITE_OPEN_CREATE) === 0) return capi.SQLITE_CANTOPEN;
      handles.set(file, disk.open(path));
      wasm.pokePtr(file, io.pointer);
      if (flagsOut !== 0) wasm.poke32(flagsOut, flags);
      return capi.SQLITE_OK;
    });
  },
  xDelete: (_vfs: Pointer, name: Pointer) =>
    encode(capi.SQLITE_IOERR_DELETE, () => {
      const { disk, file } = located(String(wasm.cstrToJs(name)));
      if (!disk.exists(file)) return capi.SQLITE_IOERR_DELETE_NOENT;
      disk.delete(file);
      return capi.SQLITE_OK;
    }),
  xAccess: (_vfs: Pointer, name: Pointer, _flags: number, to: Pointer) =>
    encode(capi.SQLITE_IOERR_ACCESS, () => {
      const { disk, file } = located(String(wasm.cstrToJs(name)));
      wasm.poke32(to, disk.exists(file) ? 1 : 0);
      return capi.SQLITE_OK;
    }),
  xFullPathname: (_vfs: Pointer, name: Pointer, room: number, to: Pointer) =>
    wasm.cstrncpy(to, name, room) < room ? capi.SQLITE_OK : capi.SQLITE_CANTOPEN,
  xGetLastError: () => capi.SQLITE_OK,
};

sqlite3.vfs.installVfs({
  io: { struct: io as never, methods: ioMethods as never },
  vfs: { struct: vfs as never, methods: vfsMethods as never, name: VFS_NAME },
});
