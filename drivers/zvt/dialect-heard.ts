/**
 * Which dialects a ZVT terminal turns out to speak, derived from what goes by on its line. Nothing is asked for it, and
 * no decision depends on it: it is told to technicians and to support.
 */
import { toHex } from '../../src/base/hex.ts';
import { find, findAll } from '../../src/emv/tlv.ts';
import type { Ear, Way } from '../driver.ts';
import type { ZvtApdu } from '../framing/zvt-apdu.ts';
import { type Bmp, bmp, containerOf, decodeBmps } from './bmps.ts';
import { type CharacterSet, likeliestSet } from './characters.ts';
import { decodeRequest, type Request } from './commands.ts';
import { versionLength } from './health.ts';
import { characterSetIn, decodeMessage, isAnswer } from './messages.ts';
import type { ZvtDialect } from './simulator-dialects.ts';
import { zvtStream } from './stream.ts';
import { lastLine, tags } from './tags.ts';

/** Rows that a till cannot hear on its line, and why. */
export const unheardDialects: Partial<Readonly<Record<ZvtDialect, string>>> = {
  'version-never': 'the till asks for no version',
  'currency-always': 'the till names the currency of each payment, and hears it again in any case',
  'socket-each': 'it is no message: the driver copes with it on the line itself',
  'socket-idle': 'as socket-each',
  'second-refused': 'the till has one connection',
  'first-dropped': 'the till has one connection',
};

/** A payment or reversal as a result told it. */
type Told = { code: string; receipt: string | undefined };
type Running = {
  name: Request['name'];
  results: Told[];
  hasPrinted: boolean;
  /** The type of a block of text that did not end its receipt. */
  openBlock?: string | undefined;
};

const money: ReadonlySet<Request['name']> = new Set(['authorisation', 'refund', 'reversal']);
const locks: Readonly<Record<string, ZvtDialect>> = {
  F0: 'locked-day',
  C2: 'locked-diagnosis',
  '51': 'locked-initialisation',
  '62': 'locked-clock',
};
const [CENTRED_OR_WIDE, FEED] = [0x60, 0xff];

/** Sets of characters that come without a word, and those that the registration names. */
const unnamedSets: Readonly<Record<CharacterSet, ZvtDialect>> = { '01': 'texts-latin', FE: 'texts-unicode' };
const namedSets: Readonly<Record<CharacterSet, ZvtDialect>> = {
  '00': 'texts-seven-bits',
  '01': 'texts-latin-named',
  FE: 'texts-unicode-named',
};

/** An ear of one conversation. Bytes that cannot be read tell nothing. */
export const zvtEar = (): Ear => {
  const streams = { said: zvtStream(), heard: zvtStream() };
  const listener = new Listener();
  return {
    dialects: listener.dialects,
    push(way, bytes) {
      for (const piece of streams[way].push(bytes)) if (piece.kind === 'apdu') listener.hear(way, piece.apdu);
    },
  };
};

class Listener {
  readonly dialects = new Set<ZvtDialect>();
  #running: Running | undefined;
  /** The register has sent a container, so the terminal may. */
  #takesContainers = false;
  /** The set of the texts, where the registration named it. */
  #set: CharacterSet | undefined;
  /** The last payments and reversals, the newest at the end; two are enough. */
  #history: readonly Told[] = [];

  hear(way: Way, apdu: ZvtApdu): void {
    try {
      if (way === 'said') this.#command(apdu);
      else if (this.#running !== undefined) this.#message(apdu, this.#running);
    } catch {
      // What breaks its own rules is the driver's to report; of a dialect it tells nothing.
    }
  }

  #command(apdu: ZvtApdu): void {
    if (isAnswer(apdu)) return;
    const request = decodeRequest(apdu);
    if (request === undefined || request.name === 'abort') return;
    if (request.name === 'registration') this.#takesContainers = request.ask.textBlocks;
    if (request.name === 'logOff') this.#takesContainers = false;
    this.#running = { name: request.name, results: [], hasPrinted: false };
  }

