/** Asks the gateway about every sale of the journal and says whether both tell the same of the money. */
import { add, type Money, money, parseAmount, subtract } from '../base/money.ts';
import { meaningOf } from '../gateway/results.ts';
import { textAt } from '../till/answer.ts';
import type { Host, HostReply } from '../till/ports.ts';
import { chargedOn } from '../till/refund.ts';
import type { Sale } from '../till/sale.ts';
import type { FullLedger } from './ledger.ts';

export type AuditRow = {
  sale: Sale;
  /** What the till holds to have been moved: negative for money given back. */
  till: Money;
  /** Who has the payment: the gateway, or a terminal that authorised by itself, whose books are not asked here. */
  heldBy: 'gateway' | 'terminal';
  /** What the gateway has booked for this merchantTransactionId; undefined when it did not answer, or was not asked. */
  gateway: Money | undefined;
  /** Whether both tell the same. What the terminal holds agrees once nothing is open about it. */
  agrees: boolean;
};

/** A row for each sale, oldest first. */
export async function* audit(ledger: FullLedger, host: Host): AsyncGenerator<AuditRow> {
  for (const sale of ledger.all()) {
    const till = tillSays(sale);
    if (sale.intent.by === 'terminal') {
      yield { sale, till, heldBy: 'terminal', gateway: undefined, agrees: isDecided(sale) };
      continue;
    }
    const gateway = booked(await host.find(sale.intent.sale), sale);
    yield { sale, till, heldBy: 'gateway', gateway, agrees: gateway !== undefined && gateway.minor === till.minor };
  }
}

/** A payment that never was may still be confirmed by the terminal's next answer: it moves no money. */
const isDecided = (sale: Sale): boolean => sale.at === 'ended' && sale.ending !== 'unknown' && sale.reversal !== 'due';

/** Offline sales count once the gateway has taken them; before, they are money still to come. */
const tillSays = (sale: Sale): Money => {
  const { intent } = sale;
  const nothing = money(0n, intent.amount.currency);
  if (sale.at !== 'ended' || sale.ending !== 'approved') return nothing;
  if (sale.offline !== undefined && sale.forwarded === undefined) return nothing;
  return intent.operation === 'refund' ? subtract(nothing, intent.amount) : chargedOn(sale);
};

const NOTHING_FOUND = '700.400.580';
const signs: Readonly<Record<string, 1 | -1>> = { DB: 1, RF: -1, RV: -1 };

const booked = (reply: HostReply, { intent }: Sale): Money | undefined => {
  const nothing = money(0n, intent.amount.currency);
  if (reply.kind !== 'answered') return undefined;
  if (reply.code === NOTHING_FOUND) return nothing;
  const { payments } = reply.body;
  if (!Array.isArray(payments)) return undefined;
  return payments.reduce((sum: Money, payment: unknown) => {
    const sign = signs[textAt(payment, 'paymentType') ?? ''];
    const amount = textAt(payment, 'amount');
    if (sign === undefined || amount === undefined || meaningOf(textAt(payment, 'result.code') ?? '') !== 'approved')
      return sum;
    const moved = parseAmount(amount, intent.amount.currency);
    return sign > 0 ? add(sum, moved) : subtract(sum, moved);
  }, nothing);
};
