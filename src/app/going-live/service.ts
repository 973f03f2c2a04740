/** Going live: the checklist for this till, the test of a gateway channel, and the manager's decision. */
import { existsSync } from 'node:fs';
import { asksBankAt } from '../../../drivers/registry.ts';
import { isSimulated } from '../../../drivers/terminal.ts';
import type { Checklist, GoingLiveRow, LiveChannel } from '../../api/contract/machine.ts';
import type { GoingLivePort } from '../../api/ports/machine.ts';
import type { Clock } from '../../base/clock.ts';
import { Fault } from '../../base/fault.ts';
import { isGatewayAddress } from '../../base/gateway-address.ts';
import type { Ids, Random } from '../../base/ids.ts';
import type { LocalizedMessage } from '../../base/localized-message.ts';
import { printable } from '../../base/mask.ts';
import type { DisplayMode } from '../../base/mode.ts';
import { createRestarter } from '../../base/restart-soon.ts';
import { codes } from '../../base/result-codes.ts';
import {
  type Config,
  loadConfig,
  MADE_UP_MERCHANT,
  MADE_UP_TERMINAL_ID,
  type PairedDevice,
} from '../../folder/config.ts';
import { loadSecrets, readSecrets } from '../../folder/keys/secrets.ts';
import { liveFolder } from '../../folder/till-exists.ts';
import { acknowledgeMode, liveEvidence } from '../../folder/till-mode.ts';
import type { Sql } from '../../journal/sql.ts';
import { askChannel } from '../../line/gateway-line.ts';
import { faultMessage, tellGoingLive as tell, tellAll, tellGoingLive } from '../../locales/messages/en/machine.ts';
import { openAudit } from '../../staff/audit/audit.ts';
import type { AuditNote } from '../../staff/audit/audit-notes.ts';
import { type Person, peopleIn, pepperOf } from '../../staff/running.ts';
import type { RunningTill } from '../start-till.ts';
import { type LiveGateway, type LiveStep, makeLiveTill } from './folder.ts';

export type GoingLiveParts = {
  running: Pick<RunningTill, 'journal' | 'staff'>;
  /** The folder of the till beside which a live till begins. */
  dataDir: string;
  mode: DisplayMode;
  /** From this machine's key store: the secrets are sealed with it, and the live till's will be. */
  sealKey?: Uint8Array | undefined;
  clock: Clock;
  ids: Ids;
  random: Random;
  report(error: unknown): void;
  /** Opens the live till instead of this one, as soon as it is idle. */
  restart(): Promise<void>;
  /** Whether a sale is in progress, during which nobody goes live. */
  isSelling(): boolean;
  open?: ((path: string) => Sql) | undefined;
  onStep?: ((step: LiveStep) => void) | undefined;
};

/** Where the payments of a live till will go, and where that was configured. */
type KnownChannel = { channel: LiveChannel; at: 'channel' | 'upstream' } | undefined;

