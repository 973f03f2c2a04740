/** The gateway on a TCP port, for tills in other processes. A till with the gateway in the box never loads this. */
import { serve } from '@hono/node-server';
import { Fault } from '../../base/fault.ts';
import type { GatewayApp } from './server.ts';

export type Listening = { port: number; close(): Promise<void> };

/** Serves the app on a TCP port; port 0 takes a free one. Throws `link.unavailable` when the port cannot be had. */
export const listen = ({ app, port, host }: { app: Pick<GatewayApp, 'fetch'>; port: number; host: string }) =>
  new Promise<Listening>((resolve, reject) => {
    const server = serve({ fetch: (request) => app.fetch(request), port, hostname: host }, (info) =>
      resolve({
        port: info.port,
        close: () => new Promise<void>((done) => server.close(() => done())),
      }),
    );
    server.once('error', (error) =>
      reject(new Fault('link.unavailable', { port: `${host}:${port}`, why: error.message })),
    );
  });
