/** Servers that no command starts: a gateway with a commit for each request, and an echo that parses the same form. */
import { enableCompileCache } from 'node:module';

enableCompileCache();
const { channel } = await import('./requests.ts');

type Job = { serve: 'oneCommitEach'; dataDir: string } | { serve: 'echo' };

const job = JSON.parse(process.argv[2] ?? '{}') as Job;

const oneCommitEach = async (dataDir: string): Promise<number> => {
  const { systemClock: clock } = await import('../../src/base/clock.ts');
  const { systemIds: ids } = await import('../../src/base/ids.ts');
  const { listen } = await import('../../src/gateway/server/http/listen.ts');
  const { openThreadedGateway } = await import('../../src/gateway/server/threads/edge.ts');
  const app = await openThreadedGateway({ dataDir, group: 1, channels: [channel], clock, ids });
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

process.send?.({ port: job.serve === 'echo' ? await echo() : await oneCommitEach(job.dataDir) });
process.on('SIGINT', () => process.exit(0));
