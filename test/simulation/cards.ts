/** The cards of the simulated shop, each with marks in the data that a till must never store. */
import type { CardData } from '../../drivers/terminal.ts';
import { fromHex } from '../../src/base/hex.ts';

/** A mark in the encrypted account data; on the disk it may only be inside the queue's sealed messages. */
export const SRED_MARK = 'CAFED00DCAFED00D';
/** A mark in the encrypted PIN. It must never be on the disk. */
export const PIN_MARK = 'FACEFEEDFACEFEED';
/** A full card number, in data of faulty devices and hosts. It and its track must never be stored anywhere. */
export const PAN_MARK = '4761739001010010';
/** A gift card's number: only its last four digits may be stored. */
export const GIFT_MARK = 'GIFTCARD0SECRET77';
export const TRACK_MARK = `;${PAN_MARK}=25122011143878089?`;

const base: CardData = {
  entryMode: 'ICC',
  maskedPan: '476173******0010',
  sred: [{ data: fromHex(SRED_MARK.repeat(4)), ksn: 'FFFF9876543210E00001' }],
  icc: '9F2608112233445566778895050000000000',
  tvr: '0000000000',
  verification: 'none',
};
const pin = { data: fromHex(PIN_MARK), ksn: 'FFFF9876543210E00001' };

export const cards = {
  chip: base,
  tap: { ...base, entryMode: 'NFC_ICC' },
  stripe: { ...base, entryMode: 'MAGSTRIPE' },
  'chip with a PIN for the bank': { ...base, verification: 'onlinePin', pin },
  'chip that may hold its PIN': { ...base, mayHoldPin: true },
} as const satisfies Record<string, CardData>;

export type CardName = keyof typeof cards;

const shares: readonly CardName[] = [
  'chip',
  'chip',
  'chip',
  'tap',
  'tap',
  'tap',
  'stripe',
  'chip with a PIN for the bank',
  'chip that may hold its PIN',
];

export const cardOf = (number: number): CardName => shares[number % shares.length] ?? 'chip';
