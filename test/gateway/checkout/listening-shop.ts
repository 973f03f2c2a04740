/** A shop that receives calls over a real connection and records them. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type ListeningShop = {
  url: string;
  /** Paths with their queries, in the order of the calls; with the method if it is not GET. */
  received: string[];
  close(): Promise<void>;
};

/** Answers with this status, and with a redirect to an address that it records too. */
export const listeningShop = async (status = 200): Promise<ListeningShop> => {
  const received: string[] = [];
  const server = createServer((request, response) => {
    received.push(`${request.method === 'GET' ? '' : `${request.method} `}${request.url}`);
    response.writeHead(status, status === 302 ? { location: '/elsewhere' } : {}).end();
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
};

/** Waits until the condition holds, or has had every chance to. */
export const isEventually = async (isDone: () => boolean): Promise<boolean> => {
  for (let turn = 0; turn < 20_000 && !isDone(); turn += 1) await new Promise((next) => setImmediate(next));
  return isDone();
};
