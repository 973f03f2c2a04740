/** What is known of cards from the device's notices: whether one is in the slot, and the last swipe nobody has used. */
import type { CardNotice } from '../protocol/notices.ts';

export class CardSlot {
  #present = false;
  #chip = false;
  #insertions = 0;
  #swipe: CardNotice | undefined;
  #wake: (() => void)[] = [];

  hear(notice: CardNotice): void {
    if (notice.present && !this.#present) this.#insertions += 1;
    this.#present = notice.present;
    this.#chip = notice.chip;
    if (notice.swiped) this.#swipe = notice;
    this.poke();
  }

  present(): boolean {
    return this.#present;
  }

  /** Whether it has answered as a chip. */
  chip(): boolean {
    return this.#chip;
  }

  /** Counts insertions, so that a card pulled and put back is told from one that stayed. */
  insertions(): number {
    return this.#insertions;
  }

  /** Whether a swipe waits to be taken. */
  swiped(): boolean {
    return this.#swipe !== undefined;
  }

  /** The waiting swipe, once. */
  takeSwipe(): CardNotice | undefined {
    const swipe = this.#swipe;
    this.#swipe = undefined;
    return swipe;
  }

  /** Resolves at the next notice, or when poked. */
  changed(): Promise<void> {
    return new Promise((resolve) => this.#wake.push(resolve));
  }

  /** Wakes whoever waits, to look again. */
  poke(): void {
    for (const wake of this.#wake.splice(0)) wake();
  }
}
