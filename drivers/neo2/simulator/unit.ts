/** The state of the simulated NEO 2 reader: the card in its slot, the running command, and how that command ends. */
import type { TestCard } from '../../../src/emv/test-cards.ts';
import { encodeNeo2Frame, type Neo2Frame } from '../../framing/neo2-frame.ts';
import type { Cipher } from '../../simulation/key-slots.ts';
import { pace, Timers, type WiredParts } from '../../simulation/simulator.ts';
import type { Transaction, TransactionRequest } from '../../simulation/transaction.ts';
import type { Neo2Result } from '../protocol/answers.ts';
import { answerFrame, fromReader, type Neo2CommandName, type Neo2Reply } from '../protocol/commands.ts';
import { encodeResult, type Neo2Dialect, useNewTags } from '../protocol/dialects.ts';
import { result, status } from '../protocol/status.ts';
import { neo2Tlv } from '../protocol/tlv.ts';
import { type Upcall, upcallFrame } from '../protocol/upcalls.ts';

export type Neo2UnitParts = WiredParts & {
  cipher: Cipher;
  /** The applications that the customer can choose from after inserting a chip. */
  menu: readonly string[];
};

export type EntryWays = ReadonlySet<'swipe' | 'tap' | 'chip' | 'manual'>;

/** A command that waits for customer or card. */
type Running = { name: Neo2CommandName; ways: EntryWays };

/** How long the host may take to answer a request of the reader. */
const upcallMs = 10_000;
const noWays: EntryWays = new Set();

type CardStep = 'activate' | 'authenticate' | 'finish' | 'manual' | 'manualUnderV3';
const cardSteps: ReadonlySet<Neo2CommandName> = new Set<CardStep>([
  'activate',
  'authenticate',
  'finish',
  'manual',
  'manualUnderV3',
]);
const isCardStep = (name: Neo2CommandName): name is CardStep => cardSteps.has(name);

export class Neo2Unit {
  readonly parts: Neo2UnitParts;
  /** Between the steps of a chip or tap: what the reader waits for. */
  phase: 'idle' | 'started' | 'waitingForHost' = 'idle';
  transaction: Transaction | undefined;
  request: TransactionRequest | undefined;
  patience = { fallback: false, nextCommandMs: 60_000 };
  /** Insertions in this activation whose chip did not answer. */
  failures = 0;
  /** Insertions reported to the host, which counts them. */
  uncounted = 0;
  /** The card for which an online PIN command takes the PIN. */
  lastRead: TestCard | undefined;
  sequence = 0;
  /** Answers have the header of the question. */
  header: Neo2Frame['header'] = 'ViVOtech2';
  inSlot: TestCard | undefined;
  /** How a restart is reported, as the host has set it (14-01). */
  bootNotice = 0;
  /** The next step did not come in time. */
  patienceOver: () => void = () => this.forget();
  /** Ends a PIN entry on the host's request. */
  stopKeys: () => void = () => {};
  #running: Running | undefined;
  #answered: (() => void) | undefined;
  readonly #timers: Timers;

  constructor(parts: Neo2UnitParts) {
    this.parts = parts;
    this.#timers = new Timers(parts.clock);
  }

  currentCommand(): Running | undefined {
    return this.#running;
  }

  begin(name: Neo2CommandName, ways: EntryWays = noWays) {
    this.stopTimers();
    this.#running = { name, ways };
  }

  /** Calls back after `ms`, unless the running command ends, is cancelled or reset first. */
  schedule(ms: number, action: () => void) {
    this.#timers.after(ms, action);
  }

