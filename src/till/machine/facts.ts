/** What is known about a sale. All of it may be stored: the only card data here is the masked number. */
import type { CardData, FinalCardData } from '../../../drivers/terminal.ts';
import type { Money } from '../../base/money.ts';
import { isAid, safeText } from '../../emv/card-text.ts';
import type { Original } from './terminal-facts.ts';

/** What the cashier asked for, fixed before the first byte is sent. */
export type Intent = {
  /** 32 hex digits; it is the merchantTransactionId and identifies the sale everywhere. */
  readonly sale: string;
  readonly operation: Operation;
  /** Never written: the part of the entry that is of a newer version and unknown to this one. */
  readonly unread?: string;
  /** The requested amount, including the tip. */
  readonly amount: Money;
  /** How much of it is tip. */
  readonly tip?: Money;
  /** pos.terminalId and pos.transactionSequenceNumber: with the sale's id they identify a repeated request. */
  readonly terminalId: string;
  readonly sequence: number;
  readonly receipt: number;
  /** The idempotency key of the request, the same for each try. */
  readonly key: string;
  /** Wall time, ms. */
  readonly at: number;
  /** The gateway that has the sale: an answer from another gateway says nothing about it. */
  readonly gateway: string;
  /** The terminal authorises by itself: the gateway never receives this sale. */
  readonly by?: 'terminal';
  readonly follows?: FollowedSale;
  /** For a completion: the last one, after which the bank holds nothing (`sequence=FINAL`). */
  readonly final?: true;
  /** For a completion, or an increment before it: it was requested as a tip. */
  readonly asTip?: true;
  /** Who is signed in at the till. */
  readonly cashier?: string;
  /** Who is responsible for the program's key, if the cashier is a program. Never on a customer's receipt. */
  readonly program?: ProgramKey;
  readonly bill?: BillPart;
  /** The issuer may approve less than the amount; the rest is paid by other means. */
  readonly partial?: true;
  /** The payment stores its card (createRegistration), unless it is made offline: the answer has the registration. */
  readonly storeCard?: true;
  /** Paid by gift card: its number is typed or scanned, without a terminal. Only its last four characters are kept. */
  readonly giftCard?: { readonly maskedNumber: string };
  /** The sale began before its amount was known: the amount is 0 until the event `amountFixed`. */
  readonly amountLater?: true;
  /** The requester's key: a request that repeats it means this sale and begins no other. */
  readonly asked?: RequestFingerprint;
  /** Taken over from the gateway by a journal that did not know it: only the gateway's data is known. */
  readonly learned?: { readonly card?: CardFacts };
  readonly location?: ShopLocation;
  /** Receipts of unresolved sales with the same amount: a person confirmed that this is another customer. */
  readonly again?: readonly number[];
  /** The unpaid sale whose money this one charges again. */
  readonly chargesAgain?: { readonly sale: string; readonly receipt: number };
};

/** How a person ended an unpaid sale. */
export type UnpaidEnd = {
  readonly how: 'settledOtherwise' | 'writtenOff';
  readonly who: string;
  readonly role: string;
  readonly reason: string;
};

/** Who says how a sale ended, and why they can be believed. */
export type Attestation = {
  readonly who: string;
  readonly role: string;
  readonly reason: string;
  readonly evidence: string;
};

export type ForcedEnding = Partial<Attestation> & {
  /** Whether the money moved as the sale requested. */
  readonly charged: boolean;
  /** The gateway is still being asked: its message stays in the queue, and its answer is compared. */
  readonly awaited?: true;
};

/** Who made a program's key, and which manager approved it, at the time of the sale. */
export type ProgramKey = { readonly madeBy?: string; readonly approvedBy?: string };

/** pos.location.*, in the format of the host API: degrees with 1 to 8 decimals, metres. */
export type ShopLocation = { readonly latitude: string; readonly longitude: string; readonly accuracy?: string };

/** `key` identifies a request for all time; `of` is a hash of everything requested under it. */
export type RequestFingerprint = { readonly key: string; readonly of: string };

