/** A process with another server, such as a till served on a port, before the owner’s socket is loaded. */
import { getRequestListener } from '@hono/node-server';
import { systemRandom } from '../../src/base/ids.ts';
import type { OwnerPort, OwnerStatus } from '../../src/owner/api.ts';

// From here on the process has another Response class than the system's.
getRequestListener(() => new Response());
const { openOwnerSocket } = await import('../../src/owner/socket.ts');
const { findOwner } = await import('../../src/owner/client.ts');

const status: OwnerStatus = { version: '1', pid: 7, mode: 'test', address: 'x', state: 'open', underWay: 0 };
const api = async () => new Response();
const service: OwnerPort = { status: () => status, stop: () => {}, listen: () => () => {}, api };
const [folder = ''] = process.argv.slice(2);
const socket = await openOwnerSocket({ folder, service, random: systemRandom });
const owner = await findOwner(folder);
const cut = (): void => {
  for (const one of socket.connections) one.destroy();
};
const ended = await owner?.stop(() => void socket.close().then(cut));
process.stdout.write(JSON.stringify(ended));
