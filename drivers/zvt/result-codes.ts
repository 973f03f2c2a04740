/**
 * ZVT's result codes (bitmap 27, the code of an abort, the second byte of a refusal) and what each is worth.
 * Source: PA00P015 13.09, error messages; Portalum.Zvt (MIT), EnglishErrorMessageRepository. A pure table.
 */

/**
 * `approved` only with a completion behind it; `declined` nothing was charged, by the terminal's or the host's word;
 * `notBegun` the terminal cannot do such a thing now; `unsure` the terminal itself does not know, or says so little
 * that the money may have moved: never a decline.
 */
export type Worth = 'approved' | 'declined' | 'notBegun' | 'unsure';

const rows: readonly [worth: Worth, codes: string][] = [
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
  ['unsure', '66 processing error|7D communication error|9A protocol error|9B communication fault|9C please wait'],
  ['unsure', 'A1 remote station does not respond|A3 no connection|F1 offline error|FA error sending offline payments'],
  ['unsure', 'FB turnover record defective|FF system error'],
];

const codes: ReadonlyMap<string, { says: string; worth: Worth }> = new Map(
  rows.flatMap(([worth, list]) =>
    list
      .split('|')
      .map((entry): [string, { says: string; worth: Worth }] => [entry.slice(0, 2), { says: entry.slice(3), worth }]),
  ),
);

/** What the host's own codes mean, as ISO 8583 has them; the rest of 01 to 63 is a decline all the same. */
const hostWords: Readonly<Record<string, string>> = {
  '04': 'declined, keep the card',
  '05': 'declined',
  '41': 'declined, card lost',
  '43': 'declined, card stolen',
  '51': 'declined, not enough money',
  '54': 'declined, card expired',
  '55': 'declined, wrong PIN',
  '61': 'declined, limit exceeded',
  '62': 'declined, card restricted',
};

/** What a code of two hex digits says, and its worth. 01 to 63 come from the host; a code nobody knows is `unsure`. */
export const resultOf = (code: string): { says: string; worth: Worth } => {
  const known = codes.get(code);
  if (known !== undefined) return known;
  const value = Number.parseInt(code, 16);
  if (value >= 0x01 && value <= 0x63) return { says: hostWords[code] ?? 'declined by the host', worth: 'declined' };
  return { says: 'unknown code', worth: 'unsure' };
};

/** Every code with a row, for the tests. */
export const knownResultCodes = (): readonly string[] => [...codes.keys()];
