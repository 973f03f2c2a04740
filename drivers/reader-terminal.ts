/**
 * The terminal class of all card reader drivers, whatever their protocol: one long call at a time, a cancel for any
 * running call, a card that waits for the host's answer, and a device that ends idle whatever it refuses. The protocol
 * supplies the messages (`ReaderActions`). Below are the rules for cards that the drivers share.
 */
import { Fault, isFault } from '../src/base/fault.ts';
import { fromHex, overwrite } from '../src/base/hex.ts';
import { aesKsnUsesLeft } from '../src/emv/dukpt-aes.ts';
import { tdesKsnUsesLeft } from '../src/emv/dukpt-tdes.ts';
import { hasChip } from '../src/emv/tracks.ts';
import { takesStripePin } from './card-facts.ts';
import type { DriverTools } from './driver.ts';
import type {
  CardInterface,
  ChipVerdict,
  Encrypted,
  HostVerdict,
  KeyState,
  NotReadReason,
  Prompt,
  ReadOutcome,
  ReadRequest,
  Terminal,
  TerminalEvent,
  TerminalHealth,
  TerminalInfo,
} from './terminal.ts';

export type ReaderDevice = {
  readonly tools: DriverTools;
  /** Throws the Fault that ended the session, if one did. */
  check(): void;
  close(): Promise<void>;
};

/** One request for a card. */
export type CardReading = {
  readonly notify: (event: TerminalEvent) => void;
  /** Shrinks when an interface proves unusable with this card. */
  readonly accept: Set<CardInterface>;
  /** Whether the till no longer wants a card. */
  isCancelled(): boolean;
  /** Resolves when the device has acknowledged the stop, if it was waiting for something. */
  stop(reason: 'cancelledByTill'): Promise<void>;
};

/** A card that was read and waits at the device for the host's answer. */
export type WaitingCard = {
  complete(verdict: HostVerdict): Promise<ChipVerdict>;
  /** Ends the transaction without the host's answer. */
  drop(): Promise<unknown>;
};

/** What a protocol does for each call of the till. Only `stop` can run while another one does. */
export type ReaderActions<R extends CardReading> = {
  info: TerminalInfo;
  keys(): Promise<readonly KeyState[]>;
  health(): Promise<TerminalHealth>;
  echo(): Promise<unknown>;
  show(prompt: Prompt): Promise<unknown>;
  /** For devices that report an inserted card: waits for one. False after `withinMs`, or when it was stopped. */
  watchInsertion?(notify: R['notify']): { waitWithin(ms: number): Promise<boolean>; stop(): Promise<void> };
  /** Throws when no card can be requested this way; nothing is sent to the device yet. */
  startReading(request: ReadRequest, notify: R['notify']): R;
  read(startReading: R): Promise<{ outcome: ReadOutcome; waiting?: WaitingCard }>;
  waitForRemoval(withinMs: number): Promise<boolean>;
  /** Stops the device while it completes. */
  stop(): Promise<unknown>;
  /** Stops whatever the device may still be doing after it refused something. */
  quieten(): Promise<unknown>;
};

/** `greet` says hello and reads the device's information. Throws what `greet` throws; the link is closed then. */
export const openReader = async <D extends ReaderDevice, R extends CardReading>(
  device: D,
  greet: (device: D) => Promise<ReaderActions<R>>,
): Promise<Terminal> => {
  try {
    return new ReaderTerminal(device, await greet(device));
  } catch (error) {
    await device.close();
    throw error;
  }
};

type LongCall = 'present' | 'read' | 'complete' | 'removed';

class ReaderTerminal<R extends CardReading> implements Terminal {
  readonly present: Terminal['present'];
  readonly #device: ReaderDevice;
  readonly #reader: ReaderActions<R>;
  #running: { call: LongCall; stop: (() => Promise<unknown>) | undefined } | undefined;
  /** What the last read left: a card that waits for the host's answer, a card that is done, or nothing. */
  #left: WaitingCard | 'card' | undefined;

  constructor(device: ReaderDevice, reader: ReaderActions<R>) {
    this.#device = device;
    this.#reader = reader;
    if (reader.watchInsertion !== undefined) this.present = (withinMs, notify) => this.#present(withinMs, notify);
  }

  async info(): Promise<TerminalInfo> {
    return this.#reader.info;
  }

  async keys(): Promise<readonly KeyState[]> {
    this.#idle();
    return this.#reader.keys();
  }

  async health(): Promise<TerminalHealth> {
    this.#idle();
    return this.#reader.health();
  }

  async echo(): Promise<void> {
    this.#idle();
    await this.#reader.echo();
  }

  async show(prompt: Prompt): Promise<void> {
    this.#idle();
    await this.#reader.show(prompt);
  }

