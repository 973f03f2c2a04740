/** What a cashier, or a program at the counter, does: sales and what follows them, live and from the books. */
import type { Counter, LineState } from '../contract/counters.ts';
import type { BeginRequest, Claim, ClaimAnswer, FollowUpRequest } from '../contract/sale-requests.ts';
import type { HoldRow, LiveSale, SaleDetail, SaleRow } from '../contract/sales.ts';
import type { Amount, Page } from '../contract/wire.ts';
import type { Actor } from './session.ts';

export interface SellingPort {
  counters(): Counter[];
  /**
   * The intent is durable when this resolves. The same key again gives the same sale, and with another body is refused
   * by `request.keyReused`; `again` is no part of that comparison. Throws `sale.likely` with the sales where the same
   * amount may have been charged already and `again` does not name each of them; and as `Till.sell` does.
   */
  begin(request: BeginRequest, by: Actor, key: string): Promise<LiveSale>;
  /** Throws `sale.likely` as a sale does: an equal part of the same hold may have been charged. */
  follow(request: FollowUpRequest, by: Actor, key: string): Promise<LiveSale>;
  /**
   * The sale that the request of this key began before, if it did: a request whose answer was lost is answered by that,
   * whatever whoever asks may do by now. Begins nothing. Throws `request.keyReused`.
   */
  repeated?(request: BeginRequest | FollowUpRequest, by: Actor, key: string): LiveSale | undefined;
  /**
   * Waits for the turn at the counter that this would be begun at, and keeps it until the returned function is called.
   * A sale waits while one that has ended holds the terminal, by its card as a rule. What a terminal that authorises by
   * itself does to an earlier payment waits for the sale in progress. While a batch is closed everything waits, and is
   * in the next one then. Rejects with `terminal.busy` once whoever asks has gone, with `terminal.turn` after 90 s, and
   * with `till.stopping`; throws what `begin` or `follow` would for a terminal or receipt that there is not.
   */
  turn?(request: BeginRequest | FollowUpRequest, gone?: AbortSignal): Promise<() => void>;
  /** What waits for a terminal begins no more: the till is being ended. */
  endWaits?(): void;
  /** Asks for a cancel; the ending says what became of it. Throws `till.notFound`. */
  cancel(id: string): LiveSale;
  /** Under way, and the last that ended on each counter since the till was started. */
  live(): LiveSale[];
  /** By merchantTransactionId. Throws `till.notFound`. */
  liveSale(id: string): LiveSale;
  /** `outcomes`: each that has ended with its `outcome`. */
  sales(ask: { from: number; most: number; search?: string; cashier?: string; outcomes?: boolean }): Page<SaleRow>;
  sale(receipt: number): SaleDetail;
  /**
   * The number of the receipt that bears this code: a sale's id, or a terminal's number and a receipt's such as
   * `12345678-417`. Throws `receipt.elsewhere` and `receipt.unknown` for one of another till, `till.notFound`.
   */
  receiptOfCode(code: string): number;
  /**
   * Whether this person or program made the sale, be it with a manager's approval. Throws `till.notFound` for a receipt
   * that there is not.
   */
  isOwn(sale: { id: string } | { receipt: number }, by: Actor): boolean;
  /**
   * Notes that somebody opens a sale that is not theirs: once a day for each. False once they have opened too many
   * within an hour. Throws `till.notFound`, `journal.unwritable`.
   */
  openOthers(sale: { receipt: number }, by: Actor): boolean;
  /** A manager lets them open as many again. */
  allowOthers(by: Actor): void;
  holds(): HoldRow[];
  line(): LineState;
  claim(claim: Claim): ClaimAnswer;
  /** Sales of this amount, and card, that may have been charged: `begin` asks about them first. */
  likely(amount: Amount, last4?: string): SaleRow[];
  /**
   * Turns training on or off for a session: from then on a till of its own answers all that it asks, and nothing of it
   * is real. Absent where the whole till is for training. Throws `terminal.busy` while a sale runs at the till that is
   * left.
   */
  train?(token: string, on: boolean): Promise<{ training: boolean }>;
}
