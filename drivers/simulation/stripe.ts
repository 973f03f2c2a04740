/**
 * What a test card has on its stripe, and the track 2 equivalent on its chip: with the verification values of its
 * issuer.
 */
import { cvv } from '../../src/emv/cvv.ts';
import { pvv } from '../../src/emv/pvv.ts';
import type { TestCard } from '../../src/emv/test-cards.ts';
import { testKeys } from '../../src/emv/test-keys.ts';

/** Tracks with their sentinels, without a check character. */
export type Tracks = { track1: string; track2: string };

/** Behind the service code: PIN verification key index, PIN verification value, card verification value. */
const discretionary = (card: TestCard, serviceCode: string): string => {
  const { pan, expiry, pin } = card;
  const value = cvv({ cvk: testKeys.cvk, pan, expiry, serviceCode });
  return testKeys.pvki + pvv({ pvk: testKeys.pvk, pvki: testKeys.pvki, pin, pan }) + value;
};

/**
 * The discretionary data of the chip's track: an iCVV, made with service code 999, so that it cannot be copied to a
 * stripe.
 */
export const chipDiscretionary = (card: TestCard): string => discretionary(card, '999');

/** The stripe as encoded: ISO 7813 tracks 1 (format B) and 2 with the CVV. */
export const stripeOf = (card: TestCard): Tracks => {
  const { pan, expiry, serviceCode, holder } = card;
  const rest = `${expiry}${serviceCode}${discretionary(card, serviceCode)}`;
  return { track1: `%B${pan}^${holder}^${rest}?`, track2: `;${pan}=${rest}?` };
};

/** The check character that a reader passes on behind track 2: the XOR of all characters' values, as a character. */
export const track2Check = (track2: string): string =>
  String.fromCharCode([...track2].reduce((sum, each) => sum ^ (each.charCodeAt(0) - 0x30), 0) + 0x30);

/** Track 2 with the account hidden: first six, last four, expiry, service code and key index stay. */
export const maskTrack2 = (track2: string): string =>
  track2.replace(/(?<=^;\d{6})\d+(?=\d{4}=)|(?<==\d{8})\d*(?=\?$)/g, (hidden) => '*'.repeat(hidden.length));
