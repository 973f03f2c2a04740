/**
 * Detects the dialects that a ZVT terminal speaks from the traffic on its line. It sends nothing, and no decision
 * depends on it: it informs technicians and support.
 */
import { toHex } from '../../../src/base/hex.ts';
import { find, findAll } from '../../../src/emv/tlv.ts';
import type { DialectDetector, TraceDirection } from '../../driver.ts';
import type { ZvtApdu } from '../../framing/zvt-frame.ts';
import { decodeRequest, type ZvtRequest } from './commands.ts';
import type { ZvtDialect } from './dialects.ts';
import {
  bmp,
  type CharacterSet,
  containerOf,
  decodeBmps,
  decodeKnownBmps,
  lastLine,
  likeliestSet,
  tags,
} from './fields.ts';
import { versionLength } from './health.ts';
import { characterSetIn, decodeMessage, isAnswer } from './messages.ts';
import { type StreamPiece, zvtStream } from './trace.ts';

/** Dialects that a till cannot detect from its line, and why. */
export const undetectableDialects: Partial<Readonly<Record<ZvtDialect, string>>> = {
  'version-never': 'the till asks for no version',
  'currency-always': 'the till names the currency of each payment, and the result repeats it in any case',
  'socket-each': 'it is not a message: the driver handles it on the line itself',
  'socket-idle': 'as socket-each',
  'second-refused': 'the till has one connection',
  'first-dropped': 'the till has one connection',
};

/** A payment or reversal, as its result reported it. */
type MoneyResult = { code: string; receipt: string | undefined };
type Running = {
  name: ZvtRequest['name'];
  /** The service byte of the command; undefined if it has none. */
  service: string | undefined;
  /** The receipt number that a reversal names. */
  names: string | undefined;
  results: MoneyResult[];
  /** The data of the last result, hex. */
  lastResult?: string;
  hasPrinted: boolean;
  /** It has reported that it ends its day within this payment. */
  endsDay?: true;
  /** The type of a text block that did not end its receipt. */
  openBlock?: string | undefined;
};

const money: ReadonlySet<ZvtRequest['name']> = new Set(['authorisation', 'refund', 'reversal']);
const locks: Readonly<Record<string, ZvtDialect>> = {
  F0: 'locked-day',
  C2: 'locked-diagnosis',
  '51': 'locked-initialisation',
  '62': 'locked-clock',
};
const [CENTRED_OR_WIDE, FEED] = [0x60, 0xff];
const WRONG_PIN = '37';
const HIGHEST_NUMBER = 9_999;
/** Status: the terminal ends its day by itself. */
const ENDS_DAY = 0x0f;
/** Bits of the service byte of 0501: without the version, and with the identity. */
const [NO_VERSION, WITH_DEVICE] = [0x02, 0x04];
/** Three digits of a length, and a version of forty characters. */
const LONG_VERSION = 43;

/** Character sets that are used without being named, and those that the registration names. */
const unnamedSets: Readonly<Record<CharacterSet, ZvtDialect>> = { '01': 'texts-latin', FE: 'texts-unicode' };
const namedSets: Readonly<Record<CharacterSet, ZvtDialect>> = {
  '00': 'texts-seven-bits',
  '01': 'texts-latin-named',
  FE: 'texts-unicode-named',
};

/** Listens to one conversation. Unreadable bytes are ignored. */
export const zvtDialectDetector = (): DialectDetector => {
  const streams = { said: zvtStream(), heard: zvtStream() };
  const listener = new Listener();
  /** The last frame received on a serial line: it can be repeated until a frame of the till is acknowledged. */
  let mayComeAgain: string | undefined;
  const isHeardAgain = ({ apdu, form }: Extract<StreamPiece, { kind: 'apdu' }>): boolean => {
    const dialect = `${apdu.code}${toHex(apdu.data)}`;
    const isAgain = form === 'serial' && dialect === mayComeAgain;
    mayComeAgain = dialect;
    return isAgain;
  };
  return {
    dialects: listener.dialects,
    push(direction, bytes) {
      for (const piece of streams[direction].push(bytes)) {
        if (direction === 'heard' && piece.kind === 'ack') mayComeAgain = undefined;
        if (piece.kind === 'apdu' && (direction === 'said' || !isHeardAgain(piece)))
          listener.handle(direction, piece.apdu);
      }
    },
  };
};

class Listener {
  readonly dialects = new Set<ZvtDialect>();
  #running: Running | undefined;
  /** The register has sent a container, so the terminal can too. */
  #takesContainers = false;
  /** The character set of the texts, if the registration named it. */
  #set: CharacterSet | undefined;
  /** The receipt number in the last answer to 0620. */
  #repeatedNumber: string | undefined;
  /** The last payments and reversals, the newest last; two are enough. */
  #history: readonly MoneyResult[] = [];

