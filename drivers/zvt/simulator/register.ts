/**
 * What a register asked for when it registered, and the simulated terminal keeps to: nothing comes that was not asked
 * for. Source: PA00P015 13.08, 2.1 (configuration byte), 2.24 (log-off), 9.2 and 9.4.2 (containers, tag 26).
 */
import type { ZvtAsk } from '../protocol/commands.ts';

export type Register = {
  /** It prints the receipts of payments, and those of administration, which come to it as 06D1 or 06D3. */
  prints: { payments: boolean; administration: boolean };
  /** It wants to hear what the terminal is doing (04FF). */
  statuses: boolean;
  /** Receipts may come as blocks of text (06D3). */
  textBlocks: boolean;
  /** It takes containers (06). */
  containers: boolean;
};

const bits = { payments: 0x02, administration: 0x04, statuses: 0x08, asPrints: 0x80 } as const;

const registerBy = (
  config: number,
  { containers, textBlocks }: Pick<Register, 'containers' | 'textBlocks'>,
): Register => {
  const has = (bit: number): boolean => (config & bit) !== 0;
  // A register that wants no prints makes its receipts itself, out of the result.
  const comes = has(bits.asPrints);
  return {
    prints: { payments: comes && has(bits.payments), administration: comes && has(bits.administration) },
    statuses: has(bits.statuses),
    containers,
    textBlocks: containers && textBlocks,
  };
};

/** Of one that has logged off, or never registered: configuration 86, without containers. */
export const unregistered: Register = registerBy(0x86, { containers: false, textBlocks: false });

export const registerOf = ({ config, containers = false, textBlocks }: ZvtAsk<'registration'>): Register =>
  registerBy(Number.parseInt(config, 16), { containers, textBlocks });

/** Currencies that this terminal takes: those of the countries where ZVT is spoken. */
export const takesCurrency = (currency: string): boolean => ['EUR', 'CHF'].includes(currency);
