/** Puts a till together from journal, queue, terminal and gateway. The only place that knows all of them. */
import { join } from 'node:path';
import { type Clock, systemClock } from '../base/clock.ts';
import { type Ids, type Random, systemIds, systemRandom } from '../base/ids.ts';
import type { Mode } from '../base/mode.ts';
import { type StretchCost, systemStretchCost } from '../base/stretch.ts';
import { openClosingGate } from '../books/closing/gate.ts';
import { type Config, loadConfig, locationOf } from '../folder/config.ts';
import { loadSecrets, refuseLostJournal, type Secrets } from '../folder/keys/secrets.ts';
import { proveKey, tillSigner } from '../folder/keys/till-signer.ts';
import { type Machine, type MachineIdentity, systemMachine } from '../folder/machine.ts';
import { modeOf } from '../folder/till-mode.ts';
import type { Journal } from '../journal/journal.ts';
import { keepSecondCopy } from '../journal/second-copy.ts';
import { signerOf } from '../journal/signing.ts';
import type { Sql } from '../journal/sql.ts';
import type { FullLedger } from '../ledger/ledger.ts';
import type { IndexProgress } from '../ledger/ledger-index.ts';
import { openTillJournal } from '../ledger/schema.ts';
import { type GatewayLine, nobodysSale, openGatewayLine } from '../line/gateway-line.ts';
import { openHost, watchLine } from '../line/host.ts';
import { expireCardData } from '../offline/expired-card-data.ts';
import { openUnpaid } from '../offline/unpaid-sales.ts';
import { audit } from '../recovery/audit.ts';
import { staffOfTill } from '../staff/running.ts';
import { openPlace } from '../takeover/till-on-machine.ts';
import { findUnknownKeys } from '../terminals/checks/unknown-keys-words.ts';
import { type LogStates, openLogStates, type ReportError } from '../terminals/log-states.ts';
import type { TerminalWatch } from '../terminals/terminal-watch.ts';
import { hostInMode, watchApprovals } from '../till/gateway/mode.ts';
import type { Host, IntegratedTerminals, Terminals } from '../till/ports.ts';
import { countersOf, createCombinedTill, openCounterDevices, openTills, terminalAddress } from './counters.ts';
import type { RunningTill } from './running-till.ts';
import { openSending, openUnknownSettler } from './sending.ts';
import { openStores } from './stores.ts';

export type { RunningTill } from './running-till.ts';

export type TillOptions = {
  dataDir: string;
  /** Overrides the paired terminal. */
  terminal?: string;
  /** The address of the simulated terminal, once the mode is known. Undefined when the till uses its own terminal. */
  standIn?(mode: Mode): Promise<string | undefined>;
  /** A new file for recording the conversation with the terminal, without card data. */
  record?: string;
  /** Keeps the trace of the terminals, and lends them to a technician while no sale needs them. */
  terminalWatch?: TerminalWatch;
  /** Overrides the configured gateway. */
  gateway?: { baseUrl: string; entityId: string; token: string };
  /**
   * The machine on which the folder is opened: the folder is bound to it, and after each start the gateway is asked
   * what it knows beyond the journal. If absent, neither is done. Without an identity the folder stays unbound.
   */
  boundTo?: { identity: MachineIdentity | undefined };
  /** From this machine's key store, 32 bytes: the till's secrets are sealed with it. */
  sealKey?: Uint8Array;
  clock?: Clock;
  ids?: Ids;
  random?: Random;
  /** The cost of a PIN guess; only tests lower it. */
  stretchCost?: StretchCost;
  /** The uptime and the disk space of the machine. */
  machine?: Machine;
  /** Reports unexpected, late or garbled data and incidental failures, with their counter, to the technician. */
  report?: ReportError;
  /** Called while indexes take long to refill from the journal, before the till is ready. */
  indexing?: ((progress: IndexProgress) => void) | undefined;
  /** Opens the till's file on another disk than this machine's. */
  open?: (path: string) => Sql;
  /** Wraps parts before they are assembled: for traces, and for tests that stop the till at a step. */
  around?: {
    ledger?(ledger: FullLedger): FullLedger;
    host?(host: Host): Host;
    /** `terminalId`: of a terminal after the first. */
    terminals?(terminals: Terminals, terminalId?: string): Terminals;
    integrated?(terminals: IntegratedTerminals, terminalId?: string): IntegratedTerminals;
  };
};

type StartContext = TillOptions & { clock: Clock; ids: Ids; random: Random; report: ReportError };

/**
 * Opens the journal, ends what a crash left open, and is then ready to sell. Throws the faults of configuration,
 * journal and gateway data; then nothing is left open.
 */
export const startTill = async (input: TillOptions): Promise<RunningTill> => {
  const { dataDir, clock = systemClock, ids = systemIds, random = systemRandom, report = () => {} } = input;
  const states = openLogStates(report);
  const options = { ...input, clock, ids, random, report: states.report };
  const config = loadConfig(dataDir, ids);
  refuseLostJournal(dataDir);
  const named = terminalAddress(input.terminal ?? config.terminal);
  const journal = openTillJournal(dataDir, options);
  try {
    const address = input.terminal ?? (await input.standIn?.(modeOf(journal))) ?? named;
    const secrets = loadSecrets(dataDir, { random, isNew: journal.length === 0, sealKey: input.sealKey });
    proveKey(journal, secrets.tillKey, join(dataDir, 'till.secrets.json'));
    journal.sealWith(signerOf(secrets.signingKey));
    const mode = modeOf(journal);
    const line = await openGatewayLine(options, { config, secrets, mode, sql: journal.sql, clock, ids, random });
    try {
      return assemble(options, { config, journal, mode, address, secrets, line, states });
    } catch (error) {
      await line.close();
      throw error;
    }
  } catch (error) {
    journal.close();
    throw error;
  }
};

