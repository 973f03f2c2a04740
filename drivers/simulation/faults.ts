/**
 * Faults on request for every simulated device: its output passes through here, and its input is counted here. Messages
 * and commands are counted from 1 since the link was opened.
 */
import type { Clock } from '../../src/base/clock.ts';
import { errorText } from '../../src/base/fault.ts';
import { concat } from '../../src/base/hex.ts';
import type { Random } from '../../src/base/ids.ts';
import type { Link } from '../links/link.ts';

export type DeviceFault =
  /** The nth command is carried out, but its answer is never sent. */
  | { kind: 'silence'; atCommand: number }
  /** Messages arrive byte by byte: the nth, or all. */
  | { kind: 'split'; atMessage?: number }
  /** The nth message is held back and arrives in one portion with the next. */
  | { kind: 'merge'; atMessage: number }
  /** The nth message has a wrong checksum. */
  | { kind: 'wrongChecksum'; atMessage: number }
  /** The link drops at the nth message: before its first byte, in its middle, or after it. */
  | { kind: 'linkDrop'; atMessage: number; when: 'before' | 'midway' | 'after' }
  /** The nth message is sent twice. */
  | { kind: 'duplicate'; atMessage: number }
  /** An unsolicited message arrives between the nth command and its answer. */
  | { kind: 'unsolicited'; atCommand: number }
  /** A cancelled command ends this much later than it should. */
  | { kind: 'lateAnswer'; afterMs: number }
  /** Left-over bytes of an earlier session wait when the link opens. */
  | { kind: 'staleBytes'; bytes: Uint8Array }
  /** From the nth command on the device sends only random bytes, again and again. */
  | { kind: 'garbage'; fromCommand: number; everyMs: number }
  /** The device restarts instead of carrying out the nth command, and forgets any sale. */
  | { kind: 'reset'; atCommand: number }
  /** A well-formed but undocumented message arrives between the nth command and its answer. */
  | { kind: 'unknownMessage'; atCommand: number }
  /** The request for the host is repeated this many times, byte for byte. */
  | { kind: 'repeatedRequest'; times: number };

export type Faults = readonly DeviceFault[];

/** What faults need from the protocol. */
export type Spoiler = {
  /** The message with a wrong checksum. */
  spoil(message: Uint8Array): Uint8Array;
  /** A harmless unsolicited message. */
  unsolicited(): Uint8Array;
  /** A well-formed message with an undocumented code. Without it such faults have no effect. */
  unknown?(): Uint8Array;
};

export type OutletOptions = {
  link: Link;
  faults: Faults;
  clock: Clock;
  random: Random;
  spoiler: Spoiler;
  /** The link was dropped, by a fault or by itself. */
  onLost(reason: string): void;
  /** The device restarts: it must forget its state and send what a restarted device sends. */
  restart?(): void;
};

export type SendOptions = {
  /** False for unsolicited messages. */
  answers: boolean;
  /** The message asks for the host: a card wants to go online. */
  asksHost?: boolean;
};

const garbageBytes = 16;

/** The output of a device. Writes keep their order; a failed write counts as a lost link. */
export class Outlet {
  readonly #options: OutletOptions;
  #commands = 0;
  #messages = 0;
  /** A message that is sent together with the next one. */
  #waiting: Uint8Array = new Uint8Array(0);
  #babbling = false;
  #stopBabble = (): void => {};
  #gone = false;
  #writes = Promise.resolve();

  constructor(options: OutletOptions) {
    this.#options = options;
    for (const fault of options.faults) if (fault.kind === 'staleBytes') this.#write(fault.bytes);
  }

