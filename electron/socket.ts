/** The local socket between window and till: a file only this user may open, or a named pipe on Windows. */
import { join } from 'node:path';
import { Agent, fetch as undiciFetch } from 'undici';
import type { SocketFetch } from './scheme.ts';

/** One for each start, so that no other program can wait where the till will listen. `id`: fresh, unguessable. */
export const socketPath = ({ platform, folder, id }: { platform: string; folder: string; id: string }): string =>
  platform === 'win32' ? `\\\\.\\pipe\\tillgate-${id}` : join(folder, `till-${id.slice(0, 8)}.sock`);

/** `fetch` over that socket. No time limit on bodies: the event stream stays open for days. */
export const fetchOver = (socket: string): SocketFetch => {
  const dispatcher = new Agent({ connect: { socketPath: socket }, bodyTimeout: 0, headersTimeout: 120_000 });
  return async (path, request) =>
    (await undiciFetch(`http://localhost${path}`, { ...request, dispatcher } as never)) as unknown as Response;
};
