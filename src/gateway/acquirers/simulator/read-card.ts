/**
 * Extracts card data from decrypted account data, in any layout that terminals use: tags of chip or stripe, or text.
 */
import { isFault } from '../../../base/fault.ts';
import { toHex } from '../../../base/hex.ts';
import { findDeep, type Tlv } from '../../../emv/tlv.ts';
import { parseTag57, parseTrack1, parseTrack2 } from '../../../emv/tracks.ts';

export type ReadCard = {
  readonly pan: string;
  /** YYMM; a typed number may have none. */
  readonly expiry?: string;
  readonly serviceCode?: string;
  readonly discretionary?: string;
  readonly holder?: string;
  /** Copies of the tags that were encrypted beside the account data: some terminals encrypt the chip's data too. */
  readonly tags: readonly Tlv[];
};

/**
 * The account on a stripe, from the text of its tracks with their sentinels: track 2, otherwise track 1. Undefined if
 * there is neither. Throws `emv.malformed`.
 */
export const readTracks = (raw: string): AccountData | undefined =>
  accountFromTracks({ track1: /%[^?]*\?/.exec(raw)?.[0], track2: /;[^?]*\?/.exec(raw)?.[0] });

/**
 * The first of these that can be read. Chip: 57, or 9F6B for contactless stripe data. Stripe: 5F22 (track 2), 5F21 or
 * 56 (track 1), or DFEE23 (all tracks) as text. Number alone: 5A and 5F24. Undefined if there is none. The result
 * shares no memory with the tags, so they can be wiped.
 */
export const readTags = (list: readonly Tlv[]): ReadCard | undefined => {
  const card = accountOf(list);
  return card && { ...card, tags: list.flatMap(removeAccount) };
};

export type AccountData = Omit<ReadCard, 'tags'>;

const accountTags: ReadonlySet<string> = new Set([
  '56',
  '57',
  '5A',
  '99',
  '5F20',
  '5F21',
  '5F22',
  '9F6B',
  'DFEE23',
  'F4',
  'F5',
]);

/** Leaves the chip's tags; F4 and F5 hold a stripe and a PIN, even when these are encrypted once more. */
const removeAccount = ({ tag, value, children }: Tlv): Tlv[] => {
  if (accountTags.has(tag)) return [];
  return children ? children.flatMap(removeAccount) : [{ tag, value: value.slice() }];
};

const accountOf = (tags: readonly Tlv[]): AccountData | undefined => {
  for (const read of [accountFromEquivalent, accountFromStripe, accountFromNumber]) {
    // Damaged data of one kind must not spoil good data of another.
    const card = tryParse(() => read(tags));
    if (card !== undefined) return card;
  }
  return undefined;
};

const findValue = (tags: readonly Tlv[], tag: string): Uint8Array | undefined => findDeep(tags, tag)?.value;

const accountFromEquivalent = (tags: readonly Tlv[]): AccountData | undefined => {
  const track = findValue(tags, '57') ?? findValue(tags, '9F6B');
  return track && { ...parseTag57(track), holder: holderOf(tags) };
};

const accountFromStripe = (tags: readonly Tlv[]): AccountData | undefined => {
  const track1 = findValue(tags, '5F21') ?? findValue(tags, '56');
  const track2 = findValue(tags, '5F22');
  const bothTracks = findValue(tags, 'DFEE23');
  const account =
    track1 === undefined && track2 === undefined && bothTracks !== undefined
      ? readTracks(latin1Of(bothTracks))
      : accountFromTracks({ track1: track1 && latin1Of(track1), track2: track2 && latin1Of(track2) });
  return account && { ...account, holder: holderOf(tags) ?? account.holder };
};

const accountFromTracks = (raw: {
  track1: string | undefined;
  track2: string | undefined;
}): AccountData | undefined => {
  const { track1, track2 } = raw;
  const track2Data = track2 === undefined ? undefined : tryParse(() => accountFromTrack2(track2));
  if (track2Data !== undefined) return { ...track2Data, holder: holderOnTrack1(track1) };
  const typedData = track2 === undefined ? undefined : accountFromTyped(track2);
  if (typedData !== undefined) return typedData;
  return track1 === undefined ? undefined : accountFromTrack1(track1);
};

/** A reader's form of a typed number: `;PAN=YYMM?`, or with the security code `;PAN=YYMM:CSC?`. */
const accountFromTyped = (raw: string): AccountData | undefined => {
  const [, pan, expiry] = /^;(\d{12,19})=(\d\d(?:0[1-9]|1[0-2]))(?::\d{0,4})?\?/.exec(raw) ?? [];
  return pan === undefined || expiry === undefined ? undefined : { pan, expiry };
};

const accountFromNumber = (tags: readonly Tlv[]): AccountData | undefined => {
  const number = findValue(tags, '5A');
  const pan = number && toHex(number).replace(/F+$/, '');
  if (pan === undefined || !/^\d{8,19}$/.test(pan)) return undefined;
  const expiry = findValue(tags, '5F24');
  return { pan, expiry: expiry?.length === 3 ? toHex(expiry).slice(0, 4) : undefined, holder: holderOf(tags) };
};

const latin1Of = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');

// Readers append the end sentinel, the check character and padding; the track ends at the first sentinel.
const extractTrack = (raw: string, start: string): string => {
  const offset = raw.startsWith(start) ? 1 : 0;
  const end = raw.indexOf('?');
  return raw.slice(offset, end < 0 ? raw.length : end).replace(/\0+$/, '');
};

const accountFromTrack2 = (raw: string): AccountData => parseTrack2(`;${extractTrack(raw, ';')}?`);

const accountFromTrack1 = (raw: string): AccountData => {
  const { name, ...stripe } = parseTrack1(`%${extractTrack(raw, '%')}?`);
  return { ...stripe, holder: holderNamed(name ?? '') };
};

/** Reads only the name: damage elsewhere in track 1 must not spoil a good track 2. */
const holderOnTrack1 = (track1 = ''): string | undefined => holderNamed(/\^([^^]{2,26})\^/.exec(track1)?.[1] ?? '');

const holderOf = (tags: readonly Tlv[]): string | undefined => {
  const name = findValue(tags, '5F20');
  return name && holderNamed(latin1Of(name));
};

const holderNamed = (raw: string): string | undefined => raw.replace(/\p{C}/gu, '').trim() || undefined;

/** The result of `read`, or undefined if its data are malformed. Any other error passes through. */
export const tryParse = <T>(read: () => T): T | undefined => {
  try {
    return read();
  } catch (error) {
    if (isFault(error, 'tlv.malformed', 'emv.malformed', 'hex.malformed', 'pin.block')) return undefined;
    throw error;
  }
};
