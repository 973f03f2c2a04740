/**
 * One row per NEO 2 command: its numbers, its request, its answer and its deadline. The driver writes questions and
 * reads answers with a row; the simulated device reads questions and writes answers with the same row. Source: NEO 2
 * IDG 80139403-002 r88.1; VP3350 Integration Manual 80178501-001; public test scripts of the readers.
 */
import { Fault } from '../../../src/base/fault.ts';
import { concat } from '../../../src/base/hex.ts';
import { type Codec, currency, digits, nothing } from '../../codec.ts';
import { encodeNeo2Frame, type Neo2Frame, type Neo2Framing, type Neo2Header } from '../../framing/neo2-frame.ts';
import {
  deviceState,
  firmware,
  keyAnswer,
  type Neo2Result,
  outputMode,
  pinAnswer,
  processor,
  resultCodec,
  version,
} from './answers.ts';
import { status as statuses } from './status.ts';
import { amount, decodeNeo2Tlv, encodeNeo2Tlv, field, fields, hexIn, type Neo2Tlv, number, sequence } from './tlv.ts';

type Row<Ask, Answer> = {
  /** Command and sub-command, four hex digits. */
  code: string;
  says: string;
  /** How long the device may take. The driver ends commands that wait for the customer long before that. */
  withinMs: number;
  asks: Codec<Ask>;
  answers: Codec<Answer>;
  /** Runs while the customer or the card acts; a cancel can overtake it. */
  waits: boolean;
  /** Statuses other than 00 whose data has the same form. */
  also: readonly number[];
  /** The header, if it differs from that of most commands. */
  header?: Neo2Header;
};

const row = <Ask, Answer>(
  code: string,
  text: string,
  rest: Pick<Row<Ask, Answer>, 'asks' | 'answers' | 'header'> & {
    withinMs?: number;
    waits?: true;
    also?: readonly number[];
  },
): Row<Ask, Answer> => ({ withinMs: 3_000, waits: false, also: [], ...rest, code, says: text });

const query = <Answer>(code: string, text: string, answers: Codec<Answer>) =>
  row(code, text, { asks: nothing, answers });

/** Tag DFEF37: bit 0 stripe, bit 1 tap, bit 2 chip. */
export const interfaceBits = { swipe: 0x01, tap: 0x02, chip: 0x04 } as const;

const transaction = {
  type: field('9C', digits(1)),
  amountMinor: field('9F02', amount),
  otherMinor: field('9F03', amount),
  currency: field('5F2A', currency),
  date: field('9A', digits(3)),
  time: field('9F21', digits(3)),
  interfaces: field('DFEF37', number(1)),
  /** Whether a failed chip allows the stripe, then the seconds that the device waits for its next command. */
  patience: field('DFEF3C', sequence<{ fallback: number; nextCommandS: number }>({ fallback: 1, nextCommandS: 2 })),
};

const transactionFields = fields(transaction);

/** A first part of fixed size, then TLVs. */
const prefixed = <A, B>(head: Codec<A>, size: number, rest: Codec<B>): Codec<A & B> => ({
  encode: (value) => concat(head.encode(value), rest.encode(value)),
  decode: (raw) => ({ ...head.decode(raw), ...rest.decode(raw.subarray(size)) }),
});

const tlvs: Codec<{ tlvs: readonly Neo2Tlv[] }> = {
  encode: (value) => encodeNeo2Tlv(value.tlvs),
  decode: (raw) => ({ tlvs: decodeNeo2Tlv(raw) }),
};

/** 14-01: how a restart is reported. IDG p150. */
export const bootNotices = { none: 0x00, rawText: 0x01, frame: 0x02 } as const;

const cardStep = <Ask>(code: string, text: string, rest: { asks: Codec<Ask>; withinMs: number; header?: Neo2Header }) =>
  row(code, text, {
    ...rest,
    answers: resultCodec,
    waits: true,
    // A failed step can report the failure in the same objects.
    also: [statuses.timedOut, statuses.failed, statuses.online, 0x0e, 0x30],
  });

const typing = sequence<{ timeoutS: number; flags: number }>({ timeoutS: 2, flags: 2 });

