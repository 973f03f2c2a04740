/**
 * Reads ESC/POS: takes bytes in any portions and returns what a printer would do. Unknown bytes are returned as well,
 * never skipped, so that a command sent by mistake shows.
 */
import { type CodePage, decode, pageOfNumber, type TwoBytePage } from '../../src/base/code-pages.ts';
import { concat } from '../../src/base/hex.ts';

export type PrintedItem =
  | { kind: 'line'; text: string; size: number; bold: boolean; align: 'left' | 'centre' | 'right' }
  | { kind: 'raster'; bytesAcross: number; rows: number; bits: Uint8Array; align: 'left' | 'centre' | 'right' }
  | { kind: 'code'; text: string }
  | { kind: 'feed'; lines: number }
  | { kind: 'cut' }
  | { kind: 'drawer' }
  /** DLE EOT: must be answered at once. */
  | { kind: 'asked'; question: number }
  /** GS r: must be answered when everything before it is done. */
  | { kind: 'confirm' }
  | { kind: 'noise'; bytes: Uint8Array };

type Mode = {
  page: CodePage;
  kanji: boolean;
  size: number;
  bold: boolean;
  align: 'left' | 'centre' | 'right';
  text: number[];
  code: Uint8Array;
};

const initialMode = (): Mode => ({
  page: 'cp437',
  kanji: false,
  size: 0,
  bold: false,
  align: 'left',
  text: [],
  code: new Uint8Array(0),
});

/** The length of a command, as far as its bytes are known; undefined while unknown, 0 when it is not a command. */
type Command = {
  prefix: readonly number[];
  length(bytes: Uint8Array): number | undefined;
  decode(bytes: Uint8Array, mode: Mode): PrintedItem[];
};

const fixedLength = (prefix: readonly number[], parameters: number, decode: Command['decode'] = () => []): Command => ({
  prefix,
  length: () => prefix.length + parameters,
  decode,
});

const alignments = ['left', 'centre', 'right'] as const;

const commands: readonly Command[] = [
  fixedLength([0x10, 0x04], 1, ([, , question = 0]) => [{ kind: 'asked', question }]),
  fixedLength([0x1b, 0x40], 0, (_, mode) => {
    Object.assign(mode, initialMode());
    return [];
  }),
  fixedLength([0x1b, 0x45], 1, ([, , on = 0], mode) => {
    mode.bold = (on & 1) === 1;
    return [];
  }),
  fixedLength([0x1b, 0x61], 1, ([, , at = 0], mode) => {
    mode.align = alignments[at % 48] ?? 'left';
    return [];
  }),
  fixedLength([0x1b, 0x64], 1, ([, , lines = 0]) => [{ kind: 'feed', lines }]),
  fixedLength([0x1b, 0x70], 3, () => [{ kind: 'drawer' }]),
  fixedLength([0x1b, 0x74], 1, ([, , number = 0], mode) => {
    mode.page = pageOfNumber(number) ?? mode.page;
    return pageOfNumber(number) === undefined ? [{ kind: 'noise', bytes: Uint8Array.of(0x1b, 0x74, number) }] : [];
  }),
  fixedLength([0x1c, 0x26], 0, (_, mode) => {
    mode.kanji = true;
    return [];
  }),
  fixedLength([0x1c, 0x2e], 0, (_, mode) => {
    mode.kanji = false;
    return [];
  }),
  // Selects a Japanese code; only one is supported here.
  fixedLength([0x1c, 0x43], 1),
  fixedLength([0x1d, 0x21], 1, ([, , size = 0], mode) => {
    mode.size = size;
    return [];
  }),
  fixedLength([0x1d, 0x72], 1, () => [{ kind: 'confirm' }]),
  { prefix: [0x1d, 0x56], length: (bytes) => cutLength(bytes[2]), decode: () => [{ kind: 'cut' }] },
  {
    prefix: [0x1d, 0x76, 0x30],
    length: (bytes) => (bytes.length < 8 ? undefined : 8 + wordAt(bytes, 4) * wordAt(bytes, 6)),
    decode: (bytes, { align }) => [
      { kind: 'raster', bytesAcross: wordAt(bytes, 4), rows: wordAt(bytes, 6), bits: bytes.slice(8), align },
    ],
  },
  {
    prefix: [0x1d, 0x28, 0x6b],
    length: (bytes) => (bytes.length < 5 ? undefined : 5 + wordAt(bytes, 3)),
    decode: codeCommand,
  },
];

const cutLength = (how: number | undefined): number | undefined =>
  how === undefined ? undefined : how === 0x41 || how === 0x42 ? 4 : 3;
const wordAt = (bytes: Uint8Array, offset: number): number => (bytes[offset] ?? 0) + 256 * (bytes[offset + 1] ?? 0);

function codeCommand(bytes: Uint8Array, mode: Mode): PrintedItem[] {
  const function_ = bytes[6];
  if (function_ === 0x50) mode.code = bytes.slice(8);
  return function_ === 0x51 ? [{ kind: 'code', text: new TextDecoder().decode(mode.code) }] : [];
}

/** A printer's memory: a command that claims more is noise. */
const COMMAND_MOST = 256 * 1024;

/** A decoder with the state of one printer. `twoBytes`: the double-byte character set that it was built with. */
export const decoder = (twoBytes: TwoBytePage = 'gb18030'): { take(bytes: Uint8Array): PrintedItem[] } => {
  const mode = initialMode();
  let buffer: Uint8Array = new Uint8Array(0);
  return {
    take(bytes) {
      buffer = buffer.length === 0 ? bytes : concat(buffer, bytes);
      const printed: PrintedItem[] = [];
      let offset = 0;
      while (offset < buffer.length) {
        const step = stepAt(buffer.subarray(offset), mode, twoBytes);
        if (step === undefined) break;
        printed.push(...step.printed);
        offset += step.length;
      }
      buffer = buffer.slice(offset);
      return printed;
    },
  };
};

type Step = { length: number; printed: PrintedItem[] };

/** The next piece; undefined while more bytes are needed. */
const stepAt = (bytes: Uint8Array, mode: Mode, twoBytes: TwoBytePage): Step | undefined => {
  const [first = 0] = bytes;
  if (first === 0x0a) return { length: 1, printed: [lineOf(mode, twoBytes)] };
  if (first >= 0x20 && first !== 0x7f) {
    mode.text.push(first);
    return { length: 1, printed: [] };
  }
  const fits = commands.filter(({ prefix }) =>
    prefix.slice(0, bytes.length).every((byte, index) => byte === bytes[index]),
  );
  const command = fits.find(({ prefix }) => prefix.length <= bytes.length);
  if (command === undefined) return fits.length > 0 ? undefined : noise(bytes, 1);
  const length = command.length(bytes);
  if (length !== undefined && length > COMMAND_MOST) return noise(bytes, command.prefix.length);
  if (length === undefined || bytes.length < length) return undefined;
  return { length, printed: command.decode(bytes.slice(0, length), mode) };
};

const noise = (bytes: Uint8Array, length: number): Step => ({
  length,
  printed: [{ kind: 'noise', bytes: bytes.slice(0, length) }],
});

const lineOf = (mode: Mode, twoBytes: TwoBytePage): PrintedItem => {
  const text = decode(Uint8Array.from(mode.text), mode.kanji ? twoBytes : mode.page);
  mode.text = [];
  return { kind: 'line', text, size: mode.size, bold: mode.bold, align: mode.align };
};
