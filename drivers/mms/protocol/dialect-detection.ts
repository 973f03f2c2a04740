/**
 * Detects the dialects that an MMS device speaks from the traffic on its line. It sends nothing, and no decision
 * depends on it. The bytes are overwritten after reading: a data block may contain an encrypted PIN.
 */
import { overwrite, toHex } from '../../../src/base/hex.ts';
import { find } from '../../../src/emv/tlv.ts';
import type { DialectDetector, LinkFacts, TraceDirection } from '../../driver.ts';
import { blockBytes, decodeBlock, type MmsBlock, macBytes } from './card-data.ts';
import { commands, decodeAnswer, decodeRequest, type MmsAsk, type MmsRequest } from './commands.ts';
import type { MmsDialect } from './dialects.ts';
import {
  contentOf,
  decodeMessage,
  frameReader,
  isSuccess,
  lacksDetailLength,
  type MmsMessage,
  type Status,
} from './messages.ts';
import { decodeNotice, type MmsNotice } from './notices.ts';

/** Dialects that a till cannot detect from its line, and why. */
export const undetectableDialects: Partial<Readonly<Record<MmsDialect, string>>> = {
  'notices-on-request': 'the till subscribes (1F02) before there is anything to tell',
};

/** Listens to one conversation. Unreadable bytes are ignored. */
export const mmsDialectDetector = ({ carries, known }: Omit<LinkFacts, 'line'>): DialectDetector => {
  const readers = { said: frameReader(carries), heard: frameReader(carries) };
  const listener = new Listener(known);
  return {
    dialects: listener.dialects,
    push(direction, bytes) {
      for (const piece of readers[direction].push(bytes)) {
        if (piece.kind === 'noise') overwrite(piece.bytes);
        else if ('bytes' in piece.message) {
          listener.handle(direction, piece.message.bytes);
          overwrite(piece.message.bytes);
        }
      }
    },
  };
};

/** What was seen since a transaction was started. */
type Sale = {
  takesStripe: boolean;
  /** The key serial number of the block that asked for the host. */
  askedUnder?: string;
  isResumed: boolean;
  hasEnded: boolean;
  /** The end came before the batch data; whether it is repeated is known at the next start. */
  endsFirst: boolean;
};

type Response = Extract<MmsMessage, { kind: 'response' }>;
type Notification = Extract<MmsMessage, { kind: 'notification' }>;

const warned = '41';
const chipEnds: ReadonlySet<MmsNotice['kind']> = new Set(['chipFailed', 'stripeInstead']);
const displayed: ReadonlySet<MmsNotice['kind']> = new Set(['showText', 'showTextWithCancel', 'clearDisplay', 'select']);
/** One card in a hundred has zeros as its fifth and sixth digits: two different cards are needed as proof. */
const frontsToTell = 2;
const [PAYLOAD, TWO_BYTES] = [0x84, 0x82];

class Listener {
  readonly dialects: Set<string>;
  readonly #asked = new Map<number, MmsRequest>();
  #isAnswered = false;
  #isInSlot = false;
  #sale: Sale | undefined;
  /** The first four digits of cards whose fifth and sixth digits were shown as zeros. */
  readonly #zeroFronts = new Set<string>();
  #showsSix = false;

  constructor(known: readonly string[]) {
    this.dialects = new Set(known);
  }

  handle(direction: TraceDirection, bytes: Uint8Array): void {
    try {
      const message = decodeMessage(bytes);
      if (message.kind === 'request' && direction === 'said') this.#request(message.ref, message);
      if (direction === 'said' || message.kind === 'request' || message.kind === 'other') return;
      if (hasLongLength(bytes, message.payload)) this.#add('long-lengths');
      if (message.kind === 'response') this.#response(message);
      else this.#notification(message, bytes);
    } catch {
      // The driver reports malformed messages; they say nothing about dialects.
    }
  }

