/**
 * The result codes of the host API (its section 7) that this program names, and what a till does about each. What they
 * mean for the money is in code-meanings.ts; no other file decides by a code's digits.
 */
import { type CodeMeaning, type CodeStart, codeStarts, isResultCode, startOf } from './code-meanings.ts';

/** Each code that is returned or distinguished, by the catalogue's own name. */
export const codes = {
  // Done, or in progress.
  succeeded: '000.000.000',
  questionAnswered: '000.000.100',
  succeededInTest: '000.100.110',
  succeededInValidatorTest: '000.100.111',
  succeededInConnectorTest: '000.100.112',
  pending: '000.200.000',
  checkoutCreated: '000.200.100',
  checkoutUpdated: '000.200.101',

  // The account that should pay.
  accountMissing: '100.100.100',
  accountNumberInvalid: '100.100.101',
  cardExpired: '100.100.303',
  brandMissing: '100.100.500',
  brandInvalid: '100.100.501',
  brandMismatch: '100.100.700',
  registrationInvalid: '100.150.200',

  // Schedules.
  scheduleWithoutTime: '100.250.100',
  scheduleDurationInvalid: '100.250.106',
  scheduleNoticeInvalid: '100.250.107',
  scheduleInvalid: '100.250.120',
  scheduleMissing: '100.250.250',
  scheduleTypeInvalid: '100.360.201',
  scheduleNotRunning: '100.360.300',
  scheduleNotEnded: '100.360.303',

  // The cardholder's authentication, and the shopper's part.
  authenticationUnlisted: '000.400.109',
  authenticationFailed: '100.380.401',
  authenticationAbsent: '100.390.107',
  cardNotEnrolled: '100.390.110',
  authenticationSilent: '100.390.111',
  authenticationTechnical: '100.390.112',
  authenticationDevice: '100.390.113',
  authenticationRejected: '100.390.114',
  cancelledByShopper: '100.396.101',
  timedOutPending: '100.396.103',
  withdrawnPending: '100.396.104',
  authenticationNeeded: '300.100.100',

  // Amounts.
  amountMissing: '100.550.300',
  amountOutsideBounds: '100.550.312',
  amountTooRisky: '100.550.601',

  // The request.
  requestMalformed: '200.100.103',
  methodInvalid: '200.300.403',
  parameterInvalid: '200.300.404',
  entityNotFound: '200.300.406',
  methodNotConfigured: '600.200.201',
  notConfigured: '600.200.500',

  // Follow-ups of a payment.
  amountTooLarge: '700.100.300',
  brandDiffers: '700.100.400',
  currencyDiffers: '700.100.500',
  typeUnfit: '700.100.700',
  cannotCapture: '700.400.100',
  cannotRefund: '700.400.200',
  cannotReverse: '700.400.300',
  cannotChargeBack: '700.400.400',
  chargebackReversed: '700.400.410',
  chargebackMissing: '700.400.420',
  nothingToCapture: '700.400.510',
  nothingToRefund: '700.400.520',
  nothingToReverse: '700.400.530',
  nothingToChargeBack: '700.400.550',
  nothingToReceipt: '700.400.560',
  stillPending: '700.400.570',
  transactionNotFound: '700.400.580',

  // The bank's decision.
  declined: '800.100.100',
  cardInvalid: '800.100.151',
  declinedBySystem: '800.100.152',
  securityCodeWrong: '800.100.153',
  transactionInvalid: '800.100.154',
  fundsInsufficient: '800.100.155',
  formatError: '800.100.156',
  expiryDateWrong: '800.100.157',
  fraudSuspected: '800.100.158',
  cardStolen: '800.100.159',
  cardBlocked: '800.100.160',
  tooManyTries: '800.100.161',
  limitExceeded: '800.100.162',
  frequencyExceeded: '800.100.163',
  merchantLimitExceeded: '800.100.164',
  cardLost: '800.100.165',
  pinWrong: '800.100.166',
  cardRestricted: '800.100.168',
  cardTypeNotProcessed: '800.100.169',
  notPermitted: '800.100.170',
  pickUpCard: '800.100.171',
  accountBlocked: '800.100.172',
  amountInvalid: '800.100.174',
  issuerUnavailable: '800.100.176',
  pinTriesUsedUp: '800.100.178',
  withdrawalsExceeded: '800.100.179',
  configurationInvalid: '800.100.190',
  acquirerStateWrong: '800.100.191',
  accountUnknown: '800.100.195',
  registrationCancelled: '800.100.197',
  referToIssuer: '800.100.200',
  mandateMissing: '800.100.403',

  // Risk rules and deny lists.
  riskScoreTooHigh: '100.400.002',
  tooManyOfCard: '800.120.101',
  tooManyOfIp: '800.120.102',
  tooManyOfEmail: '800.120.103',
  tooMuchOfCard: '800.120.201',
  tooMuchOfIp: '800.120.202',
  tooMuchOfEmail: '800.120.203',
  tooMuchOfCustomer: '800.120.401',
  countryDenied: '800.300.102',
  emailDenied: '800.300.200',
  ipDenied: '800.300.301',
  binDenied: '800.300.401',

  // The gateway and the connections behind it.
  duplicate: '800.110.100',
  throttled: '800.120.100',
  unauthenticated: '800.900.300',
  uncertain: '900.100.300',
  timedOutReversed: '900.100.301',
  neverSentToAcquirer: '900.100.310',
  platformError: '999.999.888',
  acquirerError: '999.999.999',
} as const;

