/** The till: sells, gives back, delivers what the queue holds, and ends every unfinished sale on start. */
import { Fault } from '../base/fault.ts';
import { compare, type Money, money, printMoney, subtract } from '../base/money.ts';
import { type Delivered, deliver } from './delivery.ts';
import type { Intent } from './facts.ts';
import { repeatFor, reversalFor } from './messages.ts';
import type { OutgoingMessage, TillParts } from './ports.ts';
import { type Running, run, type SaleOptions, type Tell } from './running.ts';
import { next, replay, type Sale } from './sale.ts';

export type SellRequest = { amount: Money; options?: Partial<SaleOptions> };

/** Without an amount all that is left of the sale is given back. */
export type RefundRequest = { receipt: number; amount?: Money };

export interface Till {
  /** Starts a sale; its intent is durable when this returns. One at a time: throws `terminal.busy`. */
  sell(request: SellRequest, tell: Tell): Running;
  /** Gives money back on an approved sale. Throws `till.notFound` or `till.refundTooHigh`; nothing is sent then. */
  refund(request: RefundRequest, tell: Tell): Running;
  /** Sends one queued message. The event it leads to is for the queue to settle. */
  deliver(message: OutgoingMessage): Promise<Delivered>;
  /** To be called before the first sale: ends what a crash left open. Returns those sales. */
  recover(): Sale[];
  /** The sale with this receipt number as the journal tells it. Throws `till.notFound`. */
  find(receipt: number): Sale;
  /** The sale with this id. Throws `till.notFound`. */
  findSale(id: string): Sale;
}

const standardOptions: SaleOptions = { accept: ['chip', 'tap', 'swipe'], presentWithinMs: 60_000 };

export const openTill = (parts: TillParts): Till => {
  let selling = false;

  const start = (intent: Intent, tell: Tell, options: Partial<SaleOptions> = {}): Running => {
    if (selling) throw new Fault('terminal.busy', { command: 'another sale' });
    selling = true;
    try {
      const running = run(intent, parts, { options: { ...standardOptions, ...options }, tell });
      const done = running.done.finally(() => {
        selling = false;
      });
      return { ...running, done };
    } catch (error) {
      selling = false;
      throw error;
    }
  };

  const intend = (what: Pick<Intent, 'operation' | 'amount' | 'refunds'>): Intent => {
    const { terminalId, ids, clock, ledger } = parts;
    return {
      sale: ids.next(),
      key: ids.next(),
      at: clock.now(),
      terminalId,
      ...ledger.nextNumbers(terminalId),
      ...what,
    };
  };

  return {
    sell: ({ amount, options }, tell) => start(intend({ operation: 'sale', amount }), tell, options),
    refund: (request, tell) => start(intend(refundOf(parts, request)), tell),
    deliver: (message) => deliver(message, parts),
    recover: () => parts.ledger.openSales().flatMap((id) => recoverSale(parts, id)),
    find: (receipt) => saleOfReceipt(parts, receipt),
    findSale: (id) => known(replay(parts.ledger.events(id)), id),
  };
};

const saleOfReceipt = ({ ledger }: TillParts, receipt: number): Sale => {
  const id = ledger.saleOfReceipt(receipt);
  return known(id === undefined ? undefined : replay(ledger.events(id)), receipt);
};

const known = (sale: Sale | undefined, receipt: number | string): Sale => {
  if (sale === undefined) throw new Fault('till.notFound', { receipt });
  return sale;
};

const refundOf = (
  parts: TillParts,
  { receipt, amount }: RefundRequest,
): Pick<Intent, 'operation' | 'amount' | 'refunds'> => {
  const sale = saleOfReceipt(parts, receipt);
  const left = refundable(parts, sale);
  const wanted = amount ?? left;
  const payment = sale.answer?.payment;
  if (payment === undefined || wanted.minor <= 0n || compare(wanted, left) > 0) {
    throw new Fault('till.refundTooHigh', { left: printMoney(left), receipt });
  }
  return { operation: 'refund', amount: wanted, refunds: { sale: sale.intent.sale, payment, receipt } };
};

/** What is left to give back: refunds that may have happened count as happened. */
const refundable = ({ ledger }: TillParts, sale: Sale): Money => {
  const nothing = money(0n, sale.intent.amount.currency);
  const isCharged =
    sale.at === 'ended' &&
    sale.intent.operation === 'sale' &&
    sale.ending === 'approved' &&
    (sale.offline === undefined || sale.forwarded?.approved === true);
  if (!isCharged) return nothing;
  return ledger
    .refundsOf(sale.intent.sale)
    .map((id) => replay(ledger.events(id)))
    .filter((refund): refund is Sale => refund !== undefined && mayHaveGone(refund))
    .reduce((left, refund) => subtract(left, refund.intent.amount), sale.intent.amount);
};

const mayHaveGone = (refund: Sale): boolean =>
  refund.at !== 'ended' || refund.ending === 'approved' || refund.ending === 'unknown';

/** A sale that a crash interrupted is told so; what is already ended and only waits for the queue is left alone. */
const recoverSale = ({ ledger, ids, clock }: TillParts, id: string): Sale[] => {
  const sale = replay(ledger.events(id));
  if (sale === undefined || sale.at === 'ended') return [];
  const step = next(sale, { on: 'restarted' });
  if (step === undefined) return [];
  const message =
    step.outgoing === 'reverse'
      ? reversalFor(step.sale, { key: ids.next(), sentAt: clock.now() })
      : step.outgoing === 'repeat'
        ? repeatFor(step.sale)
        : undefined;
  ledger.record(id, { on: 'restarted' }, message);
  return [step.sale];
};
