/**
 * The authentication value (CAVV, AAV) of the simulated issuers: made by their access control server, checked in their
 * authorisation. 20 bytes, 28 characters of base64: a mark, the status, six random bytes, and twelve bytes of an HMAC
 * over them, the card's first six and last four digits and the transaction. Its key is public, so the middle digits
 * must not enter the HMAC: they could be found by trying.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { concat } from '../../../base/hex.ts';

/** Public: anyone with this program can make these values, and they are worth nothing elsewhere. */
const TEST_KEY = Buffer.from('tillgate simulated access control server', 'utf8');
const MARK = 0x5d;
const SALT_BYTES = 6;
const MAC_BYTES = 12;
const statuses: Readonly<Record<string, number>> = { Y: 1, A: 2 };

type Verified = {
  /** The card's first six and last four digits, or the whole number. */
  number: string;
  dsTransID: string;
  status: string;
  random: (length: number) => Uint8Array;
};

export const createVerificationValue = ({ number, dsTransID, status, random }: Verified): string => {
  const head = concat(Uint8Array.of(MARK, statuses[status] ?? 0), random(SALT_BYTES));
  return Buffer.from(concat(head, macOf(head, number, dsTransID))).toString('base64');
};

const macOf = (head: Uint8Array, number: string, dsTransID: string): Uint8Array =>
  createHmac('sha256', TEST_KEY)
    .update(head)
    .update(`${maskNumber(number)} ${dsTransID}`)
    .digest()
    .subarray(0, MAC_BYTES);

const maskNumber = (number: string): string => number.slice(0, 6) + number.slice(-4);

/**
 * The issuer's verdict on the value sent with a payment. `genuine`: made here for this card and transaction; `forged`:
 * it bears our mark and was not; `foreign`: another issuer's, which cannot be checked; `none`: there is none.
 */
export const verify = (key: {
  number: string;
  verificationId: string | undefined;
  dsTransID: string | undefined;
}): 'genuine' | 'forged' | 'foreign' | 'none' => {
  const { number, verificationId, dsTransID = '' } = key;
  if (verificationId === undefined) return 'none';
  const bytes = new Uint8Array(Buffer.from(verificationId, 'base64'));
  if (bytes.length !== 2 + SALT_BYTES + MAC_BYTES || bytes[0] !== MARK) return 'foreign';
  const head = bytes.subarray(0, 2 + SALT_BYTES);
  return timingSafeEqual(macOf(head, number, dsTransID), bytes.subarray(2 + SALT_BYTES)) ? 'genuine' : 'forged';
};
