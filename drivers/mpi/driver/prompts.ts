/** The texts of the device's display, four short lines at most. */
import { printMoney } from '../../../src/base/money.ts';
import type { CardInterface, Prompt, ReadRequest } from '../../terminal.ts';

export const promptTexts: Readonly<Record<Prompt, string>> = {
  welcome: 'WELCOME',
  processing: 'PLEASE WAIT',
  approved: 'APPROVED',
  declined: 'DECLINED',
  cancelled: 'CANCELLED',
  removeCard: 'REMOVE CARD',
};

const verbs: readonly (readonly [CardInterface, string])[] = [
  ['tap', 'TAP'],
  ['chip', 'INSERT'],
  ['swipe', 'SWIPE'],
];

/** The amount, and what may be done with a card: `12.50 EUR` / `TAP, INSERT OR SWIPE`. */
export const presentText = ({ amount }: ReadRequest, accept: ReadonlySet<CardInterface>): string => {
  const words = verbs.filter(([each]) => accept.has(each)).map(([, verb]) => verb);
  const last = words.pop() ?? '';
  const ways = words.length === 0 ? last : `${words.join(', ')} OR ${last}`;
  return `${printMoney(amount)}\n${ways}`;
};
