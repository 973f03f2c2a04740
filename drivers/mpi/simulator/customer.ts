/** The customer at the simulated MPI device: reads its display, presents a card, types, and takes the card away. */
import { isFault } from '../../../src/base/fault.ts';
import type { TestCard } from '../../../src/emv/test-cards.ts';
import { type Cardholder, type Presentation, pace, Timers } from '../../simulation/simulator.ts';
import { encodeNotice } from '../protocol/notices.ts';
import { swipeNotice } from './answers.ts';
import type { MpiUnit } from './unit.ts';

export class MpiCustomer {
  readonly #unit: MpiUnit;
  readonly #cardholder: Cardholder;
  #now: Presentation | undefined;
  /** coming: has not acted yet; holding: waits with the card for a reader or keypad. */
  #stage: 'coming' | 'holding' | 'acted' = 'acted';
  /** The card was swiped or tapped without success, and has a chip. */
  #wantsSlot = false;
  #chipFailed = false;
  #leaving = false;
  readonly #timers: Timers;

  constructor(unit: MpiUnit, cardholder: Cardholder) {
    this.#unit = unit;
    this.#timers = new Timers(unit.parts.clock);
    this.#cardholder = cardholder;
  }

  presentation(): Presentation | undefined {
    return this.#now;
  }

  /** A new sale begins: the earlier customer has left with the card, unless it was forgotten in the slot. */
  newSale(): void {
    const leaving = this.#leaving;
    this.leave();
    if (leaving) this.#unit.remove();
    this.#now = undefined;
  }

  /** Cancels everything the customer was about to do. */
  leave(): void {
    this.#timers.stop();
    this.#leaving = false;
  }

  /** The display asks for a card. A new customer comes, or the same one follows it with the same card. */
  onInvited(text: string) {
    if (this.#now === undefined) return this.#come();
    if (this.#chipFailed && /SWIPE/i.test(text)) {
      this.#chipFailed = false;
      this.#timers.after(pace.handMs, () => this.#unit.remove());
      this.#timers.after(2 * pace.handMs, () => this.#swipe());
    } else if (this.#wantsSlot && /INSERT|CHIP/i.test(text)) {
      this.#wantsSlot = false;
      this.#timers.after(pace.handMs, () => this.#insert());
    }
  }

  /** The contactless reader or the keypad is on: a waiting customer acts, or a new one comes. */
  onReaderStarted(): void {
    if (this.#now === undefined) this.#come();
    else if (this.#stage === 'holding') this.#timers.after(pace.handMs, () => this.#act());
  }

  /** The chip in the slot did not answer: the next request is for the stripe. */
  noteChipFailure(): void {
    this.#chipFailed = true;
  }

  /** The tap was refused: the next request is for the chip. */
  noteTapFailure(): void {
    this.#wantsSlot = true;
  }

  /** The sale is over, or the display says so: the customer removes the card from the slot. */
  takeCard(): void {
    if (this.#leaving || this.#unit.cardInSlot() === undefined) return;
    this.#leaving = true;
    this.#timers.after(pace.leavesAfterMs, () => {
      this.#leaving = false;
      this.#unit.remove();
    });
  }

  /** What the customer types when asked for a PIN. */
  pin(): string {
    return this.#now?.pin ?? this.#unit.lastRead?.pin ?? this.#unit.cardInSlot()?.pin ?? 'cancel';
  }

  /** The next customer steps up, to act in their own time. */
  #come(): void {
    this.#now = this.#cardholder();
    this.#stage = 'coming';
    this.#wantsSlot = false;
    this.#chipFailed = false;
    if (!this.#now.never) this.#timers.after(this.#now.afterMs ?? pace.comesAfterMs, () => this.#act());
  }

  /** Does what the customer came for, or waits with the card until the reader is on. */
  #act(): void {
    if (this.#now === undefined) return;
    const { by, cancels, card } = this.#now;
    const running = this.#unit.currentCommand();
    this.#stage = 'acted';
    if (cancels) {
      if (running === undefined) this.#stage = 'holding';
      else this.#say('the customer cancels', () => this.#unit.cancelKey());
    } else if (by === 'chip') this.#insert();
    else if (by === 'swipe') this.#swipe();
    else if (by === 'tap' && running?.onTapped !== undefined) running.onTapped(card);
    else if (by === 'manual' && running?.name === 'manualEntry') running.onTapped?.(card);
    else this.#stage = 'holding';
  }

  #insert(): void {
    const card = this.#now?.card;
    if (card !== undefined) this.#say(`card inserted: ${card.label}`, () => this.#unit.insert(card));
  }

  #swipe(): void {
    const card = this.#now?.card;
    if (card === undefined) return;
    this.#wantsSlot = card.chip === 'good';
    if (this.#unit.hasDialect('card-before-chip')) {
      this.#unit.notifyPassing();
      this.#timers.after(pace.stopMs, () => this.#swiped(card));
    } else this.#swiped(card);
  }

  #swiped(card: TestCard): void {
    this.#say(`card swiped: ${card.label}`, () => {
      const unit = this.#unit;
      try {
        unit.notify(encodeNotice(swipeNotice(card, unit.parts.keys, unit.slot())));
      } catch (error) {
        if (!isFault(error, 'key.exhausted')) throw error;
        return unit.parts.report('swipe ignored: the key for card data is used up');
      }
      unit.lastRead = card;
      const status = unit.currentCommand()?.endsAt?.swipe;
      if (status !== undefined) unit.fail(status);
    });
  }

  #say(line: string, action: () => void): void {
    this.#unit.parts.report(line);
    action();
  }
}
