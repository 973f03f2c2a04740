/** The card of a request, typed in or read by a terminal (spec 2.5, 2.34). */
import { needed, type Rule, type SentValues } from '../operation.ts';
import { bothOrNeither } from './pairs.ts';
import { uses } from './structures.ts';

/** A security code or an expiry at a terminal says something about the card that the terminal read. */
const numberExpected = (sent: SentValues): boolean => uses('card')(sent) && !uses('pos')(sent);

export const cardRules: readonly Rule[] = [
  ...needed(numberExpected, ['card.number']),
  ...needed(
    (sent) => numberExpected(sent) || sent['card.number'] !== undefined,
    ['card.expiryMonth', 'card.expiryYear'],
  ),
];

/** Encrypted data with the serial number of its key, and a place with both its coordinates. */
export const posPairs: readonly Rule[] = [
  ...bothOrNeither('pos.encryptedPin.data', 'pos.encryptedPin.ksn'),
  ...bothOrNeither('pos.encryptedSred.data', 'pos.encryptedSred.ksn'),
  ...bothOrNeither('pos.location.latitude', 'pos.location.longitude'),
];

/** A chip may come without its data: the acquirer decides what it takes. Some account data there must be. */
export const posRules: readonly Rule[] = [
  ...needed(uses('pos'), ['pos.entryMode', 'pos.terminalId']),
  {
    name: 'pos.encryptedSred.data',
    says: 'may not be empty, unless card.number or pos.iccDataRequest is sent',
    holds: (sent) =>
      !uses('pos')(sent) ||
      sent['pos.encryptedSred.data'] !== undefined ||
      sent['pos.iccDataRequest'] !== undefined ||
      sent['card.number'] !== undefined,
  },
  ...posPairs,
];
