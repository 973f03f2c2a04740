/** Why a card itself cannot be taken offline: how it was read, who verified its holder, what the terminal found. */
import { setBits } from '../../emv/bits.ts';
import { brandOfAid, brandOfPan } from '../../emv/brands.ts';
import type { OfflineRefusal } from '../../locales/messages/en/sales.ts';
import type { CardFacts } from '../machine/facts.ts';

export type Objection = { readonly code: OfflineRefusal; readonly why: string };

/**
 * Terminal verification results (EMV Book 3 Annex C5) that exclude offline sales whatever the limits: byte and bit,
 * code, text.
 */
const failures: readonly (readonly [bit: string, code: OfflineRefusal, why: string])[] = [
  ['1.5', 'onExceptionFile', 'the terminal has this card on its list of blocked cards'],
  ['1.7', 'dataAuthentication', 'the terminal could not prove that the card is genuine'],
  ['1.6', 'dataAuthentication', 'data are missing on the card'],
  ['1.4', 'dataAuthentication', 'the terminal could not prove that the card is genuine'],
  ['1.3', 'dataAuthentication', 'the terminal could not prove that the card is genuine'],
  ['2.7', 'expired', 'the card has expired'],
  ['2.6', 'notYetEffective', 'the card is not valid yet'],
  ['2.5', 'serviceNotAllowed', 'the card is not made for this kind of sale'],
  ['3.8', 'verification', 'the customer could not be verified'],
  ['3.6', 'verification', 'the PIN was wrong too often'],
  ['3.4', 'verification', 'the PIN was not entered'],
  ['3.3', 'onlinePin', 'this card’s PIN can only be checked by the bank'],
];

const NOT_AUTHENTICATED = '1.8';

/** Why this card can never be taken offline, or undefined. */
export const objectionTo = (
  card: CardFacts,
  { withoutDataAuthentication }: { withoutDataAuthentication: boolean },
): Objection | undefined => {
  if (card.entryMode !== 'ICC' && card.entryMode !== 'NFC_ICC')
    return { code: 'entryMode', why: 'only chip cards can be taken offline' };
  // A PIN for the issuer must not be stored, not even encrypted.
  if (card.verification === 'onlinePin')
    return { code: 'onlinePin', why: 'this card’s PIN can only be checked by the bank' };
  const results = resultsOf(card);
  if (results === undefined)
    return { code: 'noResults', why: 'the terminal did not tell what it found when it checked the card' };
  const failure = failures.find(([bit]) => results.includes(bit));
  if (failure !== undefined) return { code: failure[1], why: failure[2] };
  if (results.includes(NOT_AUTHENTICATED) && !withoutDataAuthentication)
    return { code: 'dataAuthentication', why: 'the terminal did not prove that the card is genuine' };
  return undefined;
};

const resultsOf = ({ tvr }: CardFacts): readonly string[] | undefined =>
  tvr !== undefined && /^[0-9A-Fa-f]{10}$/.test(tvr) ? setBits(Buffer.from(tvr, 'hex')) : undefined;

/** The brand used for limits; `other` when neither chip nor number identifies one. */
export const brandOf = ({ aid, maskedPan }: CardFacts): string =>
  (aid === undefined ? undefined : brandOfAid(aid)) ?? brandOfPan(maskedPan) ?? 'other';

export type CardType = 'debit' | 'credit' | 'prepaid' | 'unknown';

/** Applications for a single kind of funding; the schemes' main ones are on cards of every kind. */
const fundings: readonly (readonly [aid: string, type: CardType])[] = [
  ['A0000000043060', 'debit'],
  ['A0000000042203', 'debit'],
  ['A0000000032010', 'debit'],
  ['A0000000032020', 'debit'],
  ['A0000000033010', 'debit'],
  ['A0000000980840', 'debit'],
  ['A000000359', 'debit'],
  ['A000000277', 'debit'],
  ['A00000038410', 'debit'],
  ['A000000333010101', 'debit'],
  ['A000000333010102', 'credit'],
  ['A000000333010103', 'credit'],
  ['A000000025', 'credit'],
];

/** Debit, credit or prepaid, if the application shows it. None shows prepaid: only a gateway reports that. */
export const cardTypeOf = ({ aid }: CardFacts): CardType =>
  fundings.find(([prefix]) => aid?.toUpperCase().startsWith(prefix))?.[1] ?? 'unknown';

/** Identifies a card among the stored sales by masked number and sequence. Two cards can share a key. */
export const cardKeyOf = ({ maskedPan, panSequence }: CardFacts): string => `${maskedPan} ${panSequence ?? ''}`.trim();
