/** The technician's service on a running till: terminals, traces, the line, configuration and support files. */
import { candidateAt, candidatesOf, type ProbeTools, probeAll } from '../../drivers/discovery.ts';
import { listPluggedDevices, type PluggedDevices } from '../../drivers/links/plugged.ts';
import type { DeviceRow, PluggedAnswer } from '../api/contract/devices.ts';
import type { DiagnosisNews, DiagnosisRequest } from '../api/contract/diagnosis.ts';
import type { DevicesPort } from '../api/ports/devices.ts';
import { Fault } from '../base/fault.ts';
import { loadConfig } from '../folder/config.ts';
import { ownersOf, rightsOf } from '../folder/rights/folder-rights.ts';
import { testLine } from '../line/line-test.ts';
import { unlistedMessage } from '../locales/messages/en/machine.ts';
import { jumpsAtDevice, tellJumps } from './checks/device-checks.ts';
import { type Diagnosis, diagnose } from './checks/diagnosis.ts';
import { checkPort, type Ports } from './checks/port-check.ts';
import {
  activityFields,
  candidateRow,
  type DeviceActivity,
  diagnosisAnswer,
  pairedRows,
  rowOf,
  simulatedRow,
} from './device-rows.ts';
import { type Bench, openBench } from './devices-bench.ts';
import { onlyOne } from './pairing/device-identification.ts';
import { openPairings, ownAddresses, placeOf } from './pairing/devices-pairing.ts';
import { searchTerminals } from './pairing/search.ts';
import type { TerminalsParts } from './port.ts';
import { refind } from './refind.ts';
import { openExchange } from './support/exchange.ts';
import type { Installer } from './support/updates.ts';
import { traceLink } from './trace/recording.ts';

/** Replaced by tests, and extended by the installed app. */
export type DevicesEdges = {
  open?: ProbeTools['open'];
  ports?: Ports;
  plugged?(): Promise<PluggedDevices>;
  installer?: Installer;
  /** Certificates trusted in addition to the system's own, PEM. */
  trusted?: string;
};

export const openDevicesService = (parts: TerminalsParts, edges: DevicesEdges = {}): DevicesPort => {
  const { running, clock, ids, dataDir, terminalWatch } = parts;
  const { plugged = listPluggedDevices, trusted, installer } = edges;
  const bench = openBench(parts, edges);
  const { service: pairings, restartSoon } = openPairings(parts, bench);
  const devices = rowsOf(parts);
  const exam = examiner(parts, bench);
  const tools = { clock, report: parts.report, open: edges.open };
  const listOwnAddresses = () => ownAddresses(loadConfig(dataDir, ids), parts.simulated);
  return {
    devices,
    pluggedIn: () => listPlugged(loadConfig(dataDir, ids), plugged),
    async ask(counter) {
      const address = devices().find((one) => one.counter === counter)?.address;
      if (address === undefined) throw new Fault('terminal.unpaired');
      const { checks } = await exam.examine(address, { echoes: 0 });
      const failed = checks.find(({ verdict }) => verdict === 'bad');
      const ownCounter = running.counters.find(({ name }) => name === counter);
      // It answers. If the till's own opening had failed before, reopen it.
      if (failed === undefined && ownCounter?.presence().state === 'away') await ownCounter.ready().catch(parts.report);
      const row = devices().find((one) => one.counter === counter) as DeviceRow;
      return {
        ...row,
        problems: [...(failed ? [failed.says] : []), ...row.problems],
        ...(failed?.told && { toldProblems: [failed.told.says] }),
      };
    },
    async search(request, notify) {
      const withTools = <R>(address: string, work: (tools: ProbeTools) => Promise<R>) =>
        bench.withDevice(address, (on) => work(on.tools));
      const { found, ...rest } = await searchTerminals(
        request,
        { plugged, own: listOwnAddresses(), withTools },
        notify,
      );
      return { found: found.map((one) => rowOf(one.address, one)), ...rest };
    },
    ...pairings,
    async diagnose(request, notify) {
      const address = await placeToExamine(request, { own: listOwnAddresses(), ports: edges.ports, tools });
      notify({ address });
      const diagnosis = await exam.examine(address, { ...request, notify });
      const device = diagnosis.verdict === 'bad' ? bench.pairedDevice(address) : undefined;
      const newAddress =
        device &&
        (await refind({ address, device, takenAddresses: listOwnAddresses() }, { ...tools, listPlugged: plugged }));
      return { ...diagnosisAnswer(diagnosis), answersAt: newAddress };
    },
    trace: (listener) => terminalWatch.trace.listen(listener),
    traceSoFar: (most) => terminalWatch.trace.latest(most),
    testLine(notify) {
      const mayUse = running.place.plain.refusalFault() === undefined;
      const canReachGateway = () => running.isGatewayReachable();
      return testLine(
        { clock, baseUrl: running.gatewayUrl, mayUse, canReachGateway, trusted: trusted || undefined },
        notify,
      );
    },
    ...openExchange(parts, { bench, restartSoon, installer, diagnosis: exam.last }),
  };
};