export const commands = {
  ping: query('1801', 'Are you there', nothing),
  serial: query('1201', 'What is your serial number', version),
  processor: query('0902', 'Which processor', processor),
  firmware: query('0903', 'Which firmware', firmware),
  hardware: query('0914', 'Which hardware', version),
  modules: query('0920', 'Which modules', version),
  version: query('2900', 'Which firmware, in words', version),
  state: query('3203', 'How are you', deviceState),
  selfCheck: query('2507', 'When do you check yourself', nothing),
  bootNotice: row('1401', 'Say so when you restart: 00 no, 01 as text, 02 as a frame', {
    asks: sequence<{ on: number }>({ on: 1 }),
    answers: nothing,
  }),
  pollMode: row('0101', 'Read cards by yourself (00), on demand (01)', {
    asks: sequence<{ mode: number }>({ mode: 1 }),
    answers: nothing,
  }),
  configure: row('0400', 'Take these settings', { asks: tlvs, answers: nothing }),
  keyState: row('810B', 'State of a DUKPT key: 01 PIN, 02 data, 05 MAC, then its slot', {
    asks: sequence<{ use: number; slot: number }>({ use: 1, slot: 2 }),
    answers: keyAnswer,
  }),
  outputMode: row('C7A3', 'How the key for card data is used: 01, then its slot', {
    asks: sequence<{ key: number; slot: number }>({ key: 1, slot: 1 }),
    answers: outputMode,
  }),
  activate: cardStep('0240', 'Take a card on these interfaces', {
    withinMs: 300_000,
    asks: prefixed(sequence<{ timeoutS: number }>({ timeoutS: 1 }), 1, transactionFields),
  }),
  lastResult: cardStep('0340', 'What did you read by yourself', { withinMs: 3_000, asks: nothing }),
  startChip: cardStep('6010', 'Take a chip: fallback, seconds to insert it, seconds to the next command', {
    withinMs: 120_000,
    asks: prefixed(
      sequence<{ fallback: number; insertS: number; nextCommandS: number }>({
        fallback: 1,
        insertS: 2,
        nextCommandS: 2,
      }),
      5,
      transactionFields,
    ),
  }),
  authenticate: cardStep('6011', 'Run the chip up to its first cryptogram', {
    // A PIN can be entered meanwhile, for which EMV practice allows a minute; the rest is reading.
    withinMs: 150_000,
    asks: sequence<{ forceOnline: number; timeoutS: number }>({ forceOnline: 1, timeoutS: 2 }),
  }),
  finish: cardStep('6012', 'Give the host’s word to the chip for its second cryptogram', {
    withinMs: 30_000,
    asks: prefixed(sequence<{ hostAnswered: number }>({ hostAnswered: 1 }), 1, tlvs),
  }),
  setTerminal: row('6016', 'Use this set of terminal data', {
    asks: sequence<{ set: number }>({ set: 1 }),
    answers: nothing,
  }),
  tapResult: row('0303', 'The host’s word for a tap: 00 yes, 01 no', {
    asks: prefixed(sequence<{ refused: number }>({ refused: 1 }), 1, tlvs),
    answers: nothing,
  }),
  onlinePin: row('6201', 'Take a PIN for the host', {
    withinMs: 90_000,
    waits: true,
    // If the command fails, the data contains the reason.
    also: [statuses.failed],
    // Type 01 is DUKPT with the number that the device read itself; then come the length of an external number, zero,
    // and after the PIN lengths that of a display text, zero too: every request in the vendor's logs has it.
    asks: sequence<{ type: number; panLength: number; longest: number; shortest: number; words: number }>({
      type: 1,
      panLength: 1,
      longest: 1,
      shortest: 1,
      words: 1,
    }),
    answers: pinAnswer,
  }),
  cancelKeys: query('6200', 'Stop the entry at the keypad', nothing),
  // Readers in the vendor's logs (github IDTSQATW/test_tree, KP008) accept it under this header.
  manual: cardStep('8341', 'Take a card number by hand: seconds, flags', { withinMs: 300_000, asks: typing }),
  // The guide prints it under this one (IDG p358).
  manualUnderV3: cardStep('8341', 'Take a card number by hand: seconds, flags', {
    withinMs: 300_000,
    header: 'ViVOpayV3',
    asks: typing,
  }),
  powerOff: query('2C18', 'Take the power off the chip', nothing),
  cancel: query('0501', 'Stop what runs', nothing),
} as const;

