/** A till on the bench: paired with a terminal by its till.json, with a built-in gateway, and observed at each step. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Terminal } from '../../../../drivers/terminal.ts';
import { type RunningTill, startTill } from '../../../../src/app/start-till.ts';
import { systemClock } from '../../../../src/base/clock.ts';
import { errorText, Fault } from '../../../../src/base/fault.ts';
import { systemIds } from '../../../../src/base/ids.ts';
import { parseAmount, printMoney } from '../../../../src/base/money.ts';
import { loadConfig } from '../../../../src/folder/config.ts';
import type { Ended } from '../../../../src/ledger/outcome.ts';
import { identify, pair } from '../../../../src/terminals/pairing/pairing.ts';
import type { Host, Terminals } from '../../../../src/till/ports.ts';
import { pairToolsOf } from '../../../support/till/pair-tools.ts';
import { note } from './tap.ts';

/**
 * Where a sale can be interrupted: at an event of the terminal, before the host is asked, when it has answered, while
 * the card gets the answer, and when the sale has ended but the card is still in.
 */
export type Step =
  | 'presentCard'
  | 'cardInserted'
  | 'reading'
  | 'enterPin'
  | 'pinEntered'
  | 'askingHost'
  | 'hostAnswered'
  | 'completing'
  | 'ended';

/** An action at a step of the next sale. */
type StepAction = { at: Step; act(): void };

const tools = { clock: systemClock, report: (stray: unknown) => note(`reported: ${errorText(stray)}`) };

export class Shop {
  readonly folder: string;
  #running: RunningTill;
  readonly line: Line;
  readonly #watch: Watch;

  private constructor(folder: string, running: RunningTill, watch: Watch) {
    this.folder = folder;
    this.#running = running;
    this.#watch = watch;
    this.line = watch.line;
  }

  /** Opens the till of this folder with its paired terminal. */
  static async open(folder: string): Promise<Shop> {
    const watch: Watch = { break: undefined, line: { isDown: false, slowMs: 0 } };
    return new Shop(folder, await start(folder, watch), watch);
  }

  /** Asks the terminal at this address what it is, and pairs the till of this folder with it. */
  static async pair(folder: string, address: string): Promise<void> {
    loadConfig(folder, systemIds);
    const metDevice = await identify(address, tools);
    const { model, serial, firmware } = metDevice.info;
    note(`paired: ${metDevice.title}, ${model}, serial number ${serial}, firmware ${firmware}, at ${address}`);
    note(`echoes: ${metDevice.echoMs.map((ms) => `${ms.toFixed(1)} ms`).join(', ')}`);
    pair(metDevice, pairToolsOf(folder, systemClock));
  }

  get till(): RunningTill {
    return this.#running;
  }

  /** One sale to its ending. `broken` acts at a step of it; `afterMs` is the time from there to the ending. */
  async sell(amount: string, broken?: StepAction): Promise<{ sale: Ended; afterMs: number }> {
    let since = systemClock.monotonic();
    const breakNow = () => {
      note(`at "${broken?.at}"`);
      since = systemClock.monotonic();
      broken?.act();
    };
    this.#watch.break = broken && { at: broken.at, act: breakNow };
    const events: string[] = [];
    const running = this.#running.till.sell({ amount: parseAmount(amount, 'EUR') }, (progress) => {
      if (progress.kind === 'terminal') {
        events.push(progress.event);
        reach(this.#watch, progress.event);
      } else if (progress.sale.at === 'ended') reach(this.#watch, 'ended');
    });
    const sale = await running.done;
    const afterMs = systemClock.monotonic() - since;
    const missed = this.#watch.break;
    this.#watch.break = undefined;
    if (missed !== undefined)
      throw new Error(`the sale never came to "${missed.at}": it is ${endingText(sale)}; ${events.join(' ')}`);
    note(`sale ${sale.intent.receipt}: ${endingText(sale)}, ${afterMs.toFixed(0)} ms; ${events.join(' ')}`);
    if (sale.ending === 'unknown') {
      const events = this.#running.ledger.events(sale.intent.sale);
      for (const { on, ...facts } of events)
        if (on === 'hostSilent') note(`no answer of the gateway: ${JSON.stringify(facts)}`);
    }
    return { sale, afterMs };
  }

