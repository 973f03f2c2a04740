/** The till: sells, refunds, delivers the messages of the queue, and ends every unfinished sale on start. */
import { Fault } from '../base/fault.ts';
import { money } from '../base/money.ts';
import { type FollowRequest, followUpOf, type PossibleFollowUp, possibleAfter } from './follow-ups.ts';
import type { DeliveryResult } from './gateway/delivered.ts';
import { deliver } from './gateway/delivery.ts';
import type { GiftCardSecret } from './gateway/request.ts';
import { createIntent, factsOf, giftCardOf, type IntentInput, type PaymentRequest } from './intend.ts';
import type { SaleEvent } from './machine/events.ts';
import type { Attestation, Intent } from './machine/facts.ts';
import { operations, unansweredAction } from './machine/operations.ts';
import { type EndedSale, isUnread, next, type OutgoingKind, refuseUnread, replay, type Sale } from './machine/sale.ts';
import { followFor, repeatFor, reversalFor } from './messages.ts';
import { oneAtATime } from './one-at-a-time.ts';
import type { LedgerEntry, OutgoingMessage, TillParts } from './ports.ts';
import type { SaleOptions } from './run-context.ts';
import { type ProgressListener, type Running, type RunningWithoutAmount, run } from './running.ts';
import { openAtTerminal, opened, openHere, settleEarlier } from './terminal/ask-terminal.ts';

export type SellRequest = PaymentRequest & { options?: Partial<SaleOptions> };

/** The number and PIN stay in memory only, until the gateway has answered. */
export type GiftCardRequest = Omit<PaymentRequest, 'tip'> & { number: string; pin?: string };

/** A sale whose amount is not known yet. */
export type OpenSaleRequest = Pick<PaymentRequest, 'bill' | 'partial' | 'cashier' | 'program' | 'asked'> & {
  /** ISO 4217: the amount will be in it. */
  currency: string;
  options?: Partial<SaleOptions>;
};

/** Without an amount, everything that is left of the sale is refunded. */
export type RefundRequest = Omit<FollowRequest, 'operation' | 'tip'>;

export interface Till {
  /**
   * Starts a sale; its intent is durable when this returns. One at a time: throws `terminal.busy`. An amount that no
   * request could carry is refused: `amount.unpositive`, `amount.unrepresentable`.
   */
  sell(request: SellRequest, notify: ProgressListener): Running;
  /** Holds an amount on the card, to be completed or released later. Throws as `sell` does, and `terminal.cannot`. */
  preauthorise(request: SellRequest, notify: ProgressListener): Running;
  /** Gives money to a card without an earlier payment. Throws as `sell` does, and `terminal.cannot`. */
  credit(request: SellRequest, notify: ProgressListener): Running;
  /** Paid at the gateway, without a terminal. Throws as `sell` does, and `gift.malformed`. */
  payByGiftCard(request: GiftCardRequest, notify: ProgressListener): Running;
  /**
   * Starts a sale before its amount is known; if the terminal can, it already reports an inserted card. The card is not
   * read before `setAmount`. Throws as `sell` does.
   */
  openSale(request: OpenSaleRequest, notify: ProgressListener): RunningWithoutAmount;
  /**
   * A follow-up to a payment: the table is in src/till/follow-ups.ts. If only the gateway is needed, it runs in
   * parallel with a sale at the terminal; at a terminal that authorises by itself it takes its turn. A void of a sale
   * that was stored and never sent is done at once, here. Throws `till.notFound`, `till.cannotFollow`,
   * `till.heldTooLittle`, for a refund `till.nothingLeft` and `till.refundTooHigh`, `terminal.cannot`, and what `sell`
   * throws, `terminal.busy` only if the terminal is needed; nothing is sent then.
   */
  follow(request: FollowRequest, notify: ProgressListener): Running;
  /** What `follow` would accept now. Throws `till.notFound`. */
  mayFollow(receipt: number): PossibleFollowUp[];
  /** `follow` with a refund. */
  refund(request: RefundRequest, notify: ProgressListener): Running;
  /** Whether a sale is running at the terminal, which cannot take another one meanwhile. */
  isSelling(): boolean;
  /** Sends one queued message. The queue settles the resulting event. */
  deliver(message: OutgoingMessage): Promise<DeliveryResult>;
  /** Ends what a crash or a failed write left open. Call before the first sale; returns those sales. */
  recover(): Sale[];
  /** The sale with this receipt number, from the journal. Throws `till.notFound`. */
  find(receipt: number): Sale;
  /** The sale with this id. Throws `till.notFound`. */
  findSale(id: string): Sale;
  /** Ended sales that wait for a terminal that authorises by itself, or for a person; oldest first. */
  openAtTerminal(): EndedSale[];
  /** Asks the terminal about them now, and returns those that made progress. Throws what the driver throws. */
  settleAtTerminal(): Promise<EndedSale[]>;
  /**
   * What a person found in the terminal's own journal about a sale that it could not report. Throws `till.notFound`,
   * `till.nothingOpen` for a sale that waits for nobody, and `sale.newer`.
   */
  forceEnding(receipt: number, charged: boolean, by?: Attestation): EndedSale;
}

