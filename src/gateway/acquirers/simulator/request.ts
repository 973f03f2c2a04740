/** Parses a request: its card, the keys it was encrypted under, the chip's data. Keeps and decides nothing. */
import type { TagValues } from '../../../emv/cryptogram-versions.ts';
import { find, type Tlv } from '../../../emv/tlv.ts';
import type { Authorisation } from '../../payments/acquirer.ts';
import { chipTags, tagValues } from './chip.ts';
import type { Hsm } from './hsm.ts';
import type { DukptCiphertext } from './hsm-sred.ts';
import { type KeySerial, keySerial } from './key-serial.ts';
import { type ReadCard, readTags } from './read-card.ts';
import type { ResponseCode } from './responses.ts';

export type Expiry = { readonly month: string; readonly year: string };

export type Reading = {
  readonly card: ReadCard;
  readonly expiry: Expiry | undefined;
  /** Typed into a form, or read by a terminal. */
  readonly from: 'form' | 'terminal';
  /** Every key serial number that the request used: for the account data, for the PIN. */
  readonly serials: readonly KeySerial[];
  /** The encrypted PIN: sent by itself, or in one container with the account data. */
  readonly pin?: DukptCiphertext;
  readonly tags: TagValues;
};

/** The request's card, or the response code for a request without a readable one. */
export const readRequest = (
  hsm: Hsm,
  request: Pick<Authorisation, 'pos' | 'card'>,
): Reading | { refused: ResponseCode } => {
  const { pos, card: typedData } = request;
  const icc = chipTags(pos?.iccDataRequest);
  if (icc === 'malformed') return { refused: '30' };
  const clear = icc === 'absent' ? [] : icc;

  const sealed = pos?.encryptedSred && hsm.openSred(pos.encryptedSred);
  if (sealed === 'badKey') return { refused: '63' };
  if (sealed === 'unreadable') return { refused: '30' };
  if (sealed !== undefined && disagree(clear, sealed.card.tags)) return { refused: '30' };
  const pin = pinOf(pos?.encryptedPin, sealed?.pin);
  if (pin === 'two') return { refused: '30' };
  const pinSerial = pin && keySerial(pin.ksn);
  if (pin !== undefined && pinSerial === undefined) return { refused: '63' };

  const card = sealed?.card ?? readTypedCard(typedData) ?? readTags(clear);
  if (card === undefined) return { refused: '30' };
  return {
    card,
    expiry: expiryOf(card, typedData),
    from: sealed === undefined && typedData !== undefined ? 'form' : 'terminal',
    serials: [...(sealed?.serials ?? []), ...(pinSerial === undefined ? [] : [pinSerial])],
    pin,
    tags: tagValues(clear, card.tags),
  };
};

/** Whether a tag sent both plain and encrypted has two values: then one of them was tampered with. */
const disagree = (clear: readonly Tlv[], sealed: readonly Tlv[]): boolean =>
  leavesOf(clear).some(({ tag, value }) => {
    const other = find(sealed, tag)?.value;
    return other !== undefined && Buffer.compare(other, value) !== 0;
  });

const leavesOf = (list: readonly Tlv[]): Tlv[] =>
  list.flatMap((object) => (object.children === undefined ? [object] : leavesOf(object.children)));

/** The PIN of the request; `two` if the container's differs from the request's. */
const pinOf = (
  encrypted: DukptCiphertext | undefined,
  contained: DukptCiphertext | undefined,
): DukptCiphertext | 'two' | undefined => {
  if (encrypted === undefined || contained === undefined) return encrypted ?? contained;
  const isSame = encrypted.data.toUpperCase() === contained.data && encrypted.ksn.toUpperCase() === contained.ksn;
  return isSame ? contained : 'two';
};

const readTypedCard = (typedData: Authorisation['card']): ReadCard | undefined =>
  typedData && { pan: typedData.number, holder: typedData.holder, tags: [] };

const expiryOf = (card: ReadCard, typedData: Authorisation['card']): Expiry | undefined =>
  card.expiry === undefined
    ? typedData && { month: typedData.expiryMonth, year: typedData.expiryYear }
    : printExpiry(card.expiry);

/** YYMM as on a card, always in this century. */
export const printExpiry = (yymm: string): Expiry => ({ month: yymm.slice(2, 4), year: `20${yymm.slice(0, 2)}` });

/** Whether the month is over, in UTC. */
export const isPast = ({ month, year }: Expiry, at: number): boolean => at >= Date.UTC(Number(year), Number(month), 1);
