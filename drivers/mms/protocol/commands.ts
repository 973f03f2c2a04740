/**
 * One row per MMS command: its id, its request, its answer and its deadline. The driver writes requests and reads
 * responses with a row; the simulated device reads requests and writes responses with the same row. Source: MagTek,
 * DynaFlex family programmer's manual, "Commands".
 */
import { Fault } from '../../../src/base/fault.ts';
import { toHex } from '../../../src/base/hex.ts';
import { decodeTlv, encodeTlv, findDeep, type Tlv, tlv } from '../../../src/emv/tlv.ts';
import {
  amount,
  byte,
  type Codec,
  currency,
  digits,
  type Fields,
  type FieldValues,
  field,
  hex,
  optionalField,
  ownBytes,
  readFields,
  writeFields,
} from '../../codec.ts';
import { contentOf, isSuccess, payloadOf, type Status } from './messages.ts';
import { decodeProperty, encodeProperty, type OidForm, type Property } from './properties.ts';

/** Converts between values and a list of TLVs. */
type ListCodec<T> = { write(value: T): Tlv[]; read(list: readonly Tlv[]): T };

/** Writes the fields in the table's order; reads them in any order. Unknown tags are ignored. */
const list = <F extends Fields>(fields: F): ListCodec<FieldValues<F>> => ({
  write: (values) => writeFields(fields, values),
  read: (tlvs) => readFields(fields, tlvs, 'An MMS message'),
});

/** No data. Whatever arrives is ignored. */
const nothing: ListCodec<Record<never, never>> = { write: () => [], read: () => ({}) };

/** A value that is itself a list of TLVs. */
const wrapList = <T>(inner: ListCodec<T>): Codec<T> => ({
  encode: (value) => encodeTlv(inner.write(value)),
  decode: (bytes) => inner.read(decodeTlv(bytes)),
});

type Row<Ask, Answer> = {
  id: string;
  says: string;
  /** Every command is answered at once; the result of a long operation follows as a notification. */
  withinMs: number;
  asks: ListCodec<Ask>;
  answers: ListCodec<Answer>;
};

const row = <Ask, Answer>(
  id: string,
  text: string,
  rest: { asks: ListCodec<Ask>; answers: ListCodec<Answer>; withinMs?: number },
): Row<Ask, Answer> => ({ withinMs: 3_000, ...rest, id, says: text });

/** Reader options, tag A3: 00 off, 01 on. Manual entry requires all others off. */
const readers = wrapList(
  list({
    swipe: optionalField('81', byte),
    chip: optionalField('82', byte),
    tap: optionalField('83', byte),
    manual: optionalField('84', hex),
  }),
);

/** Transaction TLVs, tag 86, in the order of the manual's example. */
const sale = wrapList(
  list({
    type: field('9C', digits(1)),
    amountMinor: field('9F02', amount),
    otherMinor: optionalField('9F03', amount),
    currency: optionalField('5F2A', currency),
    exponent: optionalField('5F36', byte),
    merchantCategory: optionalField('9F15', hex),
    transactionCategory: optionalField('9F53', hex),
  }),
);

/** Transaction options, tag 84: bit 0 Quick Chip instead of the EMV flow, bit 1 always, bit 2 no signing on screen. */
export const emvFlow = '0002';

/** A key of the device: `status` 00 empty, 01 loaded, 02 active, 03 exhausted, 04 expired. */
export type KeyInfo = { status: number; type: number; slot: string; ksn?: string };

const keyInfo: ListCodec<KeyInfo> = {
  write: ({ status, type, slot, ksn }) => [
    tlv('A2', [
      tlv('81', `${toHex(Uint8Array.of(status, type))}${slot}`),
      ...(ksn === undefined ? [] : [tlv('84', ksn)]),
    ]),
  ],
  read(tlvs) {
    const about = findDeep(tlvs, 'A2')?.children ?? tlvs;
    const [status, type = 0] = findDeep(about, '81')?.value ?? [];
    if (status === undefined) throw new Fault('emv.malformed', { what: 'Key information', why: 'tag 81 is missing' });
    const ksn = findDeep(about, '84')?.value;
    const slot = toHex(findDeep(about, '81')?.value.subarray(2, 4) ?? new Uint8Array(0));
    return { status, type, slot, ksn: ksn?.length ? toHex(ksn) : undefined };
  },
};

const property: ListCodec<Property & { form: OidForm }> = {
  write: (value) => encodeProperty(value, value.form),
  read: decodeProperty,
};

/** Some devices repeat the new value, some send nothing. */
const written: ListCodec<{ property?: Property & { form: OidForm } }> = {
  write: ({ property: value }) => (value === undefined ? [] : property.write(value)),
  read: (tlvs) => (tlvs.length === 0 ? {} : { property: decodeProperty(tlvs) }),
};

