/**
 * A twin of the payment gateway as the till sees it: it keeps books, answers a repeated key with its first answer,
 * and on request loses requests, loses answers, or takes a request long after its sender gave up.
 */
import type { Clock } from '../../src/base/clock.ts';
import { pause } from '../../src/base/clock.ts';
import { Fault } from '../../src/base/fault.ts';
import type { Host, HostReply, Parameters } from '../../src/till/ports.ts';

/** What becomes of one request. */
export type Fate = 'answered' | 'notReached' | 'requestLost' | 'answerLost' | 'takenLate' | 'throttled' | 'nonsense';

export type BookkeepingOptions = {
  clock: Clock;
  fate(): Fate;
  /** Whether the issuer says yes to this amount. */
  approves(amount: string): boolean;
  /** How long an answered request takes, ms. */
  takesMs(): number;
  timeoutMs: number;
  /** After this a request that was sent is certainly taken or lost. */
  requestLifeMs: number;
};

export type Booking = {
  id: string;
  paymentType: string;
  merchantTransactionId: string;
  amount: string;
  currency: string;
  code: string;
  of?: string;
};

export type BookkeepingHost = Host & { readonly books: readonly Booking[] };

const APPROVED = '000.100.110';
const codes: Readonly<
  Record<string, { means: 'approved' | 'declined' | 'refused' | 'later' | 'unknown'; description: string }>
> = {
  [APPROVED]: { means: 'approved', description: 'done' },
  '800.100.155': { means: 'declined', description: 'amount exceeds credit' },
  '700.400.300': { means: 'refused', description: 'cannot reverse: already reversed or refunded' },
  '700.400.200': { means: 'refused', description: 'cannot refund: too much' },
  '700.400.530': { means: 'refused', description: 'cannot reverse: no such payment' },
  '700.400.580': { means: 'refused', description: 'no such transaction' },
  '800.110.100': { means: 'unknown', description: 'the key came with another body before' },
  '800.120.100': { means: 'later', description: 'too many requests' },
  '999.999.999': { means: 'unknown', description: 'nobody knows this code' },
};

export const bookkeepingHost = (options: BookkeepingOptions): BookkeepingHost => {
  const { clock } = options;
  const books: Booking[] = [];
  const answered = new Map<string, { asked: string; reply: HostReply }>();

  const approvedOf = (id: string, type: string) =>
    books.filter(({ of, paymentType, code }) => of === id && paymentType === type && code === APPROVED);
  const hundredths = (amount: string) => BigInt(amount.replace('.', ''));

  const judge = (parameters: Parameters, of?: string): string => {
    const { paymentType } = parameters;
    if (of === undefined) return options.approves(parameters['amount'] ?? '') ? APPROVED : '800.100.155';
    const parent = books.find(({ id, code, paymentType: type }) => id === of && code === APPROVED && type === 'DB');
    if (parent === undefined) return '700.400.530';
    const reversed = approvedOf(of, 'RV').length > 0;
    const refunds = approvedOf(of, 'RF');
    if (paymentType === 'RV') return reversed || refunds.length > 0 ? '700.400.300' : APPROVED;
    const gone = refunds.reduce((sum, { amount }) => sum + hundredths(amount), 0n);
    return reversed || gone + hundredths(parameters['amount'] ?? '0.00') > hundredths(parent.amount)
      ? '700.400.200'
      : APPROVED;
  };

  const book = (parameters: Parameters, key: string, of?: string): HostReply => {
    const asked = JSON.stringify([of, Object.entries(parameters).sort()]);
    const before = answered.get(key);
    if (before !== undefined) return before.asked === asked ? before.reply : replyOf('800.110.100', {});
    const parent = books.find(({ id }) => id === of);
    const booking: Booking = {
      id: String(books.length + 1).padStart(32, '0'),
      paymentType: parameters['paymentType'] ?? '',
      merchantTransactionId: parameters['merchantTransactionId'] ?? '',
      amount: parameters['amount'] ?? parent?.amount ?? '',
      currency: parameters['currency'] ?? parent?.currency ?? '',
      code: judge(parameters, of),
      ...(of !== undefined && { of }),
    };
    books.push(booking);
    const reply = replyOf(booking.code, bodyOf(booking));
    answered.set(key, { asked, reply });
    return reply;
  };

  const travel = async (take: () => HostReply): Promise<HostReply> => {
    const { timeoutMs, requestLifeMs } = options;
    const fate = options.fate();
    if (fate === 'notReached') return { kind: 'notSent', fault: new Fault('host.unreachable', { why: 'refused' }) };
    if (fate === 'throttled') return replyOf('800.120.100', {});
    if (fate === 'takenLate') void pause(clock, timeoutMs + (requestLifeMs - timeoutMs) / 2).then(take);
    await pause(clock, Math.min(options.takesMs(), timeoutMs - 1));
    if (fate === 'answered') return take();
    if (fate === 'nonsense') {
      take();
      return replyOf('999.999.999', {});
    }
    if (fate === 'answerLost') take();
    await pause(clock, timeoutMs);
    return { kind: 'silent', fault: new Fault('host.silent', { why: 'timed out' }) };
  };

  return {
    books,
    pay: (parameters, key) => travel(() => book(parameters, key)),
    refer: (payment, parameters, key) => travel(() => book(parameters, key, payment)),
    find: (reference) =>
      travel(() => {
        const payments = books.filter(({ merchantTransactionId }) => merchantTransactionId === reference).map(bodyOf);
        return payments.length === 0 ? replyOf('700.400.580', {}) : replyOf(APPROVED, { payments });
      }),
    meaningOf: (code) => codes[code]?.means ?? 'unknown',
  };
};

const bodyOf = ({
  id,
  paymentType,
  merchantTransactionId,
  amount,
  currency,
  code,
}: Booking): Record<string, unknown> => ({
  id,
  paymentType,
  merchantTransactionId,
  ...(code === APPROVED && { amount, currency }),
  result: { code, description: codes[code]?.description ?? '' },
});

const replyOf = (code: string, body: Record<string, unknown>): HostReply => ({
  kind: 'answered',
  code,
  means: codes[code]?.means ?? 'unknown',
  description: codes[code]?.description ?? '',
  body,
});
