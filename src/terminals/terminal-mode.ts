/**
 * Checks a till's terminals: a live till uses no simulated terminal, a test till none that would charge real cards, and
 * no two counters use terminals that cannot be told apart. Pairing, diagnosis and trace open terminals themselves and
 * are not checked.
 */
import { isSimulated, type TerminalInfo } from '../../drivers/terminal.ts';
import { Fault, isFault } from '../base/fault.ts';
import { printable } from '../base/mask.ts';
import type { Mode } from '../base/mode.ts';
import type { KeptTerminal } from '../till/ports.ts';
import type { Presence } from './presence.ts';

export type TerminalRules = {
  mode: Mode;
  /** It asks its bank itself, so the till's gateway decides nothing. */
  integrated: boolean;
  /** A manager said that it is connected to its maker's test host, which moves no money. */
  testHost: boolean;
  /** Why it cannot serve its counter beside the till's other terminals. */
  conflict?(info: TerminalInfo): Fault | undefined;
};

/** A terminal's model in a sentence: its maker may have given none, or too long a one. */
const NAME_MOST = 60;

/** Why a till in this mode does not sell on this terminal. Undefined when it does. */
export const refusalOf = (info: TerminalInfo, { mode, integrated, testHost }: TerminalRules): Fault | undefined => {
  const simulated = isSimulated(info);
  const model = printable([info.model, info.serial].filter((part) => part !== '').join(' '), NAME_MOST);
  if (mode === 'live' && simulated) return new Fault('terminal.simulated', { model });
  // A reader's money moves at the gateway, and a live channel's answer is not an approval at a test till.
  if (mode === 'test' && integrated && !simulated && !testHost) return new Fault('terminal.real', { model });
  return undefined;
};

/** The same terminal, asked for its identity once after each opening. A refused terminal is closed. */
export const refuseByMode = <T extends { info(): Promise<TerminalInfo> } & object>(
  saved: KeptTerminal<T>,
  rules: TerminalRules,
): KeptTerminal<T> => {
  const refusals = new WeakSet<T>();
  return {
    drop: () => saved.drop(),
    async get() {
      const terminal = await saved.get();
      if (refusals.has(terminal)) return terminal;
      try {
        const info = await terminal.info();
        const refusal = refusalOf(info, rules) ?? rules.conflict?.(info);
        if (refusal !== undefined) throw refusal;
      } catch (error) {
        await saved.drop();
        throw error;
      }
      refusals.add(terminal);
      return terminal;
    },
  };
};

/** Nothing begins on a terminal that was refused when it was opened. Throws its refusal. */
export const refuseRefused = (presence: Presence): void => {
  if (presence.state === 'away' && isFault(presence.fault, 'terminal.simulated', 'terminal.real', 'terminal.twin'))
    throw presence.fault;
};
