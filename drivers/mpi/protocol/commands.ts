/**
 * One row per MPI command: its code, its request, its answer and its deadline. The driver writes questions and reads
 * answers with a row; the simulated device reads questions and writes answers with the same row. Source: the vendor's
 * public SDK sources (CommandType, CommandApdu, TransactionResponse).
 */
import { Fault } from '../../../src/base/fault.ts';
import { concat, fromHex, toHex } from '../../../src/base/hex.ts';
import { decodeTlv, encodeTlv, type Tlv, tlv } from '../../../src/emv/tlv.ts';
import {
  amount,
  byte,
  type Codec,
  currency,
  digits,
  field,
  hex,
  hexByte,
  nothing,
  optionalField,
  uint16,
} from '../../codec.ts';
import {
  clockAnswer,
  keysAnswer,
  type MpiKeyStatus,
  pinAnswer,
  type ResetAnswer,
  resetAnswer,
  template,
  text,
} from './codec.ts';
import { type Apdu, decodeApdu, encodeApdu } from './messages.ts';
import { type StatusWord, slotAnswer } from './notices.ts';

export type { MpiKeyStatus, ResetAnswer };

/** How P1, P2 and the data of a command are written and read. */
type RequestCodec<T> = { write(ask: T): { p1?: number; p2?: number; data?: Uint8Array }; read(apdu: Apdu): T };

type Row<Ask, Answer> = {
  code: string;
  says: string;
  /** How long the device may take. The driver ends commands that wait for the customer long before that. */
  withinMs: number;
  asks: RequestCodec<Ask>;
  answers: Codec<Answer>;
  /** Runs while the customer acts; an abort can overtake it. */
  waits: boolean;
};

const row = <Ask, Answer>(
  code: string,
  text: string,
  rest: Omit<Row<Ask, Answer>, 'code' | 'says' | 'waits'> & { waits?: true },
): Row<Ask, Answer> => ({ waits: false, ...rest, code, says: text });

const dataRequest = <T>(codec: Codec<T>, p: { p1?: number; p2?: number } = {}): RequestCodec<T> => ({
  write: (ask) => ({ ...p, data: codec.encode(ask) }),
  read: ({ data }) => codec.decode(data),
});

/** A template with its content: E3 approved, E4 go online, E5 declined, E1 data. */
export type MpiDecision = { template: string; tlvs: readonly Tlv[] };

const decision: Codec<MpiDecision> = {
  encode: ({ template: tag, tlvs }) => encodeTlv([tlv(tag, tlvs)]),
  decode(raw) {
    const [first] = decodeTlv(raw);
    if (first?.children === undefined)
      throw new Fault('emv.malformed', { what: 'An answer', why: 'it has no template' });
    return { template: first.tag, tlvs: first.children };
  },
};

/** Which card status messages are sent: the bits of P1. */
export const cardStatusBits = { unsolicited: 0x01, answerToReset: 0x02, track1: 0x04, track2: 0x08, track3: 0x10 };

const tapFields = {
  type: field('9C', digits(1)),
  amountMinor: field('9F02', amount),
  date: field('9A', digits(3)),
  time: field('9F21', digits(3)),
  currency: field('5F2A', currency),
};
const { currency: currencyField, ...beforeCurrency } = tapFields;

