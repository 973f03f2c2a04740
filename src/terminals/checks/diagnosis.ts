/** Examines a terminal: port, opening, device, keys, health, connection time; never a payment. */
import { type FoundTerminal, inspect, type ProbeTools, withTerminal } from '../../../drivers/discovery.ts';
import { driverOf } from '../../../drivers/registry.ts';
import type { Check, CheckVerdict } from '../../api/contract/diagnosis.ts';
import { type Fault, isFault } from '../../base/fault.ts';
import type { LocalizedMessage, PlainName } from '../../base/localized-message.ts';
import type { PairedDevice } from '../../folder/config.ts';
import type { Rights } from '../../folder/rights/folder-rights.ts';
import type { Binding } from '../../folder/till-machine.ts';
import { type checkWords, faultMessage, faultNextMessage, tellCheck } from '../../locales/messages/en/machine.ts';
import type { Jump } from '../../till/terminal/device-numbers.ts';
import { detectDialects } from '../detected-dialects.ts';
import { numbersCheck, terminalChecks } from './device-checks.ts';
import { type Loopback, runLoopback } from './loopback.ts';
import { checkOf, checkPort, type Ports, ports } from './port-check.ts';
import { type UnknownInFile, unknownChecks } from './unknown-keys-words.ts';

export type Diagnosis = {
  address: string;
  /** The worst result of all checks. */
  verdict: CheckVerdict;
  /** The verdict as a sentence. */
  says: string;
  told: LocalizedMessage;
  checks: readonly Check[];
  found?: Pick<FoundTerminal, 'title' | 'kind' | 'info' | 'keys' | 'health' | 'problems'>;
  loopback?: Loopback;
  /** The dialects of its protocol that the terminal was observed to speak, now or earlier. */
  dialects?: readonly string[] | undefined;
};

export type DiagnosisTools = ProbeTools & {
  ports?: Ports;
  echoes: number;
  /** The device that the till is paired with, to check whether the examined terminal is that device. */
  device?: PairedDevice;
  /** Where the till's data folder belongs, if known. */
  binding?: Binding;
  /** Who can open the till's folder. */
  rights?: Rights;
  unknown?: readonly UnknownInFile[];
  /** Where the terminal's receipt numbers jumped between two sales of this till. */
  jumps?: readonly Jump[];
  /** Called for each check and for the progress of the echoes. */
  notify?: (progress: { check: Check } | { echo: number; of: number }) => void;
};

/** Time for opening and asking, and additional time for each echo. */
const LOOK_WITHIN_MS = 20_000;
const ECHO_WITHIN_MS = 5_000;

/** Examines the terminal at this address. Faults of link and device become checks; it throws nothing. */
export const diagnose = async (address: string, tools: DiagnosisTools): Promise<Diagnosis> => {
  const { notify: tell = () => {}, echoes } = tools;
  const checks: Check[] = [];
  const note = (check: Check): void => {
    checks.push(check);
    tell({ check });
  };
  const machine = machineCheck(tools.binding);
  if (machine !== undefined) note(machine);
  const folder = folderCheck(tools.rights);
  if (folder !== undefined) note(folder);
  for (const check of unknownChecks(tools.unknown ?? [])) note(check);
  note(await checkPort(address, tools.ports ?? ports));
  const parts: Pick<Diagnosis, 'found' | 'loopback' | 'dialects'> = {};
  const dialects = detectDialects(tools.device?.dialects);
  const wrap: DiagnosisTools['wrap'] = (link, driver) => dialects.wrap(tools.wrap?.(link, driver) ?? link, driver);
  if (checks.some(({ verdict }) => verdict === 'bad')) {
    note(checkOf('Answers', 'notAsked', { says: tellCheck('notAsked') }));
    return { address, checks, ...verdictOf(checks) };
  }
  const withinMs = LOOK_WITHIN_MS + echoes * ECHO_WITHIN_MS;
  try {
    await withTerminal(address, { withinMs, ...tools, wrap }, async (device) => {
      const { title } = driverOf(address.replace(/\+.*$/s, ''));
      note(checkOf('Answers', 'good', { says: tellCheck('answersAs', { title }) }));
      const found = await inspect(device);
      parts.found = { title, kind: device.kind, ...found };
      for (const check of terminalChecks(parts.found, tools.device)) note(check);
      if (device.kind === 'integrated' && tools.jumps) note(numbersCheck(tools.jumps));
      parts.dialects = dialects.names();
      if (parts.dialects) note(dialectCheck(parts.dialects));
      const on = { clock: tools.clock, echoes, tell: (echo: number) => tell({ echo, of: echoes }) };
      parts.loopback = await runLoopback(() => device.terminal.echo(), on);
      note(loopbackCheck(parts.loopback));
    });
  } catch (error) {
    if (!isFault(error)) throw error;
    note(failed(error, { address, hadAnswered: parts.found !== undefined }));
  }
  return { address, checks, ...parts, ...verdictOf(checks) };
};

