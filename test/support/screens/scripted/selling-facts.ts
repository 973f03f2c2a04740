/** What a scripted till says about sales: endings in the real till's words, earlier sales, a line that is up. */
import type { Counter, LineState } from '../../../../src/api/contract/counters.ts';
import type { Result, SaleDetail } from '../../../../src/api/contract/sales.ts';
import type { Amount } from '../../../../src/api/contract/wire.ts';
import type { DisplayMode } from '../../../../src/base/mode.ts';
import { tellOutcome } from '../../../../src/locales/messages/en/sales.ts';

export const eur = (amount: string): Amount => ({ amount, currency: 'EUR' });
export const minor = ({ amount }: Amount): bigint => BigInt(amount.replace('.', ''));
export const text = (value: bigint): string => `${value / 100n}.${String(value % 100n).padStart(2, '0')}`;

export const endings = {
  approved: {
    ending: 'approved',
    state: 'approved',
    reason: 'approved',
    says: 'Approved',
    money: 'Charged.',
    next: 'Hand over the receipt.',
    again: false,
    statusText: 'APPROVED 831742',
  },
  declined: {
    ending: 'declined',
    state: 'declined',
    reason: 'declinedByHost',
    says: 'This card was declined',
    money: 'Not charged.',
    next: 'Ask for another card.',
    again: true,
    why: 'insufficient funds',
    decline: { group: 'otherCard', code: '800.100.155', means: 'amount exceeds credit' },
    statusText: 'DECLINED 51 INSUFFICIENT FUNDS',
  },
  unknown: {
    ending: 'unknown',
    state: 'unknown',
    reason: 'unanswered',
    says: 'The gateway did not answer',
    money: 'We don’t know yet. The till is checking, and will reverse it if it was charged.',
    next: 'Do not charge again until this sale is resolved.',
    again: false,
  },
  offline: {
    ending: 'approved',
    state: 'offline',
    reason: 'takenOffline',
    says: 'Taken offline, not approved yet',
    money: 'Will be charged when the connection is back, if the bank approves it.',
    next: 'Hand over the receipt.',
    again: false,
  },
  declinedLater: {
    ending: 'declined',
    state: 'declined',
    reason: 'declinedOnForwarding',
    says: 'Taken offline, then declined by the bank: insufficient funds',
    money: 'Not charged, though the goods have left.',
    next: 'Tell the manager.',
    again: false,
    why: 'insufficient funds',
    unpaid: { state: 'open', missing: { amount: '12.50', currency: 'EUR' }, mayCharge: true },
  },
  cancelled: {
    ending: 'notSent',
    state: 'declined',
    reason: 'cancelledByTill',
    says: 'Cancelled at the till',
    money: 'Not charged.',
    next: 'Start again when ready.',
    again: true,
  },
} as const satisfies Record<string, Result>;

export const steady: LineState = {
  online: true,
  since: 0,
  waiting: { count: 0, total: eur('0.00') },
  unknown: 0,
  forPerson: 0,
  offline: { ready: true, used: eur('0.00'), most: eur('500.00'), left: eur('500.00'), count: 0 },
};

export const counter = (name: string): Counter => ({
  name,
  state: 'ready',
  model: 'VP3350',
  serial: name,
  integrated: false,
});

/** Earlier sales of today, newest first. */
export const pastSales = (count: number, at: number): SaleDetail[] =>
  Array.from({ length: count }, (_, index): SaleDetail => {
    const result = index % 7 === 3 ? endings.declined : index % 11 === 5 ? endings.offline : endings.approved;
    const amount = eur(text(BigInt(320 + ((index * 617) % 9000))));
    return {
      id: `past-${index}`,
      receipt: count - index,
      at: at - (index + 1) * 240_000,
      operation: 'sale',
      amount,
      state: result.state,
      ending: result.ending,
      reason: result.reason,
      says: result.says,
      last4: String(1000 + ((index * 37) % 9000)),
      brand: index % 3 === 0 ? 'Mastercard' : 'Visa',
      entryMode: 'chip',
      cashier: 'Anna',
      counter: 'T1',
      result,
      authorisationCode: '831742',
      terminalId: '12345678',
      sequence: count - index,
      followers: [],
      may: result.state === 'approved' ? [{ operation: 'refund', most: amount }, { operation: 'void' }] : [],
    };
  });

/** As the real till words it: sales at a test or training till moved no money. */
export const inMode = (result: Result, mode: DisplayMode): Result => {
  if (mode === 'live' || result.ending !== 'approved') return result;
  const money = tellOutcome(mode === 'training' ? 'noneInTraining' : 'noneInTest');
  const { reason, says, next } = result;
  const reported = {
    says: { code: `reason.${reason}.says`, says },
    money,
    next: { code: `reason.${reason}.next`, says: next },
  };
  return { ...result, money: money.says, told: reported };
};