/** What is plugged in, and which of it the configuration pairs. No till is needed, and no device is opened. */
export const listPlugged = async (
  config: Parameters<typeof candidateRow>[1],
  plugged: () => Promise<PluggedDevices> = listPluggedDevices,
): Promise<PluggedAnswer> => {
  const { devices: found, problems } = await plugged();
  const toldProblems = problems.map(unlistedMessage);
  return {
    candidates: candidatesOf(found).map((one) => candidateRow(one, config)),
    problems: toldProblems.map(({ says }) => says),
    toldProblems,
  };
};

type Examining = { own: readonly string[]; ports: Ports | undefined; tools: ProbeTools };

/**
 * The address to examine. A place without its protocol is tried with each protocol, which needs a person's consent. A
 * port that is missing or in use by another program needs none: nothing is sent there. Throws as `placeOf`.
 */
const placeToExamine = async (request: DiagnosisRequest, { own, ports, tools }: Examining): Promise<string> => {
  const { place, first, isOne } = placeOf({ ...request, probe: true }, own);
  if (isOne || (await checkPort(first, ports)).verdict === 'bad') return first;
  placeOf(request, own);
  return (await foundAt(place, tools)) ?? first;
};

/** The terminal that answers at a place. Undefined for none: a check reports why it does not answer. */
const foundAt = async (place: string, tools: ProbeTools): Promise<string | undefined> => {
  const [probed] = await probeAll([candidateAt(place)], tools);
  const { found = [] } = probed ?? {};
  return found.length === 0 ? undefined : onlyOne(found).address;
};

/** The terminals in their present state, without asking them. */
const rowsOf =
  ({ running, dataDir, ids, terminalWatch, simulated, mode, clock }: TerminalsParts) =>
  (): DeviceRow[] => {
    const reportOf = (address: string) => terminalWatch.told.get(address);
    const activityOf = (counter: string): DeviceActivity => {
      const ownCounter = running.counters.find(({ name }) => name === counter);
      const presence = ownCounter?.presence();
      return {
        busy: ownCounter?.till.isSelling() ?? false,
        lastSeenAt: terminalWatch.trace.lastHeardAt(counter),
        problem: presence?.state === 'away' ? `${presence.fault.message}.` : undefined,
        numbers: tellJumps(jumpsOf(counter) ?? []),
      };
    };
    const jumpsOf = jumpsByCounter({ running, clock });
    const rows = pairedRows(loadConfig(dataDir, ids), { reportOf, activityOf, mode });
    if (simulated === undefined || rows.some(({ counter }) => counter === 'T1')) return rows;
    return [{ ...simulatedRow(simulated, reportOf(simulated)), ...activityFields(activityOf('T1')) }, ...rows];
  };

/** Where the numbers of this counter's paired terminal jumped. Undefined for a card reader. */
const jumpsByCounter =
  ({ running, clock }: Pick<TerminalsParts, 'running' | 'clock'>) =>
  (counter: string | undefined) => {
    const { integrated, device, terminalId } = running.counters.find(({ name }) => name === counter) ?? {};
    if (integrated !== true || device === undefined || terminalId === undefined) return undefined;
    return jumpsAtDevice(running.ledger, { device, terminalId }, clock.now());
  };

type Examination = Pick<DiagnosisRequest, 'echoes' | 'live'> & { notify?: (progress: DiagnosisNews) => void };

/** The same tools; each message and each unexpected byte is reported to whoever follows the examination. */
const withProgress = (tools: ProbeTools, { live, notify: tell }: Examination): ProbeTools => {
  if (live !== true || tell === undefined) return tools;
  return {
    ...tools,
    report(stray) {
      tools.report(stray);
      tell({ stray: stray.message });
    },
    wrap: (link, driver) =>
      traceLink(tools.wrap?.(link, driver) ?? link, driver, {
        clock: tools.clock,
        onMessage: (message) => tell({ message }),
      }),
  };
};

const examiner = ({ terminalWatch, events, running, clock, dataDir }: TerminalsParts, bench: Bench) => {
  let diagnosis: Diagnosis | undefined;
  const jumpsOf = jumpsByCounter({ running, clock });
  const { binding, comparison } = running.place;
  const known = { ...(comparison !== undefined && { binding }), unknown: running.unknownKeys };
  return {
    last: () => diagnosis,
    async examine(address: string, examination: Examination): Promise<Diagnosis> {
      const rights = await rightsOf(dataDir, { owners: ownersOf(dataDir) });
      const diagnosed = await bench.withDevice(address, ({ tools, paired, counter }) => {
        const jumps = jumpsOf(counter);
        const device = paired && { device: paired };
        const { echoes, notify: tell } = examination;
        return diagnose(address, {
          ...withProgress(tools, examination),
          ...known,
          ...device,
          echoes,
          notify: tell,
          rights,
          jumps,
        });
      });
      diagnosis = diagnosed;
      if (diagnosed.found) terminalWatch.told.set(address, diagnosed.found);
      events.tell({ on: 'changed', what: 'devices' });
      return diagnosed;
    },
  };
};
