/** Files that come in and go out. */
import type { MiddlewareHandler } from 'hono';
import { asking } from './described.ts';

export const fileAnswer = ({ name, type, bytes }: { name: string; type: string; bytes: Uint8Array }): Response =>
  new Response(bytes as Uint8Array<ArrayBuffer>, {
    headers: { 'content-type': type, 'content-disposition': `attachment; filename="${name.replace(/[^\w.-]/g, '_')}"` },
  });

/** Says in the document of the API that the body is a form with one file. */
export const fileNeeded: MiddlewareHandler = asking<MiddlewareHandler>((_, next) => next(), { of: 'file' });
