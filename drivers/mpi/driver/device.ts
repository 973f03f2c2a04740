/** An MPI device on a link: commands in, replies and card notices out, and how a command is stopped. */
import { Fault } from '../../../src/base/fault.ts';
import { overwrite } from '../../../src/base/hex.ts';
import type { DriverTools } from '../../driver.ts';
import type { Link } from '../../links/link.ts';
import { join, ProtocolSession } from '../../session.ts';
import {
  commands,
  decodeAnswer,
  encodeRequest,
  type MpiAnswer,
  type MpiAsk,
  type MpiCommandName,
  type MpiReply,
  type ResetAnswer,
} from '../protocol/commands.ts';
import { apduDataMax, encodeMessage, type MpiMessage, mpiProtocol } from '../protocol/messages.ts';
import { type CardNotice, decodeNotice, deviceCodes, statusRow } from '../protocol/notices.ts';

const STATUS_BYTES = 2;

/** How long a command may still take after the device has acknowledged its abort. */
const abortedMs = 10_000;

/** How long the line is left free for a device that is known to stay silent. */
const silentMs = 20;

export class MpiDevice {
  readonly slot = new CardSlot();
  readonly tools: DriverTools;
  readonly #link: Link;
  readonly #session: ProtocolSession<MpiMessage>;
  /** Stops the running command; resolves when the device has acknowledged. Throws `terminal.refused` if it does not. */
  readonly abort = join(() => this.#abort());
  readonly #protocol = mpiProtocol();
  /** Commands that this device did not answer or does not know. */
  readonly #inVain = new Set<MpiCommandName>();
  #takesLong = false;
  /** After the first sale, a device that reports being switched on has forgotten its settings. */
  #told: 'nothing' | 'ofCards' = 'nothing';

  constructor(link: Link, tools: DriverTools) {
    this.tools = tools;
    this.#link = link;
    const events = {
      notice: ({ body }: MpiMessage) => this.#notice(body),
      report: (stray: Fault) => tools.report(stray),
      ended: () => this.slot.wakeAll(),
    };
    this.#session = new ProtocolSession({ link, clock: tools.clock, protocol: this.#protocol, events });
  }

  /** Resets the device; returns its parts. Throws `terminal.refused`. */
  async reset(): Promise<ResetAnswer> {
    const answer = await this.need('reset', {});
    this.#takesLong = answer.extended === true;
    return answer;
  }

  /** The most bytes of data that a command can have. */
  dataMax(): number {
    return this.#takesLong ? apduDataMax.extended : apduDataMax.plain;
  }

  /** Any reply, including refusals. `withinMs` replaces the row's deadline. Throws the Fault that ended the session. */
  async ask<N extends MpiCommandName>(name: N, ask: MpiAsk<N>, withinMs?: number): Promise<MpiReply<N>> {
    const { body } = await this.#session.ask({
      name,
      bytes: encodeMessage(encodeRequest(name, ask)),
      withinMs: withinMs ?? commands[name].withinMs,
    });
    return this.#read(name, body);
  }

  #read<N extends MpiCommandName>(name: N, body: Uint8Array): MpiReply<N> {
    try {
      return this.#session.read(body.length, () => decodeAnswer(name, body));
    } finally {
      // A PIN that was read has bytes of its own; other answers are views of these.
      if (name === 'onlinePin') overwrite(body);
    }
  }

  /**
   * Turns on card notices with these bits (D060). Most devices report the slot at once and give no other answer. A
   * silent device is asked with D064, which not every device knows; without it nothing is known about a card that was
   * already in the slot. Throws `terminal.refused`.
   */
  async reportCards(tell: number): Promise<void> {
    this.#told = 'ofCards';
    const body = await this.#mayAsk('cardStatus', { tell });
    if (body === undefined) return this.#askSlot(tell);
    if (body.length > STATUS_BYTES) return this.#hearSlot(body);
    const { status } = this.#read('cardStatus', body);
    if (status !== '9000') throw refusalFault('cardStatus', status);
  }

  async #askSlot(tell: number): Promise<void> {
    if (this.#inVain.has('askSlot')) return;
    const body = await this.#mayAsk('askSlot', { tell });
    const reply = body && this.#read('askSlot', body);
    if (reply?.answer === undefined) this.#inVain.add('askSlot');
    else this.slot.handle(reply.answer);
  }

  #hearSlot(body: Uint8Array): void {
    const strange = this.#notice(body);
    if (strange !== undefined) this.tools.report(strange);
  }

  /** The body of an answer, if there is one. A device that did not answer once is not waited for again. */
  async #mayAsk<N extends MpiCommandName>(name: N, ask: MpiAsk<N>): Promise<Uint8Array | undefined> {
    const withinMs = this.#inVain.has(name) ? silentMs : commands[name].withinMs;
    const answer = await this.#session.mayAsk({ name, bytes: encodeMessage(encodeRequest(name, ask)), withinMs });
    if (answer !== undefined) return answer.body;
    this.#inVain.add(name);
    this.#protocol.mayOwe();
    return undefined;
  }

  /** The answer to a command that should not fail. Throws `terminal.refused` for any status other than 9000. */
  async need<N extends MpiCommandName>(name: N, ask: MpiAsk<N>): Promise<MpiAnswer<N>> {
    const { status, answer } = await this.ask(name, ask);
    if (answer === undefined) throw refusalFault(name, status);
    return answer;
  }

  /** Whether a command that waits for customer or card is running. */
  isWaiting(): boolean {
    const running = this.#session.runningQuestion()?.name as MpiCommandName | undefined;
    return running !== undefined && commands[running].waits;
  }

  async #abort(): Promise<void> {
    const { withinMs } = commands.abort;
    const question = { name: 'abort', bytes: encodeMessage(encodeRequest('abort', {})), withinMs };
    const { body } = this.isWaiting()
      ? await this.#session.overtake(question, abortedMs)
      : await this.#session.ask(question);
    const { status } = this.#session.read(body.length, () => decodeAnswer('abort', body));
    if (status !== '9000') throw refusalFault('abort', status);
  }

  /** What `check` returns for the slot, now or after a notice; undefined when `withinMs` pass first. */
  async waitUntil<T>(check: () => T | undefined, withinMs: number): Promise<T | undefined> {
    let isLate = false;
    const stopTimer = this.tools.clock.after(withinMs, () => {
      isLate = true;
      this.slot.wakeAll();
    });
    try {
      for (;;) {
        this.check();
        const found = check();
        if (found !== undefined || isLate) return found;
        await this.slot.waitForChange();
      }
    } finally {
      stopTimer();
    }
  }

  /** Throws the Fault that ended the session, if one did. */
  check(): void {
    this.#session.check();
  }

  /** Ends the session: every open and later question gets `link.lost`. Never rejects. */
  close(): Promise<void> {
    return this.#session.close();
  }

  /** A device that switches off or restarts no longer takes part in the operation that it began. */
  #hearState(code: number): void {
    const { poweredOn, poweringOff, rebooting, restarting } = deviceCodes;
    const goes = code === poweringOff || code === rebooting || code === restarting;
    if (!goes && (code !== poweredOn || this.#told === 'nothing')) return;
    const reason = code === poweringOff ? 'the terminal is switching off' : 'the terminal has restarted';
    this.#session.end(new Fault('link.lost', { port: this.#link.name, why: reason }));
  }

  /** The Fault to report about a notice, if it is unexpected. */
  #notice(body: Uint8Array): Fault | undefined {
    try {
      const notice = decodeNotice(body);
      if (notice.kind === 'card') this.slot.handle(notice);
      if (notice.kind === 'device') this.#hearState(notice.code);
      return notice.kind === 'other' ? new Fault('terminal.stray', { bytes: body.length }) : undefined;
    } catch (cause) {
      return new Fault('terminal.garbled', { bytes: body.length }, cause);
    }
  }
}

