/** Puts a till together: journal, queue, terminal, gateway. The only place that knows all of them. */
import { join } from 'node:path';
import { type Clock, systemClock } from '../base/clock.ts';
import { type Ids, type Random, systemIds, systemRandom } from '../base/ids.ts';
import { parseAmount } from '../base/money.ts';
import { gatewayClient } from '../gateway/client.ts';
import { type Journal, openJournal } from '../journal/journal.ts';
import { type Forwarder, forwarder } from '../queue/forwarder.ts';
import { type Message, type Outbox, openOutbox } from '../queue/outbox.ts';
import { sealer } from '../queue/seal.ts';
import { type OfflineLimits, offlineVerdict } from '../till/offline.ts';
import type { Host, Terminals } from '../till/ports.ts';
import type { Sale } from '../till/sale.ts';
import { openTill, type Till } from '../till/till.ts';
import { type AuditRow, audit } from './audit.ts';
import { type Config, loadConfig } from './config.ts';
import { openGatewayLine } from './gateway-line.ts';
import { hostOver } from './host.ts';
import { type FullLedger, openLedger } from './ledger.ts';
import { keepTerminal } from './terminals.ts';

export type TillOptions = {
  dataDir: string;
  /** Overrides the paired terminal. */
  terminal?: string;
  /** Overrides the configured gateway. */
  gateway?: { baseUrl: string; entityId: string; token: string };
  clock?: Clock;
  ids?: Ids;
  random?: Random;
  /** What came unasked, late or garbled, and what failed in passing: for the technician. */
  report?: (error: unknown) => void;
  /** Wraps the parts before they are put together: for traces, and for tests that stop the till at a step. */
  around?: {
    ledger?(ledger: FullLedger): FullLedger;
    host?(host: Host): Host;
    terminals?(terminals: Terminals): Terminals;
  };
};

export type RunningTill = {
  till: Till;
  ledger: FullLedger;
  journal: Journal;
  outbox: Outbox;
  forwarder: Forwarder;
  config: Config;
  /** Asks the gateway about every sale: whether both sides tell the same of the money. */
  audit(): AsyncGenerator<AuditRow>;
  /** Sales that the start found unfinished, as it ended them. */
  recovered: readonly Sale[];
  close(): Promise<void>;
};

/**
 * Opens the journal, ends what a crash left open, and is then ready to sell. Throws the faults of configuration,
 * journal and gateway data; then nothing is left open.
 */
export const startTill = async (options: TillOptions): Promise<RunningTill> => {
  const { dataDir, clock = systemClock, ids = systemIds, random = systemRandom, report = () => {} } = options;
  const { config, secrets } = loadConfig(dataDir, { ids, random });
  const journal = openJournal(join(dataDir, 'journal.db'), clock);
  const terminals = keepTerminal(options.terminal ?? config.terminal, { clock, report });
  const line = await openGatewayLine(options, { config, secrets, clock, ids, random }).catch((error: unknown) => {
    journal.close();
    throw error;
  });
  const outbox = openOutbox(journal.sql, sealer(secrets.tillKey, random));
  const around = options.around ?? {};
  const opened = openLedger(journal, outbox, clock);
  const ledger = around.ledger?.(opened) ?? opened;
  const gateway = hostOver(gatewayClient({ ...line, clock, timeoutMs: config.gateway.timeoutMs }));
  const host = around.host?.(gateway) ?? gateway;
  const till = openTill({
    terminals: around.terminals?.(terminals) ?? terminals,
    ledger,
    clock,
    ids,
    report,
    host,
    terminalId: config.terminalId,
    gateway: line.name,
    offline: (card, amount) => offlineVerdict({ card, amount }, limitsOf(config), ledger.exposure()),
    requestLifeMs: line.requestLifeMs,
    settleUnknown: () => sender.drain('unknown').then(() => undefined, report),
  });
  const sender: Forwarder = forwarder({
    outbox,
    clock,
    random,
    report,
    deliver: (message) => delivery(till, ledger, message),
  });
  return {
    till,
    ledger,
    journal,
    outbox,
    forwarder: sender,
    config,
    audit: () => audit(ledger, host),
    recovered: till.recover(),
    async close() {
      await sender.stop();
      await terminals.close();
      await line.close();
      journal.close();
    },
  };
};

/** The event that settles a message, and the message's end, are one durable step. */
const delivery = async (till: Till, ledger: FullLedger, message: Message) => {
  const { means, note, event } = await till.deliver(message);
  return { means, note, settle: () => event && ledger.settle(message.id, message.sale, event) };
};

const limitsOf = ({ offline, currency }: Config): OfflineLimits => ({
  currency,
  chipUpToMinor: parseAmount(offline.chipUpTo, currency).minor,
  deferredUpToMinor: parseAmount(offline.deferredUpTo, currency).minor,
  totalMinor: parseAmount(offline.total, currency).minor,
  countMost: offline.count,
});
