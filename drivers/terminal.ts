/**
 * What every card reader that leaves the host talk to us gives the till. It knows cards and devices, never sales.
 *
 * The order of a sale: `read` (events come meanwhile, `cancel` may overtake at any moment) → the host is asked by the
 * caller → `complete` with its answer → `removed`. Each promise ends: with a value, or with a Fault of the link or the
 * device, within the driver's own deadlines. After a fault the terminal is to be closed and opened again.
 */
import type { Money } from '../src/base/money.ts';
import { hasPinPad } from '../src/emv/device-models.ts';
import type { EntryMode } from '../src/emv/entry-mode.ts';

export type TerminalInfo = {
  /** Manufacturer's model, as the host API's pos.deviceType wants it. */
  model: string;
  /** Serial number; digits only are sent as pos.deviceId. */
  serial: string;
  firmware: string;
  /** Whether a PIN can be entered at it, by its model or its PIN key. Absent where neither tells. */
  hasPinPad?: boolean;
};

export type KeyState = {
  use: 'sred' | 'pin' | 'mac';
  /** The device's own name for the place of the key, where it has several. */
  slot?: string;
  /** Current key serial number, hex, when the device tells it before use. */
  ksn?: string;
  /** Transactions that the key is still good for, when its serial number tells. */
  usesLeft?: number;
  ready: boolean;
};

export type TerminalHealth = {
  ok: boolean;
  /** Whole sentences for a person; empty when all is well. */
  problems: readonly string[];
  batteryPercent?: number;
  /** The device says that somebody opened it. */
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
 * Encrypted data, and in hex the serial number of the DUKPT key that they are under. The till passes them on unread.
 * The data are bytes of their own, which whoever got the card overwrites when the sale is over.
 */
export type Encrypted = { data: Uint8Array; ksn: string };

/** How the customer was verified, from CVM results (9F34) or the device. */
export type Verification = 'onlinePin' | 'offlinePin' | 'signature' | 'device' | 'none';

export type CardData = {
  entryMode: EntryMode;
  /** First six, stars, last four. Never more. */
  maskedPan: string;
  /** Tag 5F34, decimal digits. */
  panSequence?: string;
  /**
   * The encrypted account data. Some devices give several, each with its own key serial number; the first one holds
   * number and expiry, by the driver's rule: a host request has room for one.
   */
  sred: readonly Encrypted[];
  /** The encrypted PIN when an online PIN was entered. Never stored, never logged, never made a text. */
  pin?: Encrypted;
  /** The device puts a PIN among the encrypted account data and does not say so: then those are never stored either. */
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
  /** The issuer is to be asked. */
  | { kind: 'goOnline'; card: CardData }
  /** The chip said yes by itself: TC at the first GENERATE AC. */
  | { kind: 'approvedOffline'; card: CardData }
  /** The chip said no by itself: AAC at the first GENERATE AC. */
  | { kind: 'declinedOffline'; card: CardData }
  /** No card data came out; nothing can have been charged. */
  | { kind: 'notRead'; why: NotRead };

export type NotRead =
  | 'cancelledByTill'
  | 'cancelledByCustomer'
  | 'timedOut'
  | 'cardRemoved'
  | 'cardUnsupported'
  | 'cardUnreadable'
  | 'pinCancelled';

/** What the caller learned from the host, for the card. */
export type HostVerdict =
  | { kind: 'approved'; icc?: string; arc?: string }
  | { kind: 'declined'; icc?: string; arc?: string }
  /** Nobody could be asked: the chip decides (ARC Y3 asked for). */
  | { kind: 'unableToGoOnline' };

/** What is known of the card at its end: for the receipt. */
export type LastWord = {
  cryptogram?: Cryptogram;
  tvr?: string;
  tsi?: string;
  /** Where the device tells only now how the customer was verified. */
  verification?: Verification;
  aid?: string;
};

/** What the card made of it. `icc` is TLV hex (9F26, 9F27, 95, 9B, 9F5B …), free of account data. */
export type ChipVerdict =
  | (LastWord & {
      kind: 'approved';
      icc: string;
      /** The last word among encrypted account data, where nobody else can read it: what an offline approval sends. */
      sred?: Encrypted;
    })
  | (LastWord & { kind: 'declined'; icc: string })
  /** The card takes no part any more: stripe, or a tap that has left. The host's word stands. */
  | (LastWord & { kind: 'none' })
  /** The card was pulled, or did not answer. It counts as a refusal. */
  | { kind: 'gone' };

/** What happens at the terminal, for the screen of the till. */
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
  /** One harmless question and its answer: what the way to the device and back takes. */
  echo(): Promise<void>;
  /**
   * Where the device reports it: a card was put in before an amount is known. Nothing is read of it. True when one is
   * there; false after `withinMs`, or when `cancel` was called. A `read` after it finds the card where it is.
   */
  present?(withinMs: number, tell: (event: TerminalEvent) => void): Promise<boolean>;
  /** Takes one card. One at a time. */
  read(request: ReadRequest, tell: (event: TerminalEvent) => void): Promise<ReadOutcome>;
  /** Gives the host's word to the card that `read` returned. */
  complete(verdict: HostVerdict): Promise<ChipVerdict>;
  /** Overtakes whatever runs. Resolves when the device has acknowledged; the running call then ends by itself. */
  cancel(): Promise<void>;
  say(prompt: Prompt): Promise<void>;
  /** True when no card is in the slot, false when it still is after `withinMs`. */
  removed(withinMs: number): Promise<boolean>;
  /** Never rejects. A running call ends with `link.lost`. */
  close(): Promise<void>;
}

// The word by which a simulated terminal is told from a real one. It stands in the model that the device tells.

const WORD = 'SIMULATED';

/** Whether the terminal says that it is simulated: in its model, or in its serial number. */
export const isSimulated = ({ model, serial }: Pick<TerminalInfo, 'model' | 'serial'>): boolean =>
  `${model} ${serial}`.toUpperCase().includes(WORD);

/** The model with the word before it, which is never cut off: devices cut long names at their end. */
export const asSimulated = (model: string): string =>
  model.startsWith(WORD) ? model : [WORD, model].filter((part) => part !== '').join(' ');

// What a reader's driver tells of the PIN pad: pos.pinEntryCapability says it to the issuer.

/** By the model's row; of an unknown model a usable PIN key proves the pad, and the lack of one proves nothing. */
export const withPinPad = (info: TerminalInfo, pinKey: boolean): TerminalInfo => ({
  ...info,
  hasPinPad: hasPinPad(info.model) ?? (pinKey || undefined),
});
