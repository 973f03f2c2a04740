/** The customers of a busy Saturday: each one's card and behaviour. Each counter has its own cards. */
import type { Presentation } from '../../drivers/simulation/simulator.ts';
import { luhnDigit } from '../../src/emv/luhn.ts';
import { type TestCard, type TestCardName, testCard } from '../../src/emv/test-cards.ts';

type Customer = Omit<Presentation, 'card'> & {
  card: TestCardName;
  /** Per cent of customers. */
  share: number;
  /** Uses the test card itself, whose account the issuer limits; otherwise a similar card with unlimited funds. */
  isShared?: true;
};

export const customers = {
  taps: { card: 'mastercard-tap', by: 'tap', share: 45 },
  typesPin: { card: 'visa-credit', by: 'chip', share: 23 },
  signs: { card: 'visa-signature', by: 'chip', share: 3 },
  /** Its chip approves offline up to 25.00. */
  approvesItself: { card: 'visa-no-cvm', by: 'chip', share: 10 },
  inserts: { card: 'mastercard-m10', by: 'chip', share: 6 },
  swipes: { card: 'visa-stripe', by: 'swipe', share: 3, isShared: true },
  isPoor: { card: 'visa-poor', by: 'chip', share: 3, isShared: true },
  stole: { card: 'visa-stolen', by: 'tap', share: 1, isShared: true },
  hasStubbornChip: { card: 'visa-refusing-chip', by: 'chip', share: 2 },
  pullsCard: { card: 'visa-credit', by: 'chip', pullsCardAt: 'complete', share: 1 },
  cancels: { card: 'visa-credit', by: 'chip', cancels: true, share: 2 },
  forgotPin: { card: 'visa-debit', by: 'chip', pin: '9999', share: 1 },
} as const satisfies Record<string, Customer>;

export type CustomerName = keyof typeof customers;
export const customerNames = Object.keys(customers) as CustomerName[];

/** A customer whose taps a till accepts offline, and whose payments the bank then declines. */
export const unpaid: Omit<Customer, 'share'> = { card: 'visa-poor', by: 'tap', isShared: true };

/** The card that this customer brings to every counter; undefined if each counter has its own. */
export const sharedCardOf = (name: CustomerName | 'unpaid'): TestCardName | undefined => {
  const { card, isShared }: Omit<Customer, 'share'> = name === 'unpaid' ? unpaid : customers[name];
  return isShared && card;
};

/** The issuer treats every unlisted number as an account with ten million. */
const RICH_MINOR = 1_000_000_000n;

/**
 * The same account, brand and chip each time, at each start. `counter` starts at 0. `card.says` is the customer's name,
 * by which the terminal's record knows the card.
 */
export const presentationOf = (name: CustomerName | 'unpaid', counter: number): Presentation => {
  const {
    card,
    isShared,
    share: _,
    ...behaviour
  }: Customer = name === 'unpaid' ? { ...unpaid, share: 0 } : customers[name];
  const base = testCard(card);
  const ownCard: TestCard = isShared ? base : { ...base, pan: panOf(base, name, counter) };
  // If a terminal has its own host, that host knows no unlimited accounts.
  const availableMinor = base.endless || !isShared ? RICH_MINOR : base.availableMinor;
  return { ...behaviour, card: { ...ownCard, availableMinor, says: name } };
};

const panOf = ({ pan }: TestCard, name: CustomerName | 'unpaid', counter: number): string => {
  const variant = name === 'unpaid' ? 99 : customerNames.indexOf(name);
  const partial = `${pan.slice(0, 8)}9${String(counter).padStart(2, '0')}${String(variant).padStart(2, '0')}00`;
  return partial + luhnDigit(partial);
};
