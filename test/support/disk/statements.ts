/**
 * Prepared statements of SQLite in WebAssembly, close to its C functions: a simulated day creates about ten thousand.
 */
import type { SqlRow, SqlValue } from '../../../src/journal/sql.ts';
import { sqlite3 } from './vfs.ts';

const { capi, wasm } = sqlite3;
const c = wasm.exports as Record<string, (...values: (number | bigint)[]) => number>;
const call = (name: string, ...values: (number | bigint)[]): number => {
  const compiled = c[name];
  if (compiled === undefined) throw new Error(`SQLite has no ${name}`);
  return compiled(...values);
};

/** A call that SQLite refused, with the name of its extended result code, as better-sqlite3 reports it. */
export class SqliteError extends Error {
  readonly code: string;
  constructor(code: number, message: string) {
    super(message);
    this.code = String(capi.sqlite3_js_rc_str(code) ?? `SQLITE_${code}`);
  }
}

export type Statement = {
  /** Binds from the first parameter on. */
  bind(values: readonly SqlValue[]): void;
  /** True when there is a row. */
  step(): boolean;
  row(): SqlRow;
  reset(): void;
  /** Frees the statement. */
  end(): void;
};

/** SQLite copies its input before the call returns. */
const TRANSIENT = -1;

export const failure = (database: number, code: number): SqliteError =>
  new SqliteError(code, String(capi.sqlite3_errmsg(database)));

export const prepare = (database: number, text: string): Statement => {
  const stack = wasm.pstack.pointer;
  let statement = 0;
  try {
    const out = wasm.pstack.allocPtr() as number;
    const code = capi.sqlite3_prepare_v2(database, text, -1, out, 0 as never) as number;
    if (code !== capi.SQLITE_OK) throw failure(database, code);
    statement = wasm.peekPtr(out) as number;
  } finally {
    wasm.pstack.restore(stack);
  }
  const names = Array.from({ length: call('sqlite3_column_count', statement) }, (_, n) =>
    String(capi.sqlite3_column_name(statement, n)),
  );
  return {
    bind(values) {
      values.forEach((value, n) => {
        const code = bindOne(statement, n + 1, value);
        if (code !== capi.SQLITE_OK) throw failure(database, code);
      });
    },
    step() {
      const code = call('sqlite3_step', statement);
      if (code === capi.SQLITE_ROW) return true;
      if (code !== capi.SQLITE_DONE) throw failure(database, code);
      return false;
    },
    row: () => Object.fromEntries(names.map((name, n) => [name, columnOf(statement, n)])),
    reset: () => void call('sqlite3_reset', statement),
    end: () => void call('sqlite3_finalize', statement),
  };
};

const bindOne = (statement: number, n: number, value: SqlValue): number => {
  if (value === null) return call('sqlite3_bind_null', statement, n);
  if (typeof value === 'bigint') return call('sqlite3_bind_int64', statement, n, value);
  // As better-sqlite3 does: numbers that fit in 32 bits are integers, all others are doubles that the column converts.
  if (typeof value === 'number')
    return Number.isInteger(value) && Math.abs(value) < 2 ** 31
      ? call('sqlite3_bind_int', statement, n, value)
      : call('sqlite3_bind_double', statement, n, value);
  const isText = typeof value === 'string';
  const bytes = isText ? Buffer.from(value, 'utf8') : value;
  const offset = room(bytes.length);
  wasm.heap8u().set(bytes, offset);
  return call(isText ? 'sqlite3_bind_text' : 'sqlite3_bind_blob', statement, n, offset, bytes.length, TRANSIENT);
};

const scratch = { at: wasm.alloc(8192) as number, size: 8192 };

const room = (size: number): number => {
  if (size <= scratch.size) return scratch.at;
  wasm.dealloc(scratch.at);
  scratch.at = wasm.alloc(size * 2) as number;
  scratch.size = size * 2;
  return scratch.at;
};

const columnOf = (statement: number, n: number): SqlValue => {
  const type = call('sqlite3_column_type', statement, n);
  if (type === capi.SQLITE_NULL) return null;
  if (type === capi.SQLITE_INTEGER) return Number(call('sqlite3_column_int64', statement, n));
  if (type === capi.SQLITE_FLOAT) return call('sqlite3_column_double', statement, n);
  const offset = call(type === capi.SQLITE_TEXT ? 'sqlite3_column_text' : 'sqlite3_column_blob', statement, n);
  const bytes = Buffer.from(wasm.heap8u().subarray(offset, offset + call('sqlite3_column_bytes', statement, n)));
  return type === capi.SQLITE_TEXT ? bytes.toString('utf8') : bytes;
};
