/** Puts a till together: journal, queue, terminal, gateway. The only place that knows all of them. */
import { join } from 'node:path';
import { type Clock, systemClock } from '../base/clock.ts';
import { type Ids, type Random, systemIds, systemRandom } from '../base/ids.ts';
import type { Mode } from '../base/mode.ts';
import { type StretchCost, systemStretchCost } from '../base/stretch.ts';
import { openClosingGate } from '../books/closing/gate.ts';
import { type Config, loadConfig, locationOf } from '../folder/config.ts';
import { loadSecrets, refuseLostJournal, type Secrets } from '../folder/keys/secrets.ts';
import { proveKey, type TillSigner, tillSigner } from '../folder/keys/till-signer.ts';
import { type Machine, systemMachine } from '../folder/machine.ts';
import type { MachineIdentity } from '../folder/machine-identity.ts';
import { modeOf } from '../folder/till-mode.ts';
import { gatewayClient } from '../gateway/client/client.ts';
import type { Journal } from '../journal/journal.ts';
import { keepSecondCopy } from '../journal/second-copy.ts';
import { signerOf } from '../journal/signing.ts';
import type { Sql } from '../journal/sql.ts';
import { notHandedOver, openHandedOver } from '../ledger/handed-over.ts';
import type { FullLedger } from '../ledger/ledger.ts';
import { openTillJournal } from '../ledger/schema.ts';
import { type GatewayLine, nobodysSale, openGatewayLine } from '../line/gateway-line.ts';
import { hostOver, withTrustedTime } from '../line/host.ts';
import { type LineWatch, watchLine } from '../line/line-watch.ts';
import { hostUnlessRefused } from '../line/plain-gateway.ts';
import { expireCardData } from '../offline/expired-card-data.ts';
import { openUnpaid } from '../offline/unpaid-sales.ts';
import { type Drained, forwarder } from '../queue/forwarder.ts';
import { openCardTries } from '../queue/retry-rules.ts';
import { audit } from '../recovery/audit.ts';
import { openAgreement } from '../recovery/gateway-agreement.ts';
import { openResolver } from '../recovery/resolver.ts';
import { staffOfTill } from '../staff/running.ts';
import { openPlace, type PlacedTill } from '../takeover/placed-till.ts';
import { openTakenOverTills, withoutTerminal } from '../takeover/taken-over-tills.ts';
import { heldDelivery } from '../takeover/till-place.ts';
import { unknownInFiles } from '../terminals/checks/unknown-keys-words.ts';
import { type LogStates, openLogStates, type ReportError } from '../terminals/log-states.ts';
import type { TerminalWatch } from '../terminals/terminal-watch.ts';
import { withEvidence } from '../till/gateway/evidence.ts';
import { hostInMode } from '../till/gateway/mode.ts';
import type { Host, IntegratedTerminals, Terminals } from '../till/ports.ts';
import { openTill } from '../till/till.ts';
import { type CounterDevices, countersOf, openCounterDevices, openTills, type Several, tillOfAll } from './counters.ts';
import type { RunningTill } from './running-till.ts';
import {
  attendTo,
  closeAll,
  delivering,
  drainAll,
  mendedSending,
  openStores,
  passedOver,
  settleUnknown,
  terminalAddress,
} from './till-parts.ts';

export type { RunningTill } from './running-till.ts';

export type TillOptions = {
  dataDir: string;
  /** Overrides the paired terminal. */
  terminal?: string;
  /** Address of what stands in for a terminal, once the mode is known; undefined where the till sells on its own. */
  standIn?(mode: Mode): Promise<string | undefined>;
  /** A new file for the conversation with the terminal, without card data. */
  record?: string;
  /** Keeps what is said with the terminals, and lends them to a technician while no sale needs them. */
  terminalWatch?: TerminalWatch;
  /** Overrides the configured gateway. */
  gateway?: { baseUrl: string; entityId: string; token: string };
  /**
   * The machine that the folder is opened on: it is bound to it, and after each start the gateway is asked what it
   * knows beyond the journal. Left out, neither is looked at. Without an identity the folder stays unbound.
   */
  boundTo?: { identity: MachineIdentity | undefined };
  /** From this machine's key store, 32 bytes: the till's secrets lie sealed under it. */
  sealKey?: Uint8Array;
  clock?: Clock;
  ids?: Ids;
  random?: Random;
  /** What a guess at a PIN costs; only tests make it cheaper. */
  stretchCost?: StretchCost;
  /** How long the machine is up, and what its disk has left. */
  machine?: Machine;
  /** What came unasked, late or garbled, and what failed in passing, at which counter: for the technician. */
  report?: ReportError;
  /** Opens the till's file: on another disk than this machine's. */
  open?: (path: string) => Sql;
  /** Wraps the parts before they are put together: for traces, and for tests that stop the till at a step. */
  around?: {
    ledger?(ledger: FullLedger): FullLedger;
    host?(host: Host): Host;
    /** `terminalId`: of a terminal beside the first. */
    terminals?(terminals: Terminals, terminalId?: string): Terminals;
    integrated?(terminals: IntegratedTerminals, terminalId?: string): IntegratedTerminals;
  };
};

