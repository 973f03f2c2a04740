/** A NEO 2 reader on a link: commands in, replies and requests to the host out, and how a command is stopped. */
import { Fault } from '../../../src/base/fault.ts';
import { overwrite } from '../../../src/base/hex.ts';
import type { DriverTools } from '../../driver.ts';
import type { Neo2Frame } from '../../framing/neo2-frame.ts';
import type { Link } from '../../links/link.ts';
import { join, ProtocolSession } from '../../session.ts';
import type { OutputMode } from '../protocol/answers.ts';
import {
  commandByte,
  commands,
  decodeAnswer,
  encodeRequest,
  type Neo2Answer,
  type Neo2Ask,
  type Neo2CommandName,
  type Neo2Reply,
} from '../protocol/commands.ts';
import { frameLink, isDeviceMessage, type Neo2Message, neo2Protocol } from '../protocol/protocol.ts';
import { status, statusRow, statusText } from '../protocol/status.ts';
import { decodeUpcall, isUpcall, needsNoAnswer, type Upcall, upcallReply } from '../protocol/upcalls.ts';

/** How long a command may still take once the reader has acknowledged its cancel without ending it. */
const cancelledMs = 10_000;

export class Neo2Device {
  readonly tools: DriverTools;
  /** Receives a request of the reader during a transaction, before it is answered. */
  onUpcall: ((upcall: Upcall) => void) | undefined;
  /** The reader restarted while idle: its settings must be sent again. */
  restarted = false;
  /** A service's proprietary cipher, if the last card's data was encrypted with one. */
  proprietaryCipher: string | undefined;
  /** The last card’s data was not encrypted. */
  gaveClear = false;
  /** What it reported about its key for card data at the last card, if the key is missing. */
  lacksKey: string | undefined;
  /** How it encrypts card data, where it reports that. */
  outputMode: OutputMode | undefined;
  /** A chip's decision that arrives unasked, when the host's answer came too late. */
  ownWord: Neo2Reply<'finish'> | undefined;
  readonly #link: Link;
  readonly #session: ProtocolSession<Neo2Message>;
  /** Stops the running command; resolves when the reader has acknowledged. Throws `terminal.refused` if it does not. */
  readonly cancel = join(() => this.#cancel());

  constructor(link: Link, tools: DriverTools) {
    this.tools = tools;
    this.#link = frameLink(link, 'host');
    const events = {
      notice: (message: Neo2Message) => (message.kind === 'frame' ? this.#notice(message.frame) : undefined),
      report: (stray: Fault) => tools.report(stray),
      ended: () => {},
    };
    this.#session = new ProtocolSession({
      link: this.#link,
      clock: tools.clock,
      protocol: neo2Protocol(tools.clock),
      events,
    });
  }

  /** Any reply, including refusals. `withinMs` replaces the row's deadline. Throws the Fault that ended the session. */
  async ask<N extends Neo2CommandName>(name: N, ask: Neo2Ask<N>, withinMs?: number): Promise<Neo2Reply<N>> {
    const bytes = encodeRequest(name, ask);
    const message = await this.#session.ask({ name, bytes, withinMs: withinMs ?? commands[name].withinMs });
    // A cancelled command has no answer of its own; its caller knows that it was cancelled.
    if (message.kind === 'withdrawn') return { status: status.failed };
    const { frame } = message;
    try {
      return this.#session.read(frame.data.length, () => decodeAnswer(name, frame));
    } finally {
      // A PIN that was read has bytes of its own; other answers are views of these.
      if (name === 'onlinePin') overwrite(frame.data);
    }
  }

  /** The answer to a command that should not fail. Throws `terminal.refused` for any status other than 00. */
  async need<N extends Neo2CommandName>(name: N, ask: Neo2Ask<N>): Promise<Neo2Answer<N>> {
    const reply = await this.ask(name, ask);
    if (reply.status !== status.ok || reply.answer === undefined) throw refusalFault(name, reply.status);
    return reply.answer;
  }

  /** Sends a command that older readers do not know; undefined from such a reader. */
  async askOptional<N extends Neo2CommandName>(name: N, ask: Neo2Ask<N>): Promise<Neo2Answer<N> | undefined> {
    const reply = await this.ask(name, ask);
    if (reply.status === status.ok) return reply.answer;
    const { means } = statusRow(reply.status);
    if (means !== 'unsupported' && means !== 'tampered') this.tools.report(refusalFault(name, reply.status));
    return undefined;
  }

  /** Whether a command that waits for customer or card is running. */
  isWaiting(): boolean {
    const running = this.#session.runningQuestion()?.name as Neo2CommandName | undefined;
    return running !== undefined && commands[running].waits;
  }

  async #cancel(): Promise<void> {
    // During PIN entry a reader accepts only the command that ends it (IDG p346).
    const name = this.#session.runningQuestion()?.name === 'onlinePin' ? 'cancelKeys' : 'cancel';
    const question = { name, bytes: encodeRequest(name, {}), withinMs: commands[name].withinMs };
    const message = this.isWaiting()
      ? await this.#session.overtake(question, cancelledMs)
      : await this.#session.ask(question);
    if (message.kind === 'withdrawn' || message.frame.status === status.ok) return;
    // The PIN entry has just ended by itself.
    if (name === 'cancelKeys' && message.frame.status === status.failed) return;
    throw refusalFault(name, message.frame.status ?? 0xff);
  }

  /** Throws the Fault that ended the session, if one did. */
  check(): void {
    this.#session.check();
  }

  /** Ends the session: every open and later question gets `link.lost`. Never rejects. */
  close(): Promise<void> {
    return this.#session.close();
  }

  /** The Fault to report about an unsolicited frame, if it is unexpected. */
  #notice(frame: Neo2Frame): Fault | undefined {
    if (isUpcall(frame)) return this.#upcall(frame);
    if (isDeviceMessage(frame)) this.ownWord = decodeAnswer('finish', frame);
    if (frame.command !== commandByte('bootNotice')) return undefined;
    const reason = 'it has restarted';
    const restart = new Fault('link.lost', { port: this.#link.name, why: reason });
    // The running command is lost without an answer, and its progress is unknown.
    if (this.#session.runningQuestion() !== undefined) this.#session.end(restart);
    else this.restarted = true;
    return restart;
  }

  #upcall(frame: Neo2Frame): Fault | undefined {
    try {
      const upcall = decodeUpcall(frame);
      // Texts for a display arrive at any time, even after the end of a transaction.
      if (upcall !== undefined && needsNoAnswer(upcall)) return undefined;
      if (upcall === undefined || !this.isWaiting()) return new Fault('terminal.stray', { bytes: frame.data.length });
      this.onUpcall?.(upcall);
      const reply = upcallReply(upcall);
      if (reply === undefined) return undefined;
      this.#link.write(reply).catch((error: unknown) => {
        const lost = new Fault('link.lost', { port: this.#link.name, why: 'it took no more bytes' }, error);
        this.#session.end(error instanceof Fault ? error : lost);
      });
      return undefined;
    } catch (cause) {
      return new Fault('terminal.garbled', { bytes: frame.data.length }, cause);
    }
  }
}

export const refusalFault = (command: Neo2CommandName, value: number): Fault =>
  new Fault('terminal.refused', { command, status: statusText(value), why: statusRow(value).says });
