/**
 * Servers that no command starts: a gateway with one commit per request, an echo that parses the same form, and a
 * processor that approves every payment at once.
 */
import { createServer } from 'node:http';
import { enableCompileCache } from 'node:module';
import type { AddressInfo } from 'node:net';

enableCompileCache();
const { channel } = await import('./requests.ts');

type Job = { serve: 'oneCommitEach'; dataDir: string } | { serve: 'echo' } | { serve: 'processor' };

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

/** The cost of a framework that only parses the form and returns it. */
const echo = async (): Promise<number> => {
  const { Hono } = await import('hono');
  const { serve } = await import('@hono/node-server');
  const app = new Hono();
  app.post('/v1/payments', async ({ req, json }) => json(await req.parseBody()));
  return new Promise((resolve) => {
    serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => resolve(port));
  });
};

/** The least that a processor can do, so that its cost does not count for the gateway. */
const processor = (): Promise<number> => {
  let count = 0;
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request.setEncoding('utf8')) body += part;
    const form = new URLSearchParams(body);
    const sentFields = ['amount', 'currency', 'paymentType', 'merchantTransactionId'].map((name) => [
      name,
      form.get(name),
    ]);
    count += 1;
    const id = count.toString(16).padStart(32, '0');
    const result = { code: '000.000.000', description: 'Transaction succeeded' };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ id, ...Object.fromEntries(sentFields), result }));
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
};

const listenOnPort = (): Promise<number> => {
  if (job.serve === 'oneCommitEach') return oneCommitEach(job.dataDir);
  return job.serve === 'echo' ? echo() : processor();
};

process.send?.({ port: await listenOnPort() });
process.on('SIGINT', () => process.exit(0));
