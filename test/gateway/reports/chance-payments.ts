/** Random payments for settlement: chains of every kind, at any time of several days, some with late endings. */

import { shortIdOf } from '../../../src/gateway/payments/short-id.ts';
import { meaningOf } from '../../../src/gateway/spec/results.ts';
import type { Payment } from '../../../src/gateway/store/records.ts';
import type { Store } from '../../../src/gateway/store/store.ts';
import type { Dice } from '../../support/chance/dice.ts';

export const ENTITY = 'e'.repeat(32);
export const FIRST_DAY = '2026-11-02';
const START = Date.parse(`${FIRST_DAY}T00:00:00Z`);
export const DAY_MS = 86_400_000;

type Type = Payment['paymentType'];

/** The possible follow-ups of each type, which never take more than is left. */
const next: Partial<Record<Type, readonly [Type, ...Type[]]>> = {
  PA: ['CP', 'RV', 'RC'],
  DB: ['RF', 'RV', 'CB', 'RB'],
  CP: ['RF', 'RV', 'CB'],
  CD: ['RF', 'RV'],
  RB: ['RF', 'CB'],
  CB: ['CR'],
  CR: ['CB'],
};

export type Chance = { readonly payments: readonly Payment[]; readonly days: number };

export const chancePayments = (dice: Dice, count: number, days: number): Chance => {
  const payments: Payment[] = [];
  const remainingById = new Map<string, bigint>();
  for (let n = 0; n < count; n += 1) {
    const parent = dice.percent(45) ? payments[dice.between(0, payments.length - 1)] : undefined;
    const created =
      parent === undefined ? createStart(dice, days) : createFollowUp(dice, parent, remainingById.get(parent.id) ?? 0n);
    if (created === undefined) continue;
    payments.push(created);
    remainingById.set(created.id, created.amount.minor);
    if (parent !== undefined && isSettled(created))
      remainingById.set(parent.id, (remainingById.get(parent.id) ?? 0n) - created.amount.minor);
  }
  return { payments, days };
};

const isSettled = (payment: Payment): boolean =>
  payment.paymentType !== 'RB' && payment.state === 'done' && meaningOf(payment.resultCode) === 'approved';

const codes = ['000.100.110', '000.000.000', '000.100.112', '000.400.000'] as const;
const other = ['800.100.153', '000.400.101', '000.200.000', '900.100.300', '700.400.200'] as const;

const createStart = (dice: Dice, days: number): Payment => {
  const id = dice.ids.next();
  const at = START + dice.between(0, days * DAY_MS - 1);
  return payment(dice, { id, at, paymentType: dice.one(['DB', 'DB', 'PA', 'CD', 'PA.CP']), rootId: id });
};

const createFollowUp = (dice: Dice, parent: Payment, remaining: bigint): Payment | undefined => {
  const types = next[parent.paymentType];
  if (types === undefined || remaining <= 0n || !isSettled({ ...parent, paymentType: 'DB' })) return undefined;
  const paymentType = dice.one(types);
  const minor = dice.percent(60) ? remaining : BigInt(dice.between(1, Number(remaining)));
  // Clocks of gateways differ: a follow-up may have an earlier time than the payment it follows.
  const at = parent.at + dice.between(-1_000, 2 * DAY_MS);
  const of = { at, paymentType, rootId: parent.rootId, referencedId: parent.id };
  return payment(dice, { id: dice.ids.next(), ...of, amount: { minor, currency: parent.amount.currency } });
};

type Parts = Pick<Payment, 'id' | 'at' | 'paymentType' | 'rootId'> & Partial<Pick<Payment, 'referencedId' | 'amount'>>;

const payment = (dice: Dice, parts: Parts): Payment => ({
  entityId: ENTITY,
  paymentMethod: 'CC',
  amount: { minor: BigInt(dice.between(1, 500_000)), currency: dice.one(['EUR', 'EUR', 'USD', 'JPY']) },
  shortId: shortIdOf(parts.id),
  merchantTransactionId: dice.percent(70) ? `order-${parts.id.slice(0, 12)}` : undefined,
  facts: {
    descriptor: 'Shop',
    requestId: parts.id,
    acquirerId: parts.rootId,
    paymentBrand: dice.one(['VISA', 'MASTER']),
    card: { last4Digits: '0010', expiryMonth: '12', expiryYear: '2030' },
    echo: dice.percent(20) ? { testMode: 'EXTERNAL' } : {},
  },
  ...parts,
  state: 'done',
  resultCode: dice.percent(85) ? dice.one(codes) : dice.one(other),
});

/** Inserts a payment: complete, or still waiting for its ending. */
export const addPayment = (store: Store, each: Payment, isWaiting: boolean): Promise<void> =>
  store.transact([], (session) => {
    if (!isWaiting) return session.add(each, []);
    const { state: _, resultCode: __, ...rest } = { resultCode: '', ...each };
    return session.add({ ...rest, state: 'processing' }, []);
  });

export const end = async (store: Store, { id, facts, ...one }: Payment): Promise<void> => {
  await store.finish(id, { resultCode: one.state === 'done' ? one.resultCode : '', facts });
};
