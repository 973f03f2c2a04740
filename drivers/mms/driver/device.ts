/** An MMS device on a link: commands in, replies and notifications out, and how a transaction is stopped. */
import { Fault } from '../../../src/base/fault.ts';
import type { DriverTools } from '../../driver.ts';
import type { Link } from '../../links/link.ts';
import { join, ProtocolSession } from '../../session.ts';
import {
  commands,
  decodeAnswer,
  encodeRequest,
  type MmsAnswer,
  type MmsAsk,
  type MmsCommandName,
  type MmsReply,
} from '../protocol/commands.ts';
import {
  echoData,
  encodeFramed,
  isSuccess,
  mmsProtocol,
  type NumberedQuestion,
  type ReceivedMmsMessage,
  type Status,
  splitWrites,
  statusRow,
  tooLongFault,
} from '../protocol/messages.ts';
import { type PropertyName, type PropertyValue, propertyRow } from '../protocol/properties.ts';
import { MmsEvents, NoticeTaker, type TransactionEvent } from './events.ts';

export class MmsDevice {
  readonly events = new MmsEvents();
  /** The device's complaints, by topic. */
  readonly warnings = new Map<string, string>();
  readonly tools: DriverTools;
  readonly #link: Link;
  readonly #session: ProtocolSession<ReceivedMmsMessage>;
  #ref: number;
  /** Whether the hello is over: until then notifications may belong to an earlier session. */
  #greeted = false;
  /** Stops the transaction; false when the device reports that it no longer can. Throws `terminal.refused`. */
  readonly cancel = join(() => this.#cancel());

  constructor(link: Link, tools: DriverTools) {
    this.tools = tools;
    this.#link = splitWrites(link);
    this.#ref = Math.floor(tools.clock.now() / 1_000) & 0xff;
    const notices = new NoticeTaker({
      events: this.events,
      warnings: this.warnings,
      onRestarted: () => this.#restarted(),
      onUnreadable: (fault) => this.end(fault),
      onChoiceNeeded: () => this.#inBackground(this.ask('choose', { status: 0, index: 0 })),
    });
    const events = {
      notice: (message: ReceivedMmsMessage) =>
        message.kind === 'notification' && this.#greeted ? notices.take(message) : undefined,
      report: (stray: Fault) => tools.report(stray),
      ended: () => this.events.wakeAll(),
    };
    const answer = (id: string) => {
      if (id === commands.start.id) this.events.begin();
    };
    const protocol = mmsProtocol(link.carries, answer);
    this.#session = new ProtocolSession({ link: this.#link, clock: tools.clock, protocol, events });
  }

  /** Any reply of the device, including refusals. Throws the Fault that ended the session. */
  async ask<N extends MmsCommandName>(name: N, ask: MmsAsk<N>, o: { echo?: string } = {}): Promise<MmsReply<N>> {
    this.#ref = (this.#ref + 1) & 0xff;
    const { id, withinMs } = commands[name];
    const request = { kind: 'request', ref: this.#ref, id, payload: encodeRequest(name, ask) } as const;
    const bytes = encodeFramed(request, { carries: this.#link.carries, from: 'host' });
    const question: NumberedQuestion = { name, bytes, withinMs, ref: this.#ref, id, ...o };
    const received = await this.#session.ask(question);
    if (received.kind === 'tooLong') throw tooLongFault(name, received.most);
    if (received.kind !== 'response') throw new Fault('terminal.garbled', { bytes: received.size });
    return this.#session.read(received.size, () => decodeAnswer(name, received));
  }

  /** The answer to a command that should not fail. Throws `terminal.refused`, `.unready` or `.busy`. */
  async need<N extends MmsCommandName>(name: N, ask: MmsAsk<N>): Promise<MmsAnswer<N>> {
    const { status, answer } = await this.ask(name, ask);
    if (answer === undefined) throw refusalFault(name, status);
    return answer;
  }

  /** A property's value, or undefined when the device has no such property. */
  async property<N extends PropertyName>(name: N): Promise<PropertyValue<N> | undefined> {
    const { oid, form, holds } = propertyRow(name);
    const { answer } = await this.ask('getProperty', { oid, form, value: new Uint8Array(0) });
    if (answer === undefined || answer.oid !== oid || answer.value.length === 0) return undefined;
    return holds.decode(answer.value);
  }

  /** Sets a property; returns whether the device took it. */
  async set<N extends PropertyName>(name: N, value: PropertyValue<N>): Promise<boolean> {
    const { oid, form, holds } = propertyRow(name);
    return isSuccess((await this.ask('setProperty', { oid, form, value: holds.encode(value) })).status);
  }

  /** Has the device echo some bytes: this proves that it listens and that no older answer is outstanding. */
  async echo(): Promise<void> {
    const data = echoData(this.tools.clock.now(), this.#ref);
    const { status } = await this.ask('echo', { data }, { echo: data });
    if (!isSuccess(status)) throw refusalFault('echo', status);
  }

  /** From now on notifications count. */
  markGreeted(): void {
    this.#greeted = true;
  }

  /** Shows one of the device's own texts. A unit without a display cannot. */
  async show(text: number): Promise<void> {
    const { status } = await this.ask('display', { seconds: 0, text });
    if (!isSuccess(status) && statusRow(status).means !== 'unknown') throw refusalFault('display', status);
  }

  async #cancel(): Promise<boolean> {
    const { status } = await this.ask('cancel', {});
    if (isSuccess(status) || statusRow(status).means === 'noTransaction') return true;
    if (status.endsWith('020305')) return false;
    throw refusalFault('cancel', status);
  }

  /** Resolves with true at the next event, or with false when this moment passes first. */
  async waitForChange(until: number): Promise<boolean> {
    const { clock } = this.tools;
    this.check();
    const left = until - clock.monotonic();
    if (left <= 0) return false;
    const stop = clock.after(left, () => this.events.wakeAll());
    try {
      await this.events.waitForChange();
    } finally {
      stop();
    }
    this.check();
    return true;
  }

  /** The next event of the transaction; undefined when this moment of the monotonic clock passes first. */
  async nextEvent(until: () => number): Promise<TransactionEvent | undefined> {
    for (;;) {
      this.check();
      const event = this.events.take();
      if (event !== undefined) return event;
      if (!(await this.waitForChange(until()))) return undefined;
    }
  }

  /** Throws the Fault that ended the session, if one did. */
  check(): void {
    this.#session.check();
  }

  end(fault: Fault): Fault {
    this.#session.end(fault);
    return this.#session.endFault() ?? fault;
  }

  /** Ends the session: every open and later question gets `link.lost`. Never rejects. */
  close(): Promise<void> {
    return this.#session.close();
  }

  /** A restart during an operation ends the session; otherwise the device only needs an acknowledgement. */
  #restarted(): void {
    if (this.#session.runningQuestion() !== undefined || this.events.isRunning()) {
      this.end(new Fault('link.lost', { port: this.#link.name, why: 'the terminal restarted' }));
      return;
    }
    this.warnings.delete('restart');
    this.tools.report(new Fault('terminal.warned', { text: 'It restarted' }));
    this.#inBackground(this.set('resetSeen', 1));
  }

  /** If this fails, the next question gets the Fault; nobody waits for this promise. */
  #inBackground(request: Promise<unknown>): void {
    request.catch((error) => {
      if (error instanceof Fault) this.tools.report(error);
    });
  }
}

export const refusalFault = (command: MmsCommandName, status: Status): Fault => {
  const { says: reason, means } = statusRow(status);
  if (means === 'unready') return new Fault('terminal.unready', { why: reason });
  if (means === 'busy') return new Fault('terminal.busy', { command: reason });
  return new Fault('terminal.refused', { command, status, why: reason });
};