  /**
   * Counts a command; call it before carrying the command out. `restarted`: the device has restarted instead, and the
   * command must be forgotten.
   */
  noteCommand(): 'command' | 'restarted' {
    this.#commands += 1;
    for (const fault of this.#options.faults) {
      if (fault.kind !== 'garbage' || this.#babbling || this.#commands < fault.fromCommand) continue;
      this.#babbling = true;
      this.#babble(fault.everyMs);
    }
    const { restart } = this.#options;
    if (restart === undefined || !this.#atCommand('reset')) return 'command';
    restart();
    return 'restarted';
  }

  send(message: Uint8Array, { answers, asksHost = false }: SendOptions): void {
    if (this.#gone || this.#babbling) return;
    const { spoiler } = this.#options;
    if (answers && this.#atCommand('unsolicited')) this.#sendMessage(spoiler.unsolicited());
    if (answers && this.#atCommand('unknownMessage') && spoiler.unknown !== undefined) {
      this.#sendMessage(spoiler.unknown());
    }
    if (answers && (this.#atCommand('silence') || this.#atCommand('reset'))) return;
    const times = asksHost ? 1 + this.#repeats() : 1;
    for (let time = 0; time < times; time += 1) this.#sendMessage(message);
  }

  /** How much later than usual a cancelled command ends. */
  lateMs(): number {
    return this.#options.faults.reduce((late, fault) => (fault.kind === 'lateAnswer' ? late + fault.afterMs : late), 0);
  }

  async close(): Promise<void> {
    this.#gone = true;
    this.#stopBabble();
    await this.#writes;
    await this.#options.link.close();
  }

  #repeats(): number {
    return this.#options.faults.reduce((sum, fault) => (fault.kind === 'repeatedRequest' ? sum + fault.times : sum), 0);
  }

  #sendMessage(message: Uint8Array) {
    this.#messages += 1;
    const drop = this.#options.faults.find((fault) => fault.kind === 'linkDrop' && fault.atMessage === this.#messages);
    const when = drop?.kind === 'linkDrop' ? drop.when : undefined;
    if (when === 'before') return this.#hangUp();
    if (when === 'midway') {
      this.#write(message.subarray(0, Math.ceil(message.length / 2)));
      return this.#hangUp();
    }
    const spoilt = this.#atMessage('wrongChecksum') ? this.#options.spoiler.spoil(message) : message;
    const whole = concat(this.#waiting, spoilt, this.#atMessage('duplicate') ? spoilt : new Uint8Array(0));
    this.#waiting = this.#atMessage('merge') ? whole : new Uint8Array(0);
    if (this.#waiting.length === 0) this.#put(whole);
    if (when === 'after') this.#hangUp();
  }

  #put(message: Uint8Array): void {
    const count = this.#messages;
    const splits = this.#options.faults.some((fault) => fault.kind === 'split' && (fault.atMessage ?? count) === count);
    if (splits) for (const byte of message) this.#write(Uint8Array.of(byte));
    else this.#write(message);
  }

  #write(bytes: Uint8Array): void {
    if (this.#gone) return;
    const { link } = this.#options;
    this.#writes = this.#writes.then(() => link.write(bytes)).catch((error: unknown) => this.#drop(errorText(error)));
  }

  #babble(everyMs: number): void {
    if (this.#gone) return;
    const { random, clock } = this.#options;
    this.#write(random(garbageBytes));
    this.#stopBabble = clock.after(everyMs, () => this.#babble(everyMs));
  }

  /** What was written before still arrives. */
  #hangUp(): void {
    const sent = this.#writes;
    this.#drop('the link was dropped');
    this.#writes = sent.then(() => this.#options.link.close());
  }

  #drop(reason: string): void {
    if (this.#gone) return;
    this.#gone = true;
    this.#stopBabble();
    this.#options.onLost(reason);
  }

  #atMessage(kind: 'merge' | 'wrongChecksum' | 'duplicate'): boolean {
    return this.#options.faults.some((fault) => fault.kind === kind && fault.atMessage === this.#messages);
  }

  #atCommand(kind: 'silence' | 'unsolicited' | 'unknownMessage' | 'reset'): boolean {
    return this.#options.faults.some((fault) => fault.kind === kind && fault.atCommand === this.#commands);
  }
}
