/** The scenes of the demo's day: one row for each customer, in order. */
import { presentationFor } from '../../../drivers/simulation/cardholder.ts';
import type { Presentation } from '../../../drivers/simulation/simulator.ts';
import type { Ending } from '../../ledger/outcome.ts';

/** The second counter has a terminal that authorises by itself. */
export type DemoCounterName = 'first' | 'second';

type DemoStep = { says: string; at: DemoCounterName; amount: string; ends: Ending; name?: string };

export type Scene =
  /** `rest` names the scene whose bill this payment completes. */
  | (DemoStep & {
      kind: 'card';
      operation: 'sale' | 'preauthorisation' | 'credit';
      comes: Presentation;
      partial?: true;
      rest?: string;
    })
  /** `of` names the scene that it follows. */
  | (DemoStep & { kind: 'follow'; operation: 'refund' | 'void' | 'increment' | 'completion'; of: string; tip?: string })
  | (DemoStep & { kind: 'gift'; number: string })
  | { kind: 'line'; says: string; up: boolean };

type Customer = Parameters<typeof presentationFor>[0];
type Card = Extract<Scene, { kind: 'card' }>;
type Follow = Extract<Scene, { kind: 'follow' }>;

/** The amount and the expected ending: `42.00 approved`. */
type How = `${string} ${Ending}`;

const parts = (how: How): { amount: string; ends: Ending } => {
  const [amount = '', ends] = how.split(' ') as [string, Ending];
  return { amount, ends };
};

/** A customer's sale. `more`: what differs from an ordinary sale at the first counter. */
const card = (says: string, how: How, { card, by, ...more }: Customer & Partial<Card>): Scene => ({
  kind: 'card',
  operation: 'sale',
  says,
  at: 'first',
  ...parts(how),
  comes: presentationFor({ card, by }),
  ...more,
});

const follow = (says: string, how: How, of: Pick<Follow, 'operation' | 'of'> & Partial<Follow>): Scene => ({
  kind: 'follow',
  says,
  at: 'first',
  ...parts(how),
  ...of,
});

const morning: readonly Scene[] = [
  card('Chip, with a PIN that the bank checks', '42.00 approved', { card: 'visa-credit', by: 'chip', name: 'chip' }),
  card('Contactless', '8.20 approved', { card: 'mastercard-tap', by: 'tap' }),
  card('Magnetic stripe, signature', '15.50 approved', { card: 'visa-stripe', by: 'swipe' }),
  card('Not enough money in the account', '64.00 declined', { card: 'visa-poor', by: 'chip' }),
  card('The bank approves, then the chip refuses: the approval is reversed', '9.90 declined', {
    card: 'visa-refusing-chip',
    by: 'chip',
  }),
  follow('A part of the first sale is refunded', '12.00 approved', { operation: 'refund', of: 'chip' }),
  card('The wrong amount was typed …', '75.00 approved', { card: 'mastercard-tap', by: 'tap', name: 'wrong' }),
  follow('… and the sale is voided', '75.00 approved', { operation: 'void', of: 'wrong' }),
  card('A card with too little money pays a part …', '16.00 approved', {
    card: 'visa-poor',
    by: 'chip',
    partial: true,
    name: 'part',
  }),
  card('… and another card the rest', '6.00 approved', { card: 'mastercard-tap', by: 'tap', rest: 'part' }),
  card('A table is opened: an amount is held', '80.00 approved', {
    card: 'visa-credit',
    by: 'chip',
    operation: 'preauthorisation',
    name: 'table',
  }),
  follow('The table orders more: a larger amount is held', '20.00 approved', { operation: 'increment', of: 'table' }),
  { kind: 'gift', says: 'Paid by gift card', at: 'first', ...parts('20.00 approved'), number: '9911223344556677' },
  card('A credit to a card without an earlier payment', '5.00 approved', {
    card: 'visa-credit',
    by: 'chip',
    operation: 'credit',
  }),
];

const withoutLine: readonly Scene[] = [
  { kind: 'line', says: 'The connection to the gateway is cut', up: false },
  card('Offline: the chip approves on its own', '18.00 approved', { card: 'visa-no-cvm', by: 'chip' }),
  card('Offline: the chip asks for the bank, which is unreachable, and approves', '30.00 approved', {
    card: 'mastercard-m10',
    by: 'chip',
  }),
  card('Offline: a PIN that only the bank can check', '21.00 notSent', { card: 'mastercard-credit', by: 'chip' }),
  card('Offline: a sale …', '4.20 approved', { card: 'visa-no-cvm', by: 'chip', name: 'unsent' }),
  follow('… that is voided before it was sent', '4.20 approved', { operation: 'void', of: 'unsent' }),
  follow('Offline: the table pays, with a tip', '91.00 approved', {
    operation: 'completion',
    of: 'table',
    tip: '9.00',
  }),
  { kind: 'line', says: 'The connection is back: the offline sales are sent', up: true },
];

const evening: readonly Scene[] = [
  card('Contactless again', '3.60 approved', { card: 'mastercard-tap', by: 'tap' }),
  card('A terminal that authorises by itself', '12.40 approved', {
    card: 'visa-credit',
    by: 'chip',
    at: 'second',
    name: 'there',
  }),
  card('It declines', '64.00 declined', { card: 'visa-poor', by: 'chip', at: 'second' }),
  follow('It reverses its payment without the card', '12.40 approved', {
    operation: 'refund',
    of: 'there',
    at: 'second',
  }),
];

export const day: readonly Scene[] = [...morning, ...withoutLine, ...evening];
