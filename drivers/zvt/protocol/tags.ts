/**
 * The objects in ZVT's TLV container that are read or written here, and the values that stand for something.
 * Source: PA00P015 13.09, tags of the TLV container; 1F10 and 1F12 confirmed on public captures.
 */
import type { EntryMode } from '../../../src/emv/entry-mode.ts';
import type { Verification } from '../../terminal.ts';

export const tags = {
  textLines: '07',
  attribute: '09',
  zvtCommand: '0A',
  characterSet: '14',
  characterSets: '27',
  aid: '43',
  preferredName: '44',
  receiptType: '1F07',
  verification: '1F10',
  technology: '1F12',
  deviceName: '1F40',
  softwareVersion: '1F41',
  serialNumber: '1F42',
  printTexts: '25',
  permittedCommands: '26',
  paymentType: '2F',
  application: '60',
  deviceInformation: 'E4',
} as const;

/** Card technology, tag 1F12. */
export const entryModes: Readonly<Record<string, EntryMode>> = { '00': 'MAGSTRIPE', '01': 'ICC', '02': 'NFC_ICC' };

/** Cardholder authentication, tag 1F10. FF and unknown values say nothing. */
export const verifications: Readonly<Record<string, Verification>> = {
  '00': 'none',
  '01': 'signature',
  '02': 'onlinePin',
  '03': 'offlinePin',
  '04': 'offlinePin',
  '05': 'offlinePin',
  '06': 'offlinePin',
  '07': 'onlinePin',
};

/** Receipt type, tag 1F07. */
export const receiptTypes: Readonly<Record<string, 'merchant' | 'customer' | 'administration'>> = {
  '01': 'merchant',
  '02': 'customer',
  '03': 'administration',
};

/** Tag 09 of a text block's last object, bit 8: the receipt is complete. */
export const lastLine = 0x80;
