/** The status words of MPI and what the driver does about each. Source: the vendor's public SDK sources. */

/** Four hex digits. */
export type StatusWord = string;

/**
 * `fallback` the chip cannot be used and the stripe may be; `broken` the card cannot be used and the stripe may not;
 * `gone` no card is there; `noTap` the card or the amount wants another interface; `refused` the command was wrong.
 */
type Meaning =
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
  '6A88': { says: 'there is no such data', means: 'refused' },
  '9F0D': { says: 'the terminal failed inside', means: 'refused' },
  '9F0F': { says: 'a parameter is wrong', means: 'refused' },
  '9F14': { says: 'the data has a wrong format', means: 'refused' },
  '9F15': { says: 'a configuration file of the terminal is wrong', means: 'notReady' },
  '9F21': { says: 'the data is wrong', means: 'refused' },
  '9F22': { says: 'the terminal is not ready', means: 'notReady' },
  '9F23': { says: 'there is no card', means: 'gone' },
  '9F25': { says: 'the card does not work', means: 'broken' },
  '9F26': { says: 'the command is not allowed now', means: 'refused' },
  '9F27': { says: 'data is missing', means: 'refused' },
  '9F28': { says: 'the card is not supported', means: 'unsupported' },
  '9F2A': { says: 'the terminal lacks a configuration file', means: 'notReady' },
  '9F30': { says: 'the chip cannot be read', means: 'fallback' },
  '9F40': { says: 'the issuer’s public key is wrong', means: 'broken' },
  '9F41': { says: 'it was cancelled', means: 'cancelled' },
  '9F42': { says: 'nobody acted in time', means: 'timedOut' },
  '9F43': { says: 'a card was inserted instead', means: 'inserted' },
  '9F44': { says: 'a card was swiped instead', means: 'swiped' },
  '9F88': { says: 'a field that must be there is missing', means: 'refused' },
  '9FC1': { says: 'the card wants to be inserted or swiped', means: 'noTap' },
  '9FC2': { says: 'the card wants another way of reading', means: 'noTap' },
  '9FC3': { says: 'the card wants to be inserted', means: 'noTap' },
  '9FCF': { says: 'the contactless reader does not work', means: 'notReady' },
  '9FE0': { says: 'the terminal has no key for this', means: 'notReady' },
  '9FE1': { says: 'a parameter of the encryption is wrong', means: 'refused' },
  '9FE2': { says: 'there is nothing to encrypt', means: 'refused' },
  '9FE3': { says: 'the terminal cannot load its initial key', means: 'notReady' },
  '9FE4': { says: 'the terminal cannot load its key', means: 'notReady' },
  '9FE5': { says: 'the encryption failed', means: 'refused' },
  '9FE6': { says: 'the terminal could not write its answer', means: 'refused' },
  '9FED': { says: 'access is denied', means: 'refused' },
};

/** The row of a status word; one that is not known is a refusal. */
export const statusRow = (status: StatusWord): { says: string; means: Meaning } =>
  statusWords[status] ?? { says: 'an unknown status', means: 'refused' };
