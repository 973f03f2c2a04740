/** The till: sells, gives back, delivers what the queue holds, and ends every unfinished sale on start. */
import { Fault } from '../base/fault.ts';
import { compare, type Money, money, printAmount, printMoney, subtract } from '../base/money.ts';
import type { Delivered } from './delivered.ts';
import { deliver } from './delivery.ts';
import type { Intent } from './facts.ts';
import { repeatFor, reversalFor } from './messages.ts';
import type { OutgoingMessage, TillParts } from './ports.ts';
import { type Running, run, type SaleOptions, type Tell } from './running.ts';
import { next, replay, type Sale } from './sale.ts';

export type SellRequest = { amount: Money; options?: Partial<SaleOptions> };

/** Without an amount all that is left of the sale is given back. */
export type RefundRequest = { receipt: number; amount?: Money };

export interface Till {
  /**
   * Starts a sale; its intent is durable when this returns. One at a time: throws `terminal.busy`. An amount that no
   * request could carry is refused: `amount.unpositive`, `amount.unrepresentable`.
   */
  sell(request: SellRequest, tell: Tell): Running;
  /**
   * Gives money back on an approved sale. Throws `till.notFound`, `till.nothingLeft`, `till.refundTooHigh`, and what
   * `sell` throws; nothing is sent then.
   */
  refund(request: RefundRequest, tell: Tell): Running;
  /** Sends one queued message. The event it leads to is for the queue to settle. */
  deliver(message: OutgoingMessage): Promise<Delivered>;
  /** Ends what a crash, or a write that failed, left open. To be called before the first sale; returns those sales. */
  recover(): Sale[];
  /** The sale with this receipt number as the journal tells it. Throws `till.notFound`. */
  find(receipt: number): Sale;
  /** The sale with this id. Throws `till.notFound`. */
  findSale(id: string): Sale;
}

const standardOptions: SaleOptions = { accept: ['chip', 'tap', 'swipe'], presentWithinMs: 60_000 };

export const openTill = (parts: TillParts): Till => {
  let selling = false;
  /** A sale could not be written down to its end: the journal's word on it comes before the next one. */
  let unwritten = false;

  const start = (intent: Intent, tell: Tell, options: Partial<SaleOptions> = {}): Running => {
    if (selling) throw new Fault('terminal.busy', { command: 'another sale' });
    if (unwritten) recover();
    selling = true;
    try {
      const running = run(intent, parts, { options: { ...standardOptions, ...options }, tell });
      return { ...running, done: running.done.catch(noteUnwritten).finally(free) };
    } catch (error) {
      selling = false;
      throw error;
    }
  };

  const free = (): void => {
    selling = false;
  };

  const noteUnwritten = (error: unknown): never => {
    unwritten = true;
    throw error;
  };

  const recover = (): Sale[] => {
    const ended = parts.ledger.openSales().flatMap((id) => recoverSale(parts, id));
    unwritten = false;
    return ended;
  };

  const intend = (what: Pick<Intent, 'operation' | 'amount' | 'refunds'>): Intent => {
    const { terminalId, gateway, ids, clock, ledger } = parts;
    // Refused here, by name, before anything is written or asked: no request could carry it.
    if (what.amount.minor <= 0n) throw new Fault('amount.unpositive', { amount: printMoney(what.amount) });
    printAmount(what.amount);
    const numbers = ledger.nextNumbers(terminalId);
    return { sale: ids.next(), key: ids.next(), at: clock.now(), terminalId, gateway, ...numbers, ...what };
  };

  return {
    sell: ({ amount, options }, tell) => start(intend({ operation: 'sale', amount }), tell, options),
    refund: (request, tell) => start(intend(refundOf(parts, request)), tell),
    deliver: (message) => deliver(message, parts),
    recover,
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
  if (payment === undefined || left.minor <= 0n)
    throw new Fault('till.nothingLeft', { receipt, why: whyNothing(sale) });
  if (compare(wanted, left) > 0) throw new Fault('till.refundTooHigh', { left: printMoney(left), receipt });
  return { operation: 'refund', amount: wanted, refunds: { sale: sale.intent.sale, payment, receipt } };
};

const whyNothing = (sale: Sale): string => {
  if (sale.intent.operation === 'refund') return 'it is a refund itself';
  if (sale.at !== 'ended' || sale.ending === 'unknown') return 'what became of it is not known yet';
  if (sale.ending !== 'approved') return 'it was not charged';
  return sale.offline !== undefined && sale.forwarded === undefined
    ? 'it has not been sent to the bank yet'
    : 'all of it was given back';
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

/**
 * A sale that was interrupted is told so. One that has ended and waits for the queue is left to it, unless its message
 * is gone: then it is put again.
 */
const recoverSale = (parts: TillParts, id: string): Sale[] => {
  const { ledger, ids, clock } = parts;
  const sale = replay(ledger.events(id));
  if (sale === undefined) return [];
  const ended = sale.at === 'ended';
  if (ended && ledger.isQueued(id)) return [];
  const step = ended ? { sale, outgoing: lostMessage(sale) } : next(sale, { on: 'restarted' });
  if (step === undefined || (ended && step.outgoing === undefined)) return [];
  const reversal = () => reversalFor(step.sale, { key: ids.next(), sentAt: clock.monotonic() });
  const message =
    step.outgoing === 'reverse' ? reversal() : step.outgoing === 'repeat' ? repeatFor(step.sale) : undefined;
  ledger.record(id, { on: 'restarted' }, message);
  return ended ? [] : [step.sale];
};

const lostMessage = (sale: Extract<Sale, { at: 'ended' }>): 'reverse' | 'repeat' | undefined => {
  if (sale.ending === 'unknown') return sale.intent.operation === 'refund' ? 'repeat' : 'reverse';
  return sale.reversal === 'due' ? 'reverse' : undefined;
};