/**
 * sale DB, preauthorisation PA, credit CD (without an earlier payment): each begins with a card.
 * refund RF, void RV of a sale, increment PA, completion CP, release RV of a preauthorisation: each follows a payment.
 */
export type Operation =
  | 'sale'
  | 'preauthorisation'
  | 'credit'
  | 'refund'
  | 'void'
  | 'increment'
  | 'completion'
  | 'release';

/** One of several payments for one bill: split tender, or the rest after a partial approval. */
export type BillPart = {
  /** 32 hex digits: the sale id of the bill's first payment. */
  readonly id: string;
  readonly total: Money;
};

/** The sale that an operation follows, and its payment id at the gateway or number at its terminal. */
export type FollowedSale = {
  readonly sale: string;
  /** Empty while the sale itself waits to be sent: the id is known once the gateway has answered. */
  readonly payment: string;
  readonly receipt: number;
  /** At a terminal that authorises by itself: the device that has the payment, and what is asked of it. */
  readonly at?: { readonly device: string; readonly how: 'reverse' | 'refund' } & Original;
};

/** The card data that may be kept: no ciphertext, no PIN, no chip data. */
export type CardFacts = Omit<CardData, 'sred' | 'pin' | 'icc'> & {
  /** How many ciphertexts of the account the terminal sent, if not one: the first was used. */
  readonly sredCount?: number;
};

/** Field by field, so that a field that a driver adds to its card data later is not kept by accident. */
export const cardFacts = ({
  entryMode,
  maskedPan,
  panSequence,
  aid,
  label,
  cryptogram,
  tvr,
  tsi,
  verification,
  mayHoldPin,
  sred,
}: CardData): CardFacts => ({
  entryMode,
  maskedPan: safeText(maskedPan),
  verification,
  panSequence: panSequence === undefined ? undefined : safeText(panSequence, 2),
  aid: aid !== undefined && isAid(aid) ? aid : undefined,
  label: label === undefined ? undefined : safeText(label, 16),
  cryptogram,
  tvr,
  tsi,
  mayHoldPin,
  sredCount: sred.length === 1 ? undefined : sred.length,
});

export type HostAnswer = {
  readonly code: string;
  readonly description: string;
  /** The gateway's payment id. */
  readonly payment?: string;
  /** The gateway's id of the stored card, if the payment asked to store it. */
  readonly registrationId?: string;
  readonly statusText?: string;
  readonly authorisationCode?: string;
  readonly identifier?: string;
  readonly merchantId?: string;
  readonly timestamp?: string;
  /** The approved amount, if it is less than requested. */
  readonly approved?: Money;
  /** The acquirer's own code (DE 39), and the scheme's retry advice: whether a declined payment may be repeated. */
  readonly response?: string;
  readonly advice?: string;
  /** The remaining balance of a gift card. */
  readonly balance?: Money;
};

/** The card's final data: each key that is present replaces the card's first value. */
export type ChipFacts = Readonly<FinalCardData>;

export const chipFacts = ({ cryptogram, tvr, tsi, verification, aid }: FinalCardData): ChipFacts => ({
  ...(cryptogram && { cryptogram }),
  ...(tvr !== undefined && { tvr }),
  ...(tsi !== undefined && { tsi }),
  ...(verification !== undefined && { verification }),
  ...(aid !== undefined && isAid(aid) && { aid }),
});

export type Listed = {
  readonly payment?: string;
  readonly paymentType?: string;
  readonly code?: string;
  readonly amount?: Money;
};

/** An answer: its meaning for the money, and its facts. It contains no card data. */
export type InquiryAnswer = {
  /** The meaning of the gateway's code, or why there is none: `notSent`, `silent`. */
  readonly said: string;
  readonly code?: string;
  readonly words?: string;
  readonly payments?: readonly Listed[];
};

export type Inquiry = {
  readonly whom: 'gateway' | 'terminal';
  /** search: by merchantTransactionId. reversal: reverse it. request: send the same again. last: its last payment. */
  readonly what: 'search' | 'reversal' | 'request' | 'last';
  readonly heard: InquiryAnswer;
};