/** Groups of codes with a common prefix. */
export const codeGroups = {
  /** The prefix of every approval. Not every code with this prefix is an approval. */
  successes: '000.',
  recordedChargebacks: '000.100.2',
  amounts: '100.550.',
  followUps: '700.',
  /** The card's scheme forbids a further try. */
  adviceToStop: '700.600.',
  adviceCancelled: '700.601.',
  declines: '800.100.',
  /** Too many payments, or too much money, from one card, person or network in a period. */
  riskRules: '800.120.',
  riskLists: '800.130.',
  riskPeriods: '800.140.',
  riskLocations: '800.150.',
  riskCalendars: '800.160.',
  access: '800.900.',
} as const;

/** Whether the code is one of this group. */
export const isInGroup = (group: keyof typeof codeGroups, code: string): boolean =>
  isResultCode(code) && code.startsWith(codeGroups[group]);

/**
 * What a till's queue does with the answer to a stored message, beyond its meaning. undecided: nobody who could decide
 * was asked; sent again later as a new request, within the schemes' limits. channel: a problem of this till's channel
 * or the whole gateway; other messages would fail too, and it continues when that is fixed. mend: refused because of
 * the gateway's configuration; parked, and sent again unchanged. over: for follow-ups: the payment does not allow it,
 * and never will.
 */
export type RetryGroup = 'undecided' | 'channel' | 'mend' | 'over';

export type CodeRow = {
  readonly prefix: string;
  readonly means: CodeMeaning;
  readonly sorting?: RetryGroup;
  /** Applies only to messages that follow a payment. */
  readonly ofFollowers?: true;
  /** What must be done, in words. */
  readonly mend?: string;
  /** The only kind of channel that approves with this code. */
  readonly mode?: 'test' | 'live';
  /** This request was not carried out; the outcome of the request that it repeats decides. */
  readonly repeats?: true;
};

/** What must be done when a test system answers a live till. */
export const mendMode =
  'Have the gateway’s operator set this till’s channel live, or give the till its live address and channel';

const inTest = { sorting: 'mend', mend: mendMode, mode: 'test' } as const;
const entity = { sorting: 'mend', mend: 'Have the gateway’s operator correct the channel’s entity' } as const;
const merchant = {
  sorting: 'mend',
  mend: 'Have the gateway’s operator correct the merchant’s data and its bounds for amounts',
} as const;
const setUp = {
  sorting: 'channel',
  mend: 'Have the gateway’s operator set the channel up for this payment: type, brand and currency',
} as const;
const access = {
  sorting: 'channel',
  mend: 'Have the gateway’s operator check this till’s access token and channel',
} as const;
const endedRow = { sorting: 'over', ofFollowers: true } as const;

