/**
 * The simulated terminal while it leads: it says one thing, waits for the till's answer, and says the next. A command
 * that runs can be woken by an abort; a till that does not answer within T3 is taken for gone.
 */
import type { Clock } from '../../../src/base/clock.ts';
import type { ZvtApdu } from '../../framing/zvt-frame.ts';
import { answerMs } from '../driver/dialogue.ts';
import type { ZvtCommandName } from '../protocol/commands.ts';

/**
 * What the till made of it: `gone` when it said nothing, or the link is lost; of a result also that it puts it off
 * (84 9C), or that the goods were issued in part (84 9D), with what it said of it.
 */
export type RegisterReply = 'taken' | 'refused' | 'goodsNotIssued' | 'putOff' | 'gone' | { issued: Uint8Array };

export type LeadTools = {
  clock: Clock;
  say(apdu: ZvtApdu): void;
  /** What is said instead: one message or several. */
  dress(apdu: ZvtApdu): readonly ZvtApdu[];
};

type Waiting = { end(heard: RegisterReply): void };
type Pausing = { end(): void };

const meanings: Readonly<Record<string, RegisterReply>> = {
  '8400': 'taken',
  '8466': 'goodsNotIssued',
  '849C': 'putOff',
};

const ends: ReadonlySet<string> = new Set(['060F', '061E']);

export class Lead {
  readonly name: ZvtCommandName;
  readonly #clock: Clock;
  readonly #say: (apdu: ZvtApdu) => void;
  readonly #dress: LeadTools['dress'];
  #waiting: Waiting | undefined;
  #pausing: Pausing | undefined;
  #gone = false;
  #aborted = false;
  #last = '';
  #over = false;
  /** From here on the issuer has spoken, and an abort changes nothing. */
  decided = false;

  constructor(name: ZvtCommandName, tools: LeadTools) {
    this.name = name;
    this.#clock = tools.clock;
    this.#say = tools.say;
    this.#dress = tools.dress;
  }

  isGone(): boolean {
    return this.#gone;
  }

  /** The till has taken the completion or the abort: the lead is handed back. */
  isOver(): boolean {
    return this.#over;
  }

  isAborted(): boolean {
    return this.#aborted && !this.decided;
  }

  /** The till's answer to it; of several messages to the last one, unless it has gone before. */
  async tell(apdu: ZvtApdu): Promise<RegisterReply> {
    let heard: RegisterReply = 'taken';
    for (const part of this.#dress(apdu)) {
      heard = await this.#tellOne(part);
      if (heard === 'gone') return heard;
    }
    return heard;
  }

  #tellOne(apdu: ZvtApdu): Promise<RegisterReply> {
    return new Promise((resolve) => {
      if (this.#gone) return resolve('gone');
      const stop = this.#clock.after(answerMs, () => this.leave());
      this.#waiting = {
        end: (heard) => {
          stop();
          this.#waiting = undefined;
          resolve(heard);
        },
      };
      this.#last = apdu.code;
      this.#say(apdu);
    });
  }

  /** All of them, one after the other; false when the till has gone meanwhile. */
  async tellAll(apdus: readonly ZvtApdu[]): Promise<boolean> {
    for (const apdu of apdus) if ((await this.tell(apdu)) === 'gone') return false;
    return !this.#gone;
  }

  /** Lets time pass, until an abort or the end wakes it. */
  pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      if (this.#gone || this.isAborted()) return resolve();
      const stop = this.#clock.after(ms, () => this.#pausing?.end());
      this.#pausing = {
        end: () => {
          stop();
          this.#pausing = undefined;
          resolve();
        },
      };
    });
  }

  /** The till's answer. One that nobody waits for is overlooked. */
  answered({ code, data }: ZvtApdu): void {
    const heard: RegisterReply =
      code === '849D' ? { issued: data } : (meanings[code] ?? (code.startsWith('80') ? 'taken' : 'refused'));
    if (this.#waiting !== undefined && ends.has(this.#last)) this.#over = true;
    this.#waiting?.end(heard);
  }

  abort(): void {
    this.#aborted = true;
    if (!this.decided) this.#pausing?.end();
  }

  /** The till is gone: nothing is said any more. */
  leave(): void {
    this.#gone = true;
    this.#pausing?.end();
    this.#waiting?.end('gone');
  }
}
