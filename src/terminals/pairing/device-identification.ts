/** Identifies a terminal at a place that a person named or chose. Each step is reported with the bytes exchanged. */
import {
  type Candidate,
  candidateAt,
  differing,
  type FoundTerminal,
  type ProbeTools,
  portsOf,
  probe,
} from '../../../drivers/discovery.ts';
import { openTerminal } from '../../../drivers/registry.ts';
import type { PairingStep } from '../../api/contract/devices.ts';
import { problemOf } from '../../api/problems.ts';
import { Fault, isFault } from '../../base/fault.ts';
import type { LocalizedMessage } from '../../base/localized-message.ts';
import { faultMessage, tellCheck } from '../../locales/messages/en/machine.ts';
import { ms } from '../checks/diagnosis.ts';
import { checkPort, type Ports } from '../checks/port-check.ts';
import { openTrace } from '../trace/trace.ts';
import { meet, type TestedTerminal } from './pairing.ts';

export type MeetTools = ProbeTools & { ports?: Ports };
type StepListener = (step: PairingStep) => void;

/** The most messages that are reported with a step. */
const HEX_MOST = 60;

/**
 * Tries each suitable driver at each suitable port until one gets an answer. Throws `terminal.unknown` for an invalid
 * place, `terminal.notFound` with what happened at each, and `terminal.several` when a host has more than one.
 */
export const meetAt = async (place: string, input: MeetTools, tellStep: StepListener): Promise<TestedTerminal> => {
  const strays: string[] = [];
  const tools: MeetTools = {
    ...input,
    report(stray) {
      input.report(stray);
      strays.push(stray.message);
    },
  };
  const tell: StepListener = (step) => tellStep({ ...step, strays: strays.length > 0 ? strays.splice(0) : undefined });
  const met: TestedTerminal[] = [];
  const missed: string[] = [];
  for (const candidates of portsOf(candidateAt(place))) {
    const [first] = candidates;
    if (first === undefined) continue;
    const port = await checkPort(first.address, tools.ports);
    tell({ step: 'find', says: port.says, told: port.told?.says });
    const end = await meetPort(candidates, tools, tell);
    if (Array.isArray(end)) missed.push(...end);
    else met.push(end);
  }
  if (met.length === 0) throw new Fault('terminal.notFound', { why: `${place} (${missed.join('; ')})` });
  return theOne(differing(met));
};

/** The terminal that answers at a port, or what each driver met there. */
const meetPort = async (
  fits: Candidate['fits'],
  tools: MeetTools,
  tell: StepListener,
): Promise<TestedTerminal | string[]> => {
  const missed: string[] = [];
  for (const { address, driver } of fits) {
    try {
      // While the protocol is only guessed, no settings are changed before something has answered in it.
      if (fits.length > 1) await probe(address, tools);
      return await meetAs(address, tools, tell);
    } catch (error) {
      if (!isFault(error) || error.code === 'terminal.busy') throw error;
      missed.push(`${driver}: ${error.message}`);
      const message = tellCheck('failed', { fault: faultMessage(error) });
      tell({ step: 'talk', says: message.says, told: message, problem: problemOf(error) });
      // A port that one driver cannot open, no other driver can.
      if (error.code === 'link.unavailable') break;
    }
  }
  return missed;
};

const spoken = (text: LocalizedMessage): { says: string; told: LocalizedMessage } => ({ says: text.says, told: text });

const meetAs = async (address: string, tools: MeetTools, notify: StepListener): Promise<TestedTerminal> => {
  const trace = openTrace(tools.clock, { messages: HEX_MOST });
  let count = 0;
  const hex = (): string[] => {
    const fresh = trace.soFar(HEX_MOST).filter(({ n }) => n > count);
    count = fresh.at(-1)?.n ?? count;
    return fresh.map((row) => `${row.way === 'toTerminal' ? '>' : '<'} ${row.hex}`);
  };
  const { open = openTerminal, wrap } = tools;
  const met = await meet(address, {
    ...tools,
    wrap: (link, driver) => trace.wrap('')(wrap?.(link, driver) ?? link, driver),
    async open(at, openTools) {
      const device = await open(at, openTools);
      notify({ step: 'talk', ...spoken(tellCheck('answers')), hex: hex() });
      return device;
    },
  });
  const { info, echoMs, title } = met;
  const unknown = tellCheck('unknown');
  const firmware = info.firmware || unknown;
  notify({
    step: 'name',
    ...spoken(tellCheck('meets', { title, model: info.model, serial: info.serial || unknown, firmware })),
    hex: hex(),
  });
  notify({ step: 'test', ...spoken(tellCheck('tested', { count: echoMs.length, most: ms(Math.max(...echoMs)) })) });
  return met;
};

// Terminals that answered at a place: as text, and the one that is meant.

/** `Miura MPI · M020, serial number 01020304`. */
export const foundWords = ({ title, info }: Pick<FoundTerminal, 'title' | 'info'>): string =>
  `${title} · ${info.model}, serial number ${info.serial || 'unknown'}`;

/** The only terminal among those found. Throws `terminal.several` with all of them. */
export const theOne = <T extends Pick<FoundTerminal, 'address' | 'title' | 'info'>>(found: readonly T[]): T => {
  const [one, another] = found;
  if (one !== undefined && another === undefined) return one;
  throw new Fault('terminal.several', {
    count: found.length,
    list: found.map((each) => `${each.address} (${foundWords(each)})`).join(', '),
  });
};
