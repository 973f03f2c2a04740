/** The servers of the benchmark, each in its own process: the gateway, and a bare echo that parses the same form. */
import { enableCompileCache } from 'node:module';

enableCompileCache();
const { systemClock } = await import('../../src/base/clock.ts');
const { systemIds, systemRandom } = await import('../../src/base/ids.ts');
const { channel } = await import('./requests.ts');

type Job = { serve: 'gateway'; dataDir: string; database?: string; group?: number } | { serve: 'echo' };

const job = JSON.parse(process.argv[2] ?? '{}') as Job;

let commits = 0;
let works = 0;

const gateway = async ({ serve: _, group, ...options }: Extract<Job, { serve: 'gateway' }>): Promise<number> => {
  const { openGateway } = await import('../../src/gateway/embedded.ts');
  const { listen } = await import('../../src/gateway/http/listen.ts');
  const parts = { clock: systemClock, ids: systemIds, random: systemRandom };
  const committed = (count: number): void => {
    commits += 1;
    works += count;
  };
  const storeOptions = { committed, ...(group === undefined ? {} : { group }) };
  const app = await openGateway({ ...options, storeOptions, channels: [channel], ...parts });
  const { port } = await listen({ app, port: 0, host: '127.0.0.1' });
  return port;
};

/** What a framework costs that only parses the form and gives it back. */
const echo = async (): Promise<number> => {
  const { Hono } = await import('hono');
  const { serve } = await import('@hono/node-server');
  const app = new Hono();
  app.post('/v1/payments', async ({ req, json }) => json(await req.parseBody()));
  return new Promise((resolve) => {
    serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => resolve(port));
  });
};

const port = job.serve === 'echo' ? await echo() : await gateway(job);
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.({ rss: process.memoryUsage.rss(), all: process.memoryUsage(), cpuUs: user + system, commits, works });
});
process.send?.({ port, startedMs: performance.now() });
process.on('SIGINT', () => process.exit(0));