export const refusalFault = (command: MpiCommandName, status: string): Fault =>
  new Fault('terminal.refused', { command, status, why: statusRow(status).says });

/** What the device's notices say about cards: whether one is in the slot, and the last unused swipe. */
class CardSlot {
  #present = false;
  #chip = false;
  #insertions = 0;
  #swipe: CardNotice | undefined;
  #wake: (() => void)[] = [];

  handle(notice: CardNotice): void {
    if (notice.present && !this.#present) this.#insertions += 1;
    this.#present = notice.present;
    this.#chip = notice.chip;
    if (notice.swiped) this.#swipe = notice;
    this.wakeAll();
  }

  present(): boolean {
    return this.#present;
  }

  /** Whether the card has answered as a chip. */
  hasChip(): boolean {
    return this.#chip;
  }

  /** Counts insertions: a card that was removed and put back differs from one that stayed. */
  insertionCount(): number {
    return this.#insertions;
  }

  /** Whether a swipe waits to be taken. */
  hasSwipe(): boolean {
    return this.#swipe !== undefined;
  }

  takeSwipe(): CardNotice | undefined {
    const swipe = this.#swipe;
    this.#swipe = undefined;
    return swipe;
  }

  /** Resolves at the next notice, or when poked. */
  waitForChange(): Promise<void> {
    return new Promise((resolve) => this.#wake.push(resolve));
  }

  /** Wakes any waiting caller to check again. */
  wakeAll(): void {
    for (const wake of this.#wake.splice(0)) wake();
  }
}
