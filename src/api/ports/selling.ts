/** The service for cashiers and programs at the counter: sales and follow-ups, live and from the books. */
import type { Counter, LineState } from '../contract/counters.ts';
import type { BeginRequest, Claim, ClaimAnswer, FollowUpRequest } from '../contract/sale-requests.ts';
import type { HoldRow, LiveSale, SaleDetail, SaleRow } from '../contract/sales.ts';
import type { Amount, Page } from '../contract/wire.ts';
import type { Actor } from './session.ts';

export interface SellingPort {
  counters(): Counter[];
  /**
   * The intent is durable when this resolves. The same key with the same body returns the same sale; another body is
   * refused with `request.keyReused`; `again` is not compared. Throws `sale.likely` with the possible sales if the same
   * amount may already have been charged and `again` does not name each of them; and as `Till.sell`.
   */
  begin(request: BeginRequest, actor: Actor, key: string): Promise<LiveSale>;
  /** Throws `sale.likely` as `begin`: an equal part of the same hold may have been charged. */
  follow(request: FollowUpRequest, actor: Actor, key: string): Promise<LiveSale>;
  /**
   * The sale that an earlier request with this key started, if any: it answers a request whose first answer was lost,
   * whatever the requester's current permissions. Starts nothing. Throws `request.keyReused`.
   */
  repeated?(request: BeginRequest | FollowUpRequest, actor: Actor, key: string): LiveSale | undefined;
  /**
   * Waits for the counter at which this request would start, and reserves it until the returned function is called. A
   * sale waits while an ended one still occupies the terminal, usually with its card. An action on an earlier payment
   * at a terminal that contacts its bank itself waits for the sale in progress. While a batch is being closed
   * everything waits, and goes into the next batch. Rejects with `terminal.busy` once the client has disconnected, with
   * `terminal.turn` after 90 s, and with `till.stopping`; throws as `begin` or `follow` for an unknown terminal or
   * receipt.
   */
  turn?(request: BeginRequest | FollowUpRequest, signal?: AbortSignal): Promise<() => void>;
  /** Ends all waits for terminals, because the till is stopping. */
  endWaits?(): void;
  /** Asks to cancel a sale; its ending says what became of it. Throws `till.notFound`. */
  cancel(id: string): LiveSale;
  /** Sales in progress, and the last one that ended at each counter since the till was started. */
  live(): LiveSale[];
  /** By merchantTransactionId. Throws `till.notFound`. */
  liveSale(id: string): LiveSale;
  /** `outcomes`: includes the `outcome` of each ended sale. */
  sales(ask: { from: number; most: number; search?: string; cashier?: string; outcomes?: boolean }): Page<SaleRow>;
  sale(receipt: number): SaleDetail;
  /**
   * The number of the receipt with this code: a sale's id, or terminal and receipt number, such as
   * `12345678-417`. Throws `receipt.elsewhere` and `receipt.unknown` for codes of other tills, and `till.notFound`.
   */
  receiptOfCode(code: string): number;
  /**
   * Whether this person or program made the sale, including with a manager's approval. Throws `till.notFound` for an
   * unknown receipt.
   */
  isOwn(sale: { id: string } | { receipt: number }, actor: Actor): boolean;
  /**
   * Records that a person opens another person's sale, once a day for each sale. False once they have opened too many
   * within an hour. Throws `till.notFound`, `journal.unwritable`.
   */
  openOthers(sale: { receipt: number }, actor: Actor): boolean;
  /** Resets that limit, with a manager's approval. */
  allowOthers(actor: Actor): void;
  holds(): HoldRow[];
  line(): LineState;
  claim(claim: Claim): ClaimAnswer;
  /** Sales of this amount and card that may have been charged, which `begin` refuses first. */
  likely(amount: Amount, last4?: string): SaleRow[];
  /**
   * Turns training on or off for a session: a separate till then answers all its requests, and nothing there is real.
   * Absent if the whole till is for training. Throws `terminal.busy` while a sale is in progress at the till that it
   * leaves.
   */
  train?(token: string, on: boolean): Promise<{ training: boolean }>;
}
