/**
 * Whether this till may move money where it is: not on another machine than its folder belongs to, not while others
 * could read what it sends to its gateway, and not while the gateway knows sales that its journal does not. What waits
 * in its queue is sent by no copy either: the original may have sent it since, or voided it before it was ever sent,
 * and of that no gateway knows.
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
  /** Whether the way to the gateway may be used. Undefined where it is not looked at. */
  readonly plain?: Pick<PlainGateway, 'refusal'>;
  /** Undefined where nobody told this till its machine: then it is not looked at. */
  readonly comparison: TillComparison | undefined;
};

/** Why no money may be moved now; undefined when it may. */
export const heldBy = ({ binding, plain, comparison }: TillPlace): Fault | undefined => {
  if (binding === 'elsewhere') return new Fault('machine.other');
  const unsafe = plain?.refusal();
  if (unsafe !== undefined) return unsafe;
  const now = comparison?.state();
  return now?.state === 'behind' ? new Fault('machine.behind', { count: now.sales }) : undefined;
};

/** Throws `machine.other`, `gateway.plain`, `gateway.plainUnallowed`, `machine.behind`. */
export const refuseHeld = (place: TillPlace): void => {
  const held = heldBy(place);
  if (held !== undefined) throw held;
};

/** The same till, that moves no money while it is held: whatever begins a sale throws as `refuseHeld` does. */
export const heldTill = (till: Till, place: TillPlace): Till => {
  const held =
    <Of extends unknown[], Begun>(begin: (...of: Of) => Begun) =>
    (...of: Of): Begun => {
      refuseHeld(place);
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
    // A terminal is asked to take payments back, too.
    settleAtTerminal: async () => (heldBy(place) === undefined ? till.settleAtTerminal() : []),
  };
};

/** The same books, whose reports are counted and whose batches are closed only by a till that may move money. */
export const heldBooks = (books: TerminalBooks, place: TillPlace): TerminalBooks => ({
  ...books,
  x(by) {
    refuseHeld(place);
    return books.x(by);
  },
  async close(wish) {
    refuseHeld(place);
    await place.comparison?.look();
    refuseHeld(place);
    return books.close(wish);
  },
});

/**
 * Nothing is sent before the gateway was asked what it knows, and nothing while the till is held: what was not sent
 * waits, as it does while the line is down.
 */
export const heldDelivery =
  (place: TillPlace, deliver: (message: Message) => Promise<Delivery>) =>
  async (message: Message): Promise<Delivery> => {
    const held = heldBy(place) ?? (await unasked(place)) ?? heldBy(place);
    return held === undefined ? deliver(message) : { means: 'notSent', note: held.message, settle: () => {} };
  };

const unasked = async ({ comparison }: TillPlace): Promise<Fault | undefined> => {
  const now = await comparison?.look();
  // A gateway that gives no list is not waited for: nobody could ever send it anything.
  return now?.state === 'due' && now.refused === undefined ? new Fault('machine.uncompared') : undefined;
};
