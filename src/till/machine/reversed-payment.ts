/** Whether what a terminal took back is what it was to take back: amount, original trace number and card must fit. */
import type { TerminalPaymentFacts } from './terminal-facts.ts';

/** What the terminal told of the payment when it was made. */
export type Original = { readonly traceNumber?: string; readonly maskedPan?: string };

/** In what the reversal differs from its payment; undefined where it fits. */
export const misfitOf = (original: Original, told: TerminalPaymentFacts): string | undefined => {
  const traces = [original.traceNumber, told.originalTrace] as const;
  const cards = [original.maskedPan, told.maskedPan] as const;
  const said = [traces, cards].filter(([payment]) => payment !== undefined);
  if (traces.every((one) => one !== undefined) && Number(traces[0]) !== Number(traces[1]))
    return `it took back the payment with trace number ${traces[1]}, not ${traces[0]}`;
  if (cards[0] !== undefined && cards[1] !== undefined && !isSameCard(cards[0], cards[1]))
    return `it took back a payment with card ${cards[1]}, not ${cards[0]}`;
  // Journals of older tills say nothing of the payment here.
  if (said.length === 0 || said.some(([, reversal]) => reversal !== undefined)) return undefined;
  return 'it does not say which payment it took back';
};

/** Digit by digit, as far as both show them; the last four are shown by all. */
const isSameCard = (one: string, other: string): boolean =>
  one.slice(-4) === other.slice(-4) &&
  (one.length !== other.length ||
    [...one].every((digit, at) => isHidden(digit) || isHidden(other[at]) || digit === other[at]));

const isHidden = (digit: string | undefined): boolean => digit === '*';
