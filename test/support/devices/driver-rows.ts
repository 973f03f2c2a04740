/** What every reader's driver is tested with on its simulated device: sales, customers, and the chip's completion. */
import type { Presentation } from '../../../drivers/simulation/simulator.ts';
import type { ChipVerdict, HostVerdict } from '../../../drivers/terminal.ts';
import type { TestCardName } from '../../../src/emv/test-cards.ts';

type SaleRow = [TestCardName, Presentation['by'], entryMode: string, verification: string, minor: bigint];

/** A card, how it is presented, and what is read from it. */
export const saleRows: readonly SaleRow[] = [
  ['visa-credit', 'chip', 'ICC', 'onlinePin', 9_900n],
  ['visa-debit', 'chip', 'ICC', 'onlinePin', 9_900n],
  ['visa-signature', 'chip', 'ICC', 'signature', 9_900n],
  ['visa-offline-pin', 'chip', 'ICC', 'offlinePin', 9_900n],
  ['mastercard-credit', 'chip', 'ICC', 'onlinePin', 9_900n],
  ['mastercard-m10', 'chip', 'ICC', 'none', 9_900n],
  ['visa-credit', 'tap', 'NFC_ICC', 'none', 5_000n],
  ['visa-credit', 'tap', 'NFC_ICC', 'onlinePin', 5_001n],
  ['mastercard-credit', 'tap', 'NFC_ICC', 'onlinePin', 9_900n],
  ['mastercard-tap', 'tap', 'NFC_ICC', 'none', 9_900n],
  ['visa-broken-chip', 'tap', 'NFC_ICC', 'signature', 9_900n],
  ['visa-tap-stripe', 'tap', 'NFC_MAGSTRIPE', 'none', 1_000n],
  ['visa-stripe', 'swipe', 'MAGSTRIPE', 'signature', 9_900n],
  ['mastercard-stripe', 'swipe', 'MAGSTRIPE', 'signature', 9_900n],
  // The chip is broken, so the stripe is swiped.
  ['visa-broken-chip', 'chip', 'MAGSTRIPE_AS_FALLBACK', 'signature', 9_900n],
  // A swiped chip card must use its chip.
  ['visa-credit', 'swipe', 'ICC', 'onlinePin', 9_900n],
];

/** What a customer with a good chip does instead of paying, and why nothing was read. */
export const customerRows: readonly [string, Omit<Presentation, 'card'>, string][] = [
  ['presses cancel', { by: 'tap', cancels: true }, 'cancelledByCustomer'],
  ['does nothing', { by: 'chip', never: true }, 'timedOut'],
  ['pulls the chip while it is read', { by: 'chip', pullsCardAt: 'read' }, 'cardRemoved'],
  ['cancels the PIN of a chip', { by: 'chip', pin: 'cancel' }, 'pinCancelled'],
  ['cancels the PIN of a tap', { by: 'tap', pin: 'cancel' }, 'pinCancelled'],
];

type IssuerData = 'genuine' | 'forged' | 'none';
type LastWordRow = [TestCardName, HostVerdict['kind'], IssuerData, ChipVerdict['kind']];

/** A card, the host's verdict and issuer data, and the chip's decision. */
export const lastWordRows: readonly LastWordRow[] = [
  ['visa-credit', 'approved', 'genuine', 'approved'],
  ['visa-credit', 'approved', 'forged', 'declined'],
  ['visa-credit', 'approved', 'none', 'approved'],
  ['visa-credit', 'declined', 'genuine', 'declined'],
  ['mastercard-credit', 'approved', 'genuine', 'approved'],
  ['mastercard-credit', 'approved', 'forged', 'declined'],
  ['visa-refusing-chip', 'approved', 'genuine', 'declined'],
  ['visa-strict', 'unableToGoOnline', 'none', 'declined'],
  ['visa-no-cvm', 'unableToGoOnline', 'none', 'approved'],
];

/** The verdict of such a row, from the issuer's genuine answer as TLV hex. */
export const verdictOf = (kind: HostVerdict['kind'], data: IssuerData, answer: string): HostVerdict => {
  if (kind === 'unableToGoOnline') return { kind };
  if (data === 'none') return { kind };
  return { kind, icc: data === 'forged' ? answer.replace(/(91..)(..)/, '$100') : answer };
};
