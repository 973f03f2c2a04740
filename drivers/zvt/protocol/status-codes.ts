/**
 * Intermediate status codes (04FF): words, and the event each is for the till. Codes 41 to 67 are 01 to 27 with "remove
 * the card". Source: PA00P015 13.09; Portalum.Zvt (MIT), EnglishIntermediateStatusRepository. A pure table.
 */
import type { TerminalEvent } from '../../terminal.ts';

type Row = readonly [code: string, says: string, event?: TerminalEvent];

const rows: readonly Row[] = [
  ['00', 'waiting for the amount to be confirmed'],
  ['01', 'watch the PIN pad', 'enterPin'],
  ['02', 'watch the PIN pad', 'enterPin'],
  ['03', 'not accepted'],
  ['04', 'waiting for the host', 'authorising'],
  ['05', 'sending an automatic reversal', 'authorising'],
  ['06', 'sending bookings', 'authorising'],
  ['07', 'card not admitted'],
  ['08', 'card unknown'],
  ['09', 'card expired'],
  ['0A', 'insert card', 'presentCard'],
  ['0B', 'remove card', 'removeCard'],
  ['0C', 'card not readable'],
  ['0D', 'processing error'],
  ['0E', 'please wait', 'reading'],
  ['0F', 'beginning an automatic end of day'],
  ['10', 'invalid card'],
  ['11', 'balance'],
  ['12', 'system malfunction'],
  ['13', 'payment not possible'],
  ['14', 'credit not sufficient'],
  ['15', 'wrong PIN', 'enterPin'],
  ['16', 'limit not sufficient'],
  ['17', 'please wait', 'reading'],
  ['18', 'too many wrong PINs'],
  ['19', 'card data incorrect'],
  ['1A', 'service mode'],
  ['1B', 'approved, fill up'],
  ['1C', 'approved, take the goods'],
  ['1D', 'declined'],
  ['26', 'type the mobile number'],
  ['27', 'type the mobile number again'],
  ['28', 'choosing the currency'],
  ['29', 'choosing the language'],
  ['2A', 'insert card for loading', 'presentCard'],
  ['2B', 'emergency transaction'],
  ['2C', 'choosing the application'],
  ['68', 'card inserted', 'cardInserted'],
  ['69', 'choosing the currency'],
  ['C7', 'type the mileage'],
  ['C8', 'waiting for the cashier'],
  ['C9', 'beginning a diagnosis'],
  ['CA', 'beginning an initialisation'],
  ['CB', 'journal full'],
  ['CC', 'PIN required', 'enterPin'],
  ['D2', 'connecting'],
  ['D3', 'connected'],
  ['E0', 'waiting for the choice of the application'],
  ['E1', 'waiting for the choice of the language'],
  ['E2', 'cleaning card'],
  ['F1', 'offline'],
  ['F2', 'online', 'authorising'],
  ['F3', 'offline transaction'],
  ['FF', 'see the text'],
];

const codes = new Map(rows.map(([code, says, event]) => [code, { says, event }]));

/** What a status of two hex digits says, and what the till is to show. An unknown status is only words. */
export const statusOf = (code: string): { says: string; event: TerminalEvent | undefined } => {
  const own = codes.get(code);
  if (own !== undefined) return own;
  const value = Number.parseInt(code, 16);
  const plain = codes.get((value - 0x40).toString(16).toUpperCase().padStart(2, '0'));
  if (value >= 0x41 && value <= 0x67 && plain !== undefined) {
    return { says: `${plain.says}, remove card`, event: 'removeCard' };
  }
  return { says: `status ${code}`, event: undefined };
};
