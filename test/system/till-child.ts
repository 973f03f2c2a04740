/**
 * A till in its own process that kills itself with SIGKILL at the nth step of a sale. A step is the moment just before
 * or just after something leaves the till: a write to the journal, a request to the terminal or the gateway. Started
 * with a JSON argument; prints one line of JSON if it gets to the end.
 */
import { startTill } from '../../src/app/start-till.ts';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { isFault } from '../../src/base/fault.ts';
import type { FullLedger } from '../../src/ledger/ledger.ts';
import type { Host, IntegratedTerminals, Terminals } from '../../src/till/ports.ts';

type Order = {
  dataDir: string;
  terminal: string;
  gateway?: { baseUrl: string; entityId: string; token: string };
  /** 0 for never. */
  killAt: number;
  /** `refund` refunds receipt 1; `recover` only ends what is open. */
  what: 'sell' | 'refund' | 'recover';
  minor: string;
};

const order = JSON.parse(process.argv[2] ?? '{}') as Order;
let steps = 0;

const step = (): void => {
  steps += 1;
  if (steps === order.killAt) process.kill(process.pid, 'SIGKILL');
};

const countStep = <T>(work: () => T): T => {
  step();
  const result = work();
  if (result instanceof Promise) return result.finally(step) as T;
  step();
  return result;
};

const ledgerAround = (ledger: FullLedger): FullLedger => ({
  ...ledger,
  record: (sale, event, message) => countStep(() => ledger.record(sale, event, message)),
  settle: (message, sale, event) => countStep(() => ledger.settle(message, sale, event)),
});

const hostAround = (host: Host): Host => ({
  ...host,
  pay: (parameters, key) => countStep(() => host.pay(parameters, key)),
  refer: (payment, parameters, key) => countStep(() => host.refer(payment, parameters, key)),
  find: (reference, linked) => countStep(() => host.find(reference, linked)),
  list: (period) => countStep(() => host.list(period)),
});

const terminalsAround = (terminals: Terminals): Terminals => ({
  ...terminals,
  async get() {
    const terminal = await terminals.get();
    return {
      info: () => terminal.info(),
      keys: () => terminal.keys(),
      health: () => terminal.health(),
      echo: () => terminal.echo(),
      read: (request, notify) => countStep(() => terminal.read(request, notify)),
      complete: (verdict) => countStep(() => terminal.complete(verdict)),
      cancel: () => terminal.cancel(),
      show: (prompt) => terminal.show(prompt),
      waitForRemoval: (withinMs) => terminal.waitForRemoval(withinMs),
      close: () => terminal.close(),
    };
  },
});

const integratedAround = (terminals: IntegratedTerminals): IntegratedTerminals => ({
  ...terminals,
  async get() {
    const terminal = await terminals.get();
    return {
      info: () => terminal.info(),
      health: () => terminal.health(),
      echo: () => terminal.echo(),
      pay: (request, notify) => countStep(() => terminal.pay(request, notify)),
      refund: (request, notify) => countStep(() => terminal.refund(request, notify)),
      reverse: (payment, notify) => countStep(() => terminal.reverse(payment, notify)),
      lastOutcome: () => countStep(() => terminal.lastOutcome()),
      newestBooked: terminal.newestBooked?.bind(terminal),
      cancel: () => terminal.cancel(),
      endOfDay: () => terminal.endOfDay(),
      close: () => terminal.close(),
    };
  },
});

const { dataDir, terminal, gateway, what, minor } = order;
let aheadMs = 0;
/** Advanced instead of waited for. */
const clock: Clock = {
  ...systemClock,
  now: () => systemClock.now() + aheadMs,
  monotonic: () => systemClock.monotonic() + aheadMs,
};
const running = await startTill({
  dataDir,
  terminal,
  clock,
  gateway,
  around: { ledger: ledgerAround, host: hostAround, terminals: terminalsAround, integrated: integratedAround },
});
const { till, forwarder, outbox, ledger, journal } = running;

const runOrder = async (): Promise<string> => {
  await forwarder.drain('all');
  if (what === 'recover') return settled();
  const amount = { minor: BigInt(minor), currency: 'EUR' };
  try {
    const started = what === 'sell' ? till.sell({ amount }, () => {}) : till.refund({ receipt: 1, amount }, () => {});
    const { ending } = await started.done;
    await forwarder.drain('all');
    return ending;
  } catch (error) {
    if (isFault(error)) return error.code;
    throw error;
  }
};

/** "Not found" counts only once the request can no longer be in progress, so it is tried again at growing intervals. */
const settled = async (): Promise<string> => {
  for (let n = 0; n < 20 && outbox.waiting().length > 0; n++) {
    aheadMs += 60_000;
    await forwarder.drain('all');
  }
  // A terminal that authorises by itself may still be busy with the payment: it is asked until it is not.
  for (let n = 0; n < 50 && ledger.openSales().length > 0; n++) await till.settleAtTerminal().catch(mayBeBusy);
  return 'recovered';
};

const mayBeBusy = (error: unknown): void => {
  if (!isFault(error)) throw error;
};

const ending = await runOrder();
const account: { agrees: boolean; at: string; till: string; gateway: string | undefined }[] = [];
if (what === 'recover') {
  for await (const { agrees, sale, till, gateway } of running.audit()) {
    account.push({
      agrees,
      at: sale.at === 'ended' ? `${sale.ending} ${sale.reason}` : sale.at,
      till: till.minor.toString(),
      gateway: gateway?.minor.toString(),
    });
  }
}
process.stdout.write(
  `${JSON.stringify({ ending, steps, open: ledger.openSales().length, waiting: outbox.waiting().length, parked: outbox.parked().length, journalSteps: journal.steps, account })}\n`,
);
await running.close();
