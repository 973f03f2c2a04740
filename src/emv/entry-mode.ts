/** How the card was read, in the host API's terms (pos.entryMode, spec 2.34). */
export const entryModes = ['MANUAL', 'MAGSTRIPE', 'MAGSTRIPE_AS_FALLBACK', 'ICC', 'NFC_ICC', 'NFC_MAGSTRIPE'] as const;
export type EntryMode = (typeof entryModes)[number];

/** POS entry mode, EMV tag 9F39 and ISO 8583 DE 22: its two digits. */
export const entryModeDigits: Readonly<Record<EntryMode, string>> = {
  MANUAL: '01',
  MAGSTRIPE: '90',
  MAGSTRIPE_AS_FALLBACK: '80',
  ICC: '05',
  NFC_ICC: '07',
  NFC_MAGSTRIPE: '91',
};

/** Whether the card can be asked for a second GENERATE AC: only a contact chip is still in the reader then. */
export const hasSecondCryptogram = (mode: EntryMode): boolean => mode === 'ICC';
