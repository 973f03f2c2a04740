/**
 * Every command the till sends, one row each: its code and its data. The driver writes with a row, the simulated
 * terminal reads with the same row. Source: PA00P015 13.09; lengths and order as in Portalum.Zvt (MIT).
 */
import { Fault } from '../../../src/base/fault.ts';
import { concat } from '../../../src/base/hex.ts';
import { find, tlv } from '../../../src/emv/tlv.ts';
import { amount, type Codec, currency, digits, hexByte } from '../../codec.ts';
import type { ZvtApdu } from '../../framing/zvt-frame.ts';
import { type Bmp, bmp, container, containerOf, decodeBmps, encodeBmps, tags } from './fields.ts';

/** Six digits; 000000 unless another was set. */
const password = digits(3);
const passwordBytes = 3;
const receipt = digits(2);

export type ZvtAmount = { amountMinor: bigint; currency: string };

/** What a register can send with a payment, besides the money. The till itself sends none of it. */
export type PaymentTerms = {
  /** How often the register may postpone the result with 84 9C (bitmap 02); unlimited by default. */
  putsOffMost?: number;
  /** It supplies the card's data itself (22, 0E, 23, 24, 2D). */
  bringsCard?: true;
  /** It names the currency (49), and the result repeats it. */
  namesCurrency?: true;
  /** It accepts containers (06) in this command. */
  containers?: true;
};

type Registration = {
  password: string;
  /** The bits of the configuration byte, hex. */
  config: string;
  currency: string;
  /** Whether receipts can be sent as text blocks with a type (06D3). */
  textBlocks: boolean;
  /** Whether the register accepts containers (06), because it has sent one itself. The till always does. */
  containers?: boolean;
};

type Row<Ask> = {
  code: string;
  says: string;
  asks: Codec<Ask>;
  /** Ends with 060F or 061E; otherwise the terminal's answer is the end. */
  completes: boolean;
};

const nothing: Codec<Record<never, never>> = { encode: () => new Uint8Array(0), decode: () => ({}) };

const moneyBmps = (ask: ZvtAmount): Bmp[] => [
  { number: '04', value: amount.encode(ask.amountMinor) },
  { number: '49', value: currency.encode(ask.currency) },
];

const moneyOf = (list: readonly Bmp[]): ZvtAmount => {
  const minor = bmp(list, '04');
  if (minor === undefined) throw new Fault('emv.malformed', { what: 'A ZVT command', why: 'it has no amount' });
  const code = bmp(list, '49');
  return { amountMinor: amount.decode(minor), currency: code === undefined ? 'EUR' : currency.decode(code) };
};

const cardBmps = ['22', '0E', '23', '24', '2D'];

const termsOf = (list: readonly Bmp[]): PaymentTerms => {
  const most = bmp(list, '02')?.[0];
  return {
    putsOffMost: most,
    bringsCard: list.some(({ number }) => cardBmps.includes(number)) || undefined,
    namesCurrency: bmp(list, '49') && true,
    containers: bmp(list, '06') && true,
  };
};

const withPassword = { encode: (ask: { password: string }) => password.encode(ask.password) };
const onlyPassword: Codec<{ password: string }> = {
  ...withPassword,
  decode: (raw) => ({ password: password.decode(raw.subarray(0, passwordBytes)) }),
};

/** A command with a service byte (03): bits for the wanted answer. 00 by default. */
type WithService = { password: string; service?: string };
const withService: Codec<WithService> = {
  encode: ({ service, ...ask }) =>
    concat(
      password.encode(ask.password),
      encodeBmps(service === undefined ? [] : [{ number: '03', value: hexByte.encode(service) }]),
    ),
  decode(raw) {
    const service = bmp(decodeBmps(raw.subarray(passwordBytes)), '03');
    return { ...onlyPassword.decode(raw), service: service && hexByte.decode(service) };
  },
};

const registration: Codec<Registration> = {
  encode: (ask) =>
    concat(
      password.encode(ask.password),
      hexByte.encode(ask.config),
      currency.encode(ask.currency),
      encodeBmps([
        { number: '03', value: Uint8Array.of(0) },
        container(ask.textBlocks ? [tlv(tags.permittedCommands, [tlv(tags.zvtCommand, '06D3')])] : []),
      ]),
    ),
  decode(raw) {
    const list = decodeBmps(raw.subarray(6));
    const permitted = find(containerOf(list), tags.permittedCommands)?.children ?? [];
    return {
      password: password.decode(raw.subarray(0, 3)),
      config: hexByte.decode(raw.subarray(3, 4)),
      currency: raw.length < 6 ? 'EUR' : currency.decode(raw.subarray(4, 6)),
      containers: bmp(list, '06') !== undefined,
      textBlocks: permitted.some(({ tag, value }) => tag === tags.zvtCommand && value[0] === 6 && value[1] === 0xd3),
    };
  },
};

