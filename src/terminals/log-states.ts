/**
 * The technician's log: each line names its counter. A lasting fault of a terminal or the gateway is logged once,
 * however often it recurs, and its end is logged once.
 */
import { Fault } from '../base/fault.ts';
import type { FaultCode } from '../base/faults.ts';

/** `counter`: `T1`, if the error concerns one. */
export type ReportError = (error: unknown, counter?: string) => void;

export type LogStates = {
  report: ReportError;
  /** The terminal or the gateway answers again, or still answers. */
  isThere(what: 'gateway'): void;
  isThere(what: 'terminal', counter: string): void;
};

/** Faults that occur at every attempt while a terminal is disconnected. */
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
/** The same for the gateway. */
const gatewayAway: readonly FaultCode[] = ['host.unreachable', 'host.redirected', 'host.silent', 'machine.uncompared'];

const GATEWAY = 'gateway';
const atCounter = (counter: string): string => `terminal ${counter}`;

/** The state that this error belongs to. Undefined for errors that are logged each time. */
const stateOf = (error: unknown, counter: string | undefined): string | undefined => {
  if (!(error instanceof Fault)) return undefined;
  if (gatewayAway.includes(error.code)) return GATEWAY;
  return counter !== undefined && terminalAway.includes(error.code) ? atCounter(counter) : undefined;
};

/** `toldCodes`: the fault codes of this state that were logged. */
type LoggedState = { toldCodes: Set<FaultCode>; omittedCount: number };

export const openLogStates = (report: ReportError): LogStates => {
  const statesAway = new Map<string, LoggedState>();
  return {
    report(error, counter) {
      const key = stateOf(error, counter);
      if (key === undefined || !(error instanceof Fault)) return report(error, counter);
      const state = statesAway.get(key) ?? { toldCodes: new Set(), omittedCount: 0 };
      statesAway.set(key, state);
      if (state.toldCodes.has(error.code)) {
        state.omittedCount += 1;
        return;
      }
      state.toldCodes.add(error.code);
      report(error, counter);
    },
    isThere(what: 'gateway' | 'terminal', counter?: string) {
      const key = counter === undefined ? GATEWAY : atCounter(counter);
      const state = statesAway.get(key);
      if (state === undefined) return;
      statesAway.delete(key);
      report(`The ${what} answers again; the same trouble was met ${state.omittedCount} more times.`, counter);
    },
  };
};
