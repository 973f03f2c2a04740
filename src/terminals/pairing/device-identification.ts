/** Identifies a terminal at a place that a person named or chose. Each step is reported with the bytes exchanged. */
import {
  type Candidate,
  candidateAt,
  type FoundTerminal,
  type ProbeTools,
  portsOf,
  probe,
  withoutDuplicates,
} from '../../../drivers/discovery.ts';
import { openTerminal } from '../../../drivers/registry.ts';
import type { PairingStep } from '../../api/contract/devices.ts';
import { problemOf } from '../../api/problems.ts';
import { Fault, isFault } from '../../base/fault.ts';
import type { LocalizedMessage } from '../../base/localized-message.ts';
import { faultMessage, tellCheck } from '../../locales/messages/en/machine.ts';
import { printMs } from '../checks/diagnosis.ts';
import { checkPort, type Ports } from '../checks/port-check.ts';
import { openTrace } from '../trace/trace.ts';
import { identify, type TestedTerminal } from './pairing.ts';

export type MeetTools = ProbeTools & { ports?: Ports };
type StepListener = (step: PairingStep) => void;

/** The most messages that are reported with a step. */
const HEX_MOST = 60;

/**
 * Tries each suitable driver at each suitable port until one gets an answer. Throws `terminal.unknown` for an invalid
 * place, `terminal.notFound` with what happened at each, and `terminal.several` when a host has more than one.
 */
export const identifyAt = async (place: string, input: MeetTools, tellStep: StepListener): Promise<TestedTerminal> => {
  const strays: string[] = [];
  const tools: MeetTools = {
    ...input,
    report(stray) {
      input.report(stray);
      strays.push(stray.message);
    },
  };
  const tell: StepListener = (step) => tellStep({ ...step, strays: strays.length > 0 ? strays.splice(0) : undefined });
  const identified: TestedTerminal[] = [];
  const failures: string[] = [];
  for (const candidates of portsOf(candidateAt(place))) {
    const [first] = candidates;
    if (first === undefined) continue;
    const port = await checkPort(first.address, tools.ports);
    tell({ step: 'find', says: port.says, told: port.told?.says });
    const end = await identifyPort(candidates, tools, tell);
    if (Array.isArray(end)) failures.push(...end);
    else identified.push(end);
  }
  if (identified.length === 0) throw new Fault('terminal.notFound', { why: `${place} (${failures.join('; ')})` });
  return onlyOne(withoutDuplicates(identified));
};

/** The terminal that answers at a port, or what each driver met there. */
const identifyPort = async (
  fits: Candidate['fits'],
  tools: MeetTools,
  tell: StepListener,
): Promise<TestedTerminal | string[]> => {
  const failures: string[] = [];
  for (const { address, driver } of fits) {
    try {
      // While the protocol is only guessed, no settings are changed before something has answered in it.
      if (fits.length > 1) await probe(address, tools);
      return await identifyAs(address, tools, tell);
    } catch (error) {
      if (!isFault(error) || error.code === 'terminal.busy') throw error;
      failures.push(`${driver}: ${error.message}`);
      const message = tellCheck('failed', { fault: faultMessage(error) });
      tell({ step: 'talk', says: message.says, told: message, problem: problemOf(error) });
      // If one driver cannot open the port, no other driver can.
      if (error.code === 'link.unavailable') break;
    }
  }
  return failures;
};

const localizedFields = (text: LocalizedMessage): { says: string; told: LocalizedMessage } => ({
  says: text.says,
  told: text,
});

const identifyAs = async (address: string, tools: MeetTools, notify: StepListener): Promise<TestedTerminal> => {
  const trace = openTrace(tools.clock, { messages: HEX_MOST });
  let count = 0;
  const newHex = (): string[] => {
    const fresh = trace.latest(HEX_MOST).filter(({ n }) => n > count);
    count = fresh.at(-1)?.n ?? count;
    return fresh.map((row) => `${row.way === 'toTerminal' ? '>' : '<'} ${row.hex}`);
  };
  const { open = openTerminal, wrap } = tools;
  const identified = await identify(address, {
    ...tools,
    wrap: (link, driver) => trace.wrap('')(wrap?.(link, driver) ?? link, driver),
    async open(at, openTools) {
      const device = await open(at, openTools);
      notify({ step: 'talk', ...localizedFields(tellCheck('answers')), hex: newHex() });
      return device;
    },
  });
  const { info, echoMs, title } = identified;
  const unknown = tellCheck('unknown');
  const firmware = info.firmware || unknown;
  notify({
    step: 'name',
    ...localizedFields(tellCheck('meets', { title, model: info.model, serial: info.serial || unknown, firmware })),
    hex: newHex(),
  });
  notify({
    step: 'test',
    ...localizedFields(tellCheck('tested', { count: echoMs.length, most: printMs(Math.max(...echoMs)) })),
  });
  return identified;
};

// Terminals that answered at a place: as text, and the one that is meant.

/** `Miura MPI · M020, serial number 01020304`. */
export const describeFound = ({ title, info }: Pick<FoundTerminal, 'title' | 'info'>): string =>
  `${title} · ${info.model}, serial number ${info.serial || 'unknown'}`;

/** The only terminal among those found. Throws `terminal.several` with all of them. */
export const onlyOne = <T extends Pick<FoundTerminal, 'address' | 'title' | 'info'>>(found: readonly T[]): T => {
  const [one, another] = found;
  if (one !== undefined && another === undefined) return one;
  throw new Fault('terminal.several', {
    count: found.length,
    list: found.map((each) => `${each.address} (${describeFound(each)})`).join(', '),
  });
};
