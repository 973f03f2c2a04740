/** A request's body as it comes: not too slowly, and only as long as somebody waits for the answer. */
import type { MiddlewareHandler } from 'hono';
import type { Clock } from '../base/clock.ts';
import { Fault } from '../base/fault.ts';
import { type Env, goneOf } from './actor.ts';

/** `gone`: aborted when nobody waits for the answer any more. */
export type ArrivingParts = { clock: Clock; gone: AbortSignal };

/** While a body is waited for, so much of it has to come within so much time: what stands still holds the till up. */
const PACE_MS = 10_000;
const PACE_BYTES = 16_384;

/** Throws `upload.stalled`, and the reason of `gone`. The server throws away what then is still to come. */
export async function* arriving(
  body: ReadableStream<Uint8Array>,
  { clock, gone }: ArrivingParts,
): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  let left = PACE_MS;
  let brought = 0;
  try {
    for (;;) {
      gone.throwIfAborted();
      const since = clock.monotonic();
      const { value, done } = await next(reader, { clock, gone, withinMs: left });
      if (done) return;
      brought += value.length;
      left -= clock.monotonic() - since;
      if (brought >= PACE_BYTES) {
        left = PACE_MS;
        brought = 0;
      }
      yield value;
    }
  } finally {
    reader.releaseLock();
  }
}

type Next = ArrivingParts & { withinMs: number };

const next = async (
  reader: ReadableStreamDefaultReader<Uint8Array>,
  { clock, gone, withinMs }: Next,
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
    // Its lock is given back: it fails with that.
    read.catch(() => {});
    throw error;
  } finally {
    stop();
    gone.removeEventListener('abort', end);
  }
};

/**
 * Reads the body before anything is done with it, so that a sender that stops in the middle holds nothing up. Throws
 * `request.tooLarge` beyond `most` bytes, and what `arriving` throws.
 */
export const wholeBody =
  (most: number, clock: Clock): MiddlewareHandler<Env> =>
  async (context, next) => {
    const { raw } = context.req;
    if (raw.method === 'GET' || raw.method === 'HEAD' || raw.body === null) return next();
    const tooLarge = (): Fault => new Fault('request.tooLarge', { bytes: most });
    if (Number(raw.headers.get('content-length') ?? 0) > most) throw tooLarge();
    const chunks: Uint8Array[] = [];
    let read = 0;
    for await (const chunk of arriving(raw.body, { clock, gone: goneOf(context) })) {
      read += chunk.length;
      if (read > most) throw tooLarge();
      chunks.push(chunk);
    }
    context.req.raw = new Request(raw, { body: Buffer.concat(chunks) });
    return next();
  };
