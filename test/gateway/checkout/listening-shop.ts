/** A shop that is called: it remembers what it was asked, over a real line. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type ListeningShop = {
  url: string;
  /** Paths with their queries, in the order of the calls; with the method where it is not GET. */
  heard: string[];
  close(): Promise<void>;
};

/** Answers with this status, and sends whoever follows redirects to a place that it hears of too. */
export const listeningShop = async (status = 200): Promise<ListeningShop> => {
  const heard: string[] = [];
  const server = createServer((request, response) => {
    heard.push(`${request.method === 'GET' ? '' : `${request.method} `}${request.url}`);
    response.writeHead(status, status === 302 ? { location: '/elsewhere' } : {}).end();
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard,
    close: () => {
      server.closeAllConnections();
      return new Promise((closed) => server.close(() => closed()));
    },
  };
};

/** Lets the line do its work: until the condition holds, or it has had every chance to. */
export const eventually = async (holds: () => boolean): Promise<boolean> => {
  for (let turn = 0; turn < 20_000 && !holds(); turn += 1) await new Promise((next) => setImmediate(next));
  return holds();
};
