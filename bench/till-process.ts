/**
 * A till in a separate process, as a shop runs it: real driver, journal, queue, embedded gateway. Makes the given
 * number of sales and prints one JSON line: the till's own time per sale, its durable steps, its memory over time.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Host, Terminals } from '../src/till/ports.ts';

// As the product's own start does.
enableCompileCache();
const { startTill } = await import('../src/app/start-till.ts');

const [terminal = '', count = '100'] = process.argv.slice(2);
const dataDir = mkdtempSync(join(tmpdir(), 'tillgate-bench-'));

/** Time spent waiting for the terminal and the gateway, which does not count for the till. */
let elsewhereMs = 0;
const elsewhere = async <T>(ask: () => Promise<T>): Promise<T> => {
  const start = performance.now();
  try {
    return await ask();
  } finally {
    elsewhereMs += performance.now() - start;
  }
};

const timedHost = (host: Host): Host => ({
  ...host,
  pay: (parameters, key) => elsewhere(() => host.pay(parameters, key)),
});

const timedTerminals = (terminals: Terminals): Terminals => ({
  drop: () => terminals.drop(),
  async get() {
    const unit = await elsewhere(() => terminals.get());
    return {
      info: () => elsewhere(() => unit.info()),
      keys: () => unit.keys(),
      health: () => unit.health(),
      echo: () => unit.echo(),
      read: (request, notify) => elsewhere(() => unit.read(request, notify)),
      complete: (verdict) => elsewhere(() => unit.complete(verdict)),
      cancel: () => unit.cancel(),
      show: (prompt) => elsewhere(() => unit.show(prompt)),
      waitForRemoval: (withinMs) => elsewhere(() => unit.waitForRemoval(withinMs)),
      close: () => unit.close(),
    };
  },
});

const running = await startTill({ dataDir, terminal, around: { host: timedHost, terminals: timedTerminals } });
const ownMs: number[] = [];
const memoryMb: number[] = [];
const stepsBefore = running.journal.steps;
let approved = 0;
for (let n = 1; n <= Number(count); n++) {
  elsewhereMs = 0;
  const start = performance.now();
  const sale = running.till.sell({ amount: { minor: 1n, currency: 'EUR' } }, () => {});
  if ((await sale.done).ending === 'approved') approved += 1;
  ownMs.push(performance.now() - start - elsewhereMs);
  // Between sales, as in a shop.
  if (n % 50 === 0) running.journal.fold();
  if (n % Math.ceil(Number(count) / 10) === 0) memoryMb.push(Math.round(process.memoryUsage().rss / 1e6));
}
const steps = (running.journal.steps - stepsBefore) / Number(count);
await running.close();
rmSync(dataDir, { recursive: true, force: true });
const sorted = ownMs.toSorted((a, b) => a - b);
const at = (part: number) => Number((sorted[Math.floor(sorted.length * part)] ?? 0).toFixed(2));
process.stdout.write(`${JSON.stringify({ approved, steps, medianMs: at(0.5), p99Ms: at(0.99), memoryMb })}\n`);
