/**
 * The interface of every card reader that leaves the conversation with the host to the till. It knows cards and
 * devices, never sales.
 *
 * The order of a sale: `read` (events arrive meanwhile, `cancel` can overtake at any moment) → the caller asks the host
 * → `complete` with its answer → `waitForRemoval`. Each promise ends: with a value, or with a Fault of the link or the
 * device, within the driver's own deadlines. After a fault the terminal must be closed and opened again.
 */
import type { Money } from '../src/base/money.ts';
import { hasPinPad } from '../src/emv/device-models.ts';
import type { EntryMode } from '../src/emv/entry-mode.ts';

export type TerminalInfo = {
  /** The manufacturer's model, as the host API expects it in pos.deviceType. */
  model: string;
  /** Serial number; digits only are sent as pos.deviceId. */
  serial: string;
  firmware: string;
  /** Whether a PIN can be entered on it, according to its model or its PIN key. Absent where neither is conclusive. */
  hasPinPad?: boolean;
};

export type KeyState = {
  use: 'sred' | 'pin' | 'mac';
  /** The device's own name for the key slot, where it has several. */
  slot?: string;
  /** The current key serial number, hex, when the device reports it before use. */
  ksn?: string;
  /** How many transactions the key is still good for, when its serial number tells. */
  usesLeft?: number;
  ready: boolean;
};

export type TerminalHealth = {
  ok: boolean;
  /** Whole sentences for a person; empty when all is well. */
  problems: readonly string[];
  batteryPercent?: number;
  /** The device reports that it was opened. */
  tampered?: boolean;
  /** The device's clock minus the till's, in ms; positive when the device is ahead. */
  clockDifferenceMs?: number;
};

export type ReadRequest = {
  amount: Money;
  /** EMV transaction type, tag 9C. */
  kind: 'purchase' | 'refund';
  /** Wall time, ms since 1970 UTC; in the shop's time zone it becomes tags 9A and 9F21. */
  at: number;
  accept: readonly CardInterface[];
  /** How long the customer has to present a card. */
  withinMs: number;
};

export type CardInterface = 'chip' | 'tap' | 'swipe' | 'manual';

/**
 * Encrypted data, and in hex the serial number of the DUKPT key that encrypted it. The till passes it on unread. The
 * caller that received the card owns the bytes, and overwrites them when the sale is over.
 */
export type Encrypted = { data: Uint8Array; ksn: string };

/** How the customer was verified, from CVM results (9F34) or the device. */
export type Verification = 'onlinePin' | 'offlinePin' | 'signature' | 'device' | 'none';

export type CardData = {
  entryMode: EntryMode;
  /** First six digits, stars, last four. Never more. */
  maskedPan: string;
  /** Tag 5F34, decimal digits. */
  panSequence?: string;
  /**
   * The encrypted account data. Some devices send several, each with its own key serial number. The driver puts first
   * the one that holds number and expiry: a host request has room for one.
   */
  sred: readonly Encrypted[];
  /** The encrypted PIN when an online PIN was entered. Never stored, never logged, never converted to text. */
  pin?: Encrypted;
  /** The device puts a PIN among the encrypted account data without marking it: that data is never stored either. */
  mayHoldPin?: true;
  /** TLV hex for pos.iccDataRequest: only tags that carry no account data. */
  icc?: string;
  /** Hex, tag 84 or 4F. */
  aid?: string;
  /** Application preferred name or label, for the receipt. */
  label?: string;
  /** Application cryptogram as the receipt prints it. */
  cryptogram?: Cryptogram;
  /** Terminal verification results and transaction status information, hex. */
  tvr?: string;
  tsi?: string;
  verification: Verification;
};

export type Cryptogram = { kind: 'ARQC' | 'TC' | 'AAC'; value: string };

export type ReadOutcome =
  /** The issuer must be asked. */
  | { kind: 'goOnline'; card: CardData }
  /** The chip approved by itself: TC at the first GENERATE AC. */
  | { kind: 'approvedOffline'; card: CardData }
  /** The chip declined by itself: AAC at the first GENERATE AC. */
  | { kind: 'declinedOffline'; card: CardData }
  /** No card data was read; nothing can have been charged. */
  | { kind: 'notRead'; why: NotReadReason };

