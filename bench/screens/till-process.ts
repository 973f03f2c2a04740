/**
 * A till with its screens that reports to its parent, on the machine's monotonic clock, when the request of a sale
 * arrives and when its intent is on the disk: the steps between a key press and the terminal's first byte.
 */
import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { enableCompileCache } from 'node:module';
import { monotonic } from './shop.ts';

export type Mark = { step: 'request' | 'durable'; at: number };

enableCompileCache();
const { serveTill } = await import('../../src/app/serve.ts');
const { tillServices } = await import('../../src/app/services.ts');

const [dataDir = '', terminal = ''] = process.argv.slice(2);
const mark = (step: Mark['step']): void => void process.send?.({ step, at: monotonic() } satisfies Mark);

subscribe('http.server.request.start', (message) => {
  const { method, url } = (message as { request: IncomingMessage }).request;
  if (method === 'POST' && url === '/api/sales') mark('request');
});

const served = await serveTill({
  ...{ dataDir, terminal, at: { port: 0 }, version: 'bench', services: tillServices },
  around: {
    ledger: (ledger) => ({
      ...ledger,
      record(sale, event, message) {
        ledger.record(sale, event, message);
        if (event.on === 'intended') mark('durable');
      },
    }),
  },
});
process.stdout.write(`listening on ${served.address}\n`);
process.once('SIGTERM', () => {
  void served.close().then(() => process.disconnect());
});