  /** Sends what waits, and asks the gateway about every sale. Throws unless every cent is accounted for. */
  async account(): Promise<void> {
    const { forwarder, outbox, ledger } = this.#running;
    for (let attempt = 0; attempt < 20 && outbox.waiting().length > 0; attempt++) {
      await forwarder.drain('all');
      if (outbox.waiting().length > 0) await pause(200);
    }
    let count = 0;
    let minor = 0n;
    for await (const row of this.#running.audit()) {
      if (!row.agrees) throw new Error(`receipt ${row.sale.intent.receipt}: till and gateway do not agree`);
      count += 1;
      minor += row.till.minor;
    }
    const open = ledger.openSales().length + outbox.waiting().length + outbox.parked().length;
    if (open > 0) throw new Error(`${open} sales or messages are still open`);
    note(`account: ${count} sales, ${printMoney({ minor, currency: 'EUR' })}, till and gateway agree`);
  }

  /** The terminal is at another port: a starting till finds it by its serial number, and records that. */
  async findAgain(): Promise<string | undefined> {
    await this.close();
    this.#running = await start(this.folder, this.#watch);
    await this.#running.terminalReady();
    return loadConfig(this.folder, systemIds).terminal;
  }

  close(): Promise<void> {
    return this.#running.close();
  }
}

/** The ending in a line: what, why, and the amount. */
export const endingText = ({ ending, reason, why, reversal, answer, intent }: Ended): string => {
  const facts = [
    reason,
    ...(why ? [why] : []),
    ...(reversal ? [`reversal ${reversal}`] : []),
    answer?.code ?? 'no answer',
  ];
  return `${ending} (${facts.join(', ')}) ${printMoney(intent.amount)}`;
};

/** The line to the gateway: while it is down no request leaves the till, and each takes `slowMs`. */
type Line = { isDown: boolean; slowMs: number };
type Watch = { break: StepAction | undefined; line: Line };

const reach = (watch: Watch, step: string): void => {
  const due = watch.break;
  if (due?.at !== step) return;
  watch.break = undefined;
  due.act();
};

const start = (folder: string, watch: Watch): Promise<RunningTill> =>
  startTill({
    dataDir: folder,
    report: tools.report,
    around: { host: (host) => watchedHost(host, watch), terminals: (terminals) => watchedTerminals(terminals, watch) },
  });

const watchedHost = (host: Host, watch: Watch): Host => ({
  ...host,
  refer: (payment, parameters, key) => (watch.line.isDown ? notSent() : host.refer(payment, parameters, key)),
  find: (reference, linked) => (watch.line.isDown ? notSent() : host.find(reference, linked)),
  list: (period) => (watch.line.isDown ? notSent() : host.list(period)),
  async pay(parameters, key) {
    if (watch.line.isDown) return notSent();
    await pause(watch.line.slowMs);
    reach(watch, 'askingHost');
    const reply = await host.pay(parameters, key);
    reach(watch, 'hostAnswered');
    return reply;
  },
});

const notSent = async (): ReturnType<Host['find']> => ({
  kind: 'notSent',
  fault: new Fault('host.unreachable', { why: 'the line is down' }),
});

const watchedTerminals = (terminals: Terminals, watch: Watch): Terminals => ({
  ...terminals,
  async get() {
    const terminal: Terminal = await terminals.get();
    const complete: Terminal['complete'] = (verdict) => {
      const verdictOfCard = terminal.complete(verdict);
      reach(watch, 'completing');
      return verdictOfCard;
    };
    return new Proxy(terminal, {
      get(target, name) {
        if (name === 'complete') return complete;
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  },
});
