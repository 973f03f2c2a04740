/** What one answer about a card tells of the dialect that its reader speaks. */
import { toHex } from '../../../src/base/hex.ts';
import { proprietaryCipherOf } from './card-data.ts';
import type { Neo2Result } from './codec.ts';
import { resultCodeOf } from './commands.ts';
import type { Neo2Dialect } from './dialects.ts';
import { hasExtras, msrBlockIn, type ReadMsrBlock } from './msr-block.ts';
import { result } from './status.ts';
import { findNeo2, flat, type Neo2Tlv } from './tlv.ts';

/** Account data, or the word how it came in: what other answers do not have. */
const cardTags: ReadonlySet<string> = new Set(['DFEE12', 'FFEE12', 'DFEE23', '9F39']);
/** Only older, and only newer, readers have these. */
const oldTags: ReadonlySet<string> = new Set(['FFEE12', 'DF30']);
const newTag = 'DFEE02';
const accountTags = ['57', '9F6B', '56', '5A'];
const extensionBit = 0x20;
const tdesKsnBytes = 10;
const longMark = 0x81;

const tagsIn = ({ tlvs }: Neo2Result): string[] => flat(tlvs).map(({ tag }) => tag);

/** Whether the answer is about a card that was read. */
export const isOfCard = (answer: Neo2Result): boolean => tagsIn(answer).some((tag) => cardTags.has(tag));

/** Whether account data is there, and encrypted. */
export const isSealed = ({ tlvs }: Neo2Result): boolean =>
  flat(tlvs).some(({ mark }) => mark === 'encrypted') || hasSealedTrack(msrBlockIn(tlvs));

const hasSealedTrack = (block: ReadMsrBlock | undefined): boolean =>
  block?.tracks.some(({ encrypted }) => encrypted !== undefined) === true;

/** `isFirst`: of 02-40; `isTyped`: of 83-41. */
type At = { isFirst: boolean; isTyped: boolean };

/** The rows that this answer shows. What its masks tell is `masksOf`. */
export const dialectsOfCard = (answer: Neo2Result, at: At): Neo2Dialect[] => {
  const rows = Object.entries(shows) as [Neo2Dialect, (typeof shows)[keyof typeof shows]][];
  return rows.filter(([, isShown]) => isShown(answer, at)).map(([name]) => name);
};

const shows = {
  'old-tags': (answer) => tagsIn(answer).some((tag) => oldTags.has(tag)),
  'new-tags': (answer) => tagsIn(answer).includes(newTag),
  'empty-tags': ({ tlvs }) => flat(tlvs).some(({ value }) => value.length === 0),
  'lengths-81': ({ tlvs }) => flat(tlvs).some(isAfterLongLength),
  'in-clear': (answer) => !isSealed(answer) && isInClear(answer),
  'attribution-missing': ({ attribution }, { isFirst }) => isFirst && attribution === undefined,
  'attribution-extended': (answer) => isExtended(answer),
  'start-with-data': (answer) => resultCodeOf(answer) === result.started && (isSealed(answer) || isInClear(answer)),
  'typed-as-pairs': ({ tlvs }, { isTyped }) => isTyped && findNeo2(tlvs, '5A', 'encrypted') !== undefined,
  'stripe-options': ({ tlvs }) => {
    const block = findNeo2(tlvs, 'DFEE23')?.value;
    return msrBlockIn(tlvs) !== undefined && block !== undefined && hasExtras(block);
  },
  'stripe-ksn-outside': ({ tlvs }) => {
    const block = msrBlockIn(tlvs);
    // One of AES, of twelve bytes, has no room in a block: to stand outside is no habit then.
    const outside = findNeo2(tlvs, 'DFEE12') ?? findNeo2(tlvs, 'FFEE12');
    return hasSealedTrack(block) && block?.ksn === undefined && outside?.value.length === tdesKsnBytes;
  },
} as const satisfies Partial<Record<Neo2Dialect, (answer: Neo2Result, at: At) => boolean>>;

/** Whether 81 and a length stand before a marked value, which is a window on the answer's bytes. */
const isAfterLongLength = ({ value, mark }: Neo2Tlv): boolean =>
  mark !== undefined && new Uint8Array(value.buffer)[value.byteOffset - 2] === longMark;

const isInClear = ({ tlvs }: Neo2Result): boolean => {
  const block = msrBlockIn(tlvs);
  const isOpen = block?.tracks.some(({ masked, encrypted }) => masked !== undefined && encrypted === undefined);
  return isOpen === true || accountTags.some((tag) => (findNeo2(tlvs, tag)?.value.length ?? 0) > 0);
};

/** Bit 5 says that the cipher stands in the second byte of DFEE26, and it stands there. */
const isExtended = (answer: Neo2Result): boolean => {
  const { attribution = 0, tlvs } = answer;
  const hasCipher = (findNeo2(tlvs, 'DFEE26')?.value.length ?? 0) > 1;
  return (attribution & extensionBit) !== 0 && hasCipher && proprietaryCipherOf(answer) === undefined;
};

export type MaskDialect = 'masks-four' | 'masks-all';

/**
 * How much the masks of the account leave: four digits at its front, and of a stripe its expiry or not. `either`:
 * a chip, of which both rows leave the expiry. Undefined where six are left, or nothing is masked.
 */
export const masksOf = ({ tlvs }: Neo2Result): MaskDialect | 'either' | undefined => {
  const track = msrBlockIn(tlvs)?.tracks.find((each) => each.track === 2)?.masked;
  if (track !== undefined) {
    const [, expiry] = /^;\d{4}\*+\d{4}=(.)/.exec(Buffer.from(track).toString('latin1')) ?? [];
    return expiry === undefined ? undefined : expiry === '*' ? 'masks-all' : 'masks-four';
  }
  const number = findNeo2(tlvs, '5A', 'masked') ?? findNeo2(tlvs, '57', 'masked');
  return /^\d{4}C+\d{4}(?!\d)/.test(toHex(number?.value ?? new Uint8Array(0))) ? 'either' : undefined;
};