  #message(apdu: ZvtApdu, running: Running): void {
    const { code, data } = apdu;
    if (code.startsWith('84')) this.#refused(code.slice(2), running);
    if (code === '04FF' && data.length > 1) this.dialects.add('status-times');
    if (code === '040F') this.#result(decodeBmps(data), running);
    if (code === '06D1') this.#line(data, running);
    if (code === '06D3') this.#block(apdu, running);
    if (code === '060F') this.#completed(data, running);
    if (code === '061E') this.#aborted(data, running);
  }

  #refused(code: string, { name }: Running): void {
    if (name !== 'repeatReceipt' || this.#history.length === 0) return;
    if (code === 'A0') this.dialects.add('repeat-busy');
    if (code === '83') this.dialects.add('repeat-none');
  }

  #result(bmps: readonly Bmp[], running: Running): void {
    const { name, results, hasPrinted } = running;
    const numbers = bmps.map(({ number }) => number);
    const has = (number: string): boolean => numbers.includes(number);
    const code = toHex(bmp(bmps, '27') ?? new Uint8Array(0));
    const receipt = bmp(bmps, '87');
    results.push({ code, receipt: receipt && toHex(receipt) });
    if (numbers.length > 2 && numbers[0] !== '27' && numbers.at(-1) === '27') this.dialects.add('result-last');
    if (has('06') && !this.#takesContainers) this.dialects.add('containers-always');
    if (!money.has(name)) return;
    if (hasPrinted) this.dialects.add('prints-first');
    if (results.length > 1 && results[0]?.code === '37') this.dialects.add('result-again');
    if (name === 'reversal' && code === '00' && !has('37')) this.dialects.add('reversal-as-credit');
  }

  #line(data: Uint8Array, running: Running): void {
    const [attribute = 0] = data;
    running.hasPrinted = true;
    if (attribute !== FEED) this.#text(data.subarray(1), this.#set);
    const isStyled = attribute === FEED || ((attribute & lastLine) === 0 && (attribute & CENTRED_OR_WIDE) !== 0);
    if (isStyled) this.dialects.add('prints-styled');
    if (this.dialects.has('prints-styled')) this.dialects.delete('prints-lines');
    else if (this.#takesContainers) this.dialects.add('prints-lines');
  }

  #block(apdu: ZvtApdu, running: Running): void {
    running.hasPrinted = true;
    const message = decodeMessage(apdu);
    if (message?.kind !== 'print') return;
    if (running.openBlock === message.receipt) this.dialects.add('prints-split');
    running.openBlock = message.ends ? undefined : message.receipt;
    const objects = containerOf(decodeBmps(apdu.data));
    const named = characterSetIn(objects);
    this.#named(named);
    const texts = find(objects, tags.printTexts)?.children ?? objects;
    for (const { value } of findAll(texts, tags.textLines)) this.#text(value, named ?? this.#set);
  }

  #named(set: CharacterSet | undefined): void {
    const dialect = set === undefined ? undefined : namedSets[set];
    if (dialect !== undefined) this.dialects.add(dialect);
  }

  #text(bytes: Uint8Array, named: CharacterSet | undefined): void {
    const set = named === undefined ? likeliestSet(bytes) : undefined;
    const dialect = set === undefined ? undefined : unnamedSets[set];
    if (dialect !== undefined) this.dialects.add(dialect);
  }

  #completed(data: Uint8Array, running: Running): void {
    const { name } = running;
    if (name === 'status') this.#state(data);
    if (name === 'registration') {
      this.#set = characterSetIn(containerOf(decodeBmps(data)));
      this.#named(this.#set);
    }
    if (name !== 'status' && name !== 'registration' && data.length > 0) this.dialects.add('endings-told');
    if (name === 'repeatReceipt') this.#repeated(running);
    this.#end(running);
  }

  /** This till asks for no version, and before its registration for no container. */
  #state(data: Uint8Array): void {
    const version = versionLength(data);
    if (version > 0) this.dialects.add('version-always');
    const bmps = decodeBmps(data.subarray(version + 1));
    if (bmp(bmps, '06') !== undefined && !this.#takesContainers) this.dialects.add('containers-always');
  }

  /** What 0620 told, beside what was told when it was made. */
  #repeated({ results }: Running): void {
    const [before, last] = this.#history.length > 1 ? this.#history : [undefined, this.#history[0]];
    const told = results.at(-1);
    if (told === undefined) {
      this.dialects.add('repeat-bare');
      return;
    }
    if (last === undefined || told.receipt === undefined) return;
    if (told.receipt === last.receipt) {
      if (last.code === '00' && told.code === '6C') this.dialects.add('unheard-reversed');
      return;
    }
    if (before === undefined || told.receipt !== before.receipt) return;
    if (last.code === '00') {
      this.dialects.add('repeat-before');
      this.dialects.delete('repeat-approved');
    } else if (!this.dialects.has('repeat-before')) this.dialects.add('repeat-approved');
  }

  #aborted(data: Uint8Array, running: Running): void {
    const code = toHex(data.subarray(0, 1));
    if (data.length > 1) this.dialects.add('endings-told');
    const lock = locks[code];
    if (lock !== undefined && money.has(running.name) && running.results.length === 0) this.dialects.add(lock);
    this.#refused(code, running);
    this.#end(running);
  }

  #end({ name, results }: Running): void {
    const last = results.at(-1);
    if (money.has(name) && last !== undefined) this.#history = [...this.#history, last].slice(-2);
    if (name === 'endOfDay') this.#history = [];
    this.#running = undefined;
  }
}
