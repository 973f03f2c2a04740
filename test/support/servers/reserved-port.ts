/**
 * A port that a test can release and use again. The system assigns none of these to outgoing connections, so nobody
 * else gets it by chance meanwhile.
 */
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below the ports that Linux (32768) and others (49152) assign to outgoing connections. */
const FIRST = 15_000;
const LAST = 30_000;

/** A port of 127.0.0.1 that is free now. */
export const reservePort = async (): Promise<number> => {
  for (let attempt = 0; attempt < 100; attempt++) {
    const port = randomInt(FIRST, LAST);
    if (await isFree(port)) return port;
  }
  throw new Error('a hundred ports in a row are taken');
};

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer().once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