  async #present(withinMs: number, notify: R['notify']): Promise<boolean> {
    this.#idle();
    const watchInsertion = this.#reader.watchInsertion?.(notify);
    const run = async () => {
      await this.#drop();
      return (await watchInsertion?.waitWithin(withinMs)) ?? false;
    };
    return this.#during('present', run, watchInsertion?.stop);
  }

  async read(request: ReadRequest, notify: R['notify']): Promise<ReadOutcome> {
    this.#idle();
    const startReading = this.#reader.startReading(request, notify);
    const run = async () => {
      await this.#drop();
      const { outcome, waiting } = await this.#reader.read(startReading);
      this.#left = waiting ?? (outcome.kind === 'notRead' ? undefined : 'card');
      return outcome;
    };
    return this.#during('read', run, () => startReading.stop('cancelledByTill'));
  }

  async complete(verdict: HostVerdict): Promise<ChipVerdict> {
    this.#idle();
    const left = this.#left;
    this.#left = undefined;
    if (left === 'card') return { kind: 'none' };
    if (left === undefined) throw noCardRead();
    return this.#during(
      'complete',
      () => left.complete(verdict),
      () => this.#reader.stop(),
    );
  }

  async cancel(): Promise<void> {
    await (this.#running?.stop ?? (() => this.#drop()))();
  }

  async waitForRemoval(withinMs: number): Promise<boolean> {
    this.#idle();
    return this.#during('removed', () => this.#reader.waitForRemoval(withinMs));
  }

  close(): Promise<void> {
    return this.#device.close();
  }

  /** Throws `terminal.busy` while a card is being handled, and the fault that ended the session. */
  #idle(): void {
    this.#device.check();
    if (this.#running !== undefined) throw new Fault('terminal.busy', { command: this.#running.call });
  }

  /** Gives up the card that waits for the host's answer, if there is one. */
  async #drop(): Promise<void> {
    const left = this.#left;
    this.#left = undefined;
    if (left !== undefined && left !== 'card') await left.drop();
  }

  /** Runs one of the long calls. If the device refuses it, the device is stopped, so that it ends idle. */
  async #during<T>(call: LongCall, run: () => Promise<T>, stop?: () => Promise<unknown>): Promise<T> {
    this.#running = { call, stop };
    try {
      return await run();
    } catch (error) {
      this.#running = { call, stop: undefined };
      if (isFault(error, 'terminal.refused', 'terminal.unready', 'terminal.busy')) await this.#calm();
      throw error;
    } finally {
      this.#running = undefined;
    }
  }

  async #calm(): Promise<void> {
    try {
      await this.#reader.quieten();
    } catch (error) {
      if (error instanceof Fault) this.#device.tools.report(error);
    }
  }
}

/** The host answered for a card that was never read. */
const noCardRead = (): Fault =>
  new Fault('terminal.refused', { command: 'complete', status: '-', why: 'no card was read' });

export const notRead = (reason: NotReadReason): ReadOutcome => ({ kind: 'notRead', why: reason });

/** Only a typed card number is accepted. */
export const isTyped = ({ accept }: CardReading): boolean => accept.has('manual') && accept.size === 1;

/** A tap does not work with this card. Tells the customer what to do instead; false where no other way is left. */
export const suggestOtherWay = ({ accept, notify }: CardReading): boolean => {
  accept.delete('tap');
  if (!accept.has('chip') && !accept.has('swipe')) return false;
  notify(accept.has('chip') ? 'useChip' : 'useStripe');
  return true;
};

export type PinEntry = Encrypted | { why: NotReadReason };

/** The PIN that was entered. A PIN that is no longer wanted is overwritten. */
export const takeEntered = (startReading: CardReading, { data, ksn }: Encrypted): PinEntry => {
  if (!startReading.isCancelled()) startReading.notify('pinEntered');
  // Telling that the PIN was entered may cancel the sale at once.
  if (!startReading.isCancelled()) return { data, ksn };
  overwrite(data);
  return { why: 'cancelledByTill' };
};

/**
 * A magnetic stripe that was read. `chipFailed`: it replaces the card's chip. `takePin` asks the customer for the PIN.
 */
export type ReadStripe = {
  maskedPan: string;
  /** ISO/IEC 7813; undefined where the device masks it. */
  serviceCode: string | undefined;
  sred: readonly Encrypted[];
  chipFailed: boolean;
  pinKey: boolean;
  takePin(): Promise<PinEntry>;
};

/**
 * Decides whether a stripe may be used, and whether it requires a PIN. `again`: the card has a chip that was not tried.
 */
export const outcomeOfStripe = async (
  startReading: CardReading,
  stripe: ReadStripe,
): Promise<ReadOutcome | 'again'> => {
  const { maskedPan, serviceCode, sred, chipFailed } = stripe;
  startReading.notify('cardSwiped');
  const chipCard = serviceCode !== undefined && hasChip(serviceCode);
  if (chipCard && startReading.accept.has('chip') && !chipFailed) {
    startReading.notify('useChip');
    return 'again';
  }
  if (startReading.isCancelled()) return notRead('cancelledByTill');
  // Where the service code is masked, a swipe after a failed chip counts as that chip's card.
  const fallback = chipFailed && (chipCard || serviceCode === undefined);
  const card = { entryMode: fallback ? 'MAGSTRIPE_AS_FALLBACK' : 'MAGSTRIPE', maskedPan, sred } as const;
  if (!takesStripePin(serviceCode, stripe)) {
    return { kind: 'goOnline', card: { ...card, verification: 'signature' } };
  }
  const pin = await stripe.takePin();
  if ('why' in pin) return notRead(pin.why);
  return { kind: 'goOnline', card: { ...card, pin, verification: 'onlinePin' } };
};

/** Key serial numbers of twelve bytes belong to AES DUKPT, those of ten or eight to Triple DES, others to neither. */
export const usesLeftOf = (ksn: string | undefined): number | undefined => {
  const bytes = fromHex(ksn ?? '');
  if (bytes.length === 12) return aesKsnUsesLeft(bytes);
  return bytes.length === 10 || bytes.length === 8 ? tdesKsnUsesLeft(bytes) : undefined;
};
