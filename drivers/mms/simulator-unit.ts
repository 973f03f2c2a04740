/** The body of the simulated MMS device: what is in its slot, which transaction runs, and how it is told of. */
import type { TestCard } from '../../src/emv/test-cards.ts';
import { encodeTlv, tlv } from '../../src/emv/tlv.ts';
import { tlvText } from '../simulation/ascii.ts';
import { Timers } from '../simulation/timers.ts';
import type { Transaction } from '../simulation/transaction.ts';
import type { WiredParts } from '../simulation/unit-parts.ts';
import type { Answer, Ask, CommandName } from './commands.ts';
import { commands, encodeAnswer } from './commands.ts';
import { type MmsMessage, payloadOf } from './message.ts';
import { type EndName, type NoticeName, noticeCode, type Technology } from './notices.ts';
import { hasDisplay, type PropertyStore } from './simulator-store.ts';
import type { Status } from './status.ts';
import { bytesOf, type Going } from './wire.ts';

export type UnitParts = WiredParts & { store: PropertyStore; going: Going };

/** A transaction between its start and its end. */
export type Running = {
  ask: Ask<'start'>;
  stage: 'waiting' | 'reading' | 'waitingForHost' | 'completing' | 'ending';
  /** How often the chip could not be read, where the device leads the fallback. */
  chipFailures: number;
  technology: Technology;
  card?: TestCard;
  /** Of a chip or a tap. */
  emv?: Transaction;
  /** The card left the slot. */
  pulled?: () => void;
  /** A card is held at the reader, swiped, or its number typed. */
  presented?: (card: TestCard, by: Technology) => void;
};

export class MmsUnit {
  readonly parts: UnitParts;
  sequence = 0;
  #inSlot: TestCard | undefined;
  #running: Running | undefined;
  /** What happens when a transaction ends: the customer hears of it. */
  onEnd: (how: EndName, technology: Technology) => void = () => {};
  readonly #timers: Timers;

  constructor(parts: UnitParts) {
    this.parts = parts;
    this.#timers = new Timers(parts.clock);
  }

  running(): Running | undefined {
    return this.#running;
  }

  inSlot(): TestCard | undefined {
    return this.#inSlot;
  }

  display(): boolean {
    return hasDisplay(this.parts.config);
  }

  /** Calls back after `ms`, unless the transaction ends or the device restarts before. */
  later(ms: number, then: () => void) {
    this.#timers.after(ms, then);
  }

  stopTimers() {
    this.#timers.stop();
  }

  begin(running: Running) {
    this.stopTimers();
    this.#running = running;
  }

  /** Answers a request; `payload` is a whole one. */
  respond({ ref, id }: { ref: number; id: string }, status: Status, payload?: Uint8Array) {
    const message: MmsMessage = { kind: 'response', ref, id, status, ...(payload === undefined ? {} : { payload }) };
    this.parts.outlet.send(bytesOf(message, this.parts.going), { answers: true });
  }

  answer<N extends CommandName>(ref: number, name: N, o: { status: Status; answer: Answer<N> }) {
    this.respond({ ref, id: commands[name].id }, o.status, encodeAnswer(name, o.answer));
  }

  /** Says something unasked. */
  notify(name: NoticeName, technology: Technology, payload?: Uint8Array) {
    this.notifyCode(noticeCode(name, technology), { asksHost: name === 'arqc', ...(payload && { payload }) });
  }

  notifyCode(code: { id: string; detail: string }, o: { asksHost?: boolean; payload?: Uint8Array } = {}) {
    const { payload, asksHost = false } = o;
    const message: MmsMessage = { kind: 'notification', ...code, ...(payload === undefined ? {} : { payload }) };
    this.parts.outlet.send(bytesOf(message, this.parts.going), { answers: false, asksHost });
  }

  /** Sends a data block. */
  notifyBlock(name: 'arqc' | 'batch', technology: Technology, block: Uint8Array) {
    this.notify(name, technology, payloadOf('0101', encodeTlv([tlv('84', block)])));
  }

  /** Shows words to the customer, or has the host show them. */
  show(text: string, o: { cancellable?: boolean } = {}) {
    this.parts.report(`display: ${text.replaceAll('\n', ' / ')}`);
    if (this.display()) return;
    const payload = encodeTlv([tlv('81', '00'), tlv('82', '01'), tlv('83', tlvText(`${text}\0`))]);
    this.notify(o.cancellable ? 'showTextWithCancel' : 'showText', 'none', payloadOf('1803', payload));
  }

  /** Ends the transaction and says how. */
  end(how: EndName, technology: Technology) {
    if (this.#running === undefined) return;
    this.stopTimers();
    this.#running = undefined;
    this.notify(how, technology);
    this.onEnd(how, technology);
  }

  insert(card: TestCard) {
    this.#inSlot = card;
    this.notify('inserted', 'chip');
    this.#running?.presented?.(card, 'chip');
  }

  remove() {
    if (this.#inSlot === undefined) return;
    this.#inSlot = undefined;
    this.notify('removed', 'chip');
    this.#running?.pulled?.();
  }

  /** Forgets what runs. The card stays where it is. */
  reset() {
    this.stopTimers();
    this.#running = undefined;
  }
}
