/** The unsolicited messages of an MMS device, in order, and how each one is handled. */
import { Fault } from '../../../src/base/fault.ts';
import { overwrite } from '../../../src/base/hex.ts';
import { formatEnglish } from '../../../src/base/placeholders.ts';
import { find } from '../../../src/emv/tlv.ts';
import { decodeBlock, type MmsBlock } from '../protocol/card-data.ts';
import { contentOf, type MmsMessage } from '../protocol/messages.ts';
import { decodeNotice, displayLinesOf, type EndName, type MmsNotice, type Technology } from '../protocol/notices.ts';

export type TransactionEvent =
  | { kind: 'presented' | 'inserted' | 'removed' | 'tapped' | 'collision'; technology: Technology }
  | { kind: 'pinPadFailed' | 'pinNotEncrypted'; technology: Technology }
  | { kind: 'arqc' | 'batch'; technology: Technology; block: MmsBlock }
  /** A unit without a display asks the host to show this. */
  | { kind: 'text'; lines: readonly string[] }
  | { kind: 'ended'; technology: Technology; how: EndName };

/** A transaction has a handful of events; more come only from a faulty device, and the oldest are dropped. */
const waitingMax = 64;

export class MmsEvents {
  #waiting: TransactionEvent[] = [];
  #running = false;
  #present = false;
  #wake: (() => void)[] = [];

  /** The device has reported a new transaction: earlier events belong to another one. */
  begin(): void {
    this.#waiting = [];
    this.#running = true;
  }

  /** The device has no transaction any more, or nobody waits for one. */
  end(): void {
    this.#waiting = [];
    this.#running = false;
  }

  isRunning(): boolean {
    return this.#running;
  }

  handle(event: TransactionEvent): void {
    if (event.kind === 'inserted') this.#present = true;
    if (event.kind === 'removed') this.#present = false;
    if (this.#running) this.#waiting.push(event);
    if (this.#waiting.length > waitingMax) this.#waiting.shift();
    this.wakeAll();
  }

  /** Whether a chip is in the slot, as far as the device has reported. */
  present(): boolean {
    return this.#present;
  }

  take(): TransactionEvent | undefined {
    return this.#waiting.shift();
  }

  waitForChange(): Promise<void> {
    return new Promise((resolve) => this.#wake.push(resolve));
  }

  /** Wakes any waiting caller to check again. */
  wakeAll(): void {
    for (const wake of this.#wake.splice(0)) wake();
  }
}

// How each unsolicited message is handled: events of the running transaction are queued, complaints of the device are
// stored for its health, and a restart during an operation ends the session.

type Notification = Extract<MmsMessage, { kind: 'notification' }>;

type NoticeReceiver = {
  events: MmsEvents;
  /** Sentences about the device's state, by topic. */
  warnings: Map<string, string>;
  /** The device restarted: any running operation is lost. */
  onRestarted(): void;
  /** A block of the running transaction is unreadable: this session can no longer be trusted. */
  onUnreadable(fault: Fault): void;
  /** A unit without a display asks the host for the customer's choice. */
  onChoiceNeeded(): void;
};

export class NoticeTaker {
  readonly #receiver: NoticeReceiver;
  #lastArqc = '';
  #lastEnd = '';

  constructor(receiver: NoticeReceiver) {
    this.#receiver = receiver;
  }

  /** Takes a notification. A returned Fault must be reported like a stray. */
  take(message: Notification): Fault | undefined {
    const receiver = this.#receiver;
    const notice = decodeNotice(message);
    switch (notice.kind) {
      case 'arqc':
      case 'batch':
        return this.#block(notice.kind, notice.technology, notice.payload);
      case 'presented':
      case 'inserted':
      case 'removed':
      case 'tapped':
      case 'collision':
      case 'pinPadFailed':
      case 'pinNotEncrypted':
        receiver.events.handle({ kind: notice.kind, technology: notice.technology });
        return undefined;
      case 'showText':
      case 'showTextWithCancel':
        receiver.events.handle({ kind: 'text', lines: displayLinesOf(notice.payload) });
        return undefined;
      case 'select':
        receiver.onChoiceNeeded();
        return undefined;
      case 'clearDisplay':
      case 'displayDone':
      case 'aside':
        return undefined;
      case 'restarted':
        receiver.onRestarted();
        return undefined;
      case 'restartSoon':
        return warn(
          receiver,
          'restart',
          formatEnglish('It restarts by itself in {minutes, plural, one {# minute} other {# minutes}}', notice),
        );
      case 'battery':
        return noteBattery(receiver, notice);
      case 'temperature':
        return warn(receiver, 'temperature', `It is at ${notice.celsius} degrees, which is out of its range`);
      case 'pin':
      case 'unknown':
        return unsolicitedFault(message);
      default:
        return this.#end(message, notice.kind, notice.technology);
    }
  }

  #block(kind: 'arqc' | 'batch', technology: Technology, payload: Uint8Array | undefined): Fault | undefined {
    const { events, onUnreadable: unreadable } = this.#receiver;
    let block: MmsBlock;
    try {
      block = decodeBlock(find(contentOf('0101', payload), '84')?.value ?? new Uint8Array(0));
    } catch (cause) {
      const fault = new Fault('terminal.garbled', { bytes: payload?.length ?? 0 }, cause);
      if (events.isRunning()) unreadable(fault);
      return fault;
    }
    if (!events.isRunning()) {
      overwrite(block.sealed?.data);
      return new Fault('terminal.stray', { bytes: payload?.length ?? 0 });
    }
    // The device repeats its request when the host's answer is late.
    const ksn = block.sealed?.ksn ?? '';
    if (kind === 'arqc' && ksn !== '' && ksn === this.#lastArqc) {
      overwrite(block.sealed?.data);
      return undefined;
    }
    if (kind === 'arqc') this.#lastArqc = ksn;
    events.handle({ kind, technology, block });
    return undefined;
  }

  #end(message: Notification, how: EndName, technology: Technology): Fault | undefined {
    const { events } = this.#receiver;
    // By the manual the end is reported both before and after the batch data.
    const isRepeated = message.detail === this.#lastEnd && !events.isRunning();
    this.#lastEnd = message.detail;
    if (!events.isRunning()) return isRepeated ? undefined : unsolicitedFault(message);
    events.handle({ kind: 'ended', technology, how });
    return undefined;
  }
}

const unsolicitedFault = ({ payload }: Notification): Fault =>
  new Fault('terminal.stray', { bytes: 12 + (payload?.length ?? 0) });

const warn = ({ warnings }: NoticeReceiver, about: string, text: string): Fault => {
  warnings.set(about, text);
  return new Fault('terminal.warned', { text });
};

const noteBattery = (
  receiver: NoticeReceiver,
  { says, percent }: Extract<MmsNotice, { kind: 'battery' }>,
): Fault | undefined => {
  if (says === 'low') return warn(receiver, 'battery', `The battery is at ${percent} %`);
  if (says === 'empty')
    return warn(receiver, 'battery', 'The battery is empty: it switches itself off within a minute');
  receiver.warnings.delete('battery');
  return undefined;
};
