/** Files that come in and go out. */
import type { MiddlewareHandler } from 'hono';
import { describeGuard } from './described.ts';

/** A file as it goes out: whole, or as it is made. */
export type FileOut = { name: string; type: string; bytes: Uint8Array | AsyncIterable<Uint8Array> };

/** One that is still made breaks off where it fails: half a file is no answer to its end. */
export const fileAnswer = ({ name, type, bytes }: FileOut): Response =>
  new Response(bytes instanceof Uint8Array ? (bytes as Uint8Array<ArrayBuffer>) : streamOf(bytes), {
    headers: { 'content-type': type, 'content-disposition': `attachment; filename="${name.replace(/[^\w.-]/g, '_')}"` },
  });

/** By hand: the screens read these types too, and a browser's have no `ReadableStream.from`. */
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

/** Says in the document of the API that the body is a form with one file. */
export const fileNeeded: MiddlewareHandler = describeGuard<MiddlewareHandler>((_, next) => next(), { of: 'file' });
