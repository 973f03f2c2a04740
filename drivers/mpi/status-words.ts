/** The status words of MPI and what the driver does about each. Source: the vendor's public SDK sources. */

/** Four hex digits. */
export type StatusWord = string;

/**
 * `fallback` the chip cannot be used and the stripe may be; `broken` the card cannot be used and the stripe may not;
 * `gone` no card is there; `noTap` the card or the amount wants another interface; `refused` the command was wrong.
 */
export type Meaning =
  | 'ok'
  | 'refused'
  | 'notReady'
  | 'gone'
  | 'broken'
  | 'fallback'
  | 'unsupported'
  | 'cancelled'
  | 'timedOut'
  | 'inserted'
  | 'swiped'
  | 'noTap';

export const statusWords: Readonly<Record<StatusWord, { says: string; means: Meaning }>> = {
  '9000': { says: 'done', means: 'ok' },
  '9F0F': { says: 'a parameter is wrong', means: 'refused' },
  '9F14': { says: 'the data has a wrong format', means: 'refused' },
  '9F21': { says: 'the data is wrong', means: 'refused' },
  '9F22': { says: 'the terminal is not ready', means: 'notReady' },
  '9F23': { says: 'there is no card', means: 'gone' },
  '9F25': { says: 'the card does not work', means: 'broken' },
  '9F26': { says: 'the command is not allowed now', means: 'refused' },
  '9F27': { says: 'data is missing', means: 'refused' },
  '9F28': { says: 'the card is not supported', means: 'unsupported' },
  '9F30': { says: 'the chip cannot be read', means: 'fallback' },
  '9F40': { says: 'the issuer’s public key is wrong', means: 'broken' },
  '9F41': { says: 'it was cancelled', means: 'cancelled' },
  '9F42': { says: 'nobody tapped a card in time', means: 'timedOut' },
  '9F43': { says: 'a card was inserted instead', means: 'inserted' },
  '9F44': { says: 'a card was swiped instead', means: 'swiped' },
  '9FC1': { says: 'the card wants to be inserted or swiped', means: 'noTap' },
  '9FC2': { says: 'the card wants another way of reading', means: 'noTap' },
  '9FC3': { says: 'the card wants to be inserted', means: 'noTap' },
  '9FCF': { says: 'the contactless reader does not work', means: 'notReady' },
  '9FE0': { says: 'the terminal has no PIN key', means: 'notReady' },
};

/** The row of a status word; one that is not known is a refusal. */
export const statusRow = (status: StatusWord): { says: string; means: Meaning } =>
  statusWords[status] ?? { says: 'an unknown status', means: 'refused' };
