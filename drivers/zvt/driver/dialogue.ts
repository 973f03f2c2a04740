/**
 * A conversation in ZVT: the till sends a command, the terminal accepts it and then leads the conversation until it
 * ends the command with 060F or 061E.
 *
 * Goals: no message is ever attributed to another command, and no wait is endless. So only what follows the terminal's
 * own `80` belongs to a command; a missed deadline, unreadable bytes and a lost link end the dialogue for good; and
 * messages that nobody waits for are reported, never acted on.
 */
import { deadline } from '../../../src/base/clock.ts';
import { Fault, isFault } from '../../../src/base/fault.ts';
import type { DriverTools } from '../../driver.ts';
import type { ZvtApdu } from '../../framing/zvt-frame.ts';
import type { Link } from '../../links/link.ts';
import { UnsolicitedMessages } from '../../session.ts';
import type { CharacterSet } from '../protocol/fields.ts';
import { accepted, decodeMessage, isAnswer, refusalApdu, type ZvtMessage } from '../protocol/messages.ts';
import type { ZvtFraming } from '../protocol/trace.ts';
import { Transport } from '../protocol/transport.ts';
import { DialogueEnd, lossMessage } from './dialogue-end.ts';

/**
 * Timers T3, the terminal's answer, and T4, restarted by every intermediate status and result. Source: PA00P016. A
 * status can set another T4 for the rest of its command; a shorter one is of no use and ignored.
 */
export const answerMs = 5_000;
export const leadMs = 180_000;
/** Bytes left over from an earlier conversation that are ignored before the terminal's first answer. */
const noiseMax = 1_024;
/** The most unsolicited messages in one command: a long end of day sends a few hundred lines. */
const unaskedMost = 2_000;

type ZvtCommand = {
  /** The name of the command in faults. */
  name: string;
  apdu: ZvtApdu;
  /** Ends with 060F or 061E; otherwise the terminal's answer is the end. */
  completes: boolean;
  /** The longest time from start to end, whatever the terminal sends meanwhile. */
  withinMs: number;
  /** Called when the terminal has acknowledged the command or begun to carry it out. */
  onAccepted?(): void;
  /** Receives every message that the terminal sends while it leads. An exception ends the dialogue as garbled. */
  onMessage?(message: ZvtMessage): void;
};

/** How a command ended. `code` is two hex digits. */
export type End =
  | { kind: 'refused'; code: string }
  | { kind: 'completed'; data: Uint8Array }
  | { kind: 'aborted'; code: string };

type Running = {
  command: ZvtCommand;
  /** Whether the terminal has accepted the command. */
  leads: boolean;
  /** The terminal needs time: its next message belongs to this command, with or without an `80` before it. */
  asksTime: boolean;
  t4Ms: number;
  end(end: End): void;
  fail(fault: Fault): void;
  stopAnswer(): void;
  stopLead(): void;
  stopWhole(): void;
};

/** `acknowledgement` never rejects: it resolves with the answer, or when the dialogue has ended. */
type Overtaking = { acknowledgement: Promise<void>; resolve(): void; stop(): void };

export class Dialogue {
  /** Whether the dialogue has ended, and why. */
  readonly fate: DialogueEnd;
  /** The character set of the terminal's texts, if it named one. */
  characters: CharacterSet | undefined;
  readonly #link: Link;
  readonly #tools: DriverTools;
  readonly #strays: UnsolicitedMessages;
  readonly #transport: Transport;
  readonly #form: ZvtFraming;
  #running: Running | undefined;
  #overtaking: Overtaking | undefined;
  #settled = false;
  #noise = 0;