/** The names are those of docs/reference/dialects.md, the same in every language. */
const dialectCheck = (names: readonly string[]): Check => {
  const message = names.length === 0 ? tellCheck('noDialect') : tellCheck('dialects', { names: { list: names } });
  return checkOf('Dialect', 'good', { says: message });
};

/** Nothing to report for a folder that is where it belongs. */
const machineCheck = (binding: Binding | undefined): Check | undefined => {
  if (binding === undefined || binding === 'here') return undefined;
  const [says, cure] =
    binding === 'unbound' ? (['unbound', 'nameMachine'] as const) : (['elsewhere', 'sayWhat'] as const);
  return checkOf('Machine', 'attention', { says: tellCheck(says), cure: tellCheck(cure) });
};

/** Nothing to report for a folder that only its owner can open. */
const folderCheck = (rights: Rights = { state: 'own' }): Check | undefined => {
  if (rights.state === 'own') return undefined;
  if (rights.state === 'unsaid')
    return checkOf('Folder', 'notAsked', {
      says: tellCheck('unsaidFolder', { said: rights.said }),
      cure: tellCheck('lookFolder', { command: rights.cure }),
    });
  if (rights.state === 'rightless')
    return checkOf('Folder', 'attention', {
      says: tellCheck('rightlessFolder', { fileSystem: rights.fileSystem }),
      cure: tellCheck('moveFolder'),
    });
  const message =
    rights.state === 'narrow' ? tellCheck('narrowFolder') : tellCheck('openFolder', { who: { list: rights.who } });
  return checkOf('Folder', 'attention', { says: message, cure: tellCheck('closeFolder', { command: rights.cure }) });
};

/** Above this a customer notices the delay: a faulty cable or hub, or a network with other traffic. */
const SLOW_MS = 250;

const loopbackCheck = ({ asked, answered, why, p95Ms = 0, medianMs = 0, maxMs = 0 }: Loopback): Check => {
  const what = 'Way';
  if (asked === 0) return checkOf(what, 'notAsked', { says: tellCheck('noEchoes') });
  if (answered < asked) {
    const message = tellCheck('echoesLost', { lost: asked - answered, asked, why: why ?? tellCheck('unknown') });
    return checkOf(what, 'bad', { says: message, cure: tellCheck('otherCable') });
  }
  const times = { median: printMs(medianMs), most: printMs(maxMs) };
  if (p95Ms < SLOW_MS) return checkOf(what, 'good', { says: tellCheck('allAnswered', { asked, ...times }) });
  return checkOf(what, 'attention', { says: tellCheck('slowWay', times), cure: tellCheck('otherSocket') });
};

/** Milliseconds for people: 0.42, 3.1, 250. */
export const printMs = (value: number): string =>
  `${value < 1 ? value.toFixed(2) : value < 10 ? value.toFixed(1) : value.toFixed(0)} ms`;

const failed = (fault: Fault, { address, hadAnswered }: { address: string; hadAnswered: boolean }): Check => {
  const isNotThere = fault.code === 'link.unavailable' && address.includes('+tcp:');
  const cure = isNotThere ? 'notThere' : cures[fault.code];
  return checkOf(hadAnswered ? 'Way' : 'Answers', 'bad', {
    says: tellCheck(hadAnswered ? 'brokeOff' : 'failed', { fault: faultMessage(fault) }),
    cure: cure === undefined ? faultNextMessage(fault) : tellCheck(cure),
  });
};

/** The faults' own advice is about sales, but here nothing was sold. */
const cures: Partial<Record<Fault['code'], PlainName<typeof checkWords>>> = {
  'terminal.silent': 'wake',
  'terminal.garbled': 'otherThing',
  'link.lost': 'checkCable',
};

const ranks: readonly CheckVerdict[] = ['bad', 'attention', 'good'];
const verdictCodes = { good: 'fine', attention: 'works', bad: 'unusable' } as const;

const verdictOf = (checks: readonly Check[]): Pick<Diagnosis, 'verdict' | 'says' | 'told'> => {
  const verdict = ranks.find((rank) => checks.some((check) => check.verdict === rank)) ?? 'bad';
  const worst = checks.find((check) => check.verdict === verdict);
  const message = tellCheck(verdictCodes[verdict], { worst: worst?.told?.says ?? worst?.says ?? '' });
  return { verdict, says: message.says, told: message };
};
