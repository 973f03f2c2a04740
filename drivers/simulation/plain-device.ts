/**
 * The simulated device of a plain protocol (drivers/plain-terminal.ts): it receives calls, and its own host answers.
 */

import { dateTime } from '../../src/base/clock.ts';
import type { EntryMode } from '../../src/emv/entry-mode.ts';
import type { TestCard } from '../../src/emv/test-cards.ts';
import { cutter } from '../framing/framer.ts';
import type { Frames, PlainCall } from '../plain-terminal.ts';
import type { TerminalEvent, TerminalInfo } from '../terminal.ts';
import type { Wallet } from './card.ts';
import { Outlet } from './faults.ts';
import { dayLines, type IssuerRefusal, readCard, refusalOf, verificationOf } from './pretend-issuer.ts';
import { type Model, pace, type SimulatorOptions, Timers } from './simulator.ts';
import { simulatedConfig } from './terminal-config.ts';

/** One transaction that the pretend issuer has answered. */
type DoneTransaction = {
  kind: 'payment' | 'refund' | 'reversal';
  amountMinor: bigint;
  currency: string;
  /** Four digits. A reversal has a number of its own. */
  receipt: string;
  card: TestCard;
  entryMode: EntryMode;
  /** ms since 1970. */
  at: number;
  reversed: boolean;
};

type OwnHostAnswer =
  | { kind: 'approved'; done: DoneTransaction }
  | { kind: 'declined'; why: IssuerRefusal | 'unknownReceipt' | 'alreadyReversed' };

export type HostQuestion = { kind: 'payment' | 'refund'; amountMinor: bigint; currency: string };

/** Outlives connections: it belongs to the device, as its cards do. */
type Memory = {
  receipts: number;
  day: DoneTransaction[];
  last: OwnHostAnswer | undefined;
  spent: Map<string, bigint>;
  /** A sale is running, on this connection or on one that was lost. */
  isBusy: boolean;
};

const memories = new WeakMap<Wallet, Memory>();

/** How long to wait for a customer, to type a PIN, and for the issuer. */
const waitsMs = 60_000;
const pinMs = 1_000;
const hostMs = 800;

/**
 * The inside of a simulated terminal that authorises by itself: its customer, pretend issuer, numbers and business day.
 * A protocol's simulator only encodes it. No real money is involved.
 */
class OwnHost {
  readonly #options: SimulatorOptions;
  readonly #memory: Memory;
  readonly #timers: Timers;
  /** Ends the pause in a sale, as stopped. */
  #stop: (() => void) | undefined;
  #sells = false;