/**
 * Opens the journal, ends what a crash left open, and is then ready to sell. Throws the faults of configuration,
 * journal and gateway data; then nothing is left open.
 */
export const startTill = async (options: TillOptions): Promise<RunningTill> => {
  const { dataDir, clock = systemClock, ids = systemIds } = options;
  const config = loadConfig(dataDir, ids);
  refuseLostJournal(dataDir);
  const named = terminalAddress(options.terminal ?? config.terminal);
  const journal = openTillJournal(dataDir, { clock, ...options });
  try {
    const address = options.terminal ?? (await options.standIn?.(modeOf(journal))) ?? named;
    return await start({ ...options, clock, ids }, { config, journal, address });
  } catch (error) {
    journal.close();
    throw error;
  }
};

type Opened = { config: Config; journal: Journal; address: string | undefined };

const start = async (
  options: TillOptions & { clock: Clock; ids: Ids },
  { config, journal, address }: Opened,
): Promise<RunningTill> => {
  const { dataDir, clock, ids, random = systemRandom } = options;
  const secrets = loadSecrets(dataDir, { random, isNew: journal.length === 0, sealKey: options.sealKey });
  proveKey(journal, secrets.tillKey, join(dataDir, 'till.secrets.json'));
  journal.sealWith(signerOf(secrets.signingKey));
  const mode = modeOf(journal);
  const line = await openGatewayLine(options, { config, secrets, mode, sql: journal.sql, clock, ids, random });
  try {
    return assemble(
      { ...options, random },
      { config, journal, address, line, tillKey: secrets.tillKey, secrets, signer: tillSigner(secrets.signingKey) },
    );
  } catch (error) {
    await line.close();
    throw error;
  }
};

type Keys = { tillKey: Uint8Array; signer: TillSigner };

type Prepared = TillOptions & { clock: Clock; ids: Ids; random: Random; report: ReportError };

type Stores = ReturnType<typeof openStores>;
type Connecting = Opened &
  Keys & {
    line: GatewayLine;
    watch: LineWatch;
    devices: Several<CounterDevices>;
    host: Host;
    stores: Stores;
    place: PlacedTill;
  };

/** The till over its parts, the queue that sends for it, and what brings the unknown to an end. */
const connect = (
  { dataDir, clock, ids, random, report }: Prepared,
  { config, journal, line, watch, devices, host, stores, tillKey, signer, place }: Connecting,
) => {
  const { outbox, offline, ledger } = stores;
  const common = {
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
    settleUnknown: () => settleUnknown(sender, { clock, report }),
  };
  const gate = openClosingGate(clock);
  const tills = openTills(common, devices, { place, gate });
  const [{ parts, till: first }] = tills;
  const till = tillOfAll(first, tills);
  const tries = openCardTries(journal.sql);
  const takenOver = openTakenOverTills({
    ...{ folder: dataDir, journal, publicKey: signer.publicKey, tillKey, clock, random, gateway: line.name, report },
    till(of) {
      const theirs = withEvidence(withoutTerminal({ ...parts, host, report }, of));
      const other = openTill(theirs);
      return {
        till: other,
        deliver: heldDelivery(place, delivering({ till: other, ledger: of, parts: theirs, tries, time: offline.time })),
      };
    },
  });
  const deliver = notHandedOver(
    openHandedOver(journal, clock),
    heldDelivery(place, delivering({ till, ledger, parts, tries, time: offline.time })),
  );
  const passed = (drained: Drained) => passedOver(drained, { journal, resolver });
  const { atOnce } = config.queue ?? {};
  const sender = forwarder({ outbox, clock, random, report, deliver, passed, ...(atOnce && { atOnce }) });
  const resolver = openResolver({ journal, parts, till, ledger, outbox, forwarder: () => sender });
  const agreement = openAgreement({
    ...{ journal, ledger, host, gateway: line.name, batches: stores.books.batches, clock, report },
    now: () => offline.time.now().at,
    isOnline: () => watch.now().online,
  });
  return { till, tills, tries, takenOver, sender, resolver, gate, agreement };
};

