/** The till: sells, gives back, delivers what the queue holds, and ends every unfinished sale on start. */
import { Fault } from '../base/fault.ts';
import { type Money, printAmount, printMoney } from '../base/money.ts';
import { opened } from './ask-terminal.ts';
import type { Delivered } from './delivered.ts';
import { deliver } from './delivery.ts';
import { openAtTerminal, settleEarlier } from './earlier.ts';
import type { Intent } from './facts.ts';
import type { OutgoingMessage, TillParts } from './ports.ts';
import { recoverAll } from './recovery.ts';
import { refundOf, type Wanted } from './refund.ts';
import { type Running, run, type SaleOptions, type Tell } from './running.ts';
import { type EndedSale, next, replay, type Sale } from './sale.ts';

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
  /** Ended sales that wait for a terminal which authorises by itself, or for a person; oldest first. */
  openAtTerminal(): EndedSale[];
  /** Asks it about them now, and returns those that came a step further. Throws what the driver throws. */
  settleAtTerminal(): Promise<EndedSale[]>;
  /**
   * What a person found in the terminal's own journal about a sale that it could not tell of. Throws `till.notFound`,
   * and `till.nothingOpen` for a sale that waits for nobody.
   */
  personSays(receipt: number, charged: boolean): EndedSale;
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
    const ended = recoverAll(parts);
    unwritten = false;
    return ended;
  };

  const intend = (what: Wanted): Intent => {
    const { terminalId, gateway, ids, clock, ledger } = parts;
    // Refused here, by name, before anything is written or asked: no request could carry it.
    if (what.amount.minor <= 0n) throw new Fault('amount.unpositive', { amount: printMoney(what.amount) });
    printAmount(what.amount);
    const numbers = ledger.nextNumbers(terminalId);
    return { sale: ids.next(), key: ids.next(), at: clock.now(), terminalId, gateway, ...numbers, ...what };
  };

  return {
    sell({ amount, options }, tell) {
      const by = parts.integrated && { by: 'terminal' as const };
      return start(intend({ operation: 'sale', amount, ...by }), tell, options);
    },
    refund: ({ receipt, amount }, tell) =>
      start(intend(refundOf(parts, saleOfReceipt(parts, receipt), { receipt, amount })), tell),
    deliver: (message) => deliver(message, parts),
    recover,
    find: (receipt) => saleOfReceipt(parts, receipt),
    findSale: (id) => known(replay(parts.ledger.events(id)), id),
    openAtTerminal: () => openAtTerminal(parts),
    settleAtTerminal: async () => (selling ? [] : settleAtTerminal(parts)),
    personSays: (receipt, charged) => personSays(parts, saleOfReceipt(parts, receipt), charged),
  };
};

/** Nothing to ask: the terminal need not even be there. */
const settleAtTerminal = async (parts: TillParts): Promise<EndedSale[]> => {
  const { integrated } = parts;
  const settled: EndedSale[] = [];
  if (integrated === undefined || openAtTerminal(parts).length === 0) return settled;
  try {
    await settleEarlier(parts, await opened(await integrated.get()), (sale) => settled.push(sale));
    return settled;
  } catch (error) {
    await integrated.drop();
    throw error;
  }
};

const personSays = ({ ledger }: TillParts, sale: Sale, charged: boolean): EndedSale => {
  const step = next(sale, { on: 'personSaid', charged });
  if (step?.sale.at !== 'ended') throw new Fault('till.nothingOpen', { receipt: sale.intent.receipt });
  ledger.record(sale.intent.sale, { on: 'personSaid', charged });
  return step.sale;
};

const saleOfReceipt = ({ ledger }: TillParts, receipt: number): Sale => {
  const id = ledger.saleOfReceipt(receipt);
  return known(id === undefined ? undefined : replay(ledger.events(id)), receipt);
};

const known = (sale: Sale | undefined, receipt: number | string): Sale => {
  if (sale === undefined) throw new Fault('till.notFound', { receipt });
  return sale;
};