/** What a till does about each code, by the code's prefix in the table of meanings. */
const handling: Readonly<Partial<Record<CodeStart, Omit<CodeRow, 'prefix' | 'means'>>>> = {
  '000.000.000': { mode: 'live' },
  '000.100.110': inTest,
  '000.100.111': inTest,
  '000.100.112': inTest,
  '100.396.103': { sorting: 'undecided' },
  '100.55': merchant,
  '100.600': merchant,
  '100.7': merchant,
  '200.300.405': entity,
  '200.300.406': entity,
  '200.300.407': entity,
  '500.': setUp,
  '600.2': setUp,
  '600.3': setUp,
  '700.400.570': { sorting: 'undecided', ofFollowers: true },
  '700.100.': endedRow,
  '700.300.': endedRow,
  '700.400.': endedRow,
  '800.100.176': { sorting: 'undecided' },
  '800.110.': { repeats: true },
  '800.120.100': { sorting: 'channel', mend: 'Nothing: the gateway wants fewer requests at a time' },
  '800.121.': { sorting: 'mend', mend: 'Have the gateway’s operator allow this operation on the channel' },
  '800.900.': access,
  '900.100.301': { sorting: 'undecided' },
  '900.100.310': { sorting: 'undecided' },
};

/** First match wins. */
export const codeRows: readonly CodeRow[] = codeStarts.map(([prefix, means]) => ({
  prefix,
  means,
  ...handling[prefix],
}));

const rowsByStart = new Map(codeRows.map((row) => [row.prefix, row]));
const unlisted: CodeRow = { prefix: '', means: 'unknown' };

/** The row for this code. An unlisted or malformed code is unknown. */
export const rowOf = (code: string): CodeRow => rowsByStart.get(startOf(code)) ?? unlisted;

/** The code at the start of a text, such as the queue's notes. */
export const codeAtStart = (text: string): string | undefined => /^\d{3}\.\d{3}\.\d{3}/.exec(text)?.[0];

// What a cashier does after a decline: five groups, for the gateway's result codes and for those of ZVT terminals. An
// unlisted code belongs to the first group, and so does each code about theft, loss or fraud: nobody at a counter is
// told that.

export const declineGroups = ['otherCard', 'sameCard', 'wrongPin', 'callBank', 'shopLimit'] as const;
export type DeclineGroup = (typeof declineGroups)[number];

type Row = {
  readonly group: DeclineGroup;
  /** Result codes of the host API, whole or by their prefix. */
  readonly gateway: readonly string[];
  /** The answer of the terminal's host, as in ISO 8583 field 39: 1 to 99. */
  readonly host: readonly number[];
  /** The terminal's own codes, hex. Source: PA00P015 13.08 chapter 10. */
  readonly terminal: readonly string[];
};

export const declineRows: readonly Row[] = [
  {
    group: 'sameCard',
    gateway: [
      codes.issuerUnavailable,
      codes.formatError,
      codes.authenticationNeeded,
      codes.securityCodeWrong,
      codes.timedOutPending,
      codes.timedOutReversed,
      codes.neverSentToAcquirer,
    ],
    host: [6, 19, 30, 68, 70, 81, 91, 92, 96],
    terminal: ['64', '65', '6C', '72', '73', '7B', '7C', '7E'],
  },
  { group: 'wrongPin', gateway: [codes.pinWrong], host: [55], terminal: [] },
  {
    group: 'callBank',
    gateway: [
      codes.pinTriesUsedUp,
      codes.tooManyTries,
      codes.limitExceeded,
      codes.frequencyExceeded,
      codes.withdrawalsExceeded,
      codes.notPermitted,
      codes.cardRestricted,
      codes.referToIssuer,
      codes.accountBlocked,
      codes.cardBlocked,
    ],
    host: [1, 2, 57, 61, 62, 65, 75],
    terminal: ['EA'],
  },
  {
    group: 'shopLimit',
    gateway: [
      codes.merchantLimitExceeded,
      codeGroups.riskRules,
      codeGroups.riskLists,
      codeGroups.riskPeriods,
      codeGroups.riskLocations,
      codeGroups.riskCalendars,
    ],
    host: [],
    terminal: ['C3', 'C8', 'C9'],
  },
];

const isHex = /^[0-9A-F]{2}$/i;
/** Up to this value a code of a ZVT terminal comes from its host. */
const HOST_MOST = 0x63;

/** The group of a gateway's result code, `800.100.155`, or of a terminal's, `6C`. */
export const declineGroupOf = (code: string | undefined): DeclineGroup =>
  (code === undefined ? undefined : declineRows.find((row) => isIn(row, code)))?.group ?? 'otherCard';

const isIn = ({ gateway, host, terminal }: Row, code: string): boolean => {
  if (!isHex.test(code)) return gateway.some((start) => code.startsWith(start));
  const value = Number.parseInt(code, 16);
  return value <= HOST_MOST ? host.includes(value) : terminal.includes(code.toUpperCase());
};