  #add(name: MmsDialect): void {
    this.dialects.add(name);
  }

  #request(ref: number, { id, payload }: { id: string; payload?: Uint8Array }): void {
    const request = decodeRequest(id, payload);
    if (request === undefined) return;
    this.#asked.set(ref, request);
    if (request.name === 'start') this.#start(request.ask);
    if (request.name === 'resume' && this.#sale !== undefined) this.#sale.isResumed = true;
  }

  #start({ readers }: MmsAsk<'start'>): void {
    if (this.#sale?.endsFirst) this.#add('end-first');
    const takesStripe = readers?.swipe !== 0;
    this.#sale = { takesStripe, isResumed: false, hasEnded: false, endsFirst: false };
  }

  #response({ ref, id, status, payload }: Response): void {
    const request = this.#asked.get(ref);
    if (request === undefined || commands[request.name].id !== id) return;
    this.#isAnswered = true;
    if (!isSuccess(status)) return;
    const isEmpty = contentOf(id, payload).length === 0;
    if (request.name === 'start' && status.startsWith(warned)) this.#add('started-with-warning');
    if (request.name === 'echo' && isEmpty) this.#add('echo-empty');
    if (request.name === 'setProperty' && isEmpty) this.#add('set-answered-empty');
    const reply = { status, payload };
    if (request.name === 'getProperty' || request.name === 'setProperty') this.#property(request, reply);
    if (request.name === 'keyInfo') this.#key(request.ask, reply);
  }

  #property(request: Extract<MmsRequest, { name: 'getProperty' | 'setProperty' }>, reply: Reply): void {
    const answeredProperty =
      request.name === 'getProperty'
        ? decodeAnswer('getProperty', reply).answer
        : decodeAnswer('setProperty', reply).answer?.property;
    if (answeredProperty?.form === 'plain' && request.ask.form !== 'plain') this.#add('names-plain');
  }

  #key({ slot }: MmsAsk<'keyInfo'>, reply: Reply): void {
    const { answer } = decodeAnswer('keyInfo', reply);
    if (answer !== undefined && answer.slot !== slot) this.#add('key-slot-other');
    const id = toHex(reply.payload?.subarray(0, 2) ?? new Uint8Array(0));
    if (answer !== undefined && id !== commands.keyInfo.id) this.#add('ids-left-out');
  }

  #notification(message: Notification, bytes: Uint8Array): void {
    if (lacksDetailLength(bytes)) this.#add('battery-as-printed');
    const notice = decodeNotice(message);
    const { kind } = notice;
    // Every device reports a later restart.
    if (kind === 'restarted' && !this.#isAnswered) this.#add('restart-told-at-start');
    if (displayed.has(kind)) this.#add('shows-at-till');
    if (kind === 'inserted') this.#isInSlot = true;
    if (kind === 'removed') this.#isInSlot = false;
    if (kind === 'arqc' || kind === 'batch') this.#block(kind, message.payload);
    if (message.id === '0105') this.#ended(notice);
  }

  #block(kind: 'arqc' | 'batch', payload: Uint8Array | undefined): void {
    const bytes = find(contentOf('0101', payload), '84')?.value ?? new Uint8Array(0);
    const block = decodeBlock(bytes);
    if (!isFilled(bytes)) this.#add('block-as-printed');
    this.#masks(maskedFrontOf(block));
    const sale = this.#sale;
    if (sale === undefined) return;
    if (kind === 'batch') {
      sale.endsFirst = sale.hasEnded;
      return;
    }
    const ksn = block.sealed?.ksn;
    if (ksn !== undefined && ksn === sale.askedUnder) this.#add('arqc-twice');
    if (ksn !== undefined) sale.askedUnder = ksn;
  }

  #ended({ kind }: MmsNotice): void {
    const sale = this.#sale;
    if (sale === undefined) return;
    if (sale.endsFirst) {
      sale.endsFirst = false;
      this.#add('end-twice');
    }
    sale.hasEnded = true;
    // Where the device leads the fallback, it asks for the card again itself.
    const isLeft = this.#isInSlot && sale.takesStripe && sale.askedUnder === undefined && !sale.isResumed;
    if (isLeft && chipEnds.has(kind)) this.#add('fallback-by-host');
  }

  #masks(front: MaskedFront | undefined): void {
    if (front?.shows === 'six') {
      this.#showsSix = true;
      this.dialects.delete('masks-four');
    }
    if (front?.shows === 'zeros') this.#zeroFronts.add(front.digits);
    const isTold = front?.shows === 'four' || this.#zeroFronts.size >= frontsToTell;
    if (isTold && !this.#showsSix) this.#add('masks-four');
  }
}

type Reply = { status: Status; payload?: Uint8Array };

/** Whether the payload's length is encoded in two bytes although one is enough. */
const hasLongLength = (bytes: Uint8Array, payload: Uint8Array | undefined): boolean => {
  if (payload === undefined || payload.length > 0xff) return false;
  const offset = bytes.length - payload.length - 4;
  return bytes[offset] === PAYLOAD && bytes[offset + 1] === TWO_BYTES;
};

/** Whether a block is padded to a multiple of eight before its MAC. */
const isFilled = (block: Uint8Array): boolean => (block.length - macBytes) % blockBytes === 0;

/**
 * The start of a masked card number. `six`: the fifth and sixth digits are shown; `four`: they are stars; `zeros`: they
 * are zeros, real or hidden. `digits` are the first four.
 */
type MaskedFront = { digits: string; shows: 'four' | 'six' | 'zeros' };

/** Undefined where there is no track 2 or its number is not masked. */
const maskedFrontOf = ({ clear }: MmsBlock): MaskedFront | undefined => {
  const track = find(clear, 'DFDF4D') ?? find(clear, 'DFDF33');
  const text = Buffer.from(track?.value ?? []).toString('latin1');
  const [, digits, next] = /^;(\d{4})(\d\d|\*\*)(?:0{2,9}|\*{2,9})\d{4}=/.exec(text) ?? [];
  if (digits === undefined) return undefined;
  return { digits, shows: next === '**' ? 'four' : next === '00' ? 'zeros' : 'six' };
};
