/** The customer at the simulated MMS device: presents a card, types, tries again when told, takes the card away. */
import { type Cardholder, type Presentation, pace, Timers } from '../../simulation/simulator.ts';
import { texts } from '../protocol/commands.ts';
import type { EndName, Technology } from '../protocol/notices.ts';
import type { MmsTransaction, MmsUnit } from './unit.ts';

type Way = 'chip' | 'stripe';

/** A start within this time is for the same customer; a later one is a new sale. */
const sameSaleMs = 2_000;

/** The device, its customer, and the current transaction. */
export type MmsTransactionParts = { unit: MmsUnit; customer: MmsCustomer; transaction: MmsTransaction };

export class MmsCustomer {
  readonly #unit: MmsUnit;
  readonly #cardholder: Cardholder;
  #now: Presentation | undefined;
  /** What the customer was told to do with the same card at the next start, if that comes soon. */
  #next: { way: Way; until: number } | undefined;
  readonly #timers: Timers;

  constructor(unit: MmsUnit, cardholder: Cardholder) {
    this.#unit = unit;
    this.#timers = new Timers(unit.parts.clock);
    this.#cardholder = cardholder;
    unit.onEnd = (how, technology) => this.#ended(how, technology);
  }

  presentation(): Presentation | undefined {
    return this.#now;
  }

  /** Cancels everything the customer was about to do. */
  leave() {
    this.#timers.stop();
  }

  /** The device waits for a card: a new customer, or the same one who was told what to do. */
  onInvited() {
    const next = this.#next;
    this.#next = undefined;
    this.leave();
    if (next !== undefined && this.#unit.parts.clock.monotonic() <= next.until) return this.#do(next.way, pace.handMs);
    // The earlier customer has left, and so has a card forgotten in the slot.
    if (this.#unit.cardInSlot() !== undefined) this.#unit.remove();
    this.#now = this.#cardholder();
    if (!this.#now.never) this.#timers.after(this.#now.afterMs ?? pace.comesAfterMs, () => this.#act());
  }

  /** The device asks for another way in the same transaction. */
  onAsked(way: Way) {
    this.#do(way, pace.handMs);
  }

  /** The host has one of the device's texts shown. */
  onShown(text: number) {
    if (text === texts.useChip || text === texts.tryAgain) this.#willTry('chip');
    if (text === texts.useStripe) this.#willTry('stripe');
    if (text === texts.removeCard) this.#takesCard();
    if (text === texts.welcome) this.#next = undefined;
  }

  /** What the customer types when asked for a PIN. */
  pin(): string {
    return this.#now?.pin ?? this.#now?.card.pin ?? 'cancel';
  }

  /** After the end the customer takes the card away, unless it is needed again. */
  #ended(how: EndName, technology: Technology) {
    if (how === 'chipFailed' && this.#unit.cardInSlot() !== undefined) this.#willTry('chip');
    if (how === 'stripeInstead') this.#willTry('stripe');
    if (how === 'otherInterface') this.#willTry('chip');
    if (how === 'cancelledByHost' && technology === 'none' && this.#swipedChip()) this.#willTry('chip');
    this.#takesCard();
  }

  #willTry(way: Way) {
    this.#next = { way, until: this.#unit.parts.clock.monotonic() + sameSaleMs };
  }

  /** The swipe was refused because the card has a chip. */
  #swipedChip(): boolean {
    return this.#now?.by === 'swipe' && this.#now.card.chip === 'good' && this.#swiped;
  }

  #swiped = false;

  #takesCard() {
    if (this.#unit.cardInSlot() !== undefined) this.#timers.after(pace.leavesAfterMs, () => this.#unit.remove());
  }

  /** Takes the card out if it is in, and then inserts or swipes it. */
  #do(way: Way, ms: number) {
    this.#timers.after(ms, () => {
      if (this.#unit.cardInSlot() !== undefined) this.#unit.remove();
      this.#timers.after(pace.handMs, () => this.#present(way === 'chip' ? 'chip' : 'stripe'));
    });
  }

  #act() {
    if (this.#now === undefined) return;
    const { by, cancels } = this.#now;
    this.#swiped = false;
    if (cancels) {
      this.#unit.parts.report('the customer cancels');
      return this.#unit.end('cancelledByUser', 'none');
    }
    this.#present(by === 'swipe' ? 'stripe' : by);
  }

  #present(by: Exclude<Technology, 'none'>) {
    const card = this.#now?.card;
    const transaction = this.#unit.currentTransaction();
    if (card === undefined) return;
    this.#unit.parts.report(`card ${by}: ${card.label}`);
    this.#swiped = by === 'stripe';
    if (by === 'chip') this.#unit.insert(card);
    else transaction?.onPresented?.(card, by);
  }
}
