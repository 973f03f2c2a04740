/**
 * The behaviour of the simulated issuers for each public 3-D Secure test card. A pure table; docs/test-cards.md shows
 * it.
 */

const behaviours = [
  /** Authenticated without a challenge: status Y. */
  'frictionless',
  /** The issuer could not, and the scheme stands in: status A. */
  'attempt',
  /** The cardholder gets a challenge: status C. */
  'challenge',
  /** A technical error: status U. */
  'error',
  /** The issuer does not know the cardholder: status N. */
  'notEnrolled',
  /** The issuer does not participate: there is no range for the card. */
  'absent',
  /** The issuer forbids the payment: status R. */
  'rejected',
  /** Not authenticated, without a challenge: status N. */
  'denied',
] as const;
export type Behaviour = (typeof behaviours)[number];

export type TestCardRow = { number: string; behaviour: Behaviour; method: boolean };

const cards = (behaviour: Behaviour, method: boolean, numbers: string): readonly TestCardRow[] =>
  numbers.split(' ').map((number) => ({ number, behaviour, method }));

/**
 * As publicly documented. Three of those numbers are left out: they fail their check digit, or no brand here has them.
 * In each row Visa, Mastercard, American Express, Maestro, Diners and Discover, JCB, UnionPay.
 */
export const simulatedCards: readonly TestCardRow[] = [
  ...cards(
    'frictionless',
    true,
    '4200000000000091 5200000000000007 374500262001008 6761301000993772 36177580677072 3530111333300000 6250947000000014',
  ),
  ...cards(
    'attempt',
    true,
    '4200000000000109 5200000000000023 377277081382243 6706981111111113 6011000400001008 3566002020360505 6250947000000022',
  ),
  ...cards(
    'frictionless',
    false,
    '4200000000000026 5200000000000056 375987000000062 6799851000000032 6011010000000003 3569990012278361 6250947000000089',
  ),
  ...cards(
    'attempt',
    false,
    '4200000000000059 5200000000000106 373953192351004 6011000990099818 3569990012278353 6250944220914108',
  ),
  ...cards(
    'error',
    false,
    '4012001037461114 5434580000000006 375987000169875 6761301000941201 6510000000001248 3566007770017510 6250947000000048',
  ),
  ...cards(
    'notEnrolled',
    false,
    '4012001037141112 5457350076543210 375987000169883 6761301000946341 6011025500265831 3569990012291497 6250947000000030',
  ),
  ...cards('absent', false, '4532497088771651 5497260847316287 343923092050144 6761257707836567 6011420711746440'),
  ...cards(
    'challenge',
    true,
    '4200000000000042 4200000000000067 5200000000000015 5200000000000049 343434343434343 375987000000021 ' +
      '6799998900000060018 6773670009114879 36259600000004 6011208701117775 3566002345432153 3569990010095916 ' +
      '6250947000000097 6250944196725207',
  ),
  ...cards(
    'challenge',
    false,
    '4200000000000018 4200000000000075 5200000000000064 5200000000000072 375987000169867 371449635398431 ' +
      '67034200554565015 6759888888888888 6559906559906557 36458811111119 3569990012300876 3569990012300884 ' +
      '6250949644050173 6250945882768112',
  ),
];

const byNumber: ReadonlyMap<string, TestCardRow> = new Map(simulatedCards.map((row) => [row.number, row]));

export const simulatedCard = (number: string): TestCardRow | undefined => byNumber.get(number);

/**
 * The card as a test requests it: customParameters[3DS2_enrolled]=true treats any number as enrolled, [3DS2_flow] names
 * its issuer's behaviour, one of those above.
 */
export const requestedCard = (number: string, custom: Readonly<Record<string, string>>): TestCardRow | undefined => {
  const listedCard = simulatedCard(number);
  const flow = custom['3DS2_flow'];
  const requestedFlow = behaviours.find((behaviour) => behaviour === flow);
  if (listedCard !== undefined)
    return requestedFlow === undefined ? listedCard : { ...listedCard, behaviour: requestedFlow };
  if (custom['3DS2_enrolled'] !== 'true' && requestedFlow === undefined) return undefined;
  return { number, behaviour: requestedFlow ?? 'challenge', method: false };
};
