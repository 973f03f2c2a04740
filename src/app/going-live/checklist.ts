/** The checklist for going live: what a test till has to have before a live till can begin beside it. */
import { asksBankAt } from '../../../drivers/registry.ts';
import { isSimulated } from '../../../drivers/terminal.ts';
import type { Checklist, GoingLiveRow, LiveChannel } from '../../api/ports/going-live.ts';
import type { Clock } from '../../base/clock.ts';
import { isGatewayAddress } from '../../base/gateway-address.ts';
import type { LocalizedMessage } from '../../base/localized-message.ts';
import { printable } from '../../base/mask.ts';
import { codes } from '../../base/result-codes.ts';
import { type Config, MADE_UP_MERCHANT, MADE_UP_TERMINAL_ID, type PairedDevice } from '../../folder/config.ts';
import { askChannel } from '../../line/gateway-line.ts';
import type { Person } from '../../staff/running.ts';
import { faultMessage, tellGoingLive as tell, tellAll } from '../../words/en/messages/machine.ts';

export type ChecklistParts = {
  config: Config;
  people: readonly Person[];
  /** What a live till would send its payments to; undefined while none was given. */
  channel: LiveChannel | undefined;
  clock: Clock;
};

/** Asks the gateway, where one is needed. Never rejects. */
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
  ...terminals.map((one, at) => ({ counter: `T${at + 2}`, ...one })),
];

/** Every terminal asks its bank itself. */
const needsNoGateway = (config: Config): boolean =>
  countersIn(config).every(({ terminal }) => terminal !== undefined && asksBankAt(terminal));

const terminalRow = (config: Config): Finding => {
  const counters = countersIn(config);
  const named = (which: (one: CounterTerminal) => boolean): string | undefined =>
    counters
      .filter(which)
      .map(({ counter }) => counter)
      .join(', ') || undefined;
  const missing = named(({ terminal, device }) => terminal === undefined || device === undefined);
  if (missing !== undefined) return open(tell('terminalMissing', { counters: missing }), tell('pairReal'));
  const simulated = named(({ device }) => device !== undefined && isSimulated(device));
  if (simulated !== undefined) return open(tell('terminalSimulated', { counters: simulated }), tell('pairReal'));
  const tested = named(({ device }) => device?.testHost === true);
  if (tested !== undefined) return open(tell('terminalTestHost', { counters: tested }), tell('leaveTestHost'));
  const terminals = counters.map(({ counter, device }) => `${counter} ${device?.model ?? ''} ${device?.serial ?? ''}`);
  return { done: true, says: tell('terminalsReal', { terminals: terminals.map((one) => one.trim()).join(', ') }) };
};

const open = (says: LocalizedMessage, cure: LocalizedMessage): Finding => ({ done: false, says, cure });

/** What the gateway says of this channel. Never rejects. */
export const gatewayRow = async (
  channel: LiveChannel | undefined,
  asking: { clock: Clock; timeoutMs: number },
): Promise<Finding> => {
  if (channel === undefined) return open(tell('gatewayUntried'), tell('giveChannel'));
  const url = channel.baseUrl;
  // Nobody on the way may read the token: not even the question goes out.
  if (!isGatewayAddress(url)) return open(tell('gatewayPlain', { url }), tell('useHttps'));
  const heard = await askChannel(channel, asking);
  if (heard.kind !== 'answered')
    return open(tell('gatewayAway', { url, fault: faultMessage(heard.fault) }), tell('checkLine'));
  const { code, description } = heard;
  // A gateway that lets the channel in says so of a sale that nobody made.
  if (code === codes.transactionNotFound) return { done: true, says: tell('gatewayAnswers', { url }) };
  const facts = { url, code, description: printable(description, 100) };
  return open(tell('gatewayRefuses', facts), tell('checkChannel'));
};

const peopleRow = (people: readonly Person[]): Finding => {
  const managers = people.filter(({ role }) => role === 'manager').map(({ name }) => name);
  if (managers.length === 0) return open(tell('managerMissing'), tell('addManager'));
  return { done: true, says: tell('managerThere', { names: managers.join(', ') }) };
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