type Opened = {
  config: Config;
  journal: Journal;
  mode: Mode;
  address: string | undefined;
  secrets: Secrets;
  line: GatewayLine;
  states: LogStates;
};

/** Each part is made from those above it. */
const assemble = (options: StartContext, opened: Opened): RunningTill => {
  const { clock, ids, random, report, dataDir } = options;
  const { config, journal, mode, secrets, line } = opened;
  const signer = tillSigner(secrets.signingKey);
  const { stores, secondCopy, devices, watch, approvals, host, place } = openSharedParts(options, opened);
  const { outbox, offline, books, ledger } = stores;

  const gate = openClosingGate(clock);
  const unknown = openUnknownSettler(clock, report);
  const tills = openTills(
    {
      ledger,
      clock,
      ids,
      report,
      host,
      gateway: line.name,
      timeZone: config.businessDay?.timeZone,
      ...locationOf(config),
      offline: offline.service.verdict,
      requestLifeMs: line.requestLifeMs,
      settleUnknown: unknown.settle,
    },
    devices,
    { place, gate },
  );
  const [{ parts: tillParts, till: first }] = tills;
  const till = createCombinedTill(first, tills);

  const sending = openSending({
    folder: dataDir,
    config,
    journal,
    stores,
    signer,
    tillKey: secrets.tillKey,
    host,
    gateway: line.name,
    line: watch,
    place,
    till,
    tillParts,
    clock,
    random,
    report,
  });
  const { tries, takenOver, sender, resolver, agreement } = sending;
  unknown.useSender(sender);
  place.knowSalesOf(takenOver);
  approvals.onApproval(sending.retryRepaired);

  const recovered = till.recover();
  const expired = expireCardData({ config, journal, ledger, clock, time: offline.time });
  sending.retryRepaired('start');

  const counters = countersOf(tills, {
    journal,
    host,
    signer,
    merchantId: options.gateway?.entityId ?? config.gateway.entityId,
    drain: sending.drainAll,
    report,
    place,
    clock,
    gate,
    agreement,
    books,
    ledger,
  });
  const { stretchCost = systemStretchCost } = options;
  const staff = staffOfTill({ journal, clock, random, stretchCost, keys: secrets });
  return {
    mode,
    till,
    counters,
    ledger,
    journal,
    outbox,
    tries,
    resolver,
    takenOver,
    secondCopy,
    config,
    gatewayUrl: line.externalUrl,
    line: watch,
    forwarder: sender,
    offline: offline.service,
    books: counters[0].books,
    gate,
    place,
    terminalReady: counters[0].ready,
    staff,
    signer: signerOf(secrets.signingKey),
    underWay: tillParts.underWay ?? new Set(),
    unknownKeys: findUnknownKeys({ config, secrets }),
    unpaid: openUnpaid({ ledger, sql: journal.sql, till, tries, clock, signer }),
    isGatewayReachable: async () => (await host.find(nobodysSale)).kind === 'answered',
    audit: () => audit(ledger, host),
    recovered,
    expired,
    runInBackground: sending.runInBackground,
    // What sends and asks is stopped first, and the journal is closed last.
    async close() {
      stores.stop();
      await sending.stop();
      for (const one of devices) await one.close();
      await line.close();
      await secondCopy?.close();
      offline.close(report);
      staff.close();
      journal.close();
    },
  };
};

/**
 * The parts that the counters share: stores, terminals, the gateway, and whether they may move money on this machine.
 */
const openSharedParts = (options: StartContext, { config, journal, mode, address, secrets, line, states }: Opened) => {
  const { dataDir, boundTo, clock, random, report, indexing, machine = systemMachine, around = {} } = options;
  const stores = openStores(
    { dataDir, clock, random, machine, around, compares: boundTo !== undefined, report, indexing },
    { config, journal, tillKey: secrets.tillKey },
  );
  const { outbox, offline, books, ledger } = stores;
  const secondCopy =
    config.secondCopy === undefined ? undefined : keepSecondCopy({ journal, folder: config.secondCopy, clock, report });
  const devices = openCounterDevices(
    {
      ...options,
      mode,
      timeZone: config.businessDay?.timeZone,
      isThere: (counter) => states.isThere('terminal', counter),
    },
    { config, address },
  );
  const watch = watchLine(clock);
  const request = openHost(line, { clock, timeoutMs: config.gateway.timeoutMs, wrap: around.host }, (at) => {
    states.isThere('gateway');
    offline.heard(at);
  });
  const approvals = watchApprovals(hostInMode(watch.watch(request), mode), mode);
  const { host } = approvals;
  const place = openPlace({
    ...options,
    config,
    journal,
    ledger,
    outbox,
    host,
    books,
    gateway: line.name,
    line: watch,
    plain: line.plain,
    time: offline.time,
  });
  return { stores, secondCopy, devices, watch, approvals, host, place };
};
