/**
 * Whether this till may move money where it is. It may not on another machine than the one its folder belongs to, while
 * others could read its traffic with the gateway, or while the gateway knows sales that its journal lacks. A copy does
 * not send its queue either: the original may have sent the messages since, or voided the sales before sending them,
 * which no gateway knows.
 */
import { Fault } from '../base/fault.ts';
import type { TerminalBooks } from '../books/till-books.ts';
import type { Binding } from '../folder/till-machine.ts';
import type { PlainGateway } from '../line/plain-gateway.ts';
import type { Delivery } from '../queue/attempt.ts';
import type { Message } from '../queue/outbox.ts';
import type { Till } from '../till/till.ts';
import type { TillComparison } from './till-comparison.ts';

export type TillPlace = {
  readonly binding: Binding;
  /** Whether the connection to the gateway may be used. Undefined when that is not checked. */
  readonly plain?: Pick<PlainGateway, 'refusalFault'>;
  /** Undefined when the till does not know its machine: then it is not checked. */
  readonly comparison: TillComparison | undefined;
};

/** Why no money may be moved now. Undefined when it may. */
export const blockedBy = ({ binding, plain, comparison }: TillPlace): Fault | undefined => {
  if (binding === 'elsewhere') return new Fault('machine.other');
  const unsafe = plain?.refusalFault();
  if (unsafe !== undefined) return unsafe;
  const now = comparison?.state();
  return now?.state === 'behind' ? new Fault('machine.behind', { count: now.sales }) : undefined;
};

/** Throws `machine.other`, `gateway.plain`, `gateway.plainUnallowed`, `machine.behind`. */
export const refuseBlocked = (place: TillPlace): void => {
  const held = blockedBy(place);
  if (held !== undefined) throw held;
};

/** The same till, but it moves no money while it is held: whatever begins a sale throws as `refuseBlocked`. */
export const guardedTill = (till: Till, place: TillPlace): Till => {
  const held =
    <Of extends unknown[], Begun>(begin: (...of: Of) => Begun) =>
    (...of: Of): Begun => {
      refuseBlocked(place);
      return begin(...of);
    };
  return {
    ...till,
    sell: held(till.sell),
    preauthorise: held(till.preauthorise),
    credit: held(till.credit),
    payByGiftCard: held(till.payByGiftCard),
    openSale: held(till.openSale),
    follow: held(till.follow),
    refund: held(till.refund),
    // A terminal can be asked to return payments, too.
    settleAtTerminal: async () => (blockedBy(place) === undefined ? till.settleAtTerminal() : []),
  };
};

/** The same books, but a held till writes no numbered reports and closes no batches. */
export const guardedBooks = (books: TerminalBooks, place: TillPlace): TerminalBooks => ({
  ...books,
  x(by) {
    refuseBlocked(place);
    return books.x(by);
  },
  async close(request) {
    refuseBlocked(place);
    await place.comparison?.look();
    refuseBlocked(place);
    return books.close(request);
  },
});

/**
 * Sends nothing before the gateway was asked what it knows, and nothing while the till is held. Unsent messages wait,
 * as they do when the line is down.
 */
export const guardedDelivery =
  (place: TillPlace, deliver: (message: Message) => Promise<Delivery>) =>
  async (message: Message): Promise<Delivery> => {
    const held = blockedBy(place) ?? (await requireCompared(place)) ?? blockedBy(place);
    return held === undefined ? deliver(message) : { means: 'notSent', note: held.message, settle: () => {} };
  };

const requireCompared = async ({ comparison }: TillPlace): Promise<Fault | undefined> => {
  const now = await comparison?.look();
  // A gateway that gives no list is not waited for: otherwise nothing could ever be sent to it.
  return now?.state === 'due' && now.refused === undefined ? new Fault('machine.uncompared') : undefined;
};
