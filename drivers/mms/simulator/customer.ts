/** The customer before the simulated MMS device: presents a card, types, tries again when told, takes the card away. */
import { type Cardholder, type Presentation, pace, Timers } from '../../simulation/simulator.ts';
import { texts } from '../protocol/commands.ts';
import type { EndName, Technology } from '../protocol/notices.ts';
import type { MmsTransaction, MmsUnit } from './unit.ts';

type Way = 'chip' | 'stripe';

/** The till asks the same customer again within this time, or it is another sale. */
const sameSaleMs = 2_000;

/** The device, who stands before it, and the transaction between them. */
export type MmsTransactionParts = { unit: MmsUnit; customer: MmsCustomer; running: MmsTransaction };

export class MmsCustomer {
  readonly #unit: MmsUnit;
  readonly #cardholder: Cardholder;
  #now: Presentation | undefined;
  /** What the customer was told to do with the same card at the next start, if that is soon. */
  #next: { way: Way; until: number } | undefined;
  readonly #timers: Timers;

  constructor(unit: MmsUnit, cardholder: Cardholder) {
    this.#unit = unit;
    this.#timers = new Timers(unit.parts.clock);
    this.#cardholder = cardholder;
    unit.onEnd = (how, technology) => this.#ended(how, technology);
  }

  /** Who stands there now. */
  presentation(): Presentation | undefined {
    return this.#now;
  }

  /** Stops all that was going to happen. */
  leave() {
    this.#timers.stop();
  }

  /** The device waits for a card: somebody new, or the same again who was told what to do. */
  invited() {
    const next = this.#next;
    this.#next = undefined;
    this.leave();
    if (next !== undefined && this.#unit.parts.clock.monotonic() <= next.until) return this.#do(next.way, pace.handMs);
    // Whoever stood there is gone, and so is a card forgotten in the slot.
    if (this.#unit.inSlot() !== undefined) this.#unit.remove();
    this.#now = this.#cardholder();
    if (!this.#now.never) this.#timers.after(this.#now.afterMs ?? pace.comesAfterMs, () => this.#act());
  }

  /** The device asks, in the same transaction, for another way. */
  asked(way: Way) {
    this.#do(way, pace.handMs);
  }

  /** The host has one of the device's texts shown. */
  shown(text: number) {
    if (text === texts.useChip || text === texts.tryAgain) this.#willTry('chip');
    if (text === texts.useStripe) this.#willTry('stripe');
    if (text === texts.removeCard) this.#takesCard();
    if (text === texts.welcome) this.#next = undefined;
  }

  /** What is typed when a PIN is asked for. */
  pin(): string {
    return this.#now?.pin ?? this.#now?.card.pin ?? 'cancel';
  }

  /** After the end the customer takes the card away, unless something else is to be done with it. */
  #ended(how: EndName, technology: Technology) {
    if (how === 'chipFailed' && this.#unit.inSlot() !== undefined) this.#willTry('chip');
    if (how === 'stripeInstead') this.#willTry('stripe');
    if (how === 'otherInterface') this.#willTry('chip');
    if (how === 'cancelledByHost' && technology === 'none' && this.#swipedChip()) this.#willTry('chip');
    this.#takesCard();
  }

  #willTry(way: Way) {
    this.#next = { way, until: this.#unit.parts.clock.monotonic() + sameSaleMs };
  }

  /** The swipe was not taken, because the card has a chip. */
  #swipedChip(): boolean {
    return this.#now?.by === 'swipe' && this.#now.card.chip === 'good' && this.#swiped;
  }

  #swiped = false;

  #takesCard() {
    if (this.#unit.inSlot() !== undefined) this.#timers.after(pace.leavesAfterMs, () => this.#unit.remove());
  }

  /** Takes the card out if it is in, and then inserts or swipes it. */
  #do(way: Way, ms: number) {
    this.#timers.after(ms, () => {
      if (this.#unit.inSlot() !== undefined) this.#unit.remove();
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
    const running = this.#unit.running();
    if (card === undefined) return;
    this.#unit.parts.report(`card ${by}: ${card.label}`);
    this.#swiped = by === 'stripe';
    if (by === 'chip') this.#unit.insert(card);
    else running?.presented?.(card, by);
  }
}