const row = <Ask>(code: string, says: string, asks: Codec<Ask>): Row<Ask> => ({ code, says, asks, completes: true });

export const commands = {
  registration: row('0600', 'registration', registration),
  authorisation: row<ZvtAmount & PaymentTerms>('0601', 'authorisation', {
    encode: (ask) => encodeBmps(moneyBmps(ask)),
    decode(raw) {
      const list = decodeBmps(raw);
      return { ...moneyOf(list), ...termsOf(list) };
    },
  }),
  logOff: { ...row('0602', 'log-off', nothing), completes: false },
  repeatReceipt: row<WithService>('0620', 'repeat receipt', withService),
  reversal: row<{ password: string; receipt: string } & Partial<ZvtAmount>>('0630', 'reversal', {
    encode: ({ amountMinor, currency: unit, ...ask }) =>
      concat(
        password.encode(ask.password),
        encodeBmps([
          { number: '87', value: receipt.encode(ask.receipt) },
          ...(amountMinor === undefined ? [] : [{ number: '04', value: amount.encode(amountMinor) }]),
          ...(unit === undefined ? [] : [{ number: '49', value: currency.encode(unit) }]),
        ]),
      ),
    decode(raw) {
      const list = decodeBmps(raw.subarray(passwordBytes));
      const number = bmp(list, '87');
      if (number === undefined) throw new Fault('emv.malformed', { what: 'A reversal', why: 'it names no receipt' });
      const money = bmp(list, '04') === undefined ? {} : moneyOf(list);
      return { ...onlyPassword.decode(raw), receipt: receipt.decode(number), ...money };
    },
  }),
  refund: row<{ password: string } & ZvtAmount & PaymentTerms>('0631', 'refund', {
    encode: (ask) => concat(password.encode(ask.password), encodeBmps(moneyBmps(ask))),
    decode(raw) {
      const list = decodeBmps(raw.subarray(passwordBytes));
      return { ...onlyPassword.decode(raw), ...moneyOf(list), ...termsOf(list) };
    },
  }),
  endOfDay: row('0650', 'end of day', onlyPassword),
  totals: row('0610', 'totals without an end of day', onlyPassword),
  reset: row('0618', 'reset', nothing),
  diagnosis: row('0670', 'diagnosis', nothing),
  selfTest: row('0679', 'self-test', nothing),
  setClock: row('0691', 'set date and time', onlyPassword),
  initialisation: row('0693', 'initialisation', onlyPassword),
  abort: { ...row('06B0', 'abort', nothing), completes: false },
  // Public registers send it without a password, or without any data.
  status: row<WithService>('0501', 'status enquiry', {
    ...withService,
    decode: (raw) => (raw.length === 0 ? { password: '000000' } : withService.decode(raw)),
  }),
} as const;

type Commands = typeof commands;
export type ZvtCommandName = keyof Commands;
export type ZvtAsk<N extends ZvtCommandName> = Commands[N] extends Row<infer A> ? A : never;
/** A command as the terminal understands it. */
export type ZvtRequest = { [N in ZvtCommandName]: { name: N; ask: ZvtAsk<N> } }[ZvtCommandName];

/** TypeScript cannot follow a row through a name of union type; the only place that asserts it. */
const rowOf = <N extends ZvtCommandName>(name: N): Row<ZvtAsk<N>> => commands[name] as unknown as Row<ZvtAsk<N>>;

/** The APDU of a command. Throws `emv.malformed` when a value does not fit its field. */
export const encodeRequest = <N extends ZvtCommandName>(name: N, ask: ZvtAsk<N>): ZvtApdu => ({
  code: commands[name].code,
  data: rowOf(name).asks.encode(ask),
});

/** The command in this APDU; undefined when no row has its code. Throws a Fault when its data is malformed. */
export const decodeRequest = ({ code, data }: ZvtApdu): ZvtRequest | undefined => {
  const name = (Object.keys(commands) as ZvtCommandName[]).find((each) => commands[each].code === code);
  return name === undefined ? undefined : ({ name, ask: rowOf(name).asks.decode(data) } as ZvtRequest);
};
