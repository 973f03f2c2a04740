/** The customer at the simulated NEO 2 reader: presents a card when it waits for one, types, takes it away. */
import { isFault } from '../../../src/base/fault.ts';
import { toHex } from '../../../src/base/hex.ts';
import { hasPinPad } from '../../../src/emv/device-models.ts';
import type { TestCard } from '../../../src/emv/test-cards.ts';
import type { Ciphertext } from '../../simulation/key-slots.ts';
import { type Cardholder, type Presentation, pace, Timers } from '../../simulation/simulator.ts';
import { type Neo2PinAnswer, pinEnds } from '../protocol/answers.ts';
import type { Neo2Ask } from '../protocol/commands.ts';
import { status } from '../protocol/status.ts';
import type { Neo2Unit } from './unit.ts';

/** What the reader does when the customer acts. */
export type CustomerActions = Readonly<Record<Presentation['by'], (card: TestCard) => void>>;

/** A wait within this time is for the same customer; a later one is a new sale. */
const sameSaleMs = 2_000;

export class Neo2Customer {
  readonly #unit: Neo2Unit;
  readonly #cardholder: Cardholder;
  readonly #acts: CustomerActions;
  #now: Presentation | undefined;
  /** What the customer does with the same card when the reader waits again. */
  #next: { by: Presentation['by']; until: number } | undefined;
  readonly #timers: Timers;

  constructor(unit: Neo2Unit, cardholder: Cardholder, actions: CustomerActions) {
    this.#unit = unit;
    this.#timers = new Timers(unit.parts.clock);
    this.#cardholder = cardholder;
    this.#acts = actions;
  }

  presentation(): Presentation | undefined {
    return this.#now;
  }

  /** The reader waits for a card: the customer who should try another way does, or the next one comes. */
  onReaderStarted() {
    const next = this.#next;
    this.leave();
    if (next !== undefined && this.#unit.parts.clock.monotonic() <= next.until) {
      return this.#timers.after(pace.handMs, () => this.#act(next.by));
    }
    // The earlier customer has left with the card.
    this.#unit.inSlot = undefined;
    this.#now = this.#cardholder();
    const { by, afterMs, never, cancels } = this.#now;
    if (never) return;
    this.#timers.after(afterMs ?? pace.comesAfterMs, () => {
      if (cancels) this.#say('the customer cancels', () => this.#unit.cancelKey());
      else this.#act(by);
    });
  }

  /** The card did not work this way: at the next wait the customer tries that way. */
  planNext(by: Presentation['by']) {
    this.#next = { by, until: this.#unit.parts.clock.monotonic() + sameSaleMs };
  }

  /** In the same wait the customer tries again, or another way. */
  tryCard(by: Presentation['by']) {
    this.#timers.after(pace.handMs, () => this.#act(by));
  }

  /** The reader released the card: the customer removes it from the slot. */
  takeCard() {
    if (this.#unit.inSlot === undefined) return;
    this.#timers.after(pace.leavesAfterMs, () => {
      this.#unit.inSlot = undefined;
      this.#unit.parts.report('card removed');
    });
  }

  /** What the customer types when asked for a PIN. */
  pin(): string {
    return this.#now?.pin ?? this.#unit.lastRead?.pin ?? this.#unit.inSlot?.pin ?? 'cancel';
  }

  /** Cancels everything the customer was about to do. */
  leave() {
    this.#timers.stop();
    this.#next = undefined;
  }

  #act(by: Presentation['by']) {
    const card = this.#now?.card;
    const way = by === 'manual' || by === 'chip' || by === 'tap' ? by : 'swipe';
    if (card === undefined || this.#unit.currentCommand()?.ways.has(way) !== true) return;
    this.#say(`${verbs[by]}: ${card.label}`, () => this.#acts[by](card));
  }

  #say(line: string, action: () => void) {
    this.#unit.parts.report(line);
    action();
  }
}

const verbs = {
  chip: 'card inserted',
  tap: 'card tapped',
  swipe: 'card swiped',
  manual: 'a card number is typed in',
} as const;

// What is typed on the simulated NEO 2 reader: a PIN for the host, and a card number.

/** The PIN under the next key; undefined when no key is left. */
export const sealPin = (unit: Neo2Unit, pin: string, pan: string): Ciphertext | undefined => {
  try {
    return unit.parts.keys.sealPin(pin, pan, unit.parts.cipher);
  } catch (error) {
    if (!isFault(error, 'key.exhausted')) throw error;
    unit.parts.report('the PIN key is used up');
    return undefined;
  }
};

/** 62-01: an empty answer at once, the PIN in a second one. */
export const onlinePin = (unit: Neo2Unit, customer: Neo2Customer) => {
  const card = unit.lastRead;
  if (hasPinPad(unit.parts.config.model) === false) return unit.answer('onlinePin', { status: status.unknownSub });
  if (card === undefined) return unit.answer('onlinePin', { status: status.notAllowed });
  const { phase } = unit;
  unit.begin('onlinePin');
  // A failed entry is also reported in the status, with its reason in the data (IDG p346).
  const failure = unit.hasDialect('pin-failure-under-00') ? status.ok : status.failed;
  const fail = (answer: Neo2PinAnswer) => unit.end('onlinePin', { status: failure, answer }, phase);
  unit.stopKeys = () => fail({ kind: 'hostCancelled', code: pinEnds.hostCancelled });
  unit.answer('onlinePin', { status: unit.hasDialect('pin-acknowledged-63') ? status.accepted : status.ok });
  unit.parts.report('PIN entry');
  unit.schedule(pace.pinMs, () => {
    const digits = customer.pin();
    if (digits === 'cancel') return fail({ kind: 'customerCancelled', code: pinEnds.customerCancelled });
    const sealed = sealPin(unit, digits, card.pan);
    if (sealed === undefined) return fail({ kind: 'noKey', code: pinEnds.keyUsedUp });
    const answer = { kind: 'entered', data: sealed.data, ksn: toHex(sealed.ksn) } as const;
    unit.end('onlinePin', { status: status.ok, answer }, phase);
  });
};

/** 83-41. */
export const manual = (
  unit: Neo2Unit,
  customer: Neo2Customer,
  { name, ask: { timeoutS } }: { name: 'manual' | 'manualUnderV3'; ask: Neo2Ask<'manual'> },
) => {
  unit.forget();
  unit.begin(name, new Set(['manual']));
  if (timeoutS > 0) unit.schedule(timeoutS * 1_000, () => unit.fail(status.timedOut));
  customer.onReaderStarted();
};
