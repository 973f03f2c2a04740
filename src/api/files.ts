/** Uploads and downloads. */
import type { Context, MiddlewareHandler } from 'hono';
import type { Clock } from '../base/clock.ts';
import { Fault } from '../base/fault.ts';
import { type WantCode, wrongField } from '../base/field-wants.ts';
import type { Facts } from '../base/localized-message.ts';
import { describeGuard, disconnectSignal, type Env } from './actor.ts';
import { refuseCardData } from './checked.ts';
import type { Actor } from './ports/session.ts';
import { Malformed } from './problems.ts';

// Reads a request's body as it arrives, with a minimum speed, and only while the client is connected.

/** `gone`: aborted when nobody waits for the answer any more. */
type ArrivingParts = { clock: Clock; gone: AbortSignal };

/** The minimum speed of a body, as bytes per interval: a stalled upload would block the till. */
const PACE_MS = 10_000;
const PACE_BYTES = 16_384;

/** Throws `upload.stalled`, and the reason of `gone`. The server discards the rest of the body. */
async function* readBody(body: ReadableStream<Uint8Array>, { clock, gone }: ArrivingParts): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  let leftMs = PACE_MS;
  let byteCount = 0;
  try {
    for (;;) {
      gone.throwIfAborted();
      const since = clock.monotonic();
      const { value, done } = await next(reader, { clock, gone, withinMs: leftMs });
      if (done) return;
      byteCount += value.length;
      leftMs -= clock.monotonic() - since;
      if (byteCount >= PACE_BYTES) {
        leftMs = PACE_MS;
        byteCount = 0;
      }
      yield value;
    }
  } finally {
    reader.releaseLock();
  }
}

type ReadParts = ArrivingParts & { withinMs: number };

const next = async (
  reader: ReadableStreamDefaultReader<Uint8Array>,
  { clock, gone, withinMs }: ReadParts,
): ReturnType<typeof reader.read> => {
  const { promise, reject } = Promise.withResolvers<never>();
  const end = (): void => reject(gone.reason);
  gone.addEventListener('abort', end);
  const stop = clock.after(Math.max(0, withinMs), () =>
    reject(new Fault('upload.stalled', { bytes: PACE_BYTES, seconds: PACE_MS / 1_000 })),
  );
  const read = reader.read();
  try {
    return await Promise.race([read, promise]);
  } catch (error) {
    // The pending read fails once the reader's lock is released.
    read.catch(() => {});
    throw error;
  } finally {
    stop();
    gone.removeEventListener('abort', end);
  }
};

/**
 * Reads the whole body first, so that a sender that stops in the middle blocks nothing. Throws `request.tooLarge`
 * beyond `maxBytes` bytes, and what `readBody` throws.
 */