export const openGoingLive = (parts: GoingLiveParts): GoingLivePort => {
  const { running, dataDir, clock, ids } = parts;
  const { note } = openAudit(running.journal);
  const restartSoon = createRestarter(parts);
  let triedChannel: LiveChannel | undefined;

  const knownChannel = (channel: LiveChannel | undefined, config: Config): KnownChannel => {
    const chosenChannel = channel ?? triedChannel;
    return chosenChannel === undefined ? upstreamIn(config, parts) : { channel: chosenChannel, at: 'channel' };
  };
  const listed = async (channel?: LiveChannel) => {
    refuseUnlessTest(parts);
    const config = loadConfig(dataDir, ids);
    const to = knownChannel(channel, config);
    const list = await checklistOf({ config, people: running.staff.people(), channel: to?.channel, clock });
    return { config, to, list };
  };

  return {
    checklist: async () => (await listed()).list,
    async tryGateway(channel) {
      refuseUnlessTest(parts);
      const { timeoutMs } = loadConfig(dataDir, ids).gateway;
      const { done, says } = await gatewayRow(channel, { clock, timeoutMs });
      if (done) triedChannel = channel;
      return { answered: done, says };
    },
    async goLive(channel, actor) {
      refuseSale(parts);
      const { config, to, list } = await listed(channel);
      if (!list.ready) {
        const open = list.rows.filter(({ done }) => !done).map(({ item }) => item);
        throw new Fault('live.notReady', { open: open.join(',') });
      }
      // Time has passed while the gateway answered, so this is checked again.
      refuseSale(parts);
      refuseUnlessTest(parts);
      const gateway: LiveGateway = list.withoutGateway || to === undefined ? { at: 'terminals' } : to;
      makeLiveTill({ ...parts, config, gateway, ...peopleOf(parts), by: actor.name });
      noteOrReport(parts, () => note({ on: 'wentLive', folder: liveFolder(dataDir) } satisfies AuditNote, actor));
      restartSoon();
    },
    found() {
      const evidence = parts.mode === 'live' ? liveEvidence(running.journal) : undefined;
      if (evidence === undefined) return undefined;
      return tellGoingLive(evidence === 'realTerminal' ? 'foundTerminal' : 'foundAnswer');
    },
    read(actor) {
      if (liveEvidence(running.journal) === undefined) return;
      note({ on: 'foundLiveRead' }, actor);
      acknowledgeMode(running.journal);
    },
  };
};

const refuseUnlessTest = ({ mode, dataDir }: GoingLiveParts): void => {
  if (mode === 'training') throw new Fault('training.notHere');
  if (mode === 'live') throw new Fault('live.already', { folder: dataDir });
  const live = liveFolder(dataDir);
  if (existsSync(live)) throw new Fault('live.already', { folder: live });
};

const refuseSale = ({ isSelling }: GoingLiveParts): void => {
  if (isSelling()) throw new Fault('terminal.busy', { command: 'a sale' });
};

/** The processor that till.json names for the bundled gateway; a test till does not use it. */
const upstreamIn = ({ gateway: { upstream } }: Config, { dataDir, sealKey }: GoingLiveParts): KnownChannel => {
  const token = upstream && readSecrets(dataDir, sealKey)?.upstreamToken;
  return upstream === undefined || token === undefined
    ? undefined
    : { channel: { ...upstream, token }, at: 'upstream' };
};

const peopleOf = ({ running, dataDir, random, sealKey }: GoingLiveParts) => ({
  people: peopleIn(running.journal),
  browsers: running.staff.browsers.rows(),
  staffPepper: pepperOf(loadSecrets(dataDir, { random, isNew: false, sealKey })),
});

/** The live till exists: a failure to write the test till's journal does not prevent it. */
const noteOrReport = ({ report }: GoingLiveParts, note: () => void): void => {
  try {
    note();
  } catch (error) {
    report(error);
  }
};

// The checklist for going live: what a test till needs before a live till can begin beside it.

export type ChecklistParts = {
  config: Config;
  people: readonly Person[];
  /** Where a live till would send its payments. Undefined until it is given. */
  channel: LiveChannel | undefined;
  clock: Clock;
};

/** Asks the gateway if one is needed. Never rejects. */
export const checklistOf = async ({ config, people, channel, clock }: ChecklistParts): Promise<Checklist> => {
  const withoutGateway = needsNoGateway(config);
  const gateway = withoutGateway
    ? { done: true, says: tell('gatewayNotNeeded') }
    : await gatewayRow(channel, { clock, timeoutMs: config.gateway.timeoutMs });
  const rows: GoingLiveRow[] = [
    { item: 'terminal', ...terminalRow(config) },
    { item: 'gateway', ...gateway },
    { item: 'people', ...peopleRow(people) },
    { item: 'shop', ...shopRow(config) },
  ];
  const isShown = !withoutGateway && channel !== undefined && gateway.done;
  return {
    rows,
    ready: rows.every(({ done }) => done),
    gateway: isShown ? { baseUrl: channel.baseUrl, entityId: channel.entityId } : undefined,
    withoutGateway,
  };
};

type Finding = Omit<GoingLiveRow, 'item'>;

