/** The state of the simulated MPI device: the card in its slot, the running command, and how that command ends. */
import { fromHex } from '../../../src/base/hex.ts';
import type { TestCard } from '../../../src/emv/test-cards.ts';
import { pace, Timers, type WiredParts } from '../../simulation/simulator.ts';
import type { Transaction } from '../../simulation/transaction.ts';
import { cardStatusBits, encodeAnswer, type MpiCommandName, type MpiReply } from '../protocol/commands.ts';
import type { MpiDialect } from '../protocol/dialects.ts';
import { encodeMessage } from '../protocol/messages.ts';
import { encodeNotice } from '../protocol/notices.ts';
import { type SlotState, slotNotice } from './answers.ts';

/** How a running command reacts when the customer acts meanwhile. */
type Running = {
  name: MpiCommandName;
  /** The status with which an insertion or a swipe ends it. */
  endsAt?: { insert?: string; swipe?: string };
  /** A card is held at the reader. */
  onTapped?(card: TestCard): void;
  /** The card left the slot. */
  onPulled?(): void;
  aborting?: boolean;
};

export class MpiUnit {
  readonly parts: WiredParts;
  /** The bits of P1 from the last card status command. */
  tells = 0;
  /** Present from its first cryptogram until the host's answer. */
  transaction: Transaction | undefined;
  /** The card for which an online PIN command takes the PIN. */
  lastRead: TestCard | undefined;
  sequence = 0;
  #inSlot: TestCard | undefined;
  #running: Running | undefined;
  readonly #timers: Timers;
  /** The chip of the card in the slot has answered. */
  #chipIsUp = true;
  readonly #slotTimers: Timers;

  constructor(parts: WiredParts) {
    this.parts = parts;
    this.#timers = new Timers(parts.clock);
    this.#slotTimers = new Timers(parts.clock);
  }

  currentCommand(): Running | undefined {
    return this.#running;
  }

  cardInSlot(): TestCard | undefined {
    return this.#inSlot;
  }

  slot(): SlotState {
    const card = this.#inSlot;
    return { present: card !== undefined, chip: card?.chip === 'good' && this.#chipIsUp };
  }

  /** False briefly after an insertion, in the dialect that reports a card before its chip has answered. */
  isChipUp(): boolean {
    return this.#chipIsUp;
  }

  /** Calls back after `ms`, unless the running command ends, or there is an abort or reset first. */
  schedule(ms: number, action: () => void): void {
    this.#timers.after(ms, action);
  }

  begin(running: Running): void {
    this.#running = running;
  }

  answer<N extends MpiCommandName>(name: N, reply: MpiReply<N>): void {
    const body = encodeAnswer(name, reply);
    // The template E4: a card wants to go online.
    this.parts.outlet.send(encodeMessage(body), { answers: true, asksHost: body[0] === 0xe4 });
  }

  /** Sends a bare body, for answers without a row. */
  answerBody(body: Uint8Array): void {
    this.parts.outlet.send(encodeMessage(body), { answers: true });
  }

  end<N extends MpiCommandName>(name: N, reply: MpiReply<N>): void {
    if (this.#running?.name !== name) return;
    this.#timers.stop();
    this.#running = undefined;
    this.answer(name, reply);
  }

  /** Ends the running command with a status and no data; the transaction is over. */
  fail(status: string): void {
    const running = this.#running;
    if (running === undefined) return;
    this.#timers.stop();
    this.#running = undefined;
    this.transaction = undefined;
    this.answerBody(fromHex(status));
  }

  /** The abort of the host: its own answer first, then the end of the running command. */
  abort(): void {
    const acknowledge = () => this.answer('abort', { status: '9000', answer: {} });
    const isLast = this.hasDialect('abort-answered-last');
    this.transaction = undefined;
    const running = this.#running;
    if (!isLast || running === undefined) acknowledge();
    if (running === undefined || running.aborting) return;
    this.#timers.stop();
    this.#running = { name: running.name, aborting: true };
    this.schedule(pace.stopMs + this.parts.outlet.lateMs(), () => {
      this.fail('9F41');
      if (isLast) acknowledge();
    });
  }

  /** The cancel key. It affects only a running command. */
  cancelKey(): void {
    if (this.#running !== undefined && !this.#running.aborting) this.fail('9F41');
  }

  /** Sends the body of a card status notice, if the host has turned them on. */
  notify(notice: Uint8Array, { answers = false }: { answers?: boolean } = {}): void {
    if ((this.tells & cardStatusBits.unsolicited) === 0) return;
    this.parts.outlet.send(encodeMessage(notice, { unsolicited: true }), { answers });
  }

  /** `answers`: as the answer to the command that turns them on. */
  notifySlot(how: { answers?: boolean } = {}): void {
    const withAnswerToReset = (this.tells & cardStatusBits.answerToReset) !== 0;
    this.notify(slotNotice(this.slot(), { withAnswerToReset }), how);
  }

  /** The same, as the answer to the command that asks for the slot. */
  answerSlot(): void {
    this.answerBody(slotNotice(this.slot(), { withAnswerToReset: (this.tells & cardStatusBits.answerToReset) !== 0 }));
  }

  hasDialect(dialect: MpiDialect): boolean {
    return this.parts.dialects.has(dialect);
  }

  /** A card passes the slot during a swipe. */
  notifyPassing(): void {
    this.notify(slotNotice({ present: true, chip: false }, { withAnswerToReset: false }));
  }

  /** Sends an event between answers, in the dialect that does. */
  notifyEvent(code: number, text: string): void {
    if (!this.hasDialect('device-events')) return;
    const notice = encodeNotice({ kind: 'device', code, text });
    this.parts.outlet.send(encodeMessage(notice, { unsolicited: true }), { answers: false });
  }

  insert(card: TestCard): void {
    this.#inSlot = card;
    this.#chipIsUp = !this.hasDialect('card-before-chip') || card.chip !== 'good';
    this.notifySlot();
    if (!this.#chipIsUp) this.#slotTimers.after(pace.tapMs, () => this.#powerChip());
    const status = this.#running?.endsAt?.insert;
    if (status !== undefined) this.fail(status);
  }

  #powerChip(): void {
    this.#chipIsUp = true;
    this.notifySlot();
  }

  remove(): void {
    if (this.#inSlot === undefined) return;
    this.#slotTimers.stop();
    this.#inSlot = undefined;
    this.notifySlot();
    this.transaction = undefined;
    this.#running?.onPulled?.();
  }

  /** Forgets command, transaction and settings. The card stays where it is. */
  reset(): void {
    this.#timers.stop();
    this.#slotTimers.stop();
    this.#chipIsUp = true;
    this.#running = undefined;
    this.transaction = undefined;
    this.lastRead = undefined;
    this.tells = 0;
  }
}
