/** The chip data of a request and its answer: reads pos.iccDataRequest, writes pos.iccDataResponse. */
import { fromHex, toHex } from '../../../base/hex.ts';
import { type Money, numericOf } from '../../../base/money.ts';
import type { TagValues } from '../../../emv/cryptogram-versions.ts';
import { type Iad, parseIad } from '../../../emv/iad.ts';
import { decodeTlv, encodeTlv, findDeep, type Tlv, tlv } from '../../../emv/tlv.ts';
import type { Authorisation } from '../../payments/acquirer.ts';
import type { DecisionFacts } from './decision.ts';
import type { ChipData, Hsm } from './hsm.ts';
import { tryParse } from './read-card.ts';

/** The tags of the request. `absent`: none sent. `malformed`: not TLV. */
export const chipTags = (hex: string | undefined): readonly Tlv[] | 'absent' | 'malformed' => {
  if (hex === undefined || hex === '') return 'absent';
  return tryParse(() => decodeTlv(fromHex(hex))) ?? 'malformed';
};

const NO_OTHER_AMOUNT = new Uint8Array(6);

/** Values by tag: the plain ones first, then the encrypted ones; a missing other amount (9F03) is zero. */
export const tagValues =
  (...lists: readonly (readonly Tlv[])[]): TagValues =>
  (tag) => {
    for (const list of lists) {
      const value = findDeep(list, tag)?.value;
      if (value !== undefined) return value;
    }
    return tag === '9F03' ? NO_OTHER_AMOUNT : undefined;
  };

/** PAN sequence number, two digits: the chip's 5F34, otherwise the request's, otherwise the account's. */
export const sequenceNumber = (tags: TagValues, sentNumber: string | undefined, storedNumber: string): string => {
  const chipNumber = tags('5F34');
  if (chipNumber?.length === 1) return toHex(chipNumber);
  return sentNumber !== undefined && /^\d{1,2}$/.test(sentNumber) ? sentNumber.padStart(2, '0') : storedNumber;
};

/** Whether a chip took part, so that a cryptogram is required. */
export const hasChip = (pos: Authorisation['pos']): boolean => pos?.entryMode === 'ICC' || pos?.entryMode === 'NFC_ICC';

/** What the chip decided: the type of its cryptogram, tag 9F27 bits 8 and 7 (EMV Book 3, 6.5.5.4). */
export const chipSays = (tags: TagValues): DecisionFacts['chipSays'] => {
  const type = tags('9F27')?.[0];
  if (type === undefined) return 'nothing';
  return (['declined', 'approved', 'goOnline', 'nothing'] as const)[type >> 6] ?? 'nothing';
};

/** Whether the amount (9F02) and currency (5F2A) covered by the cryptogram are those of the request. */
export const compareAmount = (tags: TagValues, { minor, currency }: Money): DecisionFacts['amountAgrees'] => {
  const amount = tags('9F02');
  const code = tags('5F2A');
  const sameAmount = amount === undefined || toHex(amount) === minor.toString().padStart(12, '0');
  const sameCurrency = code === undefined || toHex(code) === numericOf(currency).padStart(4, '0');
  return sameAmount && sameCurrency ? 'yes' : 'no';
};

/** Application transaction counter, tag 9F36. */
export const counterOf = (tags: TagValues): number | undefined => {
  const value = tags('9F36');
  return value?.length === 2 ? ((value[0] ?? 0) << 8) | (value[1] ?? 0) : undefined;
};

// Headers of script commands (EMV Book 3, 6.5): CLA INS P1 P2.
const APPLICATION_BLOCK = fromHex('841E0000');
const PIN_UNBLOCK = fromHex('84240000');

/**
 * The answer for the chip, hex: always 8A; 91 once the cryptogram was genuine; for a contact chip that is to be
 * blocked, the command before its second cryptogram (71); for one whose PIN try counter is exhausted, the reset after
 * it (72).
 */
export const chipAnswer = (
  hsm: Hsm,
  chip: ChipData,
  { arc, genuine, contact, pinIsRight }: { arc: string; genuine: boolean; contact: boolean; pinIsRight: boolean },
): string => {
  const answer: Tlv[] = [tlv('8A', Buffer.from(arc, 'latin1'))];
  if (genuine) {
    const data = hsm.authenticate(chip, { approve: arc === '00', arc });
    if (data !== undefined) answer.push(tlv('91', data));
  }
  if (genuine && contact) {
    if (arc === '41' || arc === '43')
      answer.push(...issuerScript(hsm, chip, { template: '71', header: APPLICATION_BLOCK }));
    if (pinIsRight && isPinBlocked(chip))
      answer.push(...issuerScript(hsm, chip, { template: '72', header: PIN_UNBLOCK }));
  }
  return toHex(encodeTlv(answer));
};

const issuerScript = (
  hsm: Hsm,
  chip: ChipData,
  { template, header }: { template: '71' | '72'; header: Uint8Array },
): Tlv[] => {
  const command = hsm.scriptCommand(chip, header);
  const id = template === '71' ? '00000001' : '00000002';
  return command === undefined ? [] : [tlv(template, [tlv('9F18', id), tlv('86', command)])];
};

/** Whether the card verification results of a genuine chip report that no offline PIN tries are left. */
const isPinBlocked = ({ tags }: ChipData): boolean => {
  const iad = tags('9F10');
  if (iad === undefined) return false;
  const { format, cvr } = parseIad(iad);
  const [byte, bit] = tryLimitBits[format];
  return ((cvr[byte - 1] ?? 0) & bit) !== 0;
};

/** "PIN try limit exceeded" in each format of the results: the byte, counted from 1, and the bit. */
const tryLimitBits = {
  'VIS 0/1/3': [3, 0x40],
  PBOC: [3, 0x40],
  'M/Chip': [4, 0x08],
  CCD: [2, 0x02],
  // No public table of these results exists, so nothing can be read from them.
  'VIS 2/4': [1, 0x00],
  Interac: [1, 0x00],
} as const satisfies Record<Iad['format'], readonly [byte: number, bit: number]>;
