/**
 * The check between a till and its terminals: a live till sells on no simulated terminal, a test till on none that
 * would charge real cards, and no two counters on terminals that cannot be told apart. Pairing, diagnosis and trace
 * open terminals themselves and are not checked.
 */
import { isSimulated, type TerminalInfo } from '../../drivers/terminal.ts';
import { Fault, isFault } from '../base/fault.ts';
import { printable } from '../base/mask.ts';
import type { Mode } from '../base/mode.ts';
import type { Kept } from '../till/ports.ts';
import type { Presence } from './presence.ts';

export type TerminalRules = {
  mode: Mode;
  /** It asks its bank itself: the till's gateway decides nothing. */
  integrated: boolean;
  /** A manager said that it is at its maker's test host, which moves no money. */
  testHost: boolean;
  /** Why it cannot serve its counter beside the till's other terminals. */
  twin?(info: TerminalInfo): Fault | undefined;
};

/** A terminal's model in a sentence: its maker may have said nothing, or too much. */
const NAME_MOST = 60;

/** Why a till in this mode sells nothing on this terminal; undefined where it does. */
export const refusalOf = (info: TerminalInfo, { mode, integrated, testHost }: TerminalRules): Fault | undefined => {
  const simulated = isSimulated(info);
  const model = printable([info.model, info.serial].filter((part) => part !== '').join(' '), NAME_MOST);
  if (mode === 'live' && simulated) return new Fault('terminal.simulated', { model });
  // A reader's money moves at the gateway, and the answer of a live channel is no approval at a test till.
  if (mode === 'test' && integrated && !simulated && !testHost) return new Fault('terminal.real', { model });
  return undefined;
};

/** The same terminal, asked once after each opening what it is. One that is refused is let go of. */
export const inMode = <T extends { info(): Promise<TerminalInfo> } & object>(
  kept: Kept<T>,
  rules: TerminalRules,
): Kept<T> => {
  const judged = new WeakSet<T>();
  return {
    drop: () => kept.drop(),
    async get() {
      const terminal = await kept.get();
      if (judged.has(terminal)) return terminal;
      try {
        const info = await terminal.info();
        const refusal = refusalOf(info, rules) ?? rules.twin?.(info);
        if (refusal !== undefined) throw refusal;
      } catch (error) {
        await kept.drop();
        throw error;
      }
      judged.add(terminal);
      return terminal;
    },
  };
};

/** Nothing is begun on a terminal that was refused when it was opened. Throws its refusal. */
export const refuseRefused = (presence: Presence): void => {
  if (presence.state === 'away' && isFault(presence.fault, 'terminal.simulated', 'terminal.real', 'terminal.twin'))
    throw presence.fault;
};
