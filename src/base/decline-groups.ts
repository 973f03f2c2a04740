/**
 * What a cashier does after a decline: five groups, for the gateway's result codes and for those of ZVT terminals. A
 * code that stands in no row is of the first group, and so is each that speaks of theft, loss or fraud: nobody at a
 * counter is told so.
 */
import { codeGroups, codes } from './result-codes.ts';

export type DeclineGroup = 'otherCard' | 'sameCard' | 'wrongPin' | 'callBank' | 'shopLimit';

type Row = {
  readonly group: DeclineGroup;
  /** Result codes of the host API, whole or by their beginning. */
  readonly gateway: readonly string[];
  /** What the terminal's host answered, as ISO 8583 has it in field 39: 1 to 99. */
  readonly host: readonly number[];
  /** The terminal's own codes, hex. Source: PA00P015 13.08 chapter 10. */
  readonly terminal: readonly string[];
};

export const declineRows: readonly Row[] = [
  {
    group: 'sameCard',
    gateway: [
      ...[codes.issuerUnavailable, codes.formatError, codes.authenticationNeeded, codes.securityCodeWrong],
      ...[codes.timedOutPending, codes.timedOutReversed, codes.neverSentToAcquirer],
    ],
    host: [6, 19, 30, 68, 70, 81, 91, 92, 96],
    terminal: ['64', '65', '6C', '72', '73', '7B', '7C', '7E'],
  },
  { group: 'wrongPin', gateway: [codes.pinWrong], host: [55], terminal: [] },
  {
    group: 'callBank',
    gateway: [
      ...[codes.pinTriesUsedUp, codes.tooManyTries, codes.limitExceeded, codes.frequencyExceeded],
      ...[codes.withdrawalsExceeded, codes.notPermitted, codes.cardRestricted, codes.referToIssuer],
      ...[codes.accountBlocked, codes.cardBlocked],
    ],
    host: [1, 2, 57, 61, 62, 65, 75],
    terminal: ['EA'],
  },
  {
    group: 'shopLimit',
    gateway: [
      ...[codes.merchantLimitExceeded, codeGroups.riskRules, codeGroups.riskLists, codeGroups.riskPeriods],
      ...[codeGroups.riskLocations, codeGroups.riskCalendars],
    ],
    host: [],
    terminal: ['C3', 'C8', 'C9'],
  },
];

const isHex = /^[0-9A-F]{2}$/i;
/** Up to here a code of a ZVT terminal is its host's. */
const HOST_MOST = 0x63;

/** The group of a gateway's result code, `800.100.155`, or of a terminal's, `6C`. */
export const declineGroupOf = (code: string | undefined): DeclineGroup =>
  (code === undefined ? undefined : declineRows.find((row) => isIn(row, code)))?.group ?? 'otherCard';

const isIn = ({ gateway, host, terminal }: Row, code: string): boolean => {
  if (!isHex.test(code)) return gateway.some((start) => code.startsWith(start));
  const value = Number.parseInt(code, 16);
  return value <= HOST_MOST ? host.includes(value) : terminal.includes(code.toUpperCase());
};
