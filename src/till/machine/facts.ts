/** What is known about a sale. All of it may be written down: nothing here is card data beyond the masked number. */
import type { CardData, LastWord } from '../../../drivers/terminal.ts';
import type { Money } from '../../base/money.ts';
import { isAid, safeText } from '../../emv/card-text.ts';
import type { Original } from './terminal-facts.ts';

/** What the cashier asked for, fixed before the first byte leaves. */
export type Intent = {
  /** 32 hex digits; it is the merchantTransactionId and names the sale everywhere. */
  readonly sale: string;
  readonly operation: Operation;
  /** Never written: what of the entry is of a newer version, and not known to this one. */
  readonly unread?: string;
  /** What is asked for, with the tip in it. */
  readonly amount: Money;
  /** How much of it is tip. */
  readonly tip?: Money;
  /** pos.terminalId and pos.transactionSequenceNumber: with the sale's id they make a repeated request recognisable. */
  readonly terminalId: string;
  readonly sequence: number;
  readonly receipt: number;
  /** The idempotency key of the request, the same on each try. */
  readonly key: string;
  /** Wall time, ms. */
  readonly at: number;
  /** Which gateway has it: an answer from another one says nothing about this sale. */
  readonly gateway: string;
  /** The terminal authorises by itself: the gateway never hears of this sale. */
  readonly by?: 'terminal';
  readonly follows?: Followed;
  /** Of a completion: the last one, after which the bank holds nothing any more (`sequence=FINAL`). */
  readonly final?: true;
  /** Of a completion, or of an increment before it: it was asked for as a tip. */
  readonly asTip?: true;
  /** Who is signed in at the till. */
  readonly cashier?: string;
  /** The cashier is a program: who stands for its key. Never on a customer's paper. */
  readonly program?: ProgramKey;
  /** The bill that this pays a part of. */
  readonly bill?: BillPart;
  /** The issuer may approve less than the amount; the rest is paid otherwise. */
  readonly partial?: true;
  /** The payment stores its card (createRegistration), unless it is made offline: the answer names the registration. */
  readonly storeCard?: true;
  /** Paid by a gift card: its number is typed or scanned, and no terminal takes part. Only its last four are kept. */
  readonly giftCard?: { readonly maskedNumber: string };
  /** Begun before the amount was known: 0 until the event `amountFixed`. */
  readonly amountLater?: true;
  /** Whoever asked for it named the request: the same name again is this sale, and no other. */
  readonly asked?: RequestFingerprint;
  /** Taken over from the gateway, by a journal that did not know it: what the gateway told is all that is known. */
  readonly learned?: { readonly card?: CardFacts };
  /** Where the shop says that it stands. */
  readonly location?: ShopLocation;
  /** Receipts of sales in doubt of the same amount: a person has said that this is another customer. */
  readonly again?: readonly number[];
  /** The unpaid sale whose money this asks for once more. */
  readonly chargesAgain?: { readonly sale: string; readonly receipt: number };
};

/** How a person ended an unpaid sale. */
export type UnpaidEnd = {
  readonly how: 'settledOtherwise' | 'writtenOff';
  readonly who: string;
  readonly role: string;
  readonly reason: string;
};

/** Who says how a sale ended, and why they may be believed. */
export type SaidBy = {
  readonly who: string;
  readonly role: string;
  readonly reason: string;
  readonly evidence: string;
};

export type Forced = Partial<SaidBy> & {
  /** That money moved as the sale asked for. */
  readonly charged: boolean;
  /** The gateway is still asked: its message stays in the queue, and its answer is compared. */
  readonly awaited?: true;
};

/** Who made a program's key, and which manager approved it, as it was when it sold. */
export type ProgramKey = { readonly madeBy?: string; readonly approvedBy?: string };

/** pos.location.*, as the host API writes it: degrees with 1 to 8 decimals, metres. */
export type ShopLocation = { readonly latitude: string; readonly longitude: string; readonly accuracy?: string };

/** `key` names a request, once for all times; `of` is a hash of all that was asked for under it. */
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

/** What an operation follows: the sale, and its payment id at the gateway, or its number at its terminal. */
export type Followed = {
  readonly sale: string;
  /** Empty while the sale itself waits to be sent: it is known when that was answered. */
  readonly payment: string;
  readonly receipt: number;
  /** At a terminal that authorises by itself: the device that has the payment, and what it is asked for. */
  readonly at?: { readonly device: string; readonly how: 'reverse' | 'refund' } & Original;
};

/** What may be kept of the card: no ciphertext, no PIN, no chip data. */
export type CardFacts = Omit<CardData, 'sred' | 'pin' | 'icc'> & {
  /** How many ciphertexts of the account the terminal gave, where it was not one: the first was sent. */
  readonly sredCount?: number;
};

/** Field by field: what a driver may add to its card data one day does not get here by itself. */
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

/** What the gateway said. */
export type HostAnswer = {
  readonly code: string;
  readonly description: string;
  /** The gateway's payment id. */
  readonly payment?: string;
  /** Under which the gateway stored the card, where the payment asked for it. */
  readonly registrationId?: string;
  readonly statusText?: string;
  readonly authorisationCode?: string;
  readonly identifier?: string;
  readonly merchantId?: string;
  readonly timestamp?: string;
  /** What was approved, where it is less than what was asked for. */
  readonly approved?: Money;
  /** The acquirer's own code (DE 39), and the scheme's advice on trying again: whether a decline may be repeated. */
  readonly response?: string;
  readonly advice?: string;
  /** What is left on a gift card. */
  readonly balance?: Money;
};

/** What the card said last: each key that is there stands in the place of what the card said first. */
export type ChipFacts = Readonly<LastWord>;

export const chipFacts = ({ cryptogram, tvr, tsi, verification, aid }: LastWord): ChipFacts => ({
  ...(cryptogram && { cryptogram }),
  ...(tvr !== undefined && { tvr }),
  ...(tsi !== undefined && { tsi }),
  ...(verification !== undefined && { verification }),
  ...(aid !== undefined && isAid(aid) && { aid }),
});

/** A payment as the gateway lists it. */
export type Listed = {
  readonly payment?: string;
  readonly paymentType?: string;
  readonly code?: string;
  readonly amount?: Money;
};

/** What was answered: what it means for the money, and the facts of it. Nothing of a card is in it. */
export type InquiryAnswer = {
  /** A meaning of the gateway's code, or why there is none: `notSent`, `silent`. */
  readonly said: string;
  readonly code?: string;
  readonly words?: string;
  readonly payments?: readonly Listed[];
};

export type Inquiry = {
  readonly whom: 'gateway' | 'terminal';
  /** search: by merchantTransactionId. reversal: take it back. request: the same once more. last: its last payment. */
  readonly what: 'search' | 'reversal' | 'request' | 'last';
  readonly heard: InquiryAnswer;
};
