/**
 * Detects the dialects that a NEO 2 reader speaks from the traffic on its line. It sends nothing, and no decision
 * depends on it. The bytes are overwritten after reading: an answer may contain an encrypted PIN.
 */

import { overwrite, toHex } from '../../../src/base/hex.ts';
import type { DialectDetector, LinkFacts, TraceDirection } from '../../driver.ts';
import type { Neo2Frame, Neo2Header } from '../../framing/neo2-frame.ts';
import { type Neo2Result, resultCodec } from './answers.ts';
import { proprietaryCipherOf } from './card-data.ts';
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
import { hasExtras, msrBlockIn, type ReadMsrBlock } from './msr-block.ts';
import { frameReader } from './protocol.ts';
import { result, status, statusRow } from './status.ts';
import { findNeo2, flattenNeo2Tlvs, type Neo2Tlv } from './tlv.ts';
import { decodeUpcall, isUpcall } from './upcalls.ts';

/** Account data, or its entry mode: no other answer has these. */
const cardTags: ReadonlySet<string> = new Set(['DFEE12', 'FFEE12', 'DFEE23', '9F39']);
/** Tags that only older readers have, and tags that only newer ones have. */
const oldTags: ReadonlySet<string> = new Set(['FFEE12', 'DF30']);
const newTag = 'DFEE02';
const accountTags = ['57', '9F6B', '56', '5A'];
const extensionBit = 0x20;
const tdesKsnBytes = 10;
const longMark = 0x81;

const tagsIn = ({ tlvs }: Neo2Result): string[] => flattenNeo2Tlvs(tlvs).map(({ tag }) => tag);

/** Whether the answer is about a card that was read. */
const isOfCard = (answer: Neo2Result): boolean => tagsIn(answer).some((tag) => cardTags.has(tag));

/** Whether account data is present and encrypted. */
const isSealed = ({ tlvs }: Neo2Result): boolean =>
  flattenNeo2Tlvs(tlvs).some(({ mark }) => mark === 'encrypted') || hasSealedTrack(msrBlockIn(tlvs));

const hasSealedTrack = (block: ReadMsrBlock | undefined): boolean =>
  block?.tracks.some(({ encrypted }) => encrypted !== undefined) === true;

/** `isFirst`: an answer to 02-40; `isTyped`: one to 83-41. */
type AnswerContext = { isFirst: boolean; isTyped: boolean };

/** The dialects that this answer shows. Masks are judged by `masksOf`. */
const detectCardDialects = (answer: Neo2Result, context: AnswerContext): Neo2Dialect[] => {
  const rows = Object.entries(shows) as [Neo2Dialect, (typeof shows)[keyof typeof shows]][];
  return rows.filter(([, isShown]) => isShown(answer, context)).map(([name]) => name);
};

const shows = {
  'old-tags': (answer) => tagsIn(answer).some((tag) => oldTags.has(tag)),
  'new-tags': (answer) => tagsIn(answer).includes(newTag),
  'empty-tags': ({ tlvs }) => flattenNeo2Tlvs(tlvs).some(({ value }) => value.length === 0),
  'lengths-81': ({ tlvs }) => flattenNeo2Tlvs(tlvs).some(isAfterLongLength),
  'in-clear': (answer) => !isSealed(answer) && isInClear(answer),
  'attribution-missing': ({ attribution }, { isFirst }) => isFirst && attribution === undefined,
  'attribution-extended': (answer) => isExtended(answer),
  'start-with-data': (answer) => resultCodeOf(answer) === result.started && (isSealed(answer) || isInClear(answer)),
  'typed-as-pairs': ({ tlvs }, { isTyped }) => isTyped && findNeo2(tlvs, '5A', 'encrypted') !== undefined,
  'stripe-options': ({ tlvs }) => {
    const block = findNeo2(tlvs, 'DFEE23')?.value;
    return msrBlockIn(tlvs) !== undefined && block !== undefined && hasExtras(block);
  },
  'stripe-ksn-outside': ({ tlvs }) => {
    const block = msrBlockIn(tlvs);
    // An AES serial number of twelve bytes does not fit into a block, so its place outside proves nothing.
    const outside = findNeo2(tlvs, 'DFEE12') ?? findNeo2(tlvs, 'FFEE12');
    return hasSealedTrack(block) && block?.ksn === undefined && outside?.value.length === tdesKsnBytes;
  },
} as const satisfies Partial<Record<Neo2Dialect, (answer: Neo2Result, context: AnswerContext) => boolean>>;

