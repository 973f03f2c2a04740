/** How a purse's keeper decides, as an ordered table: the first row that applies gives the response code. Pure. */
import type { ResponseCode } from '../responses.ts';
import type { MethodAccount, MethodVerdict } from './method.ts';

/** Amounts in grains (`worth.ts`). */
type Facts = {
  type: 'PA' | 'DB' | 'CD';
  forced: 'approved' | 'declined' | undefined;
  /** What the amount asks for, in a test. */
  trigger: ResponseCode | undefined;
  account: Pick<MethodAccount, 'against' | 'pin' | 'shortOfFunds'>;
  /** Wrong PINs in a row, this one included. */
  wrongPins: number;
  amount: bigint;
  limit: bigint;
  /** Both undefined if the money comes from outside. */
  available: bigint | undefined;
  most: bigint | undefined;
};

/** So many wrong PINs in a row lock an account. */
export const pinTries = 3;

const spends = ({ type }: Facts): boolean => type !== 'CD';

type Row = { readonly says: string; readonly code: ResponseCode; readonly when: (facts: Facts) => boolean };

export const judgements: readonly Row[] = [
  { code: '75', says: 'PIN tries used up', when: (f) => f.account.pin !== undefined && f.wrongPins >= pinTries },
  { code: '55', says: 'PIN wrong', when: (f) => f.account.pin === 'wrong' },
  { code: '13', says: 'a payment of nothing', when: (f) => f.type !== 'PA' && f.amount === 0n },
  { code: '61', says: 'above the limit', when: (f) => spends(f) && f.amount > f.limit },
  {
    code: '51',
    says: 'not enough funds',
    when: (f) => spends(f) && f.available !== undefined && f.amount > f.available,
  },
  { code: '61', says: 'more than the purse holds', when: (f) => !spends(f) && overflows(f) },
];

const overflows = ({ available = 0n, amount, most }: Facts): boolean => most !== undefined && available + amount > most;

/** A forced ending stands above every rule; a test's trigger above all but that. */
export const judge = (facts: Facts): MethodVerdict => {
  const { forced, trigger, account } = facts;
  if (forced !== undefined) return { code: forced === 'approved' ? '00' : '05' };
  if (trigger !== undefined) return { code: trigger };
  if (account.against !== undefined) return account.against;
  const code = judgements.find(({ when }) => when(facts))?.code ?? '00';
  return code === '51' ? { code, ...account.shortOfFunds } : { code };
};
