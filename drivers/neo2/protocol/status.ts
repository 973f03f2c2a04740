/**
 * The status byte of a NEO 2 answer and what the driver makes of it. Sources: NEO 2 IDG 80139403-002, Status; the
 * vendor's SDK header IDTCommon.h (90, 91), and its logs of readers (90, A3).
 */

/**
 * `accepted` the device works on it and answers again; `online` a card wants its issuer asked; `cancelled` by its own
 * key; `keyless` there is no key that card data could be encrypted under.
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

/** The row of a status byte; one that is not known is a refusal. */
export const statusRow = (value: number): Row => rows[value] ?? { says: 'an unknown status', means: 'refused' };

export const statusText = (value: number): string => value.toString(16).toUpperCase().padStart(2, '0');
