/** The results and receipts of the simulated ZVT terminal: results with their bitmaps, receipts as lines. */
import { dateTime } from '../../../src/base/clock.ts';
import { concat, fromHex } from '../../../src/base/hex.ts';
import { printMoney } from '../../../src/base/money.ts';
import type { Brand } from '../../../src/emv/brands.ts';
import { type Tlv, tlv } from '../../../src/emv/tlv.ts';
import { amount, currency, digits } from '../../codec.ts';
import type { ZvtApdu } from '../../framing/zvt-frame.ts';
import { dayLines, type IssuerRefusal, totalOf } from '../../simulation/pretend-issuer.ts';
import type { TerminalConfig } from '../../simulation/terminal-config.ts';
import type { Verification } from '../../terminal.ts';
import { resultOf } from '../protocol/codes.ts';
import { type Bmp, encodeBraces, tags } from '../protocol/fields.ts';
import { resultApdu } from '../protocol/messages.ts';
import type { StoredTransaction } from './memory.ts';

const technologies: Readonly<Record<string, string>> = { ICC: '01', NFC_ICC: '02' };

/** Last four digits, E for every other, F as padding, as terminals in the field send it. */
const hiddenPan = (pan: string): Uint8Array => {
  const text = `${'E'.repeat(pan.length - 4)}${pan.slice(-4)}`;
  return fromHex(text.length % 2 === 0 ? text : `${text}F`);
};

/** The status information of a finished transaction. */
export const resultOfStored = (
  transaction: StoredTransaction,
  config: TerminalConfig,
  containers: boolean,
): ZvtApdu => {
  const { code, amountMinor, trace, at, card, receipt, original, authorisation } = transaction;
  const [day = '', time = ''] = dateTime(at).split(' ');
  const bmps: Bmp[] = [
    { number: '27', value: fromHex(code) },
    { number: '04', value: amount.encode(amountMinor) },
    ...(transaction.namesCurrency ? [{ number: '49', value: currency.encode(transaction.currency) }] : []),
    { number: '0B', value: digits(3).encode(trace) },
    ...(original === undefined ? [] : [{ number: '37', value: digits(3).encode(original) }]),
    { number: '0C', value: fromHex(time.replaceAll(':', '')) },
    { number: '0D', value: fromHex(day.slice(5).replace('-', '')) },
    { number: '22', value: hiddenPan(card.pan) },
    { number: '29', value: digits(4).encode(config.serial) },
    ...(code === '00' ? [{ number: '3B', value: encodeBraces(authorisation.padEnd(8)) }] : []),
    { number: '87', value: digits(2).encode(receipt) },
    { number: '8B', value: encodeBraces(`${card.label}\0`) },
  ];
  const objects: Tlv[] = [
    tlv(tags.paymentType, [
      tlv(tags.technology, technologies[transaction.entryMode] ?? '00'),
      tlv(tags.verification, transaction.verification),
    ]),
    tlv(tags.application, [tlv(tags.aid, card.aid), tlv(tags.preferredName, encodeBraces(card.label))]),
  ];
  return resultApdu(bmps, containers ? objects : []);
};

const titles = { payment: 'PAYMENT', refund: 'REFUND', reversal: 'REVERSAL' } as const;

/** The two receipts of a transaction, for the till to print. */
export const receiptOf = (
  transaction: StoredTransaction,
  whose: 'merchant' | 'customer',
  config: TerminalConfig,
): string[] => [
  'SIMULATED TERMINAL',
  whose === 'merchant' ? '** MERCHANT RECEIPT **' : '** CUSTOMER RECEIPT **',
  dateTime(transaction.at),
  `TERMINAL ${config.serial}`,
  `RECEIPT ${transaction.receipt}  TRACE ${transaction.trace}`,
  `CARD ############${transaction.card.pan.slice(-4)}`,
  `AID ${transaction.card.aid}`,
  `${transaction.card.label} ${transaction.entryMode === 'NFC_ICC' ? 'CONTACTLESS' : transaction.entryMode === 'ICC' ? 'CHIP' : 'STRIPE'}`,
  `${titles[transaction.kind]} ${printMoney({ minor: transaction.amountMinor, currency: transaction.currency })}`,
  ...(transaction.code === '00'
    ? [`APPROVED ${transaction.authorisation}`]
    : [`DECLINED ${transaction.code} ${resultOf(transaction.code).says}`]),
  ...(whose === 'merchant' && transaction.verification === '01' ? ['SIGNATURE ______________'] : []),
];

/** The kinds of cards in a day's single sums, in this order; the last one stands for all others. */
const summed: readonly (Brand | undefined)[] = [undefined, 'JCB', 'MASTER', 'AMEX', 'VISA', 'DINERS'];

/** Bitmap 60: the first and last receipt number of the day, and the number of payments per kind of card. */
const singleSums = (day: readonly StoredTransaction[]): Uint8Array => {
  const paid = day.filter(({ kind }) => kind !== 'reversal');
  // A reversal may have the number of its payment, which need not be the day's last one.
  const numbered = day.filter(
    (transaction) => paid.includes(transaction) || !paid.some(({ receipt }) => receipt === transaction.receipt),
  );
  const ends = [numbered[0], numbered.at(-1)].map((transaction) => digits(2).encode(transaction?.receipt ?? '0'));
  const standing = paid.filter(({ kind, reversed }) => kind === 'payment' && !reversed);
  const sums = Array.from({ length: summed.length + 1 }, (_, index) => {
    const own = standing.filter(({ card }) => placeOf(card.brand) === index);
    const minor = own.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
    return concat(Uint8Array.of(Math.min(own.length, 255)), amount.encode(minor));
  });
  return concat(...ends, ...sums);
};

const placeOf = (brand: Brand): number => (summed.includes(brand) ? summed.indexOf(brand) : summed.length);

type DayResultParts = { config: TerminalConfig; at: number; trace: string; title: string; isSumOnly: boolean };

/** The day's total, closed or not: its result, and its receipt with this title. */
export const dayOf = (
  day: readonly StoredTransaction[],
  { config, at, trace, title, isSumOnly }: DayResultParts,
): { result: ZvtApdu; lines: string[] } => {
  const unit = day[0]?.currency ?? 'EUR';
  const total = totalOf(day);
  return {
    result: resultApdu(
      [
        { number: '27', value: fromHex('00') },
        { number: '04', value: amount.encode(total < 0n ? 0n : total) },
        { number: '49', value: currency.encode(unit) },
        { number: '0B', value: digits(3).encode(trace) },
        { number: '29', value: digits(4).encode(config.serial) },
        ...(isSumOnly ? [] : [{ number: '60', value: singleSums(day) }]),
      ],
      [],
    ),
    lines: ['SIMULATED TERMINAL', `** ${title} **`, dateTime(at), `TERMINAL ${config.serial}`, ...dayLines(day)],
  };
};

// ZVT's codes for the decisions of the pretend issuer and the reader.

/** The result code of each refusal, two hex digits. A host's code is sent in binary: 33 is 51. */
export const codeOf: Readonly<Record<IssuerRefusal, string>> = {
  pulled: '64',
  typed: 'C5',
  unsupported: '65',
  chipRefuses: '72',
  useChip: '7C',
  lost: '29',
  stolen: '2B',
  restricted: '3E',
  expired: '78',
  wrongPin: '37',
  noMoney: '33',
  stopped: '6C',
};

/** Tag 1F10: how the holder was verified. */
export const verificationCode: Readonly<Record<Verification, string>> = {
  onlinePin: '02',
  offlinePin: '03',
  signature: '01',
  device: '00',
  none: '00',
};
