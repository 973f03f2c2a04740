/** What the steps of reading one card share: the request, what is still accepted, and how it is stopped. */
import { numericOf, printMoney } from '../../../src/base/money.ts';
import { localDateTime } from '../../codec.ts';
import type { CardInterface, NotRead, Prompt, ReadOutcome, ReadRequest, TerminalEvent } from '../../terminal.ts';
import type { MpiAsk, MpiCommandName, MpiKeyStatus, MpiReply } from '../protocol/commands.ts';
import type { MpiDevice } from './device.ts';

type StopReason = 'cancelledByTill' | 'timedOut';

export class MpiReading {
  readonly device: MpiDevice;
  /** As the device said at the beginning of this read. */
  keys: MpiKeyStatus = { ready: false, pin: false, sred: false };
  readonly request: ReadRequest;
  readonly tell: (event: TerminalEvent) => void;
  /** Shrinks when an interface turns out to be of no use with this card. */
  readonly accept: Set<CardInterface>;
  /** A chip was tried and the device allows the stripe instead. */
  chipFailed = false;
  /** The insertion whose chip was tried already. */
  triedInsertion = 0;
  #stopped: StopReason | undefined;

  constructor(device: MpiDevice, at: { request: ReadRequest; tell: (event: TerminalEvent) => void }) {
    this.device = device;
    this.request = at.request;
    this.tell = at.tell;
    this.accept = new Set(at.request.accept);
  }

  stopped(): StopReason | undefined {
    return this.#stopped;
  }

  cancelled(): boolean {
    return this.#stopped === 'cancelledByTill';
  }

  /** A new wait for the customer begins; a cancel stays. */
  rearm(): void {
    if (!this.cancelled()) this.#stopped = undefined;
  }

  /** Stops whatever runs; resolves when the device has acknowledged. */
  async stop(why: StopReason): Promise<void> {
    if (!this.cancelled()) this.#stopped = why;
    this.device.slot.poke();
    if (this.device.waits()) await this.device.abort();
  }

  /** Runs a command that waits for customer or card; after a cancel it is not even begun. */
  async run<N extends MpiCommandName>(name: N, ask: MpiAsk<N>, withinMs?: number): Promise<MpiReply<N>> {
    if (this.cancelled()) return { status: '9F41' };
    return this.device.ask(name, ask, withinMs);
  }

  /** Ends a chip transaction that nobody will continue, so that the device is free again. */
  async abandon(why: NotRead): Promise<ReadOutcome> {
    await this.device.abort();
    return notRead(why);
  }

  /** Fields that both transaction starts have. */
  fields() {
    const { amount, kind, at } = this.request;
    const [date, time] = localDateTime(at, this.device.tools.timeZone);
    // A currency that the table does not know is refused here, before the device hears of it.
    numericOf(amount.currency);
    return { type: kind === 'refund' ? '20' : '00', amountMinor: amount.minor, date, time, currency: amount.currency };
  }
}

export const notRead = (why: NotRead): ReadOutcome => ({ kind: 'notRead', why });

// The texts of the device's display, four short lines at most.

export const promptTexts: Readonly<Record<Prompt, string>> = {
  welcome: 'WELCOME',
  processing: 'PLEASE WAIT',
  approved: 'APPROVED',
  declined: 'DECLINED',
  cancelled: 'CANCELLED',
  removeCard: 'REMOVE CARD',
};

const verbs: readonly (readonly [CardInterface, string])[] = [
  ['tap', 'TAP'],
  ['chip', 'INSERT'],
  ['swipe', 'SWIPE'],
];

/** The amount, and what may be done with a card: `12.50 EUR` / `TAP, INSERT OR SWIPE`. */
export const presentText = ({ amount }: ReadRequest, accept: ReadonlySet<CardInterface>): string => {
  const words = verbs.filter(([each]) => accept.has(each)).map(([, verb]) => verb);
  const last = words.pop() ?? '';
  const ways = words.length === 0 ? last : `${words.join(', ')} OR ${last}`;
  return `${printMoney(amount)}\n${ways}`;
};