const standardOptions: SaleOptions = { accept: ['chip', 'tap', 'swipe'], presentWithinMs: 60_000 };

type SaleParts = { onProgress: ProgressListener; options?: Partial<SaleOptions>; giftCard?: GiftCardSecret };

/** Refuses what a terminal that authorises by itself cannot do. */
const refuseAtTerminal = (operation: Intent['operation'], { storeCard }: Pick<PaymentRequest, 'storeCard'>): void => {
  if (operation !== 'sale') throw new Fault('terminal.cannot', { operation: operations[operation].noun });
  if (storeCard) throw new Fault('terminal.cannot', { operation: 'storing a card' });
};

export const openTill = (parts: TillParts): Till => {
  const recover = (): Sale[] => recoverAll(parts);
  const turns = oneAtATime(recover, parts.underWay);
  const start = (intent: () => Intent, { onProgress, options = {}, giftCard }: SaleParts): RunningWithoutAmount => {
    const how = { options: { ...standardOptions, ...options }, onProgress, giftCard };
    return turns.take(() => run(intent(), parts, how));
  };

  /** Starts an operation with a card: at a terminal that authorises by itself, or with a card that is read here. */
  const withCard = (
    operation: 'sale' | 'preauthorisation' | 'credit',
    { options, ...request }: SellRequest,
    notify: ProgressListener,
  ) => {
    if (parts.integrated) refuseAtTerminal(operation, request);
    const terminal = parts.integrated && { by: 'terminal' as const };
    const target: IntentInput = { operation, ...factsOf(request), ...terminal };
    return start(() => createIntent(target, parts), { onProgress: notify, options });
  };

  const follow = (request: FollowRequest, notify: ProgressListener): Running => {
    turns.mayBeginBeside();
    const sale = saleOfReceipt(parts, request.receipt);
    if (sale.intent.by === 'terminal') turns.mayBegin();
    const target = followingWanted(parts, sale, request);
    const begin = () => run(createIntent(target, parts), parts, { options: standardOptions, onProgress: notify });
    if (target.by === 'terminal') return turns.take(begin);
    return withdrawalOf(parts, target, notify) ?? turns.runBeside(begin);
  };

  return {
    sell: (request, notify) => withCard('sale', request, notify),
    preauthorise: (request, notify) => withCard('preauthorisation', request, notify),
    credit: (request, notify) => withCard('credit', request, notify),
    payByGiftCard({ number, pin, ...request }, notify) {
      const { secret, maskedNumber } = giftCardOf(number, pin);
      if (request.storeCard) throw new Fault('gift.malformed', { why: 'a gift card cannot be stored' });
      const target: IntentInput = { operation: 'sale', ...factsOf(request), giftCard: { maskedNumber } };
      return start(() => createIntent(target, parts), { onProgress: notify, giftCard: secret });
    },
    openSale({ options, currency, ...request }, notify) {
      const terminal = parts.integrated && { by: 'terminal' as const };
      const facts = factsOf({ ...request, amount: money(0n, currency) });
      const target: IntentInput = { operation: 'sale', ...facts, amountLater: true, ...terminal };
      return start(() => createIntent(target, parts), { onProgress: notify, options });
    },
    follow,
    mayFollow: (receipt) => possibleAfter(parts, saleOfReceipt(parts, receipt)),
    refund: (request, notify) => follow({ ...request, operation: 'refund' }, notify),
    deliver: (message) => deliver(message, parts),
    recover: turns.recover,
    isSelling: turns.isTaken,
    find: (receipt) => saleOfReceipt(parts, receipt),
    findSale: (id) => requireSale(parts.ledger.sale(id), id),
    openAtTerminal: () => openAtTerminal(parts),
    settleAtTerminal: async () => (turns.isTaken() ? [] : settleAtTerminal(parts)),
    forceEnding: (receipt, charged, by) => forceEnding(parts, saleOfReceipt(parts, receipt), { charged, by }),
  };
};

/** A follow-up, including how it was requested. Throws as `followUpOf`. */
const followingWanted = (parts: TillParts, sale: Sale, request: FollowRequest): IntentInput => {
  const { asked, again } = request;
  return { ...followUpOf(parts, sale, request), asked, again };
};

/** The terminal need not even be connected when there is nothing to ask. */
const settleAtTerminal = async (parts: TillParts): Promise<EndedSale[]> => {
  const { integrated } = parts;
  const settled: EndedSale[] = [];
  if (integrated === undefined || openHere(parts).length === 0) return settled;
  try {
    await settleEarlier(parts, await opened(await integrated.get()), (sale) => settled.push(sale));
    return settled;
  } catch (error) {
    await integrated.drop();
    throw error;
  }
};

