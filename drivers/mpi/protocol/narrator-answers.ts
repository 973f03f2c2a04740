/** What an MPI device answers, in words. Of a card only what may be shown of it. */
import { toHex } from '../../../src/base/hex.ts';
import { hidden, printable } from '../../../src/base/mask.ts';
import { decodeTlv, find, findAll, type Tlv } from '../../../src/emv/tlv.ts';
import { cryptogramOf } from '../../card-facts.ts';
import { clearIn, flat, maskedNumberOf } from './card-data.ts';
import { statusRow } from './status-words.ts';

const templates: Readonly<Record<string, string>> = {
  E1: 'data',
  E2: 'a decision is wanted',
  E3: 'APPROVED by the card',
  E4: 'GO ONLINE',
  E5: 'DECLINED by the card',
};

const pinCodes: Readonly<Record<number, string>> = {
  8: 'the PIN was cancelled or took too long',
  9: 'the PIN pad failed',
  12: 'the PIN was skipped',
};

/** An answer's body in words. Throws the Fault of data that is no TLV. */
export const answerWords = (body: Uint8Array): string => {
  const status = toHex(body.subarray(-2));
  const data = body.subarray(0, -2);
  const { says } = statusRow(status);
  const end = status === '9000' ? says : `${status} ${says}`;
  if (data.length === 0) return end;
  if (data.length === 1) return pinCodes[data[0] ?? 0] ?? `PIN entry ended with code ${toHex(data)}`;
  const list = decodeTlv(data);
  const [first] = list;
  const about = factsOf(list);
  const title = templates[first?.tag ?? ''] ?? `template ${first?.tag ?? '?'}`;
  const whole = about.length === 0 ? title : `${title}: ${about.join(', ')}`;
  return status === '9000' ? whole : `${whole}; ${end}`;
};

/** Facts in the order of this table, each as far as it was said. */
export const factsOf = (list: readonly Tlv[]): string[] => {
  const tlvs = flat(list);
  return [
    ...deviceFacts(list),
    ...cardFacts(tlvs),
    ...keySerials(tlvs, 'DFAE03').map((ksn) => `card data sealed under ${ksn}`),
    ...keySerials(tlvs, 'DFAE05').map((ksn) => `PIN sealed under ${ksn}`),
  ];
};

const deviceFacts = (list: readonly Tlv[]): string[] => {
  const tlvs = flat(list);
  const programs = list.flatMap(({ children = [] }) => findAll(children, 'EF')).map(({ children = [] }) => children);
  const keys = find(tlvs, 'DFAE01')?.value[0];
  const slot = find(tlvs, '48')?.value[0];
  const percent = find(tlvs, 'DFA20A')?.value[0];
  const [date, time] = [sized(tlvs, '9A', 3), sized(tlvs, '9F21', 3)];
  const isClock = date !== undefined && time !== undefined && tlvs.length === 2;
  return [
    ...(programs.length === 0 ? [] : [`serial number ${text(tlvs, '9F1E')}`]),
    ...programs.map((program) => `${text(program, 'DF0D')} ${text(program, 'DF7F')}`.trim()),
    ...(keys === undefined ? [] : [keyWords(keys)]),
    ...(slot === undefined ? [] : [(slot & 1) === 0 ? 'the slot is empty' : 'a card is in the slot']),
    ...(percent === undefined
      ? []
      : [`battery ${percent} %${find(tlvs, 'DFA209')?.value[0] === 1 ? ', charging' : ''}`]),
    ...(isClock ? [`date ${date}, time ${time}`] : []),
  ];
};

const keyWords = (bits: number): string => {
  const parts = [
    (bits & 1) !== 0 ? 'ready' : 'NOT ready',
    (bits & 4) !== 0 ? 'card data key' : 'NO card data key',
    (bits & 2) !== 0 ? 'PIN key' : 'NO PIN key',
  ];
  return parts.join(', ');
};

const cardFacts = (tlvs: readonly Tlv[]): string[] => {
  const masked = maskedNumberOf(tlvs);
  const label = text(tlvs, '50');
  const cryptogram = cryptogramOf(clearIn(tlvs));
  const cvm = sized(tlvs, '9F34', 3);
  const tvr = sized(tlvs, '95', 5);
  return [
    ...(masked === undefined || masked === hidden ? [] : [masked]),
    ...(label === '' ? [] : [label]),
    ...(cryptogram === undefined ? [] : [`${cryptogram.kind} ${cryptogram.value}`]),
    ...(cvm === undefined ? [] : [`CVM ${cvm}`]),
    ...(tvr === undefined ? [] : [`TVR ${tvr}`]),
  ];
};

/** Ten bytes, or twelve under AES. */
const keySerials = (tlvs: readonly Tlv[], tag: string): string[] =>
  findAll(tlvs, tag).flatMap(({ value }) => (value.length === 10 || value.length === 12 ? [toHex(value)] : []));

/** The value in hex if it is as long as it should be: another one is not what its tag says, and is not shown. */
const sized = (tlvs: readonly Tlv[], tag: string, bytes: number): string | undefined => {
  const value = find(tlvs, tag)?.value;
  return value?.length === bytes ? toHex(value) : undefined;
};

const text = (tlvs: readonly Tlv[], tag: string): string =>
  printable(Buffer.from(find(tlvs, tag)?.value ?? []).toString('latin1'), 32).trim();