  handle(direction: TraceDirection, apdu: ZvtApdu): void {
    try {
      if (direction === 'said') this.#command(apdu);
      else if (this.#running !== undefined) this.#message(apdu, this.#running);
    } catch {
      // The driver reports malformed messages; they say nothing about dialects.
    }
  }

  #command(apdu: ZvtApdu): void {
    if (isAnswer(apdu)) return;
    const request = decodeRequest(apdu);
    if (request === undefined || request.name === 'abort') return;
    if (request.name === 'registration') this.#takesContainers = request.ask.textBlocks;
    if (request.name === 'logOff') this.#takesContainers = false;
    this.#running = {
      name: request.name,
      service: 'service' in request.ask ? request.ask.service : undefined,
      names: request.name === 'reversal' ? request.ask.receipt : undefined,
      results: [],
      hasPrinted: false,
    };
  }

  #message(apdu: ZvtApdu, running: Running): void {
    const { code, data } = apdu;
    if (code.startsWith('84')) this.#refused(code.slice(2), running);
    if (code === '04FF' && data.length > 1) this.dialects.add('status-times');
    if (code === '04FF' && data[0] === ENDS_DAY && money.has(running.name)) this.#endsDay(running);
    if (code === '040F') this.#result(data, running);
    if (code === '06D1') this.#line(data, running);
    if (code === '06D3') this.#block(apdu, running);
    if (code === '060F') this.#completed(data, running);
    if (code === '061E') this.#aborted(data, running);
  }

  /** Its closing receipt comes before the result, and does not belong to the payment. */
  #endsDay(running: Running): void {
    running.endsDay = true;
    this.dialects.add('day-by-itself');
  }

  #refused(code: string, { name, service }: Running): void {
    if (name === 'status' && service !== undefined && (code === '9A' || code === '83'))
      this.dialects.add('status-plain');
    if (name === 'totals' && code === '83') this.dialects.add('totals-none');
    if (name !== 'repeatReceipt' || this.#history.length === 0) return;
    if (code === 'A0') this.dialects.add('repeat-busy');
    if (code === '83') this.dialects.add('repeat-none');
  }

  #result(data: Uint8Array, running: Running): void {
    const { name, results, hasPrinted, endsDay } = running;
    const { list, unknown } = decodeKnownBmps(data);
    const numbers = list.map(({ number }) => number);
    const hexOf = (number: string): string | undefined => {
      const value = bmp(list, number);
      return value && toHex(value);
    };
    const code = hexOf('27') ?? '';
    const receipt = hexOf('87');
    results.push({ code, receipt });
    // A PIN that was wrong twice is also reported twice.
    if (toHex(data) === running.lastResult && code !== WRONG_PIN) this.dialects.add('result-twice');
    running.lastResult = toHex(data);
    if (name === 'totals' && code === '00') this.#totals(bmp(list, '60'));
    if (unknown !== undefined) this.dialects.add('bitmap-unknown');
    if (hexOf('22')?.endsWith('FF') === true) this.dialects.add('pan-filled');
    if (numbers.length > 2 && numbers[0] !== '27' && numbers.at(-1) === '27') this.dialects.add('result-last');
    if (numbers.includes('06') && !this.#takesContainers) this.dialects.add('containers-always');
    if (!money.has(name)) return;
    if (hasPrinted && !endsDay) this.dialects.add('prints-first');
    if (results.length > 1 && results[0]?.code === WRONG_PIN) this.dialects.add('result-again');
    if (name !== 'reversal' || code !== '00') return;
    if (!numbers.includes('37') && unknown === undefined) this.dialects.add('reversal-as-credit');
    if (receipt !== undefined && receipt === running.names) this.dialects.add('reversal-same-number');
  }

  /** The turnover has receipt numbers after the one in 0620: that was an earlier payment. */
  #totals(singleSums: Uint8Array | undefined): void {
    if (singleSums === undefined) this.dialects.add('totals-sum');
    else if (this.#repeatedNumber !== undefined) {
      const next = (Number(this.#repeatedNumber) % HIGHEST_NUMBER) + 1;
      if (Number(toHex(singleSums.subarray(2, 4))) === next) this.dialects.add('repeat-acknowledged');
    }
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
    if (name === 'status') this.#state(data, running);
    if (name === 'registration') {
      this.#set = characterSetIn(containerOf(decodeBmps(data)));
      this.#named(this.#set);
    }
    if (name !== 'status' && name !== 'registration' && data.length > 0) this.dialects.add('endings-told');
    if (name === 'repeatReceipt') this.#repeated(running);
    this.#end(running);
  }

  /**
   * Before its registration this till accepts no container, and a terminal that knows no service byte is asked plainly.
   */
  #state(data: Uint8Array, { service }: Running): void {
    const isRequested = (bit: number): boolean => (Number.parseInt(service ?? '00', 16) & bit) !== 0;
    const version = versionLength(data);
    if (version > 0 && isRequested(NO_VERSION))
      this.dialects.add(version === LONG_VERSION ? 'version-long' : 'version-always');
    if (data.length === 1 && isRequested(WITH_DEVICE) && this.#takesContainers) this.dialects.add('status-bare');
    const bmps = decodeBmps(data.subarray(version + 1));
    if (bmp(bmps, '06') !== undefined && !this.#takesContainers) this.dialects.add('containers-always');
  }

  /** Compares the answer to 0620 with what was reported at the time of the payment. */
  #repeated({ results }: Running): void {
    const [secondLast, last] = this.#history.length > 1 ? this.#history : [undefined, this.#history[0]];
    const amount = results.at(-1);
    this.#repeatedNumber = amount?.receipt;
    if (amount === undefined) {
      this.dialects.add('repeat-bare');
      return;
    }
    if (last === undefined || amount.receipt === undefined) return;
    if (amount.receipt === last.receipt) {
      if (last.code === '00' && amount.code === '6C') this.dialects.add('unheard-reversed');
      return;
    }
    if (secondLast === undefined || amount.receipt !== secondLast.receipt) return;
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
