/** The state of the simulated MMS device: the card in its slot, the running transaction, and what it reports. */
import type { TestCard } from '../../../src/emv/test-cards.ts';
import { encodeTlv, tlv } from '../../../src/emv/tlv.ts';
import { tlvText } from '../../codec.ts';
import type { KeySlots } from '../../simulation/key-slots.ts';
import { Timers, type WiredParts } from '../../simulation/simulator.ts';
import type { TerminalConfig } from '../../simulation/terminal-config.ts';
import type { Transaction } from '../../simulation/transaction.ts';
import type { MmsAnswer, MmsAsk, MmsCommandName } from '../protocol/commands.ts';
import { commands, encodeAnswer } from '../protocol/commands.ts';
import { encodeInDialect, type MmsDialect } from '../protocol/dialects.ts';
import { type FramingContext, frameMessage, type MmsMessage, payloadOf, type Status } from '../protocol/messages.ts';
import { type EndName, type NoticeName, noticeCode, type Technology } from '../protocol/notices.ts';
import { type PropertyName, type PropertyValue, propertyNamed, propertyRow } from '../protocol/properties.ts';
import type { BlockContext } from './blocks.ts';

type UnitParts = WiredParts & { store: PropertyStore; going: FramingContext };

/** A transaction between its start and its end. */
export type MmsTransaction = {
  ask: MmsAsk<'start'>;
  stage: 'waiting' | 'reading' | 'waitingForHost' | 'completing' | 'ending';
  /** How often the chip was unreadable, where the device leads the fallback. */
  chipFailures: number;
  technology: Technology;
  card?: TestCard;
  /** Present for a chip or a tap. */
  emv?: Transaction;
  /** The card left the slot. */
  onPulled?: () => void;
  /** A card is held at the reader, swiped, or its number typed. */
  onPresented?: (card: TestCard, by: Technology) => void;
};

export class MmsUnit {
  readonly parts: UnitParts;
  sequence = 0;
  /** The host has subscribed to notifications. */
  isHeard = false;
  #inSlot: TestCard | undefined;
  #running: MmsTransaction | undefined;
  /** Called when a transaction ends: the customer reacts. */
  onEnd: (how: EndName, technology: Technology) => void = () => {};
  readonly #timers: Timers;

  constructor(parts: UnitParts) {
    this.parts = parts;
    this.#timers = new Timers(parts.clock);
  }

  currentTransaction(): MmsTransaction | undefined {
    return this.#running;
  }

  cardInSlot(): TestCard | undefined {
    return this.#inSlot;
  }

  hasDisplay(): boolean {
    return hasDisplay(this.parts.config);
  }

  /** Calls back after `ms`, unless the transaction ends or the device restarts first. */
  schedule(ms: number, action: () => void) {
    this.#timers.after(ms, action);
  }

  stopTimers() {
    this.#timers.stop();
  }

  begin(transaction: MmsTransaction) {
    this.stopTimers();
    this.#running = transaction;
  }

  /** Answers a request; `payload` must be complete. */
  respond({ ref, id }: { ref: number; id: string }, status: Status, payload?: Uint8Array) {
    const message: MmsMessage = { kind: 'response', ref, id, status, payload };
    this.#send(message, { answers: true });
  }

  answer<N extends MmsCommandName>(ref: number, name: N, o: { status: Status; answer: MmsAnswer<N> }) {
    this.respond({ ref, id: commands[name].id }, o.status, encodeAnswer(name, o.answer));
  }

  notify(name: NoticeName, technology: Technology, payload?: Uint8Array) {
    this.notifyCode(noticeCode(name, technology), { asksHost: name === 'arqc', payload });
  }

  notifyCode(code: { id: string; detail: string }, o: { asksHost?: boolean; payload?: Uint8Array } = {}) {
    const { payload, asksHost = false } = o;
    const message: MmsMessage = { kind: 'notification', ...code, payload };
    if (!this.isHeard && this.hasDialect('notices-on-request')) return;
    this.#send(message, { answers: false, asksHost });
  }

  /** The object that makes its data blocks. */
  blockContext(): BlockContext {
    const { keys, config } = this.parts;
    return { keys, serial: config.serial, isDialect: (dialect) => this.hasDialect(dialect) };
  }

  hasDialect(dialect: MmsDialect): boolean {
    return this.parts.dialects.has(dialect);
  }