/** Each answer of the gateway tells the time, and that it is there. */
const onGatewayAnswer =
  ({ isThere }: LogStates, tellTime: (at: number | undefined) => void) =>
  (at: number | undefined): void => {
    isThere('gateway');
    tellTime(at);
  };

const assemble = (
  given: TillOptions & { clock: Clock; ids: Ids; random: Random },
  files: Opened & Keys & { line: GatewayLine; secrets: Secrets },
): RunningTill => {
  const { machine = systemMachine, around = {} } = given;
  const states = openLogStates(given.report ?? (() => {}));
  const { report } = states;
  const options: Prepared = { ...given, report };
  const { dataDir, boundTo, clock, random, stretchCost = systemStretchCost } = options;
  const { config, journal, line, tillKey, signer } = files;
  const mode = modeOf(journal);
  const isThere = (counter: string): void => states.isThere('terminal', counter);
  const devices = openCounterDevices({ ...options, mode, timeZone: config.businessDay?.timeZone, isThere }, files);
  const watch = watchLine(clock);
  const stores = openStores(
    { dataDir, clock, random, machine, around, compares: boundTo !== undefined, report },
    { config, journal, tillKey },
  );
  const { outbox, offline, books: allBooks, ledger } = stores;
  const secondCopy =
    config.secondCopy === undefined ? undefined : keepSecondCopy({ journal, folder: config.secondCopy, clock, report });
  const client = hostOver(gatewayClient({ ...line, clock, timeoutMs: config.gateway.timeoutMs }));
  const asked = hostUnlessRefused(around.host?.(client) ?? client, line.plain);
  const heard = watch.over(withTrustedTime(asked, onGatewayAnswer(states, offline.heard)));
  const host = hostInMode(heard, { mode, approvedInMode: () => sendMended() });
  const place = openPlace({
    ...options,
    boundTo,
    config,
    journal,
    ledger,
    outbox,
    host,
    books: allBooks,
    gateway: line.name,
    line: watch,
    plain: line.plain,
    time: offline.time,
    takenOver: () => takenOver,
  });
  const parts = { ...files, watch, devices, host, stores, place };
  const { till, tills, tries, takenOver, sender, resolver, gate, agreement } = connect(options, parts);
  const sendMended = mendedSending({ outbox, takenOver, sender, clock, report });
  const recovered = till.recover();
  const expired = expireCardData({ config, journal, ledger, clock, time: offline.time });
  sendMended('start');
  const counters = countersOf(tills, {
    ...{ journal, host, signer, merchantId: options.gateway?.entityId ?? config.gateway.entityId },
    drain: (late) => drainAll({ till, sender, resolver }, late),
    ...{ report, place, clock, gate, agreement, books: allBooks, ledger },
  });
  const [{ books, ready: terminalReady }] = counters;
  const staff = staffOfTill({ journal, clock, random, stretchCost, keys: files.secrets });
  return {
    ...{ mode, till, counters, ledger, journal, outbox, tries, resolver, takenOver, secondCopy, config },
    gatewayUrl: line.elsewhere,
    line: watch,
    forwarder: sender,
    offline: offline.service,
    ...{ books, gate, place, terminalReady, staff, unknownKeys: unknownInFiles(files) },
    unpaid: openUnpaid({ ledger, sql: journal.sql, till, tries, clock, signer }),
    hearsGateway: async () => (await host.find(nobodysSale)).kind === 'answered',
    audit: () => audit(ledger, host),
    recovered,
    expired,
    attend: () => attendTo({ sender, takenOver, resolver, agreement, line: watch, place }),
    close: () =>
      closeAll({ staff, stores, agreement, resolver, sender, takenOver, devices, line, secondCopy, journal, report }),
  };
};
