/** Chooses the words of a receipt by their keys in the table of texts, which are the same in any language. */
import type { EntryMode } from '../emv/entry-mode.ts';
import type { ReceiptWordKey } from '../locales/shopper/en.ts';
import type { ReceiptCard, ReceiptEnding, ReceiptFacts, ReceiptOperation } from './facts.ts';

type OperationWords = {
  readonly name: ReceiptWordKey;
  /** What a failed operation means. */
  readonly failed: ReceiptWordKey;
  /** What must not be done while the ending is unknown. */
  readonly unknown: ReceiptWordKey;
  /** What the approval means, where that is not obvious. */
  readonly done?: ReceiptWordKey;
};

export const operations: Readonly<Record<ReceiptOperation, OperationWords>> = {
  sale: { name: 'sale', failed: 'notCharged', unknown: 'doNotCharge' },
  refund: { name: 'refund', failed: 'notRefunded', unknown: 'doNotRefund' },
  void: { name: 'void', failed: 'notVoided', unknown: 'doNotVoid', done: 'nothingIsCharged' },
  preauthorisation: {
    name: 'preauthorisation',
    failed: 'nothingReserved',
    unknown: 'doNotReserve',
    done: 'reservedNotCharged',
  },
  credit: { name: 'credit', failed: 'nothingPaidOut', unknown: 'doNotPayOut' },
  increment: {
    name: 'increment',
    failed: 'nothingMoreReserved',
    unknown: 'doNotReserve',
    done: 'reservedNotCharged',
  },
  release: { name: 'release', failed: 'stillReserved', unknown: 'doNotRelease', done: 'nothingReservedAnyMore' },
  completion: { name: 'completion', failed: 'notCharged', unknown: 'doNotCharge' },
};

export const entryModes: Readonly<Record<EntryMode, ReceiptWordKey>> = {
  MANUAL: 'keyed',
  MAGSTRIPE: 'swiped',
  MAGSTRIPE_AS_FALLBACK: 'swipedChipFailed',
  ICC: 'chip',
  NFC_ICC: 'contactless',
  NFC_MAGSTRIPE: 'contactlessStripe',
};

/** The cardholder verification line. An online PIN is verified only once the issuer has approved. */
export const verificationKey = (
  how: ReceiptCard['verification'],
  ending: ReceiptEnding,
): ReceiptWordKey | undefined => {
  switch (how) {
    case 'onlinePin':
      return ending === 'approved' ? 'pinVerified' : 'pinEntered';
    case 'offlinePin':
      return 'pinVerified';
    case 'signature':
      return 'signature';
    case 'device':
      return 'deviceVerified';
    case 'none':
      return 'noVerification';
    case undefined:
      return undefined;
  }
};

type Offline = NonNullable<ReceiptFacts['offline']>;

/** Printed instead of the authorisation code: no issuer has given one. */
export const offlineWords: Readonly<Record<Offline, ReceiptWordKey>> = {
  chip: 'offlineByChip',
  deferred: 'offlineSubject',
  stored: 'offlineSubject',
};

/** Printed instead of APPROVED, so that nobody takes the store's decision for the issuer's. */
export const offlineResults: Readonly<Record<Offline, ReceiptWordKey>> = {
  chip: 'approvedOffline',
  deferred: 'takenOffline',
  stored: 'takenOffline',
};

/** The words that say who finds out about an unknown ending. */
export const asks: Readonly<Record<NonNullable<ReceiptFacts['asks']>, ReceiptWordKey>> = {
  bank: 'bankIsAsked',
  terminal: 'terminalIsAsked',
  store: 'storeLooks',
};

export const copies = { merchant: 'merchantCopy', customer: 'customerCopy' } as const;
export type Copy = keyof typeof copies;
