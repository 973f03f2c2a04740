/** Getting to know a terminal at a place that a person named or chose: each step told with the bytes that went by. */
import { candidateAt } from '../../../drivers/discovery.ts';
import type { ProbeTools } from '../../../drivers/discovery-probe.ts';
import { openTerminal } from '../../../drivers/registry.ts';
import type { PairingStep } from '../../api/ports/devices.ts';
import { problemOf } from '../../api/problems.ts';
import { Fault, isFault } from '../../base/fault.ts';
import type { Told } from '../../base/told.ts';
import { faultTold, tellCheck } from '../check-words.ts';
import { ms } from '../diagnosis.ts';
import { type Met, meet } from '../pairing.ts';
import { checkPort, type Ports } from '../port-check.ts';
import { openTrace } from './trace.ts';

export type MeetTools = ProbeTools & { ports?: Ports };
type Tell = (step: PairingStep) => void;

/** Messages of a step that are told with it. */
const HEX_MOST = 60;

/**
 * Tries each driver that fits until one is answered. Throws `terminal.unknown` for a place that is none, and
 * `terminal.notFound` with what each met.
 */
export const meetAt = async (place: string, tools: MeetTools, tell: Tell): Promise<Met> => {
  const { fits } = candidateAt(place);
  const [first] = fits;
  if (first === undefined) throw new Fault('terminal.unknown', { text: place });
  const port = await checkPort(first.address, tools.ports);
  tell({ step: 'find', says: port.says, ...(port.told && { told: port.told.says }) });
  const met: string[] = [];
  for (const { address, driver } of fits) {
    try {
      return await meetAs(address, tools, tell);
    } catch (error) {
      if (!isFault(error) || error.code === 'terminal.busy') throw error;
      met.push(`${driver}: ${error.message}`);
      const told = tellCheck('failed', { fault: faultTold(error) });
      tell({ step: 'talk', says: told.says, told, problem: problemOf(error) });
      // A port that one driver cannot open no other can.
      if (error.code === 'link.unavailable') break;
    }
  }
  throw new Fault('terminal.notFound', { why: `${place} (${met.join('; ')})` });
};

const spoken = (told: Told): { says: string; told: Told } => ({ says: told.says, told });

const meetAs = async (address: string, tools: MeetTools, tell: Tell): Promise<Met> => {
  const trace = openTrace(tools.clock, { messages: HEX_MOST });
  let told = 0;
  const hex = (): string[] => {
    const fresh = trace.soFar(HEX_MOST).filter(({ n }) => n > told);
    told = fresh.at(-1)?.n ?? told;
    return fresh.map((row) => `${row.way === 'toTerminal' ? '>' : '<'} ${row.hex}`);
  };
  const { open = openTerminal, wrap } = tools;
  const met = await meet(address, {
    ...tools,
    wrap: (link, driver) => trace.wrap('')(wrap?.(link, driver) ?? link, driver),
    async open(at, openTools) {
      const opened = await open(at, openTools);
      tell({ step: 'talk', ...spoken(tellCheck('answers')), hex: hex() });
      return opened;
    },
  });
  const { info, echoMs, title } = met;
  const unknown = tellCheck('unknown');
  const firmware = info.firmware || unknown;
  tell({
    step: 'name',
    ...spoken(tellCheck('meets', { title, model: info.model, serial: info.serial || unknown, firmware })),
    hex: hex(),
  });
  tell({
    step: 'test',
    ...spoken(tellCheck('tested', { count: echoMs.length, most: ms(Math.max(...echoMs)) })),
  });
  return met;
};
