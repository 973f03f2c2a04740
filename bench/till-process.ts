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
const timeElsewhere = async <T>(work: () => Promise<T>): Promise<T> => {
  const start = performance.now();
  try {
    return await work();
  } finally {
    elsewhereMs += performance.now() - start;
  }
};

const timedHost = (host: Host): Host => ({
  ...host,
  pay: (parameters, key) => timeElsewhere(() => host.pay(parameters, key)),
});

const timedTerminals = (terminals: Terminals): Terminals => ({
  drop: () => terminals.drop(),
  async get() {
    const unit = await timeElsewhere(() => terminals.get());
    return {
      info: () => timeElsewhere(() => unit.info()),
      keys: () => unit.keys(),
      health: () => unit.health(),
      echo: () => unit.echo(),
      read: (request, notify) => timeElsewhere(() => unit.read(request, notify)),
      complete: (verdict) => timeElsewhere(() => unit.complete(verdict)),
      cancel: () => unit.cancel(),
      show: (prompt) => timeElsewhere(() => unit.show(prompt)),
      waitForRemoval: (withinMs) => timeElsewhere(() => unit.waitForRemoval(withinMs)),
      close: () => unit.close(),
    };
  },
});

const till = await startTill({ dataDir, terminal, around: { host: timedHost, terminals: timedTerminals } });
const ownMs: number[] = [];
const memoryMb: number[] = [];
const stepsBefore = till.journal.steps;
let approved = 0;
for (let n = 1; n <= Number(count); n++) {
  elsewhereMs = 0;
  const start = performance.now();
  const sale = till.till.sell({ amount: { minor: 1n, currency: 'EUR' } }, () => {});
  if ((await sale.done).ending === 'approved') approved += 1;
  ownMs.push(performance.now() - start - elsewhereMs);
  // Between sales, as in a shop.
  if (n % 50 === 0) till.journal.fold();
  if (n % Math.ceil(Number(count) / 10) === 0) memoryMb.push(Math.round(process.memoryUsage().rss / 1e6));
}
const steps = (till.journal.steps - stepsBefore) / Number(count);
await till.close();
rmSync(dataDir, { recursive: true, force: true });
const sorted = ownMs.toSorted((a, b) => a - b);
const quantile = (part: number) => Number((sorted[Math.floor(sorted.length * part)] ?? 0).toFixed(2));
process.stdout.write(
  `${JSON.stringify({ approved, steps, medianMs: quantile(0.5), p99Ms: quantile(0.99), memoryMb })}\n`,
);