type CounterTerminal = { counter: string; terminal?: string | undefined; device?: PairedDevice | undefined };

const countersIn = ({ terminal, device, terminals = [] }: Config): CounterTerminal[] => [
  { counter: 'T1', terminal, device },
  ...terminals.map((one, i) => ({ counter: `T${i + 2}`, ...one })),
];

/** Every terminal asks its bank itself. */
const needsNoGateway = (config: Config): boolean =>
  countersIn(config).every(({ terminal }) => terminal !== undefined && asksBankAt(terminal));

const terminalRow = (config: Config): Finding => {
  const counters = countersIn(config);
  const nameWhere = (which: (one: CounterTerminal) => boolean): { list: string[] } | undefined => {
    const list = counters.filter(which).map(({ counter }) => counter);
    return list.length === 0 ? undefined : { list };
  };
  const missing = nameWhere(({ terminal, device }) => terminal === undefined || device === undefined);
  if (missing !== undefined) return open(tell('terminalMissing', { counters: missing }), tell('pairReal'));
  const simulated = nameWhere(({ device }) => device !== undefined && isSimulated(device));
  if (simulated !== undefined) return open(tell('terminalSimulated', { counters: simulated }), tell('pairReal'));
  const tested = nameWhere(({ device }) => device?.testHost === true);
  if (tested !== undefined) return open(tell('terminalTestHost', { counters: tested }), tell('leaveTestHost'));
  const terminals = counters.map(({ counter, device }) => `${counter} ${device?.model ?? ''} ${device?.serial ?? ''}`);
  return { done: true, says: tell('terminalsReal', { terminals: { list: terminals.map((one) => one.trim()) } }) };
};

const open = (message: LocalizedMessage, cure: LocalizedMessage): Finding => ({ done: false, says: message, cure });

/** What the gateway answers on this channel. Never rejects. */
const gatewayRow = async (
  channel: LiveChannel | undefined,
  inquiry: { clock: Clock; timeoutMs: number },
): Promise<Finding> => {
  if (channel === undefined) return open(tell('gatewayUntried'), tell('giveChannel'));
  const url = channel.baseUrl;
  // Nobody on the way may read the token, so not even a request is sent.
  if (!isGatewayAddress(url)) return open(tell('gatewayPlain', { url }), tell('useHttps'));
  const received = await askChannel(channel, inquiry);
  if (received.kind !== 'answered')
    return open(tell('gatewayAway', { url, fault: faultMessage(received.fault) }), tell('checkLine'));
  const { code, description } = received;
  // A gateway that accepts the channel answers that the sale does not exist.
  if (code === codes.transactionNotFound) return { done: true, says: tell('gatewayAnswers', { url }) };
  const facts = { url, code, description: printable(description, 100) };
  return open(tell('gatewayRefuses', facts), tell('checkChannel'));
};

const peopleRow = (people: readonly Person[]): Finding => {
  const managers = people.filter(({ role }) => role === 'manager').map(({ name }) => name);
  if (managers.length === 0) return open(tell('managerMissing'), tell('addManager'));
  return { done: true, says: tell('managerThere', { names: { list: managers } }) };
};

const shopRow = ({ merchant: { name, address }, terminalId, terminals = [] }: Config): Finding => {
  const lines = address.filter((line) => line.trim() !== '' && !MADE_UP_MERCHANT.address.includes(line));
  const isMadeUp = [terminalId, ...terminals.map((one) => one.terminalId)].includes(MADE_UP_TERMINAL_ID);
  const [first, ...more] = [
    ...(name.trim() === '' || name === MADE_UP_MERCHANT.name ? [tell('nameMissing')] : []),
    ...(lines.length === 0 ? [tell('addressMissing')] : []),
    ...(isMadeUp ? [tell('terminalIdMissing', { terminalId: MADE_UP_TERMINAL_ID })] : []),
  ];
  if (first !== undefined) return open(tellAll([first, ...more]), tell('setShop'));
  return { done: true, says: tell('shopSet', { name, address: lines.join(', '), terminalId }) };
};
