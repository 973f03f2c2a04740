/** What a receipt is made from: the facts of a finished operation in the till's journal. */
import type { DisplayMode } from '../base/mode.ts';
import type { Money } from '../base/money.ts';
import type { EntryMode } from '../emv/entry-mode.ts';

export type ReceiptOperation =
  | 'sale'
  | 'preauthorisation'
  | 'credit'
  | 'refund'
  | 'void'
  | 'increment'
  | 'completion'
  | 'release';

/** The four endings. `declined` comes with a code of the terminal or gateway; `notSent` is proved. */
export type ReceiptEnding = 'approved' | 'declined' | 'notSent' | 'unknown';

/** How the customer was verified, according to the CVM results (9F34) or the device. */
type Verified = 'onlinePin' | 'offlinePin' | 'signature' | 'device' | 'none';

type Merchant = { name: string; address: readonly string[]; id: string; vat?: string };

/** The card, once one was read. There is no expiry date, because every scheme forbids it on receipts. */
export type ReceiptCard = {
  /** The card number, masked in any way; at most its last four digits are printed. */
  maskedPan: string;
  /** The application preferred name (9F12) or label (50), if it is printable. */
  label?: string;
  /** Printed when there is no label. */
  brand?: string;
  /** Unknown when a terminal authorised by itself and did not report it. */
  entryMode?: EntryMode;
  /** Unknown when the device did not report it. */
  verification?: Verified;
  /** Hex: AID (84 or 4F), TVR (95), TSI (9B), issuer application data (9F10). */
  aid?: string;
  tvr?: string;
  tsi?: string;
  iad?: string;
  /** The application cryptogram (9F26), hex, and its kind from 9F27. */
  cryptogram?: { kind: 'ARQC' | 'TC' | 'AAC'; value: string };
};

export type ReceiptFacts = {
  /** Whether real money moved: every mode except `live` is marked. */
  mode: DisplayMode;
  merchant: Merchant;
  terminalId: string;
  receiptNumber: string;
  batch?: string;
  /** When it happened, ms since 1970 UTC, and the store's time zone then, in minutes east of UTC. */
  at: number;
  zoneMinutes: number;
  operation: ReceiptOperation;
  /** The receipt that a refund, void or completion follows. */
  originalReceiptNumber?: string;
  /** The name signed in at the till. */
  cashier?: string;
  /** The approved amount, or the requested one if nothing was approved; includes the tip. */
  amount: Money;
  /** The tip in it. Unknown after a partial approval. */
  tip?: Money;
  /** The requested amount, when the issuer approved less. */
  requested?: Money;
  /** The bill that this pays part of, and what was left of it after this payment. */
  bill?: { total: Money; left: Money };
  /** Until when the bank holds a pre-authorised amount for the store, ms. */
  heldUntil?: number;
  /** The total amount held after an increment. */
  heldInAll?: Money;
  /** The balance of a gift card. */
  balance?: Money;
  card?: ReceiptCard;
  /** The issuer's own code. Printed only on payments approved online. */
  authorisationCode?: string;
  traceNumber?: string;
  ending: ReceiptEnding;
  /**
   * Set while no issuer has answered: `chip`, the card approved offline; `deferred`, the store took the risk; `stored`,
   * a follow-up that is sent later.
   */
  offline?: 'chip' | 'deferred' | 'stored';
  /** Who is being asked about an unknown ending; the bank if absent. */
  asks?: 'bank' | 'terminal' | 'store';
  /** For a void: the sale was not sent and never will be. */
  neverSent?: boolean;
  /** The host's pos.statusText (specification 2.34), printed instead of approved or declined. */
  statusText?: string;
  /** Why it was not approved, in words for the customer. */
  reason?: string;
  /** What a terminal that authorised by itself wants printed, instead of the rows about the card. */
  slip?: { customer: readonly string[]; merchant: readonly string[] };
  /** A reversal was acknowledged, so the approval no longer holds. */
  reversed?: boolean;
  /** The text by which a scanner finds this sale for a refund: a QR code on the customer's copy. */
  code?: string;
};