export const commands = {
  reset: row('D000', 'Forget everything and say what you are', {
    withinMs: 5_000,
    asks: dataRequest(nothing),
    answers: resetAnswer,
  }),
  battery: row('D062', 'How full is the battery', {
    withinMs: 2_000,
    asks: dataRequest(nothing),
    answers: template('E1', { charging: optionalField('DFA209', byte), percent: field('DFA20A', byte) }),
  }),
  clock: row('D010', 'What time is it', { withinMs: 2_000, asks: dataRequest(nothing), answers: clockAnswer }),
  cardStatus: row('D060', 'Tell of cards in the slot and swipes, the bits of P1', {
    withinMs: 2_000,
    asks: { write: ({ tell }: { tell: number }) => ({ p1: tell }), read: ({ p1 }) => ({ tell: p1 }) },
    answers: nothing,
  }),
  askSlot: row('D064', 'Say how the slot is, and tell of cards as D060 has it', {
    withinMs: 1_000,
    asks: { write: ({ tell }: { tell: number }) => ({ p1: tell }), read: ({ p1 }) => ({ tell: p1 }) },
    answers: slotAnswer,
  }),
  display: row('D201', 'Show text, lines parted by line feeds', {
    withinMs: 2_000,
    // P1 01 is the large font, P2 bit 0 the backlight.
    asks: dataRequest(
      { encode: (ask: { text: string }) => text.encode(ask.text), decode: (raw) => ({ text: text.decode(raw) }) },
      { p1: 1, p2: 1 },
    ),
    answers: nothing,
  }),
  startContact: row('DED1', 'Run the chip up to its first cryptogram', {
    // A PIN for the card can be entered meanwhile, for which EMV practice allows a minute; the rest is reading.
    withinMs: 90_000,
    waits: true,
    asks: dataRequest(
      template('E0', {
        ...beforeCurrency,
        // 01: the customer chooses the application on the device. 00: no separate risk management stage.
        dfa204: field('DFA204', digits(1)),
        dfa203: field('DFA203', digits(1)),
        currency: currencyField,
      }),
    ),
    answers: decision,
  }),
  startContactless: row('DEC1', 'Wait for a tap and run it', {
    withinMs: 180_000,
    waits: true,
    asks: dataRequest(template('E0', { ...tapFields, language: optionalField('DFA20C', text) })),
    answers: decision,
  }),
  continueContact: row('DED2', 'Give the host’s word to the chip for its second cryptogram', {
    withinMs: 30_000,
    waits: true,
    asks: dataRequest({
      encode: ({ tlvs }: { tlvs: readonly Tlv[] }) => encodeTlv([tlv('E0', tlvs)]),
      decode: (raw) => ({ tlvs: decision.decode(raw).tlvs }),
    }),
    answers: decision,
  }),
  onlinePin: row('DED6', 'Take a PIN for the host', {
    withinMs: 90_000,
    waits: true,
    asks: dataRequest(
      template('E0', {
        amountMinor: field('9F02', amount),
        currency: field('5F2A', currency),
        label: optionalField('50', text),
        maskedTrack2: field('DFAE22', text),
      }),
      { p1: 1 },
    ),
    answers: pinAnswer,
  }),
  manualEntry: row('D25A', 'Take a card number by hand', {
    withinMs: 180_000,
    waits: true,
    asks: dataRequest(
      template('E0', {
        prompt: field('DFA206', hex),
        options: optionalField('DFFF02', hexByte),
        // How long the device waits, seconds.
        seconds: optionalField('DFFF01', uint16),
      }),
      { p2: 1 },
    ),
    answers: decision,
  }),
  keys: row('EEE0', 'Which keys are there', { withinMs: 2_000, asks: dataRequest(nothing), answers: keysAnswer }),
  abort: row('D0FF', 'Stop what runs', { withinMs: 3_000, asks: dataRequest(nothing), answers: nothing }),
} as const;

type Commands = typeof commands;
export type MpiCommandName = keyof Commands;
export type MpiAsk<N extends MpiCommandName> = Commands[N] extends Row<infer A, infer _> ? A : never;
export type MpiAnswer<N extends MpiCommandName> = Commands[N] extends Row<infer _, infer A> ? A : never;
/** A command as the device understands it. */
export type MpiRequest = { [N in MpiCommandName]: { name: N; ask: MpiAsk<N> } }[MpiCommandName];
/** The end of a command: `answer` only with status 9000. */
export type MpiReply<N extends MpiCommandName> = { status: StatusWord; answer?: MpiAnswer<N> };

/** TypeScript cannot follow a row through a name of union type; the only place that asserts it. */
const rowOf = <N extends MpiCommandName>(name: N): Row<MpiAsk<N>, MpiAnswer<N>> =>
  commands[name] as unknown as Row<MpiAsk<N>, MpiAnswer<N>>;

export const encodeRequest = <N extends MpiCommandName>(name: N, ask: MpiAsk<N>): Uint8Array => {
  const { code, asks } = rowOf(name);
  const { p1 = 0, p2 = 0, data = new Uint8Array(0) } = asks.write(ask);
  return encodeApdu({ code, p1, p2, data });
};

/** The command in this body; undefined when no row has its code. Throws a Fault when its data is malformed. */
export const decodeRequest = (body: Uint8Array): MpiRequest | undefined => {
  const apdu = decodeApdu(body);
  const name = (Object.keys(commands) as MpiCommandName[]).find((each) => commands[each].code === apdu.code);
  return name === undefined ? undefined : ({ name, ask: rowOf(name).asks.read(apdu) } as MpiRequest);
};

/** The body of an answer: the data when there is an answer, then the status word. */
export const encodeAnswer = <N extends MpiCommandName>(name: N, { status, answer }: MpiReply<N>): Uint8Array =>
  concat(answer === undefined ? new Uint8Array(0) : rowOf(name).answers.encode(answer), fromHex(status));

/** Reads an answer's body. Throws `terminal.garbled` when it reports success but cannot be read. */
export const decodeAnswer = <N extends MpiCommandName>(name: N, body: Uint8Array): MpiReply<N> => {
  const status = toHex(body.subarray(-2));
  if (status !== '9000') return { status };
  try {
    return { status, answer: rowOf(name).answers.decode(body.subarray(0, -2)) };
  } catch (cause) {
    throw new Fault('terminal.garbled', { bytes: body.length }, cause);
  }
};
