/**
 * Which dialects a NEO 2 reader turns out to speak, derived from what goes by on its line. Nothing is asked for it, and
 * no decision depends on it. What was read is overwritten: an answer may hold an encrypted PIN.
 */
import { overwrite } from '../../../src/base/overwrite.ts';
import type { BeforeHearing, Ear, TraceDirection } from '../../driver.ts';
import type { Neo2Frame, Neo2Header } from '../../framing/neo2-frame.ts';
import { proprietaryCipherOf } from './card-data.ts';
import { dialectsOfCard, isOfCard, isSealed, type MaskDialect, masksOf } from './card-dialects.ts';
import { type Neo2Result, resultCodec } from './codec.ts';
import {
  commandByte,
  commands,
  decodeAnswer,
  decodeRequest,
  interfaceBits,
  type Neo2CommandName,
  nameOf,
  resultCodeOf,
  subByte,
} from './commands.ts';
import type { Neo2Dialect } from './dialects.ts';
import { frameReader } from './protocol.ts';
import { result, status, statusRow } from './status.ts';
import { findNeo2 } from './tlv.ts';
import { decodeUpcall, isUpcall } from './upcalls.ts';

/** An ear of one conversation. Bytes that cannot be read tell nothing. */
export const neo2Ear = ({ carries, known }: Omit<BeforeHearing, 'line'>): Ear => {
  const readers = { said: frameReader(carries, 'host'), heard: frameReader(carries, 'reader') };
  const listener = new Listener(known);
  return {
    dialects: listener.dialects,
    push(way, bytes) {
      for (const piece of readers[way].push(bytes)) {
        if (piece.kind === 'frame') listener.hear(way, piece.frame);
        overwrite(piece.kind === 'frame' ? piece.frame.data : piece.bytes);
      }
    },
  };
};

/** A question; its answers do not name its sub-command. */
type SentCommand = {
  name: Neo2CommandName;
  header: Neo2Header;
  /** A failed chip may be replaced by its stripe in this very command. */
  mayFallBack: boolean;
};

const pinCommand = commandByte('onlinePin');
const [NEW_VERSION_TAG, OLD_VERSION_TAG] = [0xee, 0xdf];
/** Of a key's state with a serial number of 10 or 12 bytes and no length before it. */
const lengthsWithout: readonly number[] = [11, 13];

class Listener {
  readonly dialects: Set<string>;
  /** The last question with each command byte. */
  readonly #asked = new Map<number, SentCommand>();
  /** What waits for a card or a customer. */
  #running: Neo2CommandName | undefined;
  /** What was cancelled, until it has said its end. */
  #stopped: { command: number; isAnswered: boolean } | undefined;
  /** The reader knows no question about its keys; it may have none. */
  #hidesKeys = false;

  constructor(known: readonly string[]) {
    this.dialects = new Set(known);
  }

  hear(way: TraceDirection, frame: Neo2Frame): void {
    try {
      if (way === 'said') this.#question(frame);
      else if (isUpcall(frame)) this.#upcall(frame);
      else this.#answer(frame);
    } catch {
      // What breaks its own rules is the driver's to report; of a dialect it tells nothing.
    }
  }