type Commands = typeof commands;
export type Neo2CommandName = keyof Commands;
export type Neo2Ask<N extends Neo2CommandName> = Commands[N] extends Row<infer A, infer _> ? A : never;
export type Neo2Answer<N extends Neo2CommandName> = Commands[N] extends Row<infer _, infer A> ? A : never;
/** A command as the device understands it. */
export type Neo2Request = { [N in Neo2CommandName]: { name: N; ask: Neo2Ask<N> } }[Neo2CommandName];
/** The end of a command: `answer` for status 00 and for statuses with data of the same form. */
export type Neo2Reply<N extends Neo2CommandName> = { status: number; answer?: Neo2Answer<N> };

export const commandNames = Object.keys(commands) as readonly Neo2CommandName[];

/** TypeScript cannot follow a row through a name of union type; the only place that asserts it. */
const rowOf = <N extends Neo2CommandName>(name: N): Row<Neo2Ask<N>, Neo2Answer<N>> =>
  commands[name] as unknown as Row<Neo2Ask<N>, Neo2Answer<N>>;

export const commandByte = (name: Neo2CommandName): number => Number.parseInt(commands[name].code.slice(0, 2), 16);
export const subByte = (name: Neo2CommandName): number => Number.parseInt(commands[name].code.slice(2), 16);

/**
 * Commands whose CRC the host sends high byte first, as their tables print it: pass-through polling and blocks, 19-16,
 * all of 0B, the 5x of C7, of which this driver sends none; and the answers to a reader's request.
 */
const highFirst = /^(2C02|2C0E|1916|0B..|C75.|610[123])$/;

export const fromHost: Neo2Framing = {
  from: 'host',
  sendsHighByteFirst: (command, sub) =>
    highFirst.test(((command << 8) | sub).toString(16).toUpperCase().padStart(4, '0')),
};
export const fromReader: Neo2Framing = { from: 'reader' };

export const encodeRequest = <N extends Neo2CommandName>(name: N, ask: Neo2Ask<N>): Uint8Array =>
  encodeNeo2Frame(
    {
      header: rowOf(name).header ?? 'ViVOtech2',
      command: commandByte(name),
      sub: subByte(name),
      data: rowOf(name).asks.encode(ask),
    },
    fromHost,
  );

/** The name of the row with these numbers; if there are two, the one with this header. */
export const nameOf = ({ command, sub, header }: Neo2Frame): Neo2CommandName | undefined => {
  const names = commandNames.filter((name) => commandByte(name) === command && subByte(name) === sub);
  return names.find((name) => rowOf(name).header === header) ?? names[0];
};

/** The command in this frame; undefined when no row has its numbers. Throws a Fault when its data is malformed. */
export const decodeRequest = (frame: Neo2Frame): Neo2Request | undefined => {
  const name = nameOf(frame);
  return name === undefined ? undefined : ({ name, ask: rowOf(name).asks.decode(frame.data) } as Neo2Request);
};

/** The frame of an answer, in the header of the question. */
export const answerFrame = <N extends Neo2CommandName>(
  name: N,
  { status, answer }: Neo2Reply<N>,
  header: Neo2Frame['header'],
): Neo2Frame => ({
  header,
  command: commandByte(name),
  sub: subByte(name),
  status,
  data: answer === undefined ? new Uint8Array(0) : rowOf(name).answers.encode(answer),
});

/** Reads an answer. Throws `terminal.garbled` when it reports success but cannot be read. */
export const decodeAnswer = <N extends Neo2CommandName>(name: N, { status = 0xff, data }: Neo2Frame): Neo2Reply<N> => {
  const { answers, also } = rowOf(name);
  const good = status === statuses.ok || status === statuses.online;
  if (!good && (!also.includes(status) || data.length === 0)) return { status };
  try {
    return { status, answer: answers.decode(data) };
  } catch (cause) {
    if (!good) return { status };
    throw new Fault('terminal.garbled', { bytes: data.length }, cause);
  }
};

/** Tag DFEE25 of an answer's data, four hex digits; undefined if there is none. */
export const resultCodeOf = ({ tlvs: list }: Neo2Result): string | undefined => hexIn(list, 'DFEE25')?.padStart(4, '0');
