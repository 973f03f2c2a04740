/**
 * Asks candidates whether they are terminals. A probe says hello, reads what the device tells of itself and goes: it
 * never starts a payment. Several ports are asked side by side, the drivers of one port one after the other.
 */
import { type Clock, within } from '../src/base/clock.ts';
import { Fault, isFault, wordsOf } from '../src/base/fault.ts';
import { type Candidate, portsOf } from './discovery.ts';
import { type Severable, severable } from './links/link.ts';
import { driverOf, type OpenTerminal, type OpenTools, openTerminal } from './registry.ts';
import type { KeyState, TerminalHealth, TerminalInfo } from './terminal.ts';

/** How long one driver may try one port, from opening it to closing it. */
export const PROBE_WITHIN_MS = 8_000;

export type ProbeTools = {
  clock: Clock;
  /** What came unasked or garbled meanwhile. */
  report(stray: Fault): void;
  /** Opens a terminal: replaced where there is no hardware. */
  open?: (address: string, tools: OpenTools) => Promise<OpenTerminal>;
  /** May put itself between link and driver, as a trace does. */
  wrap?: OpenTools['wrap'];
  withinMs?: number;
  looks?: boolean | undefined;
};

/** What a terminal told of itself. */
export type FoundTerminal = {
  address: string;
  driver: string;
  /** Manufacturer and protocol, for people. */
  title: string;
  kind: OpenTerminal['kind'];
  info: TerminalInfo;
  /** Card readers only: an integrated terminal keeps its keys to itself. */
  keys?: readonly KeyState[];
  health?: TerminalHealth;
  /** What it would not tell, in whole sentences. */
  problems: readonly string[];
  tookMs: number;
};

/** One candidate's end: a terminal, several where several ports of a host may be meant, or what each driver met. */
export type Probed = {
  candidate: Candidate;
  found: readonly FoundTerminal[];
  tried: readonly { address: string; why: Fault }[];
};

/**
 * Opens the terminal, does `work`, and closes it, all within `withinMs`. Throws what opening or `work` throws, and
 * `terminal.silent` when the time is over; the link is closed then.
 */
export const withTerminal = async <T>(
  address: string,
  tools: ProbeTools,
  work: (opened: OpenTerminal) => Promise<T>,
): Promise<T> => {
  const { clock, report, open = openTerminal, withinMs = PROBE_WITHIN_MS, looks } = tools;
  const late = new Fault('terminal.silent', { command: 'our questions', ms: withinMs });
  let over = false;
  let link: Severable | undefined;
  const wrap: NonNullable<OpenTools['wrap']> = (bare, driver) => {
    link = severable(tools.wrap?.(bare, driver) ?? bare);
    // A port that opens only now has nobody waiting for it any more.
    if (over) void link.sever(late);
    return link;
  };
  const run = async (): Promise<T> => {
    const opened = await open(address, { clock, report, wrap, looks });
    try {
      return await work(opened);
    } finally {
      await opened.terminal.close();
    }
  };
  try {
    return await within(clock, withinMs, run(), () => late);
  } catch (error) {
    over = true;
    // The port is free again before another driver tries it.
    if (error === late) await link?.sever(late);
    throw error;
  }
};

/** What the terminal at this address tells of itself. Throws as `withTerminal` does. */
export const probe = (address: string, tools: ProbeTools): Promise<FoundTerminal> => {
  const began = tools.clock.monotonic();
  return withTerminal(address, { ...tools, looks: true }, async (opened) => {
    const told = await look(opened);
    return { address, ...titleOf(address), kind: opened.kind, ...told, tookMs: tools.clock.monotonic() - began };
  });
};

const titleOf = (address: string): { driver: string; title: string } => {
  const driver = driverOf(address.replace(/\+.*$/s, ''));
  return { driver: driver.name, title: driver.title };
};

/** Information, keys and health. One that it refuses is a problem of the terminal's, not of the look at it. */
export const look = async (
  opened: OpenTerminal,
): Promise<Pick<FoundTerminal, 'info' | 'keys' | 'health' | 'problems'>> => {
  const problems: string[] = [];
  const ask = async <T>(what: string, question: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await question();
    } catch (error) {
      if (!isFault(error, 'terminal.refused', 'terminal.unready', 'terminal.busy')) throw error;
      problems.push(`It does not tell ${what}: ${wordsOf(error)}.`);
      return undefined;
    }
  };
  const info = await opened.terminal.info();
  const keys = opened.kind === 'reader' ? await ask('its keys', () => opened.terminal.keys()) : undefined;
  const health = await ask('how it is', () => opened.terminal.health());
  return { info, problems, ...(keys !== undefined && { keys }), ...(health !== undefined && { health }) };
};

/** How far a search has come: `done` of `all` places are through. */
export type SearchProgress = { done: number; all: number; last?: Probed };

/** Asks all candidates at once. Never rejects: what does not answer is told with the reason, driver by driver. */
export const probeAll = async (
  candidates: readonly Candidate[],
  tools: ProbeTools,
  tell: (progress: SearchProgress) => void = () => {},
): Promise<Probed[]> => {
  const all = candidates.length;
  let done = 0;
  tell({ done, all });
  return Promise.all(
    candidates.map(async (candidate) => {
      const last = await probeOne(candidate, tools);
      done += 1;
      tell({ done, all, last });
      return last;
    }),
  );
};

const probeOne = async (candidate: Candidate, tools: ProbeTools): Promise<Probed> => {
  const ends = await Promise.all(portsOf(candidate).map((fits) => probePort(fits, tools)));
  return {
    candidate,
    found: differing(ends.flatMap(({ found }) => found ?? [])),
    tried: ends.flatMap(({ tried }) => tried),
  };
};

/** A terminal that listens at several of its ports is one. */
export const differing = <T extends Pick<FoundTerminal, 'driver' | 'info'>>(found: readonly T[]): T[] =>
  found.filter(
    ({ driver, info }, at) =>
      !found.slice(0, at).some((one) => info.serial !== '' && one.driver === driver && one.info.serial === info.serial),
  );

type PortEnd = { found?: FoundTerminal; tried: Probed['tried'] };

/** The first protocol that is answered is the port's: a terminal that is known gets no bytes of another protocol. */
const probePort = async (fits: Candidate['fits'], tools: ProbeTools): Promise<PortEnd> => {
  const tried: { address: string; why: Fault }[] = [];
  for (const { address } of fits) {
    try {
      return { tried, found: await probe(address, tools) };
    } catch (error) {
      const why = isFault(error) ? error : new Fault('program.failed', { why: wordsOf(error) }, error);
      tried.push({ address, why });
      // A port that one driver cannot open no other can.
      if (why.code === 'link.unavailable') break;
    }
  }
  return { tried };
};