  #add(...names: readonly Neo2Dialect[]): void {
    for (const name of names) this.dialects.add(name);
  }

  #question(frame: Neo2Frame): void {
    const name = isUpcall(frame) ? undefined : nameOf(frame);
    if (name === undefined) return;
    this.#asked.set(frame.command, { name, header: frame.header, mayFallBack: mayFallBack(frame) });
    const running = this.#running;
    if (name === 'cancel' && running !== undefined)
      this.#stopped = { command: commandByte(running), isAnswered: false };
    if (!commands[name].waits) return;
    this.#running = name;
    // From now on an end is that of this one.
    this.#stopped = undefined;
  }

  #upcall(frame: Neo2Frame): void {
    const kind = decodeUpcall(frame)?.kind;
    if (kind !== 'words' && kind !== 'menu') return;
    if (frame.checksum === 'lowFirst') this.#add('shows-at-till');
    if (frame.checksum === 'highFirst') this.#add('shows-at-till-high-first');
  }

  #answer(frame: Neo2Frame): void {
    const asked = this.#asked.get(frame.command);
    if (asked === undefined || (frame.sub !== undefined && frame.sub !== subByte(asked.name))) return;
    if (frame.header === 'ViVOpayV3' && asked.header !== 'ViVOpayV3') this.#add('answers-under-v3');
    const { name } = asked;
    const { means } = statusRow(frame.status ?? 0xff);
    if (frame.command === pinCommand) {
      this.#pin(frame);
      return;
    }
    switch (name) {
      case 'firmware':
      case 'processor':
        if (frame.data[0] === OLD_VERSION_TAG && frame.data[1] === NEW_VERSION_TAG) this.#add('new-tags');
        return;
      case 'keyState':
        this.#hidesKeys ||= means === 'unsupported';
        if (means === 'ok' && lengthsWithout.includes(frame.data.length)) this.#add('key-state-without-length');
        return;
      case 'outputMode': {
        const cipher = decodeAnswer(name, frame).answer?.cipher;
        if (cipher !== undefined) this.#add(cipher === 'transArmor' ? 'transarmor-told' : 'output-mode-told');
        return;
      }
      case 'bootNotice':
        if (means === 'unsupported') this.#add('boot-notice-unknown');
        return;
      case 'cancel':
        if (this.#stopped !== undefined) this.#stopped.isAnswered = true;
        this.#running = undefined;
        return;
      default:
        if (name === 'activate' && frame.status === status.accepted) this.#add('activation-acknowledged-63');
        if (commands[name].waits && frame.status !== status.accepted) this.#ended(asked, frame);
    }
  }

  /** Its commands answer twice, and its end may be that of a cancel. */
  #pin({ status: value, data }: Neo2Frame): void {
    if (value === status.accepted) this.#add('pin-acknowledged-63');
    if (value === status.accepted || data.length === 0) return;
    this.#running = undefined;
    if (value === status.ok && data[0] !== 0) this.#add('pin-failure-under-00');
  }

  /** The last word of a command that took a card, or none. */
  #ended(asked: SentCommand, frame: Neo2Frame): void {
    const { name } = asked;
    const { command, status: value, data } = frame;
    const answer = data.length === 0 ? { tlvs: [] } : resultCodec.decode(data);
    this.#stop(command, value, answer);
    this.#running = undefined;
    if (name === 'activate') this.#activated(asked, value, answer);
    const code = resultCodeOf(answer);
    if (name === 'authenticate' && (code === result.approvedAlone || code === result.declinedAlone))
      this.#add('ends-alone');
    if (value === status.cancelled) this.#add('cancel-under-a3');
    if (value === status.noDataKey) this.#add('key-missing-at-card');
    const isTyped = name === 'manual' || name === 'manualUnderV3';
    if (name === 'manual' && (value === status.ok || value === status.timedOut)) this.#add('typed-under-tech2');
    if (!isOfCard(answer)) return;
    this.#add(...dialectsOfCard(answer, { isFirst: name === 'activate', isTyped }));
    if (this.#hidesKeys && isSealed(answer)) this.#add('key-state-unknown');
    if (proprietaryCipherOf(answer) === 'TransArmor' && !this.dialects.has('transarmor-told'))
      this.#add('transarmor-untold');
    this.#masks(masksOf(answer));
  }

  /** The end of what was cancelled: what it stops says so in its own way, or nothing. */
  #stop(command: number, value: number | undefined, answer: Neo2Result): void {
    const stopped = this.#stopped;
    if (stopped?.command !== command || value === status.timedOut || isOfCard(answer)) return;
    this.#stopped = undefined;
    this.#add(stopped.isAnswered ? 'end-behind-cancel' : 'end-before-cancel');
  }

  #activated({ mayFallBack: may }: SentCommand, value: number | undefined, answer: Neo2Result): void {
    const { tlvs } = answer;
    if (value === status.badParameter) this.#add('removal-detection-off');
    if (may && value === status.failed && findNeo2(tlvs, 'DFEF61') !== undefined) this.#add('chip-failures-told');
    const block = findNeo2(tlvs, 'DFEE23')?.value.length ?? 0;
    if (resultCodeOf(answer) === result.fallback && block === 0) this.#add('fallback-told-first');
  }

  /** A chip's masks are the same where a stripe's expiry is hidden and where it is not. */
  #masks(masks: MaskDialect | 'either' | undefined): void {
    if (masks === undefined || (masks === 'either' && this.dialects.has('masks-all'))) return;
    const [heard, other] = masks === 'masks-all' ? ['masks-all', 'masks-four'] : ['masks-four', 'masks-all'];
    this.dialects.add(heard);
    this.dialects.delete(other);
  }
}

/** Whether the reader itself goes on to the stripe when a chip fails. */
const mayFallBack = (frame: Neo2Frame): boolean => {
  if (nameOf(frame) !== 'activate') return false;
  const request = decodeRequest(frame);
  if (request?.name !== 'activate') return false;
  const { interfaces = 0, patience } = request.ask;
  return (interfaces & interfaceBits.swipe) !== 0 && patience?.fallback === 1;
};