  #send(message: MmsMessage, how: { answers: boolean; asksHost?: boolean }) {
    const bytes = encodeInDialect(message, (dialect) => this.hasDialect(dialect));
    this.parts.outlet.send(frameMessage(bytes, this.parts.going), how);
  }

  notifyBlock(name: 'arqc' | 'batch', technology: Technology, block: Uint8Array) {
    this.notify(name, technology, payloadOf('0101', encodeTlv([tlv('84', block)])));
    if (name === 'arqc' && this.hasDialect('arqc-twice')) {
      this.notify(name, technology, payloadOf('0101', encodeTlv([tlv('84', block)])));
    }
  }

  /** Shows a text to the customer, or asks the host to show it. */
  show(text: string, o: { cancellable?: boolean } = {}) {
    this.parts.report(`display: ${text.replaceAll('\n', ' / ')}`);
    if (this.hasDisplay()) return;
    const payload = encodeTlv([tlv('81', '00'), tlv('82', '01'), tlv('83', tlvText(`${text}\0`))]);
    this.notify(o.cancellable ? 'showTextWithCancel' : 'showText', 'none', payloadOf('1803', payload));
  }

  /** Ends the transaction and reports how. */
  end(how: EndName, technology: Technology) {
    this.endWith(how, technology, undefined);
  }

  /** The same with its batch data, if there is any. */
  endWith(how: EndName, technology: Technology, batch: Uint8Array | undefined) {
    if (this.#running === undefined) return;
    this.stopTimers();
    this.#running = undefined;
    const isFirst = this.hasDialect('end-first') || this.hasDialect('end-twice');
    if (batch !== undefined && isFirst) this.notify(how, technology);
    if (batch !== undefined) this.notifyBlock('batch', technology, batch);
    if (batch === undefined || !this.hasDialect('end-first')) this.notify(how, technology);
    this.onEnd(how, technology);
  }

  insert(card: TestCard) {
    this.#inSlot = card;
    this.notify('inserted', 'chip');
    this.#running?.onPresented?.(card, 'chip');
  }

  remove() {
    if (this.#inSlot === undefined) return;
    this.#inSlot = undefined;
    this.notify('removed', 'chip');
    this.#running?.onPulled?.();
  }

  /** Forgets the running transaction. The card stays where it is. */
  reset() {
    this.stopTimers();
    this.#running = undefined;
  }
}

// The properties of the simulated MMS device: its identity, its state, and what the host can set.

/** The slots of the simulated keys; the usages are the manual's defaults. */
export const keyPlaces = { sred: '2007', pin: '2008', mac: '2009' } as const;
const usages = { pin: 1, mac: 2, data: 4, aes: 7 } as const;
const nowhere = { slot: '0000', usage: 1 } as const;

/** Units with a display also have a PIN pad; the others let the host show their texts. */
export const hasDisplay = ({ model }: TerminalConfig): boolean => /\bPro\b|\bPED\b/.test(model);

type Values = Map<PropertyName, Uint8Array>;
const settable: ReadonlySet<PropertyName> = new Set(['arpcTimeout', 'arpcRetries', 'fallback', 'resetSeen']);

export class PropertyStore {
  readonly #config: TerminalConfig;
  readonly #keys: KeySlots;
  readonly #values: Values = new Map();

  constructor(config: TerminalConfig, keys: KeySlots) {
    this.#config = config;
    this.#keys = keys;
    this.put('arpcTimeout', 0xff);
    this.put('arpcRetries', 0);
    this.put('fallback', 1);
    this.put('resetSeen', 1);
    this.put('resetControl', 1);
    this.put('model', `${config.model}\0`);
    this.put('firmware', `${config.firmware}\0`);
    this.put('serial', config.serial);
    this.put('deviceKeys', Uint8Array.of(0, 0, 0, 3));
    this.put('transactionKeys', Object.values(keyPlaces));
    this.#mapKeys();
  }

  #mapKeys() {
    const aes = this.#keys.scheme !== 'tdesDukpt';
    const pin = { slot: keyPlaces.pin, usage: aes ? usages.aes : usages.pin };
    const pad = hasDisplay(this.#config);
    this.put('pinKey', pad && !aes ? pin : nowhere);
    this.put('pinKeyAes', pad && aes ? pin : { ...nowhere, usage: usages.aes });
    this.put('dataKey', { slot: keyPlaces.sred, usage: usages.data });
    this.put('macKey', { slot: keyPlaces.mac, usage: usages.mac });
  }

  put<N extends PropertyName>(name: N, value: PropertyValue<N>) {
    this.#values.set(name, propertyRow(name).holds.encode(value));
  }

  get<N extends PropertyName>(name: N): PropertyValue<N> | undefined {
    const buffer = this.#live(name) ?? this.#values.get(name);
    return buffer === undefined ? undefined : propertyRow(name).holds.decode(buffer);
  }

  /** The bytes of the property with these arcs, or undefined when there is none. */
  read(oid: string): Uint8Array | undefined {
    const name = propertyNamed(oid);
    return name === undefined ? undefined : (this.#live(name) ?? this.#values.get(name));
  }

  /** Sets what the host can set; false for other properties, and for a value that does not fit. */
  write(oid: string, value: Uint8Array): boolean {
    const name = propertyNamed(oid);
    if (name === undefined || !settable.has(name) || value.length !== 1) return false;
    this.#values.set(name, value);
    return true;
  }

  /** Online when it was never opened and has a key for card data. */
  isOnline(): boolean {
    return !this.#config.tampered && this.#keys.states().sred.usesLeft > 0;
  }

  /** The values that change while it runs. */
  #live(name: PropertyName): Uint8Array | undefined {
    const { tampered, batteryPercent } = this.#config;
    if (name === 'tampered') return Uint8Array.of(tampered ? 1 : 0);
    if (name === 'state') return Uint8Array.of(this.isOnline() ? 2 : 1);
    if (name === 'offlineWhy') return Uint8Array.of(tampered ? 1 : this.isOnline() ? 0 : 4);
    return name === 'battery' ? Uint8Array.of(batteryPercent) : undefined;
  }
}