/** Whether 81 and a length come before a marked value, which is a view of the answer's bytes. */
const isAfterLongLength = ({ value, mark }: Neo2Tlv): boolean =>
  mark !== undefined && new Uint8Array(value.buffer)[value.byteOffset - 2] === longMark;

const isInClear = ({ tlvs }: Neo2Result): boolean => {
  const block = msrBlockIn(tlvs);
  const isOpen = block?.tracks.some(({ masked, encrypted }) => masked !== undefined && encrypted === undefined);
  return isOpen === true || accountTags.some((tag) => (findNeo2(tlvs, tag)?.value.length ?? 0) > 0);
};

/** Bit 5 says that the cipher is in the second byte of DFEE26, and it is there. */
const isExtended = (answer: Neo2Result): boolean => {
  const { attribution = 0, tlvs } = answer;
  const hasCipher = (findNeo2(tlvs, 'DFEE26')?.value.length ?? 0) > 1;
  return (attribution & extensionBit) !== 0 && hasCipher && proprietaryCipherOf(answer) === undefined;
};

type MaskDialect = 'masks-four' | 'masks-all';

/**
 * How much the masks leave of the account: the first four digits and, for a stripe, its expiry or not. `either`: a
 * chip, whose expiry both dialects leave. Undefined where six digits are left, or nothing is masked.
 */
const masksOf = ({ tlvs }: Neo2Result): MaskDialect | 'either' | undefined => {
  const track = msrBlockIn(tlvs)?.tracks.find((each) => each.track === 2)?.masked;
  if (track !== undefined) {
    const [, expiry] = /^;\d{4}\*+\d{4}=(.)/.exec(Buffer.from(track).toString('latin1')) ?? [];
    return expiry === undefined ? undefined : expiry === '*' ? 'masks-all' : 'masks-four';
  }
  const number = findNeo2(tlvs, '5A', 'masked') ?? findNeo2(tlvs, '57', 'masked');
  return /^\d{4}C+\d{4}(?!\d)/.test(toHex(number?.value ?? new Uint8Array(0))) ? 'either' : undefined;
};

/** Listens to one conversation. Unreadable bytes are ignored. */
export const neo2DialectDetector = ({ carries, known }: Omit<LinkFacts, 'line'>): DialectDetector => {
  const readers = { said: frameReader(carries, 'host'), heard: frameReader(carries, 'reader') };
  const listener = new Listener(known);
  return {
    dialects: listener.dialects,
    push(direction, bytes) {
      for (const piece of readers[direction].push(bytes)) {
        if (piece.kind === 'frame') listener.handle(direction, piece.frame);
        overwrite(piece.kind === 'frame' ? piece.frame.data : piece.bytes);
      }
    },
  };
};

/** A question; answers do not repeat its sub-command. */
type SentCommand = {
  name: Neo2CommandName;
  header: Neo2Header;
  /** The stripe may replace a failed chip within this command. */
  mayFallBack: boolean;
};

const pinCommand = commandByte('onlinePin');
const [NEW_VERSION_TAG, OLD_VERSION_TAG] = [0xee, 0xdf];
/** The lengths of a key state with a serial number of 10 or 12 bytes and no length in front. */
const lengthsWithout: readonly number[] = [11, 13];

class Listener {
  readonly dialects: Set<string>;
  /** The last question for each command byte. */
  readonly #asked = new Map<number, SentCommand>();
  /** The running command that waits for a card or a customer. */
  #running: Neo2CommandName | undefined;
  /** A cancelled command whose end has not arrived. */
  #stopped: { command: number; isAnswered: boolean } | undefined;
  /** The reader knows no question about its keys; it may have none. */
  #hidesKeys = false;