  answer<N extends Neo2CommandName>(name: N, reply: Neo2Reply<N>, { asksHost = false } = {}): void {
    const header = this.hasDialect('answers-under-v3') ? 'ViVOpayV3' : this.header;
    const frame = answerFrame(name, reply, header);
    this.send({ ...frame, data: this.#dataOf(name, reply) ?? frame.data }, { answers: true, asksHost });
  }

  /** The bytes of an answer in the device's dialects. */
  #dataOf<N extends Neo2CommandName>(name: N, { answer }: Neo2Reply<N>): Uint8Array | undefined {
    if (isCardStep(name) && answer !== undefined) {
      const how = {
        isDialect: (dialect: Neo2Dialect) => this.hasDialect(dialect),
        isFirst: name !== 'authenticate' && name !== 'finish',
      };
      return encodeResult(answer as Neo2Result, how);
    }
    const isVersion = name === 'firmware' || name === 'processor';
    if (!isVersion || answer === undefined || !this.hasDialect('new-tags')) return undefined;
    return useNewTags(answerFrame(name, { status: status.ok, answer }, this.header).data);
  }

  hasDialect(dialect: Neo2Dialect): boolean {
    return this.parts.dialects.has(dialect);
  }

  send(frame: Neo2Frame, how: { answers: boolean; asksHost?: boolean }) {
    this.parts.outlet.send(encodeNeo2Frame(frame, fromReader), how);
  }

  /** Ends the running command. If there is a next step, the reader then waits for it a limited time. */
  end<N extends Neo2CommandName>(name: N, reply: Neo2Reply<N>, phase: Neo2Unit['phase'] = 'idle'): void {
    if (this.#running?.name !== name) return;
    this.stopTimers();
    this.#running = undefined;
    this.phase = phase;
    if (phase === 'idle') this.transaction = undefined;
    else this.schedule(this.patience.nextCommandMs, () => this.patienceOver());
    this.answer(name, reply, { asksHost: phase === 'waitingForHost' });
  }

  /** Ends any running command with a bare status; the transaction is over. */
  fail(value: number) {
    const name = this.#running?.name;
    if (name !== undefined) this.end(name, { status: value });
  }

  /** Sends a request to the host and continues when it has answered. */
  ask(upcall: Upcall, onAnswer: () => void) {
    this.#answered = onAnswer;
    this.#sendUpcall(upcall);
    this.schedule(upcallMs, () => this.fail(status.failed));
  }

  /** Has the host show a text, which needs no answer. */
  showText() {
    if (this.showsAtTill()) this.#sendUpcall({ kind: 'words', mode: 0x03 });
  }

  showsAtTill(): boolean {
    return this.hasDialect('shows-at-till') || this.hasDialect('shows-at-till-high-first');
  }

  #sendUpcall(upcall: Upcall) {
    const bytes = encodeNeo2Frame(upcallFrame(upcall, this.header), fromReader);
    // The guide has the checksum low byte first.
    const [low = 0, high = 0] = bytes.subarray(-2);
    if (this.hasDialect('shows-at-till-high-first')) bytes.set([high, low], bytes.length - 2);
    this.parts.outlet.send(bytes, { answers: false });
  }

  /** `choice`: in a menu; an answer of another form is ignored. */
  onHostAnswer(choice: number | undefined) {
    if (choice === undefined) return;
    const onAnswer = this.#answered;
    this.#answered = undefined;
    this.stopTimers();
    onAnswer?.();
  }

  /** 05-01: the cancelled command usually sends nothing more; a late end follows the answer. */
  cancel() {
    const running = this.#running;
    this.forget();
    if (running !== undefined && this.hasDialect('end-before-cancel')) this.#sayStopped(running.name);
    this.answer('cancel', { status: status.ok, answer: {} });
    const lateMs = this.parts.outlet.lateMs();
    if (running === undefined || (!this.hasDialect('end-behind-cancel') && lateMs === 0)) return;
    const { name } = running;
    this.parts.clock.after(pace.stopMs + lateMs, () => this.#sayCancelled(name));
  }

  /** The cancel key, or the end of a wait that the host broke off with another command. */
  cancelKey() {
    const name = this.#running?.name;
    if (name === undefined) return;
    this.forget();
    this.#sayCancelled(name, this.hasDialect('cancel-under-a3') ? status.cancelled : status.ok);
  }

  /** As captured: 0A with the error of the cancelled command. */
  #sayStopped(name: Neo2CommandName) {
    if (!isCardStep(name)) return this.answer(name, { status: status.failed });
    const answer = { attribution: 0x41, tlvs: [neo2Tlv('DFEE02', '2C000000')] };
    this.answer(name, { status: status.failed, answer });
  }

  #sayCancelled(name: Neo2CommandName, value: number = status.ok) {
    if (!isCardStep(name)) return this.answer(name, { status: status.failed });
    this.answer(name, { status: value, answer: { tlvs: [neo2Tlv('DFEE25', result.cancelled)] } });
  }

  /** Drops command and transaction. The card stays where it is. */
  forget() {
    this.stopTimers();
    this.#running = undefined;
    this.#answered = undefined;
    this.transaction = undefined;
    this.phase = 'idle';
  }

  stopTimers() {
    this.#timers.stop();
  }
}
