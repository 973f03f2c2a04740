/**
 * A port that a test may give up and take again. The system gives none of these to connections that go out, so nobody
 * gets it meanwhile by chance, whatever else runs on the machine.
 */
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below the ports that Linux (32768) and others (49152) give to outgoing connections. */
const FIRST = 15_000;
const LAST = 30_000;

/** Of 127.0.0.1, free now. */
export const lastingPort = async (): Promise<number> => {
  for (let tries = 0; tries < 100; tries++) {
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
