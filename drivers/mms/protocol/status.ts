/**
 * How MMS requests end: a summary byte, then three bytes of detail.
 * Source: MagTek, DynaFlex family programmer's manual, "Messages", request status.
 */

/** Eight hex digits. */
export type Status = string;

/** Whether the request was carried out, runs, or failed: 00 done, 01 started, 40 and 41 the same with a warning. */
export const succeeded = (status: Status): boolean => /^[04][01]/.test(status);

/** What the driver does about a refusal. */
type Refusal = 'unready' | 'noTransaction' | 'busy' | 'unknown' | 'refused';

export const details: Readonly<Record<string, { says: string; means: Refusal }>> = {
  '000002': { says: 'it failed', means: 'refused' },
  '000016': { says: 'somebody opened the terminal', means: 'unready' },
  '010101': { says: 'the message failed', means: 'refused' },
  '010102': { says: 'the message is malformed', means: 'refused' },
  '010109': { says: 'it is offline: it was opened, or keys are missing', means: 'unready' },
  '010110': { says: 'no key is assigned for PINs', means: 'unready' },
  '010113': { says: 'it does not have this feature', means: 'unknown' },
  '020101': { says: 'a parameter is wrong', means: 'refused' },
  '020102': { says: 'a parameter is wrong', means: 'refused' },
  '020103': { says: 'the answer would be too long', means: 'refused' },
  '020119': { says: 'there is no such key', means: 'refused' },
  '02011A': { says: 'it is not secured', means: 'refused' },
  '02011B': { says: 'the passcode is wrong', means: 'refused' },
  '02011C': { says: 'it is locked', means: 'unready' },
  '020304': { says: 'no transaction runs', means: 'noTransaction' },
  '020305': { says: 'it cannot be cancelled now', means: 'refused' },
  '020308': { says: 'a transaction runs', means: 'busy' },
  '02030D': { says: 'the transaction is in another state', means: 'noTransaction' },
  '02030E': { says: 'PIN entry is in another state', means: 'refused' },
  '02030F': { says: 'a PIN is being entered', means: 'busy' },
  '020311': { says: 'a barcode is being read', means: 'busy' },
  '020315': { says: 'it is sounding', means: 'busy' },
  '020316': { says: 'the battery is nearly empty', means: 'unready' },
};

/** The row of a status; one that is not known is a refusal. */
export const statusRow = (status: Status): { says: string; means: Refusal } =>
  details[status.slice(2)] ?? { says: 'an unknown status', means: 'refused' };

/** The statuses that the simulated device answers with. */
export const statuses = {
  done: '00000000',
  started: '01000000',
  startedWarned: '41020316',
  malformed: '80010102',
  offline: '80010109',
  noFeature: '80010113',
  badParameter: '80020102',
  noKey: '80020119',
  noTransaction: '80020304',
  cannotCancel: '80020305',
  inProgress: '80020308',
  wrongState: '8002030D',
  lowBattery: '80020316',
} as const;
