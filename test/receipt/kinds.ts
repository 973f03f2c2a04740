/** Every kind of receipt that a till prints, by name. */
import type { ReceiptCard, ReceiptFacts } from '../../src/receipt/facts.ts';
import { card, sale } from './sample.ts';

const eur = (minor: bigint) => ({ minor, currency: 'EUR' });
const DAY_MS = 86_400_000;
const follows: Partial<ReceiptFacts> = {
  card: { maskedPan: card.maskedPan, aid: 'A0000000031010', label: 'VISA DEBIT' },
  originalReceiptNumber: '000398',
};
const withCard = (change: Partial<ReceiptCard>): Partial<ReceiptFacts> => ({ card: { ...card, ...change } });
const { authorisationCode: _, ...unauthorised } = sale;
const stripe: ReceiptCard = {
  maskedPan: card.maskedPan,
  brand: 'VISA',
  entryMode: 'MAGSTRIPE',
  verification: 'signature',
};

const approved: Record<string, Partial<ReceiptFacts>> = {
  'chip, online PIN': {},
  'chip, offline PIN': withCard({ verification: 'offlinePin' }),
  'chip, signature': withCard({ verification: 'signature' }),
  'chip, no verification': withCard({ verification: 'none' }),
  tap: withCard({ entryMode: 'NFC_ICC', verification: 'none' }),
  'tap with a phone': withCard({ entryMode: 'NFC_ICC', verification: 'device' }),
  'tap, stripe data': withCard({ entryMode: 'NFC_MAGSTRIPE', verification: 'signature' }),
  swipe: { card: stripe },
  'swipe after a broken chip': { card: { ...stripe, entryMode: 'MAGSTRIPE_AS_FALLBACK' } },
  keyed: { card: { ...stripe, entryMode: 'MANUAL', verification: 'none' } },
  'sale with a tip': { amount: eur(5_500n), tip: eur(500n), cashier: 'Anna' },
  'a part approved': { requested: eur(6_000n), amount: eur(4_000n), bill: { total: eur(6_000n), left: eur(2_000n) } },
  'the rest of a bill': { amount: eur(2_000n), bill: { total: eur(6_000n), left: eur(0n) } },
  refund: { operation: 'refund', originalReceiptNumber: '000398' },
  void: { ...follows, operation: 'void' },
  'pre-authorisation': { operation: 'preauthorisation', heldUntil: sale.at + 7 * DAY_MS },
  increment: { ...follows, operation: 'increment', heldInAll: eur(12_000n), heldUntil: sale.at + 7 * DAY_MS },
  completion: { ...follows, operation: 'completion', tip: eur(100n) },
  release: { ...follows, operation: 'release' },
  credit: { operation: 'credit' },
  'gift card': { card: { maskedPan: '************4321', label: 'GIFT CARD' }, balance: eur(1_050n) },
  'slip of an integrated terminal': {
    slip: { customer: ['  K-U-N-D-E-N-B-E-L-E-G', 'girocard', 'Genehmigung 123456'], merchant: ['HÄNDLERBELEG'] },
  },
  forced: { reason: 'A person said so (forced by the manager)' },
};

const otherwise: Record<string, Partial<ReceiptFacts>> = {
  declined: { ending: 'declined', reason: 'Not enough money' },
  'declined, PIN': { ending: 'declined' },
  'cancelled before a card': { ending: 'notSent', reason: 'Cancelled by the customer' },
  unknown: { ending: 'unknown' },
  'unknown at the terminal': { ending: 'unknown', asks: 'terminal' },
  'offline, by the chip': { offline: 'chip', ...withCard({ cryptogram: { kind: 'TC', value: '0123456789ABCDEF' } }) },
  'offline, deferred': {
    offline: 'deferred',
    ...withCard({ cryptogram: { kind: 'ARQC', value: '0123456789ABCDEF' } }),
  },
  'offline, signature': { offline: 'deferred', ...withCard({ verification: 'signature' }) },
  'stored completion': { ...follows, operation: 'completion', offline: 'stored' },
  'void of a sale that was never sent': { ...follows, operation: 'void', neverSent: true },
  reversed: { reversed: true, reason: 'The card was pulled out' },
};

/** `forwarded`: an offline sale that the bank has answered has an ordinary receipt. */
export const receiptKinds: Readonly<Record<string, ReceiptFacts>> = {
  ...Object.fromEntries(Object.entries(approved).map(([name, facts]) => [name, { ...sale, ...facts }])),
  ...Object.fromEntries(Object.entries(otherwise).map(([name, facts]) => [name, { ...unauthorised, ...facts }])),
  'cancelled before a card': (() => {
    const { card: _card, ...without } = unauthorised;
    return { ...without, ending: 'notSent', reason: 'Cancelled by the customer' } as const;
  })(),
};
