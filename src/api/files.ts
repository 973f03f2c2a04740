/** Files that come in and go out. */
import type { MiddlewareHandler } from 'hono';
import { asking } from './described.ts';

/** A file as it goes out: whole, or as it is made. */
export type FileOut = { name: string; type: string; bytes: Uint8Array | AsyncIterable<Uint8Array> };

/** One that is still made breaks off where it fails: half a file is no answer to its end. */
export const fileAnswer = ({ name, type, bytes }: FileOut): Response =>
  new Response(bytes instanceof Uint8Array ? (bytes as Uint8Array<ArrayBuffer>) : ReadableStream.from(bytes), {
    headers: { 'content-type': type, 'content-disposition': `attachment; filename="${name.replace(/[^\w.-]/g, '_')}"` },
  });

/** Says in the document of the API that the body is a form with one file. */
export const fileNeeded: MiddlewareHandler = asking<MiddlewareHandler>((_, next) => next(), { of: 'file' });
