/** A terminal's examination: port, opening, device, keys, health, the way to it and back; never a payment. */
import { type Found, look, type ProbeTools, withTerminal } from '../../drivers/discovery-probe.ts';
import { driverOf } from '../../drivers/registry.ts';
import { type Fault, isFault } from '../base/fault.ts';
import type { PairedDevice } from './config.ts';
import { checkTold } from './device-checks.ts';
import { type Loopback, loopback } from './loopback.ts';
import { type Check, checkPort, type Ports, ports, type Verdict } from './port-check.ts';

export type Diagnosis = {
  address: string;
  /** The worst of all checks. */
  verdict: Verdict;
  /** The verdict in a sentence. */
  says: string;
  checks: readonly Check[];
  found?: Pick<Found, 'title' | 'kind' | 'info' | 'keys' | 'health' | 'problems'>;
  loopback?: Loopback;
};

export type DiagnosisTools = ProbeTools & {
  ports?: Ports;
  echoes: number;
  /** What the till is paired with, to tell whether this is it. */
  device?: PairedDevice;
  /** Hears each check as it is made, and how far the echoes have come. */
  tell?: (news: { check: Check } | { echo: number; of: number }) => void;
};

/** Opening and asking may take so long, and each echo so much more. */
const LOOK_WITHIN_MS = 20_000;
const ECHO_WITHIN_MS = 5_000;

/** Examines the terminal at this address. Faults of link and device are among the checks; nothing is thrown. */
export const diagnose = async (address: string, tools: DiagnosisTools): Promise<Diagnosis> => {
  const { tell = () => {}, echoes } = tools;
  const checks: Check[] = [];
  const note = (check: Check): void => {
    checks.push(check);
    tell({ check });
  };
  note(await checkPort(address, tools.ports ?? ports));
  const parts: Pick<Diagnosis, 'found' | 'loopback'> = {};
  if (checks.some(({ verdict }) => verdict === 'bad')) {
    note({ what: 'Answers', verdict: 'notAsked', says: 'The terminal was not asked.' });
    return { address, checks, ...verdictOf(checks) };
  }
  const withinMs = LOOK_WITHIN_MS + echoes * ECHO_WITHIN_MS;
  try {
    await withTerminal(address, { withinMs, ...tools }, async (opened) => {
      note({
        what: 'Answers',
        verdict: 'good',
        says: `It answers as ${driverOf(address.replace(/\+.*$/s, '')).title}.`,
      });
      const told = await look(opened);
      parts.found = { title: driverOf(address.replace(/\+.*$/s, '')).title, kind: opened.kind, ...told };
      for (const check of checkTold(parts.found, tools.device)) note(check);
      const on = { clock: tools.clock, echoes, tell: (echo: number) => tell({ echo, of: echoes }) };
      parts.loopback = await loopback(() => opened.terminal.echo(), on);
      note(loopbackCheck(parts.loopback));
    });
  } catch (error) {
    if (!isFault(error)) throw error;
    note(failed(error, { address, hadAnswered: parts.found !== undefined }));
  }
  return { address, checks, ...parts, ...verdictOf(checks) };
};

/** Above this a customer notices the way itself: a cable or hub at fault, or a network with other traffic. */
const SLOW_MS = 250;

const loopbackCheck = ({ asked, answered, why, p95Ms = 0, medianMs = 0, maxMs = 0 }: Loopback): Check => {
  const what = 'Way';
  if (asked === 0) return { what, verdict: 'notAsked', says: 'No echoes were asked for.' };
  if (answered < asked) {
    const says = `${asked - answered} of ${asked} questions got no answer: ${why ?? 'unknown'}.`;
    return { what, verdict: 'bad', says, cure: 'Try another cable and another socket; then another terminal.' };
  }
  const times = `half within ${ms(medianMs)}, all within ${ms(maxMs)}`;
  if (p95Ms < SLOW_MS) return { what, verdict: 'good', says: `All ${asked} questions were answered: ${times}.` };
  const cure = 'Try another socket without a hub; for a terminal in the network, look at the network.';
  return { what, verdict: 'attention', says: `The way is slow: ${times}.`, cure };
};

/** Milliseconds as people read them: 0.42, 3.1, 250. */
export const ms = (value: number): string =>
  `${value < 1 ? value.toFixed(2) : value < 10 ? value.toFixed(1) : value.toFixed(0)} ms`;

const failed = (fault: Fault, { address, hadAnswered }: { address: string; hadAnswered: boolean }): Check => ({
  what: hadAnswered ? 'Way' : 'Answers',
  verdict: 'bad',
  says: hadAnswered ? `It answered, then the conversation ended: ${fault.message}.` : `${fault.message}.`,
  cure: fault.code === 'link.unavailable' && address.includes('+tcp:') ? notThere : (cures[fault.code] ?? fault.next),
});

const notThere =
  'Check that the terminal is on and in this network, and that its own menu shows this address and port; try to ping it.';

/** The faults’ own advice speaks of sales: here nothing was sold. */
const cures: Partial<Record<Fault['code'], string>> = {
  'terminal.silent':
    'Something is there but does not answer: wake the terminal, check its model and interface, or switch it off and on.',
  'terminal.garbled':
    'Something else than such a terminal answers, or at another speed: check the model, then the cable.',
  'link.lost': 'Check the cable and the terminal’s power; try another socket.',
};

const ranks: readonly Verdict[] = ['bad', 'attention', 'good'];

const verdictOf = (checks: readonly Check[]): Pick<Diagnosis, 'verdict' | 'says'> => {
  const verdict = ranks.find((rank) => checks.some((check) => check.verdict === rank)) ?? 'bad';
  const worst = checks.find((check) => check.verdict === verdict);
  const says = {
    good: 'The terminal is fine.',
    attention: `The terminal works. ${worst?.says ?? ''}`,
    bad: `The terminal cannot be used like this. ${worst?.says ?? ''}`,
  };
  return { verdict, says: says[verdict] };
};
