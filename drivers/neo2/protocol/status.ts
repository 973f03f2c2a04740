/**
 * The status byte of a NEO 2 answer and how the driver treats it. Sources: NEO 2 IDG 80139403-002, Status; the vendor's
 * SDK header IDTCommon.h (90, 91), and its logs of readers (90, A3).
 */

/**
 * `accepted`: the device is working and will answer again; `online`: a card asks for its issuer; `cancelled`: by its
 * own key; `keyless`: there is no key for encrypting card data.
 */
export type StatusMeaning =
  | 'ok'
  | 'online'
  | 'accepted'
  | 'refused'
  | 'unsupported'
  | 'timedOut'
  | 'failed'
  | 'cancelled'
  | 'keyless'
  | 'tampered';

type Row = { says: string; means: StatusMeaning };

const rows: Readonly<Record<number, Row>> = {
  0: { says: 'done', means: 'ok' },
  1: { says: 'the header is wrong', means: 'refused' },
  2: { says: 'the command is unknown', means: 'unsupported' },
  3: { says: 'the sub-command is unknown', means: 'unsupported' },
  4: { says: 'the checksum is wrong', means: 'refused' },
  5: { says: 'a parameter is wrong', means: 'refused' },
  6: { says: 'the parameter is not supported', means: 'unsupported' },
  7: { says: 'the data is malformed', means: 'refused' },
  8: { says: 'nobody acted in time', means: 'timedOut' },
  10: { says: 'it failed', means: 'failed' },
  11: { says: 'the command is not allowed now', means: 'refused' },
  12: { says: 'the sub-command is not allowed now', means: 'refused' },
  13: { says: 'the buffer is full', means: 'refused' },
  14: { says: 'the user interface had an event', means: 'failed' },
  17: { says: 'the kind of communication is wrong', means: 'refused' },
  18: { says: 'the secure interface does not work', means: 'refused' },
  19: { says: 'the data is not of whole blocks', means: 'refused' },
  29: { says: 'somebody opened the terminal', means: 'tampered' },
  35: { says: 'the card wants its issuer asked', means: 'online' },
  48: { says: 'the card wants its issuer asked', means: 'online' },
  96: { says: 'there is no list of applications', means: 'refused' },
  97: { says: 'the list of applications is full', means: 'refused' },
  98: { says: 'the memory of the terminal does not work', means: 'refused' },
  99: { says: 'the command was accepted', means: 'accepted' },
  144: { says: 'it has no key for card data', means: 'keyless' },
  145: { says: 'its key for card data is used up', means: 'keyless' },
  163: { says: 'the customer cancelled', means: 'cancelled' },
};

export const status = {
  ok: 0x00,
  badHeader: 0x01,
  unknownCommand: 0x02,
  unknownSub: 0x03,
  badCrc: 0x04,
  badParameter: 0x05,
  timedOut: 0x08,
  failed: 0x0a,
  notAllowed: 0x0b,
  tampered: 0x1d,
  online: 0x23,
  accepted: 0x63,
  noDataKey: 0x90,
  cancelled: 0xa3,
} as const;

/** The row of a status byte; an unknown one counts as a refusal. */
export const statusRow = (value: number): Row => rows[value] ?? { says: 'an unknown status', means: 'refused' };

export const statusText = (value: number): string => value.toString(16).toUpperCase().padStart(2, '0');

// Tag DFEE25: how a transaction step ended, and how the driver treats it. Sources: public test scripts and logs of the
// readers (0202, 0203, 3012, 3013), the result list of NEO 2 IDG 80139403-002, and that of the vendor's SDK header
// IDTCommon.h.

/**
 * `next`: the chip must be authenticated now; `stripe`: a swipe; `fallback`: a swipe because the chip failed;
 * `otherWay`: the card needs another interface; `gone`: there is no card; `unreachable`: the device was told that the
 * host could not be reached; `approvedAlone`: the host's answer was late, and the chip approved without it (8A is Y3).
 */
export type ResultMeaning =
  | 'approved'
  | 'declined'
  | 'online'
  | 'next'
  | 'stripe'
  | 'fallback'
  | 'referred'
  | 'notAccepted'
  | 'timedOut'
  | 'cancelled'
  | 'twoCards'
  | 'otherWay'
  | 'gone'
  | 'chipFailed'
  | 'stripeFailed'
  | 'approvedAlone'
  | 'unreachable';

type ResultRow = { says: string; means: ResultMeaning };

export const results: Readonly<Record<string, ResultRow>> = {
  '0000': { says: 'approved offline', means: 'approved' },
  '0001': { says: 'declined offline', means: 'declined' },
  '0002': { says: 'approved', means: 'approved' },
  '0003': { says: 'declined', means: 'declined' },
  '0004': { says: 'go online', means: 'online' },
  '0005': { says: 'call your bank', means: 'referred' },
  '0006': { says: 'the card is not accepted', means: 'notAccepted' },
  '0007': { says: 'the chip failed, use the stripe', means: 'fallback' },
  '0008': { says: 'nobody acted in time', means: 'timedOut' },
  '0009': { says: 'go online', means: 'online' },
  '0010': { says: 'the chip is started', means: 'next' },
  '0011': { says: 'the stripe was read', means: 'stripe' },
  '0012': { says: 'cancelled', means: 'cancelled' },
  '007A': { says: 'there are two cards', means: 'twoCards' },
  '007D': { says: 'the tap ended', means: 'otherWay' },
  '007E': { says: 'the tap ended', means: 'otherWay' },
  '00FF': { says: 'no host could be asked', means: 'unreachable' },
  '0202': { says: 'approved, the host did not answer', means: 'approvedAlone' },
  '0203': { says: 'declined, the host did not answer', means: 'declined' },
  '3001': { says: 'the chip failed', means: 'chipFailed' },
  '3002': { says: 'the chip failed', means: 'chipFailed' },
  '3003': { says: 'the chip did not answer', means: 'chipFailed' },
  '3004': { says: 'the chip failed', means: 'chipFailed' },
  '3007': { says: 'the stripe could not be read', means: 'stripeFailed' },
  '3012': { says: 'the stripe could not be read', means: 'stripeFailed' },
  '3013': { says: 'no card came in time', means: 'timedOut' },
  '5004': { says: 'no application is known here', means: 'notAccepted' },
  '5005': { says: 'none of its applications is known here', means: 'notAccepted' },
  '5009': { says: 'the card is not accepted', means: 'notAccepted' },
  '5021': { says: 'its service is not allowed', means: 'notAccepted' },
  '5023': { says: 'the card is blocked', means: 'notAccepted' },
  '5025': { says: 'the chip stopped answering', means: 'chipFailed' },
  '5032': { says: 'its application is not supported', means: 'notAccepted' },
  '3005': { says: 'there is no card', means: 'gone' },
  '3006': { says: 'no card came in time', means: 'timedOut' },
};

/** The code for this meaning that the simulated device sends. */
export const result = {
  approvedOffline: '0000',
  declinedOffline: '0001',
  approved: '0002',
  declined: '0003',
  online: '0004',
  notAccepted: '0006',
  approvedAlone: '0202',
  declinedAlone: '0203',
  fallback: '0007',
  started: '0010',
  stripe: '0011',
  cancelled: '0012',
  gone: '3005',
} as const;

/** The row of a two-byte code in hex; undefined for an undocumented one. */
export const resultRow = (code: string): ResultRow | undefined =>
  Object.hasOwn(results, code.padStart(4, '0')) ? results[code.padStart(4, '0')] : undefined;
