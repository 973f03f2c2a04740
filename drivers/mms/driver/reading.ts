/** What the steps of reading one card share: the request, what is still accepted, the deadline, and how to stop. */
import { exponentOf, numericOf } from '../../../src/base/money.ts';
import { isTyped } from '../../reader-terminal.ts';
import type { CardInterface, Prompt, ReadRequest, TerminalEvent } from '../../terminal.ts';
import { emvFlow, type MmsAsk, manualEntry, texts } from '../protocol/commands.ts';
import { isSuccess, statusRow } from '../protocol/messages.ts';
import { type MmsDevice, refusalFault } from './device.ts';

type StopReason = 'cancelledByTill' | 'timedOut';

/** How long the device may take to end a transaction that it agreed to cancel. */
const stoppingMs = 10_000;
/** How much later than the device's own limit the driver ends the customer's time. */
const graceMs = 5_000;
/** Reading, choosing, PIN entry: the time between the card's arrival and its answer. */
const cardMs = 180_000;
/** The longest time that the device itself can count. */
const secondsMax = 255;

export class MmsReading {
  readonly device: MmsDevice;
  readonly request: ReadRequest;
  readonly notify: (event: TerminalEvent) => void;
  /** Shrinks when an interface proves unusable with this card. */
  readonly accept: Set<CardInterface>;
  chipFailures = 0;
  /** The chip has been tried often enough: the stripe is allowed instead. */
  chipFailed = false;
  /** The card must be presented again with its chip. */
  chipWanted = false;
  #deadline = 0;
  /** Cards that come and go cannot extend the deadline beyond this. */
  #latest = Number.POSITIVE_INFINITY;
  #stopped: StopReason | undefined;

  constructor(device: MmsDevice, request: ReadRequest, notify: (event: TerminalEvent) => void) {
    this.device = device;
    this.request = request;
    this.notify = notify;
    this.accept = new Set(request.accept);
    // A currency missing from the table is refused here, before anything is sent to the device.
    numericOf(request.amount.currency);
  }

  stopReason(): StopReason | undefined {
    return this.#stopped;
  }

  isCancelled(): boolean {
    return this.#stopped === 'cancelledByTill';
  }

  /** Stops the transaction; resolves when the device has acknowledged. */
  async stop(reason: StopReason): Promise<void> {
    if (!this.isCancelled()) this.#stopped = reason;
    const stopped = await this.device.cancel();
    this.#latest = Number.POSITIVE_INFINITY;
    if (stopped) this.#limit(stoppingMs);
    this.device.events.wakeAll();
  }

  /**
   * Starts the transaction with what is accepted now. The customer has the request's full time. `unsupported`: the
   * device has no keypad for typing a number.
   */
  async start(): Promise<'started' | 'unsupported'> {
    if (!this.isCancelled()) this.#stopped = undefined;
    const { withinMs } = this.request;
    const { status } = await this.device.ask('start', this.#ask());
    if (!isSuccess(status)) {
      this.device.events.end();
      if (isTyped(this) && statusRow(status).means === 'unknown') return 'unsupported';
      throw refusalFault('start', status);
    }
    this.#latest = this.device.tools.clock.monotonic() + withinMs + graceMs + cardMs;
    this.#limit(withinMs + graceMs);
    // A cancel before the start had nothing to stop.
    if (this.isCancelled()) await this.stop('cancelledByTill');
    return 'started';
  }

  /** A card was presented: the customer's time is over, the device's own begins. */
  noteCard(): void {
    if (this.#stopped === undefined) this.#limit(cardMs);
  }

  nextEvent() {
    return this.device.nextEvent(() => this.#deadline);
  }

  #limit(ms: number): void {
    this.#deadline = Math.min(this.device.tools.clock.monotonic() + ms, this.#latest);
  }

  #ask(): MmsAsk<'start'> {
    const { amount, kind, withinMs } = this.request;
    const seconds = Math.ceil(withinMs / 1_000);
    return {
      seconds: seconds > secondsMax ? 0 : Math.max(1, seconds),
      readers: this.#readers(),
      options: emvFlow,
      sale: {
        type: kind === 'refund' ? '20' : '00',
        amountMinor: amount.minor,
        otherMinor: 0n,
        currency: amount.currency,
        exponent: exponentOf(amount.currency),
        // No merchant category and no transaction category, as in the manual's example.
        merchantCategory: '0000',
        transactionCategory: '00',
      },
    };
  }

  #readers(): NonNullable<MmsAsk<'start'>['readers']> {
    const { accept } = this;
    // For manual entry the device requires all its readers off.
    if (isTyped(this)) return { swipe: 0, chip: 0, tap: 0, manual: manualEntry };
    // Once the card must use its chip, it cannot be swiped until the chip has failed.
    const swipe = accept.has('swipe') && (this.chipFailed || (!this.chipWanted && this.chipFailures === 0));
    const chip = accept.has('chip') && !this.chipFailed;
    return { swipe: swipe ? 1 : 0, chip: chip ? 1 : 0, tap: accept.has('tap') ? 1 : 0 };
  }
}

// The device's texts for the till's prompts, and what the texts of a unit without a display mean for the till.

export const promptTexts: Readonly<Record<Prompt, number>> = {
  welcome: texts.welcome,
  processing: texts.processing,
  approved: texts.approved,
  declined: texts.declined,
  cancelled: texts.cancelled,
  removeCard: texts.removeCard,
};

const meanings: readonly (readonly [RegExp, TerminalEvent])[] = [
  [/\bREMOVE\b/i, 'removeCard'],
  [/\bPIN\b/i, 'enterPin'],
  [/USE CHIP/i, 'useChip'],
  [/USE MAG/i, 'useStripe'],
  [/\bAUTHORI[SZ]ING\b/i, 'authorising'],
  [/\b(TAP|INSERT|SWIPE|PRESENT)\b/i, 'presentCard'],
];

/** The till's event for lines that the device wants shown; undefined for a text that asks for nothing. */
export const eventOf = (lines: readonly string[]): TerminalEvent | undefined =>
  meanings.find(([pattern]) => pattern.test(lines.join(' ')))?.[1];
