/**
 * ZVT's result codes (bitmap 27, the code of an abort, the second byte of a refusal) and what each means for the money.
 * Source: PA00P015 13.08 chapter 10; Portalum.Zvt (MIT), EnglishErrorMessageRepository. A pure table.
 */
import type { TerminalEvent } from '../../terminal.ts';

/**
 * `approved`: only with a completion after it; `declined`: nothing was charged, by the terminal's or the host's
 * decision; `notBegun`: the terminal cannot do this now; `unsure`: the terminal itself does not know, or reports so
 * little that money may have moved: never a decline.
 */
type ResultClass = 'approved' | 'declined' | 'notBegun' | 'unsure';

const rows: readonly [worth: ResultClass, codes: string][] = [
  ['approved', '00 no error'],
  [
    'declined',
    '64 card not readable|65 no card data|67 not permitted for this debit card|68 not permitted for this credit card',
  ],
  ['declined', '6C abort by time-out or key|6E card on the blocked list|6F wrong currency|71 not enough credit'],
  [
    'declined',
    '72 chip error|73 card data incorrect|76 card not on the white list|78 card expired|79 card not yet valid',
  ],
  [
    'declined',
    '7A card unknown|7B no fallback to the stripe|7C no fallback to the stripe|7E no fallback to the stripe',
  ],
  ['declined', 'B4 already reversed|B5 reversal not possible|B7 amount wrong|C3 maximum amount exceeded'],
  [
    'declined',
    'C5 payment method not supported|C6 currency not applicable|C8 amount too small|C9 maximum amount too small',
  ],
  ['declined', 'CB only allowed in euro|CD cashback not possible|D2 not permitted for this service card'],
  ['declined', 'E9 restriction code not permitted|EA card not activated|EB PIN algorithm unknown|EC PIN not possible'],
  ['notBegun', '6A turnover file full|6B the till is not registered|74 key used up|77 end of day not possible'],
  [
    'notBegun',
    '83 function not possible|85 key missing|89 PIN pad defective|A0 receiver not ready|A5 not allowed by PCI rules',
  ],
  [
    'notBegun',
    'B1 memory full|B2 journal full|BF supply voltage too low|C0 card lock defective|C1 merchant card locked',
  ],
  [
    'notBegun',
    'C2 diagnosis required|C4 card profile invalid|CC printer not ready|DC card inserted|E0 remote maintenance',
  ],
  ['notBegun', 'E2 card reader defective|E3 shutter closed|E4 activation required|ED PIN pad defective'],
  ['notBegun', 'F0 end of day is due|F5 personalisation error|F6 personalisation required|FC a device is missing'],
  ['notBegun', 'DE card not drawn in|E7 goods group not found|E8 no goods groups|FD baud rate|FE the till is unknown'],
  [
    'unsure',
    '75 text not authentic|A4 purse payments cannot be submitted|B8 pre-authorisation error|DD card not given back',
  ],
  ['unsure', '66 processing error|7D communication error|9A protocol error|9B communication fault|9C please wait'],
  ['unsure', 'A1 remote station does not respond|A3 no connection|F1 offline error|FA error sending offline payments'],
  ['unsure', 'FB turnover record defective|FF system error'],
];

const codes: ReadonlyMap<string, { says: string; worth: ResultClass }> = new Map(
  rows.flatMap(([worth, list]) =>
    list
      .split('|')
      .map((entry): [string, { says: string; worth: ResultClass }] => [
        entry.slice(0, 2),
        { says: entry.slice(3), worth },
      ]),
  ),
);

/** The meaning of the host's own codes, as in ISO 8583; host codes from 1 to 99 without a row are declines as well. */
const hostWords: Readonly<Record<number, string>> = {
  4: 'declined, keep the card',
  5: 'declined',
  14: 'declined, no such card',
  33: 'declined, card expired',
  41: 'declined, card lost',
  43: 'declined, card stolen',
  51: 'declined, not enough money',
  54: 'declined, card expired',
  55: 'declined, wrong PIN',
  57: 'declined, not allowed with this card',
  61: 'declined, limit exceeded',
  62: 'declined, card restricted',
  65: 'declined, PIN required or limit exceeded',
  75: 'declined, PIN typed wrong too often',
  91: 'declined, the bank cannot be reached',
};

/** The states that lock a terminal: the code of an abort without a result. PA00P015 13.08, 7.1 and chapter 11. */
export const lockWords: Readonly<Record<string, string>> = {
  '51': 'the terminal must be initialised first, in its own menu',
  '62': 'the clock of the terminal must be set first, in its own menu',
  C2: 'the terminal wants a diagnosis first: diagnose it',
  F0: 'the end of day of the terminal is due: close the day first',
};

/**
 * The meaning of a code of two hex digits; an unknown one is `unsure`. 01 to 63 come from the host, in binary: 33 is
 * 51.
 */
export const resultOf = (code: string): { says: string; worth: ResultClass } => {
  const known = codes.get(code);
  if (known !== undefined) return known;
  const value = Number.parseInt(code, 16);
  if (value >= 0x01 && value <= 0x63)
    return {
      says: hostWords[value] ?? `declined by the host (${value.toString().padStart(2, '0')})`,
      worth: 'declined',
    };
  return { says: 'unknown code', worth: 'unsure' };
};

/** Every code with a row, for the tests. */
export const knownResultCodes = (): readonly string[] => [...codes.keys()];

// Intermediate status codes (04FF): the text, and the event for the till. Codes 41 to 67 are 01 to 27 with "remove the
// card". Source: PA00P015 13.09; Portalum.Zvt (MIT), EnglishIntermediateStatusRepository. A pure table.

type StatusRow = readonly [code: string, says: string, event?: TerminalEvent];

const statusRows: readonly StatusRow[] = [
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

const statusCodes = new Map(statusRows.map(([code, text, event]) => [code, { says: text, event }]));

/** The text of a status of two hex digits, and the event for the till. An unknown status has only a text. */
export const statusOf = (code: string): { says: string; event: TerminalEvent | undefined } => {
  const own = statusCodes.get(code);
  if (own !== undefined) return own;
  const value = Number.parseInt(code, 16);
  const plain = statusCodes.get((value - 0x40).toString(16).toUpperCase().padStart(2, '0'));
  if (value >= 0x41 && value <= 0x67 && plain !== undefined) {
    return { says: `${plain.says}, remove card`, event: 'removeCard' };
  }
  return { says: `status ${code}`, event: undefined };
};
