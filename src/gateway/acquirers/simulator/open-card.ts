/** The card of a terminal's encrypted data, for the gateway's vault. */
import { luhnIsValid } from '../../../emv/luhn.ts';
import type { OpenedCard, Pos } from '../acquirer.ts';
import type { Hsm } from './hsm.ts';
import { readRequest } from './request.ts';

/** Undefined when it does not open, and for a card without number or expiry: it could not be charged later. */
export const openCard = (hsm: Hsm, pos: Pos): OpenedCard | undefined => {
  if (pos.encryptedSred === undefined) return undefined;
  const reading = readRequest(hsm, { pos });
  if ('refused' in reading || reading.expiry === undefined || !luhnIsValid(reading.card.pan)) return undefined;
  const { pan: number, holder = '' } = reading.card;
  const { month: expiryMonth, year: expiryYear } = reading.expiry;
  return { number, expiryMonth, expiryYear, ...(isName(holder) && { holder }) };
};

/** As card.holder wants it (spec 2.5). What a stripe has in its place may be filling. */
const isName = (text: string): boolean => /^[\p{L} .'-]{3,128}$/u.test(text);