  constructor(options: SimulatorOptions) {
    this.#options = options;
    this.#timers = new Timers(options.clock);
    const { wallet } = options;
    const fresh: Memory = { receipts: 0, day: [], last: undefined, spent: new Map(), isBusy: false };
    this.#memory = (wallet === undefined ? undefined : memories.get(wallet)) ?? fresh;
    if (wallet !== undefined) memories.set(wallet, this.#memory);
  }

  /** Whether a sale is running, including one that a lost connection left. */
  isBusy(): boolean {
    return this.#memory.isBusy;
  }

  /** The last answer of the issuer since the day began. */
  lastAnswer(): OwnHostAnswer | undefined {
    return this.#memory.last;
  }

  /** One customer, from the invitation to the issuer's answer. Only one at a time. */
  async sell(request: HostQuestion, notify: (event: TerminalEvent) => void): Promise<OwnHostAnswer> {
    this.#sells = true;
    this.#memory.isBusy = true;
    try {
      return await this.#sell(request, notify);
    } finally {
      this.#ended();
    }
  }

  /** Reverses the payment with this receipt number, if it is from this business day. */
  reverse(receipt: string): OwnHostAnswer {
    const found = this.#memory.day.find((done) => done.receipt === receipt && done.kind !== 'reversal');
    if (found === undefined) return { kind: 'declined', why: 'unknownReceipt' };
    if (found.reversed) return { kind: 'declined', why: 'alreadyReversed' };
    found.reversed = true;
    return this.#keep({ ...found, kind: 'reversal' });
  }

  /** The closing receipt. A new business day begins. */
  closeDay(): string[] {
    const { day } = this.#memory;
    const lines = ['** END OF DAY **', dateTime(this.#options.clock.now()), ...dayLines(day)];
    day.length = 0;
    this.#memory.last = undefined;
    return lines;
  }

  /** Cancels the running sale for the till. An answer that the issuer has already given stays. */
  cancel(): void {
    this.#stop?.();
  }

  /** Power off: the running sale never ends, and no timer stays. */
  powerOff(): void {
    this.#timers.stop();
    this.#ended();
  }

  #ended(): void {
    this.#stop = undefined;
    if (this.#sells) this.#memory.isBusy = false;
    this.#sells = false;
  }

  async #sell(request: HostQuestion, notify: (event: TerminalEvent) => void): Promise<OwnHostAnswer> {
    const stopped: OwnHostAnswer = { kind: 'declined', why: 'stopped' };
    notify('presentCard');
    const presentation = this.#options.cardholder();
    const comesMs = presentation.never ? waitsMs : (presentation.afterMs ?? pace.comesAfterMs);
    const came = await this.#pause(comesMs);
    if (came === 'stopped' || presentation.never || presentation.cancels) return stopped;
    const read = readCard(presentation);
    if ('why' in read) return { kind: 'declined', why: read.why };
    notify('reading');
    const verification = verificationOf(presentation, read.entryMode);
    if (verification === 'onlinePin' || verification === 'offlinePin') {
      notify('enterPin');
      if ((await this.#pause(pinMs)) === 'stopped' || presentation.pin === 'cancel') return stopped;
    }
    notify('authorising');
    if ((await this.#pause(hostMs)) === 'stopped') return stopped;
    const { spent } = this.#memory;
    const at = this.#options.clock.now();
    const amountMinor = request.kind === 'refund' ? 0n : request.amountMinor;
    const reason = refusalOf({ presentation, verification, amountMinor, at, spent });
    if (reason !== undefined) {
      this.#memory.last = { kind: 'declined', why: reason };
      return this.#memory.last;
    }
    const { card } = presentation;
    return this.#keep({ ...request, receipt: '', card, entryMode: read.entryMode, at, reversed: false });
  }

  #keep(done: DoneTransaction): OwnHostAnswer {
    const memory = this.#memory;
    memory.receipts = (memory.receipts % 9_999) + 1;
    done.receipt = memory.receipts.toString().padStart(4, '0');
    const sign = done.kind === 'payment' ? 1n : -1n;
    memory.spent.set(done.card.pan, (memory.spent.get(done.card.pan) ?? 0n) + sign * done.amountMinor);
    memory.day.push(done);
    memory.last = { kind: 'approved', done };
    return memory.last;
  }

  #pause(ms: number): Promise<'over' | 'stopped'> {
    return new Promise((resolve) => {
      const timers = this.#timers;
      timers.after(ms, () => resolve('over'));
      this.#stop = () => {
        timers.stop();
        timers.after(pace.stopMs, () => resolve('stopped'));
      };
    });
  }
}

/** What the device sends: an answer to the call, or an unsolicited message about what it shows. */
export type PlainSpeech =
  | { says: 'info'; info: TerminalInfo }
  | { says: 'outcome'; outcome: OwnHostAnswer | { kind: 'none' } | { kind: 'busy' } }
  | { says: 'lines'; lines: readonly string[] }
  | { says: 'taken' };

export type PlainSide<M> = {
  /** The device's own model name, after the word SIMULATED. */
  model: string;
  frames: Frames<M>;
  /** The call in this message; undefined when it is not a command. */
  callOf(message: M): PlainCall | undefined;
  answer(request: M, speech: PlainSpeech): M;
  /** The unsolicited message for something shown. */
  notice(event: TerminalEvent): M;
  /** A well-formed message that is not documented. */
  unknown: M;
};

/** A simulator of this protocol. Faults spoil the last byte of a message, where its checksum is. */
export const createPlainDevice =
  <M>(side: PlainSide<M>): Model =>
  (link, options) => {
    const { clock, random, faults = [], config } = options;
    const { model, serial, firmware } = simulatedConfig({ model: side.model }, config);
    const { encode, framer, sizeMax } = side.frames;
    const host = new OwnHost(options);
    const spoiler = {
      spoil: (message: Uint8Array) => message.map((byte, index) => (index === message.length - 1 ? byte ^ 0xff : byte)),
      unsolicited: () => encode(side.notice('reading')),
      unknown: () => encode(side.unknown),
    };
    // If the till is gone, a sale continues by itself and is then the terminal's last payment.
    const out = new Outlet({ link, faults, clock, random, spoiler, onLost: () => {}, restart: () => host.powerOff() });

    const take = (request: M): void => {
      const command = side.callOf(request);
      if (command === undefined || out.noteCommand() === 'restarted') return;
      const sendAnswer = (speech: PlainSpeech) => out.send(encode(side.answer(request, speech)), { answers: true });
      if (!('amount' in command) || host.isBusy()) {
        sendAnswer(
          command.do === 'hello' ? { says: 'info', info: { model, serial, firmware } } : answerAtOnce(command, host),
        );
        if (command.do === 'cancel') host.cancel();
        return;
      }
      const { minor: amountMinor, currency } = command.amount;
      const kind = command.do === 'pay' ? 'payment' : 'refund';
      const notify = (event: TerminalEvent) => out.send(encode(side.notice(event)), { answers: false });
      void host
        .sell({ kind, amountMinor, currency }, notify)
        .then((outcome) => sendAnswer({ says: 'outcome', outcome }));
    };

    const { push } = cutter(framer, sizeMax);
    const bytes = (received: Uint8Array): void => {
      for (const piece of push(received)) if (piece.kind === 'frame') take(piece.frame);
    };
    link.listen({ bytes, closed: () => {} });
    return {
      async close() {
        host.powerOff();
        await out.close();
      },
    };
  };

/** The answers that need no customer. */
const answerAtOnce = (command: PlainCall, host: OwnHost): PlainSpeech => {
  if (command.do === 'cancel') return { says: 'taken' };
  if (host.isBusy()) return { says: 'outcome', outcome: { kind: 'busy' } };
  if (command.do === 'endOfDay') return { says: 'lines', lines: host.closeDay() };
  return { says: 'outcome', outcome: command.do === 'reverse' ? host.reverse(command.receiptNumber) : lastOf(host) };
};

const lastOf = (host: OwnHost): OwnHostAnswer | { kind: 'none' } => host.lastAnswer() ?? { kind: 'none' };