export const wholeBody =
  (maxBytes: number, clock: Clock): MiddlewareHandler<Env> =>
  async (context, next) => {
    const { raw } = context.req;
    if (raw.method === 'GET' || raw.method === 'HEAD' || raw.body === null) return next();
    const tooLarge = (): Fault => new Fault('request.tooLarge', { bytes: maxBytes });
    if (Number(raw.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge();
    const chunks: Uint8Array[] = [];
    let read = 0;
    for await (const chunk of readBody(raw.body, { clock, gone: disconnectSignal(context) })) {
      read += chunk.length;
      if (read > maxBytes) throw tooLarge();
      chunks.push(chunk);
    }
    context.req.raw = new Request(raw, { body: Buffer.concat(chunks) });
    return next();
  };

/** A download: complete, or generated while it is sent. */
export type FileOut = { name: string; type: string; bytes: Uint8Array | AsyncIterable<Uint8Array> };

/** If generating it fails, the connection breaks, so that an incomplete file is not taken for a complete one. */
export const fileAnswer = ({ name, type, bytes }: FileOut): Response =>
  new Response(bytes instanceof Uint8Array ? (bytes as Uint8Array<ArrayBuffer>) : streamOf(bytes), {
    headers: { 'content-type': type, 'content-disposition': `attachment; filename="${name.replace(/[^\w.-]/g, '_')}"` },
  });

/** In place of `ReadableStream.from`, which the browser's types lack: the screens use these types too. */
const streamOf = (bytes: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array<ArrayBuffer>> => {
  const parts = bytes[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const part = await parts.next();
      if (part.done === true) controller.close();
      else controller.enqueue(part.value as Uint8Array<ArrayBuffer>);
    },
    async cancel() {
      await parts.return?.();
    },
  });
};

/** Documents that the body is a form with one file. */
export const fileNeeded: MiddlewareHandler = describeGuard<MiddlewareHandler>((_, next) => next(), { of: 'file' });

// A file uploaded as a form is passed on while it arrives, so that a large one is never in memory as a whole.

/** A settlement file of a million lines. */
const BYTES_MOST = 400_000_000;
/** The maximum size of the part's head. */
const HEAD_MOST = 16_384;

/** `bytes` can be read once; throws `request.malformed` if the upload is incomplete or too large. */
export type Uploading = { name: string; bytes: AsyncIterable<Uint8Array> };

const refused = (code: WantCode, facts?: Facts): Malformed => new Malformed([wrongField('file', code, facts)]);
const tooLarge = (): Malformed => refused('fileSize', { most: BYTES_MOST / 1_000_000 });

export interface Uploads {
  /**
   * Registers an upload of this person or program; call the returned function when it has ended. Throws
   * `upload.underWay` while another one of theirs is read, unless its sender has disconnected.
   */
  begin(actor: Actor, signal: AbortSignal): () => void;
}

/** Each person uploads one file at a time; several people can upload at once. */
export const openUploads = (): Uploads => {
  const underWay = new Map<string, AbortSignal>();
  return {
    begin({ name, program }, signal) {
      const uploader = JSON.stringify([name, program]);
      if (underWay.get(uploader)?.aborted === false) throw new Fault('upload.underWay');
      underWay.set(uploader, signal);
      return () => {
        if (underWay.get(uploader) === signal) underWay.delete(uploader);
      };
    },
  };
};

/** Reads the only file of a multipart form. Throws `request.malformed`, and as `readBody`. */
export const uploading = async (context: Context, parts: ArrivingParts): Promise<Uploading> => {
  const type = context.req.header('content-type') ?? '';
  const boundary = /^multipart\/form-data;.*boundary=(?:"([^"]{1,100})"|([^\s;"]{1,100}))/i.exec(type);
  const body = context.req.raw.body;
  if (boundary === null || body === null) throw refused('file');
  const count = Number(context.req.header('content-length') ?? 0);
  if (count > BYTES_MOST) throw tooLarge();
  const mark = `--${boundary[1] ?? boundary[2] ?? ''}`;
  const chunks = limited(readBody(body, parts));
  const { head, rest } = await headOf(chunks, mark);
  const name = /\bfilename="([^"\r\n]*)"/i.exec(head)?.[1];
  if (name === undefined || !/\bname="file"/i.test(head)) throw refused('file');
  refuseCardData(name, 'filename');
  return { name: name.replaceAll('%22', '"'), bytes: until(Buffer.from(`\r\n${mark}`), rest, chunks) };
};

async function* limited(body: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let read = 0;
  for await (const chunk of body) {
    read += chunk.length;
    if (read > BYTES_MOST) throw tooLarge();
    yield Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  }
}

/** The first part's head, and the bytes read after it. */
const headOf = async (chunks: AsyncGenerator<Buffer>, mark: string): Promise<{ head: string; rest: Buffer }> => {
  let read = Buffer.alloc(0);
  for (;;) {
    const { value, done } = await chunks.next();
    if (done === true) throw refused('fileWhole');
    read = Buffer.concat([read, value]);
    const end = read.indexOf('\r\n\r\n');
    if (end >= 0) {
      const head = read.subarray(0, end).toString('utf8');
      if (!head.startsWith(mark)) throw refused('file');
      return { head, rest: read.subarray(end + 4) };
    }
    if (read.length > HEAD_MOST) throw refused('file');
  }
};

/** Everything before `end`, in chunks; a possible start of `end` at a chunk's edge waits for the next chunk. */
async function* until(end: Buffer, first: Buffer, chunks: AsyncGenerator<Buffer>): AsyncGenerator<Uint8Array> {
  let buffer = first;
  for (;;) {
    const offset = buffer.indexOf(end);
    if (offset >= 0) {
      if (offset > 0) yield buffer.subarray(0, offset);
      // Read the rest of the request, because the answer comes after it.
      for await (const _ of chunks);
      return;
    }
    const safe = buffer.length - end.length + 1;
    if (safe > 0) {
      yield buffer.subarray(0, safe);
      buffer = buffer.subarray(safe);
    }
    const { value, done } = await chunks.next();
    if (done === true) throw refused('fileWhole');
    buffer = Buffer.concat([buffer, value]);
  }
}
