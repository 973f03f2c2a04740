/** The steps of a live sale, in more detail than its phases: what a command tells somebody who waits. Pure. */
import type { SaleStep } from '../api/contract/sale-steps.ts';
import { localizedEnding } from '../ledger/outcome.ts';
import { amountOf } from '../ledger/wire-money.ts';
import type { EndedSale, Sale } from '../till/machine/sale.ts';
import type { Progress } from '../till/running.ts';

export type NewStep = Omit<SaleStep, 'n' | 'at'>;

/** A sale that asks its terminal for hours has a step for each try: the latest are kept. */
const STEPS_KEPT = 50;

export const withStep = (steps: readonly SaleStep[], step: NewStep, at: number): SaleStep[] =>
  [...steps, { ...step, n: (steps.at(-1)?.n ?? 0) + 1, at }].slice(-STEPS_KEPT);

/** Undefined for progress that nobody waits for. */
export const stepOf = (progress: Progress): NewStep | undefined => {
  if (progress.kind === 'sale') return stepOfSale(progress.sale);
  if (progress.kind === 'earlier') return { step: 'earlierSale', earlier: earlierOf(progress.sale) };
  return progress.event === 'authorising' ? undefined : { step: progress.event };
};

const stepOfSale = (sale: Sale): NewStep | undefined => {
  switch (sale.at) {
    case 'noting':
      return { step: 'askingTerminalBefore' };
    case 'authorising':
      return sale.cancelled ? undefined : { step: sale.tries > 1 ? 'askingBankAgain' : 'askingBank' };
    case 'goingOffline':
      return { step: 'goingOffline' };
    case 'completing':
      return sale.card.entryMode === 'ICC' ? { step: 'cardFinishing' } : undefined;
    case 'paying':
      return sale.cancelled || sale.terminal.askedAt !== undefined ? undefined : { step: payingStep(sale) };
    case 'asking':
      return { step: 'askingTerminal', tries: sale.tries };
    default:
      return undefined;
  }
};

const payingStep = ({ intent }: Sale): SaleStep['step'] => {
  const how = intent.follows?.at?.how;
  if (how === undefined) return 'terminalPays';
  return how === 'reverse' ? 'terminalReverses' : 'terminalRefunds';
};

const earlierOf = (sale: EndedSale): SaleStep['earlier'] => {
  const { says, money } = localizedEnding(sale);
  const { receipt, amount } = sale.intent;
  return { receipt, amount: amountOf(amount), says: says.says, money: money.says };
};