const forceEnding = (
  { ledger }: TillParts,
  sale: Sale,
  statement: { charged: boolean; by?: Attestation },
): EndedSale => {
  refuseUnread(sale);
  const { sale: id, receipt } = sale.intent;
  const parked = statement.by === undefined ? undefined : ledger.parkedMessage(id);
  const event: SaleEvent = { on: 'personSaid', ...statement, ends: parked === undefined ? undefined : true };
  const step = next(sale, event);
  if (step?.sale.at !== 'ended') throw new Fault('till.nothingOpen', { receipt });
  // A parked message must never be sent again: it would charge or refund against this decision.
  if (parked === undefined) ledger.record(id, event);
  else ledger.settle(parked, id, event);
  return step.sale;
};

const saleOfReceipt = ({ ledger }: TillParts, receipt: number): Sale => {
  const id = ledger.saleOfReceipt(receipt);
  return requireSale(id === undefined ? undefined : ledger.sale(id), receipt);
};

const requireSale = (sale: Sale | undefined, receipt: number | string): Sale => {
  if (sale === undefined) throw new Fault('till.notFound', { receipt });
  return sale;
};

// Voids a stored sale that only the till knows of where it is stored: at once, and free of charge.

/**
 * Records the void, the end of the voided sale, and the end of that sale's message in one durable step. Undefined if
 * the message was tried, or this is not a void of a stored sale: then it proceeds as usual.
 */
const withdrawalOf = (parts: TillParts, request: IntentInput, notify: ProgressListener): Running | undefined => {
  const { ledger, report } = parts;
  const { follows, operation } = request;
  if (follows?.payment !== '' || request.by === 'terminal' || operations[operation].paymentType !== 'RV')
    return undefined;
  const withdraw = ledger.untriedMessage(follows.sale);
  if (withdraw === undefined) return undefined;
  const intent = createIntent(request, parts);
  const { sale } = intent;
  ledger.recordAll([
    { sale, event: { on: 'intended', intent } },
    { sale, event: { on: 'withdrawn' } },
    { sale: follows.sale, event: { on: 'withdrawn' }, withdraw },
  ]);
  const ended = replay([{ on: 'intended', intent }, { on: 'withdrawn' }]);
  if (ended?.at !== 'ended') throw new Error('a withdrawn void has ended');
  try {
    notify({ kind: 'sale', sale: ended });
  } catch (error) {
    report(error);
  }
  return { sale, done: Promise.resolve(ended), cancel: () => {} };
};

// What a till does on start, and after a failed write: every unfinished sale is brought to an ending.

/** How many are ended in one durable step: a start must not wait for the disk once for each. */
const AT_ONCE = 500;

/** The sales that this ended; one that is running at another counter is left alone. Throws `journal.unwritable`. */
const recoverAll = (parts: TillParts): Sale[] => {
  const open = parts.ledger.openSales().filter((id) => parts.underWay?.has(id) !== true);
  const ended: Sale[] = [];
  for (let from = 0; from < open.length; from += AT_ONCE) {
    const recovered = open.slice(from, from + AT_ONCE).flatMap((id) => recoverSale(parts, id));
    if (recovered.length > 0) parts.ledger.recordAll(recovered.map(({ entry }) => entry));
    ended.push(...recovered.flatMap(({ ended: sale }) => sale ?? []));
  }
  return ended;
};

type RecoveredSale = { entry: LedgerEntry; ended?: Sale };

/**
 * An interrupted sale gets the event `restarted`. An ended one that waits for the queue is left to it, unless its
 * message is gone: then it is queued again.
 */
const recoverSale = (parts: TillParts, id: string): RecoveredSale[] => {
  const { ledger } = parts;
  const sale = replay(ledger.events(id));
  if (sale === undefined || isUnread(sale) || (sale.at === 'ended' && ledger.isQueued(id))) return [];
  const event = { on: 'restarted' } as const;
  if (sale.at === 'ended') {
    // A sale that the terminal authorised by itself waits for the terminal.
    const lost = sale.intent.by === 'terminal' ? undefined : lostMessage(sale);
    const message = lost && messageAgain(lost, sale, parts);
    return message === undefined ? [] : [{ entry: { sale: id, event, message } }];
  }
  const step = next(sale, event);
  if (step === undefined) return [];
  const message = step.outgoing && messageAgain(step.outgoing, step.sale, parts);
  return [{ entry: { sale: id, event, message }, ended: step.sale }];
};

const messageAgain = (outgoing: OutgoingKind, sale: Sale, { ids, clock }: TillParts): OutgoingMessage | undefined => {
  if (outgoing === 'reverse') return reversalFor(sale, { key: ids.next(), sentAt: clock.monotonic() });
  if (outgoing === 'repeat') return repeatFor(sale, clock.monotonic());
  // What was sealed for forwarding cannot be created again from the journal.
  return outgoing === 'follow' ? followFor(sale) : undefined;
};

const lostMessage = (sale: Extract<Sale, { at: 'ended' }>): OutgoingKind | undefined => {
  if (sale.ending === 'unknown' || sale.forced?.awaited === true) return unansweredAction(sale.intent);
  if (sale.offline === 'stored' && sale.forwarded === undefined) return 'follow';
  return sale.reversal === 'due' ? 'reverse' : undefined;
};