  constructor(link: Link, tools: DriverTools, form: ZvtFraming) {
    this.#link = link;
    this.#tools = tools;
    this.fate = new DialogueEnd(tools.clock);
    this.#form = form;
    this.#strays = new UnsolicitedMessages(tools, unaskedMost);
    this.#transport = new Transport({
      form,
      clock: tools.clock,
      repeats: 'never',
      put: (bytes) => this.#put(bytes),
      received: (apdu) => this.#hear(apdu),
      noise: (bytes) => this.#noisy(bytes),
      failed: (fault) => this.end(fault),
    });
    const close = (fault: Fault) => this.end(lossMessage(fault, { wasAnswered: this.#settled }));
    link.listen({ bytes: (bytes) => this.#transport.handle(bytes), closed: close });
  }

  runningCommand(): string | undefined {
    return this.#running?.command.name;
  }

  /**
   * Sends a command and waits for its end. An abort without an answer yet goes first, so that its answer is not taken
   * for this command's. Throws `terminal.busy`, and the Fault that ended the dialogue.
   */
  async run(command: ZvtCommand): Promise<End> {
    while (this.#overtaking !== undefined && this.#running === undefined) await this.#overtaking.acknowledgement;
    return new Promise((resolve, reject) => {
      if (this.fate.why !== undefined) return reject(this.fate.why);
      if (this.#running !== undefined) {
        return reject(new Fault('terminal.busy', { command: this.#running.command.name }));
      }
      this.#strays.resetCount();
      const { name, withinMs } = command;
      const running: Running = {
        command,
        leads: false,
        asksTime: false,
        t4Ms: leadMs,
        end: resolve,
        fail: reject,
        stopAnswer: this.#deadline(name, answerMs),
        stopLead: () => {},
        stopWhole: this.#deadline(name, withinMs),
      };
      this.#running = running;
      this.#transport.send(command.apdu);
    });
  }

  /**
   * Sends a message while the terminal leads, and waits for any answer to it. Does nothing when no command runs; two
   * calls in the same turn send it once. Throws the Fault that ended the dialogue.
   */
  async overtake(name: string, apdu: ZvtApdu): Promise<void> {
    if (this.fate.why !== undefined) throw this.fate.why;
    if (this.#overtaking !== undefined) await this.#overtaking.acknowledgement;
    else if (this.#running !== undefined) await this.#overtakeNow(name, apdu);
    if (this.fate.why !== undefined) throw this.fate.why;
  }

  #overtakeNow(name: string, apdu: ZvtApdu): Promise<void> {
    const { promise: acknowledgement, resolve } = Promise.withResolvers<void>();
    this.#overtaking = { acknowledgement, resolve, stop: this.#deadline(name, answerMs) };
    this.#transport.send(apdu);
    return acknowledgement;
  }

  /** Ends the dialogue: the running command and all later ones get this Fault. The link is closed. */
  end(fault: Fault): void {
    if (this.fate.why !== undefined) return;
    this.fate.end(fault, { isIdle: this.#running === undefined && this.#overtaking === undefined });
    this.#strays.resetCount();
    this.#transport.stop();
    const running = this.#running;
    this.#stopTimers();
    this.#running = undefined;
    running?.fail(fault);
    this.#overtaken();
    void this.#link.close();
  }

  async close(): Promise<void> {
    this.end(new Fault('link.lost', { port: this.#link.name, why: 'it was closed here' }));
    await this.#link.close();
  }

  #deadline(command: string, ms: number): () => void {
    return deadline(this.#tools.clock, ms, () => this.end(new Fault('terminal.silent', { command, ms })));
  }

  #put(bytes: Uint8Array): void {
    this.#link.write(bytes).catch((error: unknown) => {
      const { name: port } = this.#link;
      this.end(isFault(error) ? error : new Fault('link.lost', { port, why: 'it took no more bytes' }, error));
    });
  }

  #noisy(bytes: number): void {
    this.#noise += bytes;
    const fault = new Fault('terminal.garbled', { bytes: this.#noise });
    // A damaged serial frame is sent again, so noise is tolerated there within the bound; on TCP nothing repairs it.
    const isOver = this.#noise > noiseMax || (this.#settled && this.#form === 'apdu');
    if (isOver) this.end(fault);
    else this.#strays.stray(fault);
  }

  #hear(apdu: ZvtApdu) {
    const bytes = apdu.data.length + 3;
    if (this.#strays.addAndCheck(bytes, { idle: this.#running === undefined })) {
      return this.end(new Fault('terminal.garbled', { bytes: this.#strays.bytes() }));
    }
    const running = this.#running;
    if (isAnswer(apdu)) return this.#hearAnswer(running, apdu);
    if (running?.asksTime && !running.leads && terminalLeads(apdu.code)) this.#take(running, apdu.data);
    if (running === undefined || !running.leads) return this.#hearStray(apdu, running);
    this.#hearLead(running, apdu);
  }

  /** `80 00` and `84 00` accept a command, `84 9C` asks for time, any other `84` refuses it. */
  #hearAnswer(running: Running | undefined, { code, data }: ZvtApdu) {
    if (running !== undefined && !running.leads) {
      this.#settled = true;
      if (code === '849C') {
        running.stopAnswer();
        running.stopAnswer = this.#deadline(running.command.name, leadMs);
        running.asksTime = true;
      } else if (code.startsWith('80') || code === '8400') this.#take(running, data);
      else this.#finish({ kind: 'refused', code: code.slice(2) });
    } else if (this.#overtaking !== undefined) this.#overtaken();
    else this.#strays.stray(new Fault('terminal.stray', { bytes: data.length + 3 }));
  }

  #take(running: Running, data: Uint8Array) {
    running.stopAnswer();
    if (!running.command.completes) return this.#finish({ kind: 'completed', data });
    running.leads = true;
    this.#restartLead(running);
    running.command.onAccepted?.();
  }

  #restartLead(running: Running): void {
    running.stopLead();
    running.stopLead = this.#deadline(running.command.name, running.t4Ms);
  }

  /**
   * A message that belongs to no command of ours. Before a command is accepted it may be left over from an earlier one:
   * it is acknowledged, so that the terminal comes to its end, and dropped. With nothing running it is refused.
   */
  #hearStray({ code, data }: ZvtApdu, running: Running | undefined) {
    this.#strays.stray(new Fault('terminal.stray', { bytes: data.length + 3 }));
    this.#transport.send(running !== undefined && terminalLeads(code) ? accepted : refusalApdu('83'));
  }

  #hearLead(running: Running, apdu: ZvtApdu) {
    const message = this.#read(apdu);
    if (this.fate.why !== undefined) return;
    if (message === undefined) {
      // Input and menu requests, clock settings: this till supports none of them.
      this.#strays.stray(new Fault('terminal.stray', { bytes: apdu.data.length + 3 }));
      return this.#transport.send(refusalApdu('83'));
    }
    if (message.kind === 'status' && message.t4Ms !== undefined) running.t4Ms = Math.max(leadMs, message.t4Ms);
    if (message.kind === 'status' || message.kind === 'result') this.#restartLead(running);
    try {
      running.command.onMessage?.(message);
    } catch (error) {
      // A field is unreadable: the text of its own fault would say nothing about the money.
      return this.end(new Fault('terminal.garbled', { bytes: apdu.data.length + 3 }, error));
    }
    this.#transport.send(accepted);
    if (message.kind === 'completion') this.#finish({ kind: 'completed', data: message.data });
    if (message.kind === 'aborted') this.#finish({ kind: 'aborted', code: message.code });
  }

  #read(apdu: ZvtApdu): ZvtMessage | undefined {
    try {
      return decodeMessage(apdu, this.characters);
    } catch (error) {
      // Half a result is worthless: this command can no longer be trusted.
      this.end(new Fault('terminal.garbled', { bytes: apdu.data.length + 3 }, error));
      return undefined;
    }
  }

  #finish(end: End): void {
    const running = this.#running;
    if (running === undefined) return;
    this.#stopTimers();
    this.#running = undefined;
    this.fate.onCommandEnd({ refused: end.kind === 'refused' });
    this.#noise = 0;
    this.#strays.resetCount();
    running.end(end);
  }

  #overtaken(): void {
    const overtaking = this.#overtaking;
    this.#overtaking = undefined;
    overtaking?.stop();
    overtaking?.resolve();
  }

  #stopTimers(): void {
    this.#running?.stopAnswer();
    this.#running?.stopLead();
    this.#running?.stopWhole();
  }
}

/** Messages of a terminal while it leads. */
const terminalLeads = (code: string): boolean => ['04FF', '040F', '06D1', '06D3', '060F', '061E'].includes(code);
