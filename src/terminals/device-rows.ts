/** Terminals as rows of the technician's screen: what is stored about them, and what they last reported. */
import { readAddress } from '../../drivers/address.ts';
import type { Candidate, FoundTerminal } from '../../drivers/discovery.ts';
import { asksBankAt, driverAt } from '../../drivers/registry.ts';
import type { DeviceRow, LinkKind } from '../api/contract/devices.ts';
import type { DiagnosisAnswer } from '../api/contract/diagnosis.ts';
import type { LocalizedMessage as Words } from '../base/localized-message.ts';
import type { DisplayMode } from '../base/mode.ts';
import type { Config } from '../folder/config.ts';
import type { Diagnosis } from './checks/diagnosis.ts';
import { barsOf, type Loopback } from './checks/loopback.ts';
import { pairedAt } from './pairing/pairing.ts';
import { testHostOf } from './pairing/test-host.ts';

/** What a terminal reported when it was last asked. */
export type TerminalReport = Pick<FoundTerminal, 'title' | 'info' | 'keys' | 'health' | 'problems'>;

export type DeviceActivity = {
  busy: boolean;
  problem?: string | undefined;
  lastSeenAt?: number | undefined;
  /** Somebody else may be selling on it. */
  numbers?: Words | undefined;
};

type RowsInput = {
  reportOf(address: string): TerminalReport | undefined;
  activityOf(counter: string): DeviceActivity;
  mode: DisplayMode;
};

export const pairedRows = (config: Config, { reportOf, activityOf, mode }: RowsInput): DeviceRow[] =>
  Array.from({ length: 1 + (config.terminals?.length ?? 0) }, (_, i) => i).flatMap((at): DeviceRow[] => {
    const { terminal, device, terminalId } = pairedAt(config, at) ?? { terminalId: '' };
    if (terminal === undefined) return [];
    const counter = `T${at + 1}`;
    const now = activityOf(counter);
    const row = rowOf(terminal, reportOf(terminal));
    const atTestHost = testHostOf({ terminal, device }, mode);
    return [
      {
        ...row,
        counter,
        terminalId,
        atTestHost,
        pairedAt: device?.pairedAt,
        written: device,
        ...(device && { model: device.model, serial: device.serial, firmware: row.firmware ?? device.firmware }),
        ...activityFields(now),
        ...problemsOf(now, row),
      },
    ];
  });

const problemsOf = (
  { problem, numbers }: DeviceActivity,
  row: DeviceRow,
): Pick<DeviceRow, 'problems' | 'toldProblems'> => {
  const ownProblems = problem === undefined ? [] : [problem];
  if (numbers === undefined) return { problems: [...ownProblems, ...row.problems] };
  return {
    problems: [...ownProblems, numbers.says, ...row.problems],
    toldProblems: [...ownProblems.map(() => null), numbers],
  };
};

export const activityFields = ({ busy, lastSeenAt }: DeviceActivity): Pick<DeviceRow, 'busy' | 'lastSeenAt'> => ({
  busy: busy || undefined,
  lastSeenAt,
});

/** The simulated terminal of a till without a paired one. */
export const simulatedRow = (address: string, report: TerminalReport | undefined): DeviceRow => ({
  ...rowOf(address, report),
  counter: 'T1',
  simulated: true,
});

export const rowOf = (address: string, report: TerminalReport | undefined): DeviceRow => {
  const { link } = readAddress(address);
  const driver = driverAt(address);
  const base: DeviceRow = {
    address,
    link,
    driver: driver?.name,
    title: report?.title ?? driver?.title ?? address,
    problems: [...(report?.problems ?? [])],
    asksBank: asksBankAt(address) || undefined,
  };
  if (report === undefined) return base;
  const { info, keys, health } = report;
  return {
    ...base,
    model: info.model,
    serial: info.serial,
    firmware: info.firmware,
    hasPinPad: info.hasPinPad,
    keys: keys && [...keys],
    batteryPercent: health?.batteryPercent,
    clockDifferenceMs: health?.clockDifferenceMs,
    tampered: health?.tampered,
    health,
    problems: [...base.problems, ...(health?.problems ?? [])],
  };
};

type PairedTerminals = Pick<Config, 'terminal' | 'terminals'>;

/** Something plugged in that may be a terminal: what USB says about it, and which drivers may fit. */
export const candidateRow = (candidate: Candidate, config: PairedTerminals): DeviceRow => {
  const { place, fits, likely, family, usb, path } = candidate;
  const [first] = fits;
  const address = first?.address ?? place;
  const paired = pairedAddresses(config).find(([, at]) => fits.some((fit) => fit.address === at));
  return {
    address,
    link: linkOf(place),
    driver: fits.length === 1 ? first?.driver : undefined,
    title: family ?? usb?.product ?? usb?.manufacturer ?? place,
    serial: usb?.serial,
    counter: paired?.[0],
    problems: [],
    fits: [...fits],
    likely,
    place,
    path,
    family,
    usb,
  };
};

const linkOf = (place: string): LinkKind =>
  place.startsWith('hid:') ? 'hid' : place.startsWith('tcp:') ? 'tcp' : 'serial';

export const pairedAddresses = (config: PairedTerminals): [counter: string, address: string][] =>
  [config.terminal, ...(config.terminals ?? []).map(({ terminal }) => terminal)].flatMap(
    (address, i): [string, string][] => (address === undefined ? [] : [[`T${i + 1}`, address]]),
  );

const figuresOf = ({ asked, why, minMs, medianMs, p95Ms, maxMs }: Loopback) => ({
  ...{ asked, why, minMs, medianMs, p95Ms, maxMs },
});

const verdicts = { good: 'good', attention: 'odd', bad: 'bad', notAsked: 'notAsked' } as const;

export const diagnosisAnswer = ({
  address,
  verdict,
  says,
  told,
  checks,
  found,
  loopback,
  dialects,
}: Diagnosis): DiagnosisAnswer => ({
  address,
  verdict: verdicts[verdict],
  says,
  told,
  checks,
  device: found && rowOf(address, found),
  loopback: loopback && {
    tookMs: [...loopback.tookMs],
    // JSON has no infinity.
    histogram: barsOf(loopback.tookMs).map((bar) => ({
      ...bar,
      toMs: Number.isFinite(bar.toMs) ? bar.toMs : undefined,
    })),
    lost: loopback.asked - loopback.answered,
    ...figuresOf(loopback),
  },
  dialects,
});
