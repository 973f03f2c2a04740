/** Puts a till together: journal, queue, terminal, gateway. The only place that knows all of them. */
import { join } from 'node:path';
import { parseAddress } from '../../drivers/address.ts';
import { driverOf } from '../../drivers/registry.ts';
import { type Clock, systemClock, within } from '../base/clock.ts';
import { Fault, isFault, wordsOf } from '../base/fault.ts';
import { type Ids, type Random, systemIds, systemRandom } from '../base/ids.ts';
import { parseAmount } from '../base/money.ts';
import { gatewayClient } from '../gateway/client.ts';
import { type Journal, openJournal } from '../journal/journal.ts';
import { type Drained, type Forwarder, forwarder } from '../queue/forwarder.ts';
import { type Message, type Outbox, openOutbox } from '../queue/outbox.ts';
import { sealer } from '../queue/seal.ts';
import { type OfflineLimits, offlineVerdict } from '../till/offline.ts';
import type { Host, IntegratedTerminals, Kept, Terminals } from '../till/ports.ts';
import type { Sale } from '../till/sale.ts';
import { openTill, type Till } from '../till/till.ts';
import { type AuditRow, audit } from './audit.ts';
import { type Config, journalFile, loadConfig, loadSecrets, refuseLostJournal } from './config.ts';
import { type GatewayLine, openGatewayLine } from './gateway-line.ts';
import { hostOver } from './host.ts';
import { type FullLedger, openLedger } from './ledger.ts';
import { rememberAddress } from './paired-device.ts';
import { recordTo } from './recording.ts';
import { keepTerminal, type Paired } from './terminals.ts';
import { proveKey } from './till-key.ts';

export type TillOptions = {
  dataDir: string;
  /** Overrides the paired terminal. */
  terminal?: string;
  /** A new file for the conversation with the terminal, without card data. */
  record?: string;
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
    integrated?(terminals: IntegratedTerminals): IntegratedTerminals;
  };
};

export type RunningTill = {
  till: Till;
  ledger: FullLedger;
  journal: Journal;
  outbox: Outbox;
  forwarder: Forwarder;
  config: Config;
  /** Opens the terminal if it is not open. Throws the fault of the link or device, or `terminal.unpaired`. */
  terminalReady(): Promise<void>;
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
  const { dataDir, clock = systemClock, ids = systemIds } = options;
  const config = loadConfig(dataDir, ids);
  refuseLostJournal(dataDir);
  const address = terminalAddress(options.terminal ?? config.terminal);
  const journal = openJournal(journalFile(dataDir), clock);
  try {
    return await start({ ...options, clock, ids }, { config, journal, address });
  } catch (error) {
    journal.close();
    throw error;
  }
};

type Ports = { clock: Clock; report(error: unknown): void };
type Opened = { config: Config; journal: Journal; address: string | undefined };

const start = async (
  options: TillOptions & { clock: Clock; ids: Ids },
  { config, journal, address }: Opened,
): Promise<RunningTill> => {
  const { dataDir, clock, ids, random = systemRandom } = options;
  const secrets = loadSecrets(dataDir, { random, isNew: journal.length === 0 });
  proveKey(journal, secrets.tillKey, join(dataDir, 'till.secrets.json'));
  const line = await openGatewayLine(options, { config, secrets, clock, ids, random });
  try {
    return assemble({ ...options, random }, { config, journal, address, line, tillKey: secrets.tillKey });
  } catch (error) {
    await line.close();
    throw error;
  }
};

const assemble = (
  options: TillOptions & { clock: Clock; ids: Ids; random: Random },
  { config, journal, address, line, tillKey }: Opened & { line: GatewayLine; tillKey: Uint8Array },
): RunningTill => {
  const { dataDir, clock, ids, random, report = () => {}, around = {} } = options;
  const recording = options.record === undefined ? undefined : recordTo(options.record, { clock, report });
  const opened = keepTerminal(address, {
    clock,
    report,
    ...(recording && { wrap: recording.wrap }),
    paired: pairedAt(address, { config, dataDir, ids }),
  });
  const terminals = around.terminals?.(opened.terminals) ?? opened.terminals;
  const integrated = opened.integrated && (around.integrated?.(opened.integrated) ?? opened.integrated);
  const outbox = openOutbox(journal.sql, sealer(tillKey, random));
  const plain = openLedger({ journal, outbox, clock });
  const ledger = around.ledger?.(plain) ?? plain;
  const gateway = hostOver(gatewayClient({ ...line, clock, timeoutMs: config.gateway.timeoutMs }));
  const host = around.host?.(gateway) ?? gateway;
  const till = openTill({
    terminals,
    ...(integrated && { integrated }),
    ledger,
    clock,
    ids,
    report,
    host,
    terminalId: config.terminalId,
    gateway: line.name,
    offline: (card, amount) => offlineVerdict({ card, amount }, limitsOf(config), ledger.exposure()),
    requestLifeMs: line.requestLifeMs,
    settleUnknown: () => settleUnknown(sender, { clock, report }),
  });
  const deliver = (message: Message) => delivery(till, ledger, message);
  const sender = forwarder({ outbox, clock, random, report, deliver, passed: tidyAfter(journal) });
  return {
    till,
    ledger,
    journal,
    outbox,
    forwarder: sender,
    config,
    terminalReady: () => ready(integrated ?? terminals),
    audit: () => audit(ledger, host),
    recovered: till.recover(),
    async close() {
      await sender.stop();
      await opened.close();
      recording?.close();
      await line.close();
      journal.close();
    },
  };
};

/** The device that was paired at this address; a terminal that was named for once is whatever answers there. */
const pairedAt = (
  address: string | undefined,
  { config, dataDir, ids }: { config: Config; dataDir: string; ids: Ids },
): Paired | undefined =>
  address === undefined || address !== config.terminal || config.device === undefined
    ? undefined
    : { device: config.device, moved: (found) => rememberAddress(dataDir, found, ids) };

/** Before a sale nothing can have been charged, whatever the terminal does. */
const ready = async (terminals: Kept<unknown>): Promise<void> => {
  try {
    await terminals.get();
  } catch (error) {
    await terminals.drop();
    if (isFault(error) && error.remedy !== 'inquire') throw error;
    throw new Fault('terminal.unready', { why: wordsOf(error) }, error);
  }
};

/** An address that cannot be one is refused before anything is opened. Throws `terminal.unknown`. */
const terminalAddress = (address: string | undefined): string | undefined => {
  if (address !== undefined) driverOf(parseAddress(address).driver);
  return address;
};

/** A customer waits: what is unknown gets this long, then it goes on being settled while the card is read. */
const SETTLE_WITHIN_MS = 3_000;

const settleUnknown = async (sender: Forwarder, { clock, report }: Ports): Promise<void> => {
  const late = () => new Fault('host.silent', { why: 'what is unknown could not be settled before this sale' });
  await within(clock, SETTLE_WITHIN_MS, sender.drain('unknown'), late).catch(report);
};

/** After a pass that settled something its keys are taken out of the write-ahead log too. */
const tidyAfter =
  (journal: Journal) =>
  ({ done }: Drained): void => {
    if (done > 0 || journal.steps - journal.tidiedAt > TIDY_STEPS) journal.tidy();
  };

/** Durable steps between two foldings of the write-ahead log, if nothing was settled: about two megabytes. */
const TIDY_STEPS = 200;

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
