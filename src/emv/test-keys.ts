/**
 * The keys of the simulated world. All are published test keys or made from such patterns; none may meet a real card.
 * Simulated terminals and cards encrypt under them, the simulator acquirer's HSM holds the same ones.
 */
import { fromHex } from '../base/hex.ts';

export const testKeys = {
  /** Base derivation key of Triple DES DUKPT: ANSI X9.24-1 Annex A. */
  bdk: fromHex('0123456789ABCDEFFEDCBA9876543210'),
  /** Base derivation keys of AES DUKPT: that of the test vectors of ANSI X9.24-3, and the same twice for 256 bits. */
  bdkAes128: fromHex('FEDCBA9876543210F1F1F1F1F1F1F1F1'),
  bdkAes256: fromHex('FEDCBA9876543210F1F1F1F1F1F1F1F1FEDCBA9876543210F1F1F1F1F1F1F1F1'),
  /** Issuer master key for application cryptograms. */
  imkAc: fromHex('0123456789ABCDEFFEDCBA9876543210'),
  /** Issuer master key for script MACs (secure messaging, integrity). */
  imkSmi: fromHex('FEDCBA98765432100123456789ABCDEF'),
  /** Issuer master key for script encryption (secure messaging, confidentiality). */
  imkSmc: fromHex('89ABCDEF0123456776543210FEDCBA98'),
  /** PIN verification key and its index. */
  pvk: fromHex('0123456789ABCDEFFEDCBA9876543210'),
  pvki: '1',
  /** Card verification key pair for CVV, iCVV and CVV2. */
  cvk: fromHex('0123456789ABCDEFFEDCBA9876543210'),
} as const;
