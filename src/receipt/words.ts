/** The words of a receipt, one table each. Capitals: a thermal printer's small letters are hard to read. */
import type { CardFacts, Ending, Operation } from './facts.ts';

type OperationWords = {
  readonly name: string;
  /** What it means when it failed. */
  readonly failed: string;
  /** What nobody may do while it is unknown. */
  readonly unknown: string;
  /** What its approval means, where nobody would think so by itself. */
  readonly done?: string;
};

export const operations: Readonly<Record<Operation, OperationWords>> = {
  sale: { name: 'SALE', failed: 'NOT CHARGED', unknown: 'DO NOT CHARGE AGAIN' },
  refund: { name: 'REFUND', failed: 'NOT REFUNDED', unknown: 'DO NOT REFUND AGAIN' },
  void: {
    name: 'VOID',
    failed: 'NOT VOIDED, THE SALE STANDS',
    unknown: 'DO NOT VOID AGAIN',
    done: 'NOTHING IS CHARGED',
  },
  preauthorisation: {
    name: 'PRE-AUTHORISATION',
    failed: 'NOTHING RESERVED',
    unknown: 'DO NOT RESERVE AGAIN',
    done: 'RESERVED, NOT CHARGED',
  },
  credit: { name: 'CREDIT', failed: 'NOTHING PAID OUT', unknown: 'DO NOT PAY OUT AGAIN' },
  increment: {
    name: 'INCREMENT',
    failed: 'NOTHING MORE RESERVED',
    unknown: 'DO NOT RESERVE AGAIN',
    done: 'RESERVED, NOT CHARGED',
  },
  release: {
    name: 'RELEASE',
    failed: 'STILL RESERVED',
    unknown: 'DO NOT RELEASE AGAIN',
    done: 'NOTHING IS RESERVED ANY MORE',
  },
  completion: { name: 'COMPLETION', failed: 'NOT CHARGED', unknown: 'DO NOT CHARGE AGAIN' },
};

/** The cardholder verification line. An online PIN is verified only once the issuer has approved. */
export const verificationWords = (how: CardFacts['verification'], ending: Ending): string => {
  switch (how) {
    case 'onlinePin':
      return ending === 'approved' ? 'PIN VERIFIED' : 'PIN ENTERED';
    case 'offlinePin':
      return 'PIN VERIFIED';
    case 'signature':
      return 'SIGNATURE';
    case 'device':
      return 'DEVICE VERIFIED';
    case 'none':
      return 'NO VERIFICATION';
    case undefined:
      return '';
  }
};

/** Stands where the authorisation code would: no issuer has given one. */
export const offlineWords = {
  chip: 'OFFLINE, APPROVED BY THE CHIP',
  deferred: 'OFFLINE, SUBJECT TO AUTHORISATION',
  stored: 'OFFLINE, SUBJECT TO AUTHORISATION',
} as const;

/** Stands where APPROVED would, so that nobody takes the store's word for the issuer's. */
export const offlineResults = {
  chip: 'APPROVED OFFLINE',
  deferred: 'ACCEPTED OFFLINE',
  stored: 'ACCEPTED OFFLINE',
} as const;

export const copies = { merchant: 'MERCHANT COPY', customer: 'CUSTOMER COPY' } as const;
