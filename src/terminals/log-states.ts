/**
 * The technician's log: each line names its counter, and a state is told once, however often it is tried. While a
 * terminal or the gateway is away the same trouble is not told again; that it is back is told once.
 */
import { Fault } from '../base/fault.ts';
import type { FaultCode } from '../base/faults.ts';

/** `counter`: `T1`, where it is about one. */
export type ReportError = (error: unknown, counter?: string) => void;

export type LogStates = {
  report: ReportError;
  /** It answers again, or still. */
  isThere(what: 'gateway'): void;
  isThere(what: 'terminal', counter: string): void;
};

/** Faults that every try meets anew while a terminal is away. */
const terminalAway: readonly FaultCode[] = [
  'link.unavailable',
  'link.lost',
  'terminal.silent',
  'terminal.unready',
  'terminal.unpaired',
  'terminal.other',
  'terminal.twin',
  'terminal.simulated',
  'terminal.real',
];
/** The same of the gateway. */
const gatewayAway: readonly FaultCode[] = ['host.unreachable', 'host.redirected', 'host.silent', 'machine.uncompared'];

const GATEWAY = 'gateway';
const atCounter = (counter: string): string => `terminal ${counter}`;

/** Which state this tells of; undefined for what is told each time. */
const stateOf = (error: unknown, counter: string | undefined): string | undefined => {
  if (!(error instanceof Fault)) return undefined;
  if (gatewayAway.includes(error.code)) return GATEWAY;
  return counter !== undefined && terminalAway.includes(error.code) ? atCounter(counter) : undefined;
};

/** `told`: codes of this state that were told. */
type Away = { told: Set<FaultCode>; leftOut: number };

export const openLogStates = (report: ReportError): LogStates => {
  const away = new Map<string, Away>();
  return {
    report(error, counter) {
      const key = stateOf(error, counter);
      if (key === undefined || !(error instanceof Fault)) return report(error, counter);
      const state = away.get(key) ?? { told: new Set(), leftOut: 0 };
      away.set(key, state);
      if (state.told.has(error.code)) {
        state.leftOut += 1;
        return;
      }
      state.told.add(error.code);
      report(error, counter);
    },
    isThere(what: 'gateway' | 'terminal', counter?: string) {
      const key = counter === undefined ? GATEWAY : atCounter(counter);
      const state = away.get(key);
      if (state === undefined) return;
      away.delete(key);
      report(`The ${what} answers again; the same trouble was met ${state.leftOut} more times.`, counter);
    },
  };
};
