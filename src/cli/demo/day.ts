/** What happens on the demo's shop day: one row a customer, in order. */
import { presenting } from '../../../drivers/simulation/cardholder.ts';
import type { Presentation } from '../../../drivers/simulation/simulator.ts';
import type { Ending } from '../../runtime/outcome.ts';

/** The second counter has a terminal that authorises by itself. */
export type Counter = 'first' | 'second';

export type Scene =
  | { kind: 'sale'; says: string; at: Counter; amount: string; comes: Presentation; ends: Ending }
  /** Gives back on the nth scene of the day. */
  | { kind: 'refund'; says: string; at: Counter; amount: string; of: number; ends: Ending }
  | { kind: 'line'; says: string; up: boolean };

type Customer = Parameters<typeof presenting>[0];

/** The amount and the ending it must come to: `42.00 approved`. */
type How = `${string} ${Ending}`;

const sale = (says: string, how: How, customer: Customer): Scene => scene({ says, at: 'first' }, how, customer);

const authorised = (says: string, how: How, customer: Customer): Scene => scene({ says, at: 'second' }, how, customer);

const scene = (where: { says: string; at: Counter }, how: How, customer: Customer): Scene => {
  const [amount = '', ends] = how.split(' ') as [string, Ending];
  return { kind: 'sale', ...where, amount, ends, comes: presenting(customer) };
};

export const day: readonly Scene[] = [
  sale('Chip, with a PIN that the bank checks', '42.00 approved', { card: 'visa-credit', by: 'chip' }),
  sale('Contactless', '8.20 approved', { card: 'mastercard-tap', by: 'tap' }),
  sale('Magnetic stripe, signature', '15.50 approved', { card: 'visa-stripe', by: 'swipe' }),
  sale('Not enough money in the account', '64.00 declined', { card: 'visa-poor', by: 'chip' }),
  sale('The bank approves, then the chip refuses: the approval is given back', '9.90 declined', {
    card: 'visa-refusing-chip',
    by: 'chip',
  }),
  {
    kind: 'refund',
    says: 'Part of the first sale is given back',
    at: 'first',
    amount: '12.00',
    of: 0,
    ends: 'approved',
  },
  { kind: 'line', says: 'The line to the gateway is cut', up: false },
  sale('Offline: the chip approves by itself', '18.00 approved', { card: 'visa-no-cvm', by: 'chip' }),
  sale('Offline: the chip asks for the bank, cannot reach it, and approves', '30.00 approved', {
    card: 'mastercard-m10',
    by: 'chip',
  }),
  sale('Offline: a PIN that only the bank can check', '21.00 notSent', { card: 'mastercard-credit', by: 'chip' }),
  { kind: 'line', says: 'The line is back: what was taken offline is sent', up: true },
  sale('Contactless again', '3.60 approved', { card: 'mastercard-tap', by: 'tap' }),
  authorised('A terminal that authorises by itself', '12.40 approved', { card: 'visa-credit', by: 'chip' }),
  authorised('It declines', '64.00 declined', { card: 'visa-poor', by: 'chip' }),
  {
    kind: 'refund',
    says: 'It takes its payment back, without the card',
    at: 'second',
    amount: '12.40',
    of: 12,
    ends: 'approved',
  },
];