export const commands = {
  start: row('1001', 'Take a card', {
    asks: list({
      /** Seconds the customer has, 0 for no limit. */
      seconds: field('82', byte),
      readers: optionalField('A3', readers),
      options: optionalField('84', hex),
      sale: field('86', sale),
    }),
    answers: nothing,
  }),
  resume: row('1004', 'Give the host’s word to the card', {
    // The manual's example has a tag 82 that its table does not know.
    asks: list({ from: field('81', byte), unlisted: optionalField('82', byte), arpc: field('84', ownBytes) }),
    answers: nothing,
  }),
  cancel: row('1008', 'Stop the transaction', { asks: nothing, answers: nothing }),
  choose: row('1802', 'Tell what the customer chose', {
    asks: list({ status: field('81', byte), index: optionalField('82', byte) }),
    answers: nothing,
  }),
  display: row('1803', 'Show one of the device’s texts', {
    asks: list({ seconds: optionalField('81', byte), text: optionalField('82', byte) }),
    answers: nothing,
  }),
  subscribe: row('1F02', 'Tell which notifications are wanted', {
    asks: list({ on: optionalField('81', byte), all: optionalField('82', byte), ids: optionalField('83', hex) }),
    answers: nothing,
  }),
  getProperty: row('D101', 'Read a property', { asks: property, answers: property }),
  setProperty: row('D111', 'Write a property', { asks: property, answers: written }),
  echo: row('DF01', 'Say the same', {
    asks: list({ data: field('81', hex) }),
    answers: list({ data: optionalField('81', hex) }),
  }),
  keyInfo: row('EF11', 'Tell of a key', { asks: list({ slot: field('81', hex) }), answers: keyInfo }),
  restart: row('1F01', 'Restart', { asks: list({ powerOff: optionalField('81', byte) }), answers: nothing }),
} as const;

type Commands = typeof commands;
export type MmsCommandName = keyof Commands;
export type MmsAsk<N extends MmsCommandName> = Commands[N] extends Row<infer A, infer _> ? A : never;
export type MmsAnswer<N extends MmsCommandName> = Commands[N] extends Row<infer _, infer A> ? A : never;
/** A command as the device understands it. */
export type MmsRequest = { [N in MmsCommandName]: { name: N; ask: MmsAsk<N> } }[MmsCommandName];
/** The end of a command: `answer` only when it succeeded. */
export type MmsReply<N extends MmsCommandName> = { status: Status; answer?: MmsAnswer<N> };

/** TypeScript cannot follow a row through a name of union type; the only place that asserts it. */
const rowOf = <N extends MmsCommandName>(name: N): Row<MmsAsk<N>, MmsAnswer<N>> =>
  commands[name] as unknown as Row<MmsAsk<N>, MmsAnswer<N>>;

export const commandNamed = (id: string): MmsCommandName | undefined =>
  (Object.keys(commands) as MmsCommandName[]).find((name) => commands[name].id === id);

export const encodeRequest = <N extends MmsCommandName>(name: N, ask: MmsAsk<N>): Uint8Array => {
  const { id, asks } = rowOf(name);
  return payloadOf(id, encodeTlv(asks.write(ask)));
};

/** The command with this id and payload; undefined when no row has the id. Throws a Fault when it is malformed. */
export const decodeRequest = (id: string, payload: Uint8Array | undefined): MmsRequest | undefined => {
  const name = commandNamed(id);
  return name === undefined ? undefined : ({ name, ask: rowOf(name).asks.read(contentOf(id, payload)) } as MmsRequest);
};

export const encodeAnswer = <N extends MmsCommandName>(name: N, answer: MmsAnswer<N>): Uint8Array =>
  payloadOf(rowOf(name).id, encodeTlv(rowOf(name).answers.write(answer)));

/** Reads a response. Throws `terminal.garbled` when it reports success but cannot be read. */
export const decodeAnswer = <N extends MmsCommandName>(
  name: N,
  { status, payload }: { status: Status; payload?: Uint8Array },
): MmsReply<N> => {
  if (!isSuccess(status)) return { status };
  try {
    const tlvs: readonly Tlv[] = contentOf(rowOf(name).id, payload);
    return { status, answer: rowOf(name).answers.read(tlvs) };
  } catch (cause) {
    throw new Fault('terminal.garbled', { bytes: payload?.length ?? 0 }, cause);
  }
};

/** The device's display texts, by their numbers in the manual. */
export const texts = {
  approved: 0x03,
  declined: 0x07,
  pleaseWait: 0x0e,
  removeCard: 0x10,
  useChip: 0x11,
  useStripe: 0x12,
  tryAgain: 0x13,
  welcome: 0x14,
  processing: 0x16,
  cancelled: 0x2c,
} as const;

/** Tag 84 of manual entry: any length of number, the device's own screens, no sound. */
export const manualEntry = '000000';
