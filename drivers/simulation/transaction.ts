/** One EMV transaction in the simulated kernel: the card, the data elements so far, and the two result fields. */
import { fromHex } from '../../src/base/hex.ts';
import { numericOf } from '../../src/base/money.ts';
import { find, type Tlv, tlv } from '../../src/emv/tlv.ts';
import { tlvText } from '../codec.ts';
import type { VirtualCard } from './card.ts';
import type { Via } from './card-profile.ts';
import type { TerminalConfig } from './terminal-config.ts';

export type TransactionRequest = {
  amountMinor: bigint;
  /** ISO 4217, alphabetic. */
  currency: string;
  /** Tag 9C, two digits. */
  type: string;
  /** YYMMDD and HHMMSS. */
  date: string;
  time: string;
};

export type Transaction = {
  readonly via: Via;
  readonly card: VirtualCard;
  readonly request: TransactionRequest;
  readonly config: TerminalConfig;
  /** Data elements by tag. */
  readonly values: Map<string, Uint8Array>;
  readonly tvr: Uint8Array;
  readonly tsi: Uint8Array;
};

export type TransactionOptions = {
  via: Via;
  card: VirtualCard;
  request: TransactionRequest;
  config: TerminalConfig;
  /** Tag 9F37, four bytes. */
  unpredictable: Uint8Array;
  /** Tag 9F41. */
  sequence: number;
};

/** Application version numbers of the terminal, tag 9F09, by scheme. */
const versions: Readonly<Record<string, string>> = { VISA: '008C', MASTER: '0002' };

const terminalValues = ({ request, config, unpredictable, sequence }: TransactionOptions): [string, Uint8Array][] => [
  ['5F2A', fromHex(`0${numericOf(request.currency)}`)],
  ['9A', fromHex(request.date)],
  ['9F21', fromHex(request.time)],
  ['9C', fromHex(request.type)],
  ['9F02', fromHex(request.amountMinor.toString().padStart(12, '0'))],
  ['9F03', new Uint8Array(6)],
  ['9F1A', fromHex(config.countryCode)],
  ['9F1E', tlvText(config.serial)],
  ['9F33', fromHex(config.capabilities)],
  ['9F35', fromHex(config.terminalType)],
  ['9F37', unpredictable],
  ['9F40', fromHex(config.additionalCapabilities)],
  ['9F41', fromHex(sequence.toString().padStart(8, '0'))],
];

/** Selects the application, starts it and reads its records. Undefined when the card does not answer. */
export const openTransaction = (options: TransactionOptions): Transaction | undefined => {
  const { via, card, request, config } = options;
  const selected = card.select(via);
  if (selected === undefined) return undefined;
  const values = new Map(terminalValues(options));
  for (const { tag, value } of [...selected, ...card.records()]) values.set(tag, value);
  const aid = find(selected, '84')?.value;
  if (aid !== undefined) values.set('9F06', aid);
  values.set('9F09', fromHex(versions[card.facts.brand] ?? '0001'));
  values.set('82', card.start(via));
  return { via, card, request, config, values, tvr: new Uint8Array(5), tsi: new Uint8Array(2) };
};

export const elementOf = ({ values, tvr, tsi }: Transaction, tag: string): Uint8Array | undefined =>
  tag === '95' ? tvr : tag === '9B' ? tsi : values.get(tag);

/** These data elements as TLVs, in this order; those that the transaction does not have are left out. */
export const pick = (transaction: Transaction, tags: readonly string[]): Tlv[] =>
  tags.flatMap((tag) => {
    const value = elementOf(transaction, tag);
    return value === undefined ? [] : [tlv(tag, value.slice())];
  });