  constructor(known: readonly string[]) {
    this.dialects = new Set(known);
  }

  handle(direction: TraceDirection, frame: Neo2Frame): void {
    try {
      if (direction === 'said') this.#question(frame);
      else if (isUpcall(frame)) this.#upcall(frame);
      else this.#answer(frame);
    } catch {
      // The driver reports malformed messages; they say nothing about dialects.
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
    // From now on an end belongs to this command.
    this.#stopped = undefined;
  }

  #upcall(frame: Neo2Frame): void {
    const kind = decodeUpcall(frame)?.kind;
    if (kind !== 'words' && kind !== 'menu') return;
    if (frame.checksum === 'lowFirst') this.#add('shows-at-till');
    if (frame.checksum === 'highFirst') this.#add('shows-at-till-high-first');
  }

  #answer(frame: Neo2Frame): void {
    const request = this.#asked.get(frame.command);
    if (request === undefined || (frame.sub !== undefined && frame.sub !== subByte(request.name))) return;
    if (frame.header === 'ViVOpayV3' && request.header !== 'ViVOpayV3') this.#add('answers-under-v3');
    const { name } = request;
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
        if (commands[name].waits && frame.status !== status.accepted) this.#ended(request, frame);
    }
  }

  /** PIN commands are answered twice, and the end may be that of a cancel. */
  #pin({ status: value, data }: Neo2Frame): void {
    if (value === status.accepted) this.#add('pin-acknowledged-63');
    if (value === status.accepted || data.length === 0) return;
    this.#running = undefined;
    if (value === status.ok && data[0] !== 0) this.#add('pin-failure-under-00');
  }

  /** The last answer of a command that took a card, or none. */
  #ended(request: SentCommand, frame: Neo2Frame): void {
    const { name } = request;
    const { command, status: value, data } = frame;
    const answer = data.length === 0 ? { tlvs: [] } : resultCodec.decode(data);
    this.#stop(command, value, answer);
    this.#running = undefined;
    if (name === 'activate') this.#activated(request, value, answer);
    const code = resultCodeOf(answer);
    if (name === 'authenticate' && (code === result.approvedAlone || code === result.declinedAlone))
      this.#add('ends-alone');
    if (value === status.cancelled) this.#add('cancel-under-a3');
    if (value === status.noDataKey) this.#add('key-missing-at-card');
    const isTyped = name === 'manual' || name === 'manualUnderV3';
    if (name === 'manual' && (value === status.ok || value === status.timedOut)) this.#add('typed-under-tech2');
    if (!isOfCard(answer)) return;
    this.#add(...detectCardDialects(answer, { isFirst: name === 'activate', isTyped }));
    if (this.#hidesKeys && isSealed(answer)) this.#add('key-state-unknown');
    if (proprietaryCipherOf(answer) === 'TransArmor' && !this.dialects.has('transarmor-told'))
      this.#add('transarmor-untold');
    this.#masks(masksOf(answer));
  }

  /** The end of a cancelled command, which each dialect reports differently, or not at all. */
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

  /** A chip's masks are the same whether or not a stripe's expiry is hidden. */
  #masks(masks: MaskDialect | 'either' | undefined): void {
    if (masks === undefined || (masks === 'either' && this.dialects.has('masks-all'))) return;
    const [dialect, other] = masks === 'masks-all' ? ['masks-all', 'masks-four'] : ['masks-four', 'masks-all'];
    this.dialects.add(dialect);
    this.dialects.delete(other);
  }
}

/** Whether the reader itself continues with the stripe when a chip fails. */
const mayFallBack = (frame: Neo2Frame): boolean => {
  if (nameOf(frame) !== 'activate') return false;
  const request = decodeRequest(frame);
  if (request?.name !== 'activate') return false;
  const { interfaces = 0, patience } = request.ask;
  return (interfaces & interfaceBits.swipe) !== 0 && patience?.fallback === 1;
};