export type NotReadReason =
  | 'cancelledByTill'
  | 'cancelledByCustomer'
  | 'timedOut'
  | 'cardRemoved'
  | 'cardUnsupported'
  | 'cardUnreadable'
  | 'pinCancelled';

/** The host's decision, as the caller passes it to the card. */
export type HostVerdict =
  | { kind: 'approved'; icc?: string; arc?: string }
  | { kind: 'declined'; icc?: string; arc?: string }
  /** The issuer could not be reached: the chip decides (ARC Y3 requested). */
  | { kind: 'unableToGoOnline' };

/** What is known about the card at the end: for the receipt. */
export type FinalCardData = {
  cryptogram?: Cryptogram;
  tvr?: string;
  tsi?: string;
  /** Present where the device only now reports how the customer was verified. */
  verification?: Verification;
  aid?: string;
};

/** The card's decision. `icc` is TLV hex (9F26, 9F27, 95, 9B, 9F5B …), free of account data. */
export type ChipVerdict =
  | (FinalCardData & {
      kind: 'approved';
      icc: string;
      /** The final results where they come only as encrypted account data: what an offline approval sends. */
      sred?: Encrypted;
    })
  | (FinalCardData & { kind: 'declined'; icc: string })
  /** The card takes no part any more: a stripe, or a tap that is over. The host's decision stands. */
  | (FinalCardData & { kind: 'none' })
  /** The card was removed, or did not answer. It counts as a decline. */
  | { kind: 'gone' };

/** What happens at the terminal, for the till's screen. */
export type TerminalEvent =
  | 'presentCard'
  | 'cardInserted'
  | 'cardTapped'
  | 'cardSwiped'
  | 'reading'
  | 'useChip'
  | 'useStripe'
  | 'enterPin'
  | 'pinEntered'
  | 'authorising'
  | 'removeCard'
  | 'cardRemoved';

export type Prompt = 'welcome' | 'processing' | 'approved' | 'declined' | 'cancelled' | 'removeCard';

export interface Terminal {
  info(): Promise<TerminalInfo>;
  keys(): Promise<readonly KeyState[]>;
  health(): Promise<TerminalHealth>;
  /** Sends one harmless question and waits for its answer: measures the way to the device and back. */
  echo(): Promise<void>;
  /**
   * For devices that report an inserted card: waits for a card before the amount is known. Nothing is read from it.
   * True when one is there; false after `withinMs`, or when `cancel` was called. A later `read` finds the card in
   * place.
   */
  present?(withinMs: number, notify: (event: TerminalEvent) => void): Promise<boolean>;
  /** Reads one card. Only one call at a time. */
  read(request: ReadRequest, notify: (event: TerminalEvent) => void): Promise<ReadOutcome>;
  /** Passes the host's decision to the card that `read` returned. */
  complete(verdict: HostVerdict): Promise<ChipVerdict>;
  /** Overtakes any running call. Resolves when the device has acknowledged; the running call then ends by itself. */
  cancel(): Promise<void>;
  show(prompt: Prompt): Promise<void>;
  /** True when no card is in the slot, false when it still is after `withinMs`. */
  waitForRemoval(withinMs: number): Promise<boolean>;
  /** Never rejects. A running call ends with `link.lost`. */
  close(): Promise<void>;
}

// The word that distinguishes a simulated terminal from a real one. It is part of the model that the device reports.

const WORD = 'SIMULATED';

/** Whether the terminal reports, in its model or serial number, that it is simulated. */
export const isSimulated = ({ model, serial }: Pick<TerminalInfo, 'model' | 'serial'>): boolean =>
  `${model} ${serial}`.toUpperCase().includes(WORD);

/** The model with the word in front, where it cannot be cut off: devices truncate long names at the end. */
export const simulatedModelName = (model: string): string =>
  model.startsWith(WORD) ? model : [WORD, model].filter((part) => part !== '').join(' ');

// What a reader's driver reports about the PIN pad; pos.pinEntryCapability tells the issuer.

/** By the model's row. For an unknown model a usable PIN key proves a PIN pad; the lack of a key proves nothing. */
export const withPinPad = (info: TerminalInfo, pinKey: boolean): TerminalInfo => ({
  ...info,
  hasPinPad: hasPinPad(info.model) ?? (pinKey || undefined),
});
