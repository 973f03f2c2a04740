/**
 * What a card reader's driver gives the till, whatever its protocol: one long call at a time, a cancel for whatever
 * runs, a card that waits for the host's word, and a device that ends idle whatever it refuses. What the calls say to
 * the device is given (`ReaderActions`). Behind it stand the rules of a card that the drivers share.
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
  NotRead,
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

/** One card asked for. */
export type CardReading = {
  readonly tell: (event: TerminalEvent) => void;
  /** Shrinks when an interface turns out to be of no use with this card. */
  readonly accept: Set<CardInterface>;
  /** Whether the till wants no card any more. */
  cancelled(): boolean;
  /** Resolves when the device has acknowledged, if it waits for something. */
  stop(why: 'cancelledByTill'): Promise<void>;
};

/** A card that was read and waits at the device for the host's word. */
export type WaitingCard = {
  complete(verdict: HostVerdict): Promise<ChipVerdict>;
  /** Ends its transaction without the host's word. */
  drop(): Promise<unknown>;
};

/** What a protocol says for each call of the till. None runs while another does, but `stop`. */
export type ReaderActions<R extends CardReading> = {
  info: TerminalInfo;
  keys(): Promise<readonly KeyState[]>;
  health(): Promise<TerminalHealth>;
  echo(): Promise<unknown>;
  say(prompt: Prompt): Promise<unknown>;
  /** Where the device reports a card that is put in: waits for one. False after `withinMs`, or when it was stopped. */
  insertion?(tell: R['tell']): { within(ms: number): Promise<boolean>; stop(): Promise<void> };
  /** Throws for what no card can be asked for; the device hears nothing yet. */
  reading(request: ReadRequest, tell: R['tell']): R;
  read(reading: R): Promise<{ outcome: ReadOutcome; waiting?: WaitingCard }>;
  removed(withinMs: number): Promise<boolean>;
  /** Stops the device while it completes. */
  stop(): Promise<unknown>;
  /** Stops whatever a device may still be doing that has refused something. */
  calm(): Promise<unknown>;
};

/** `greet` says hello and reads what the device is. Throws what it throws; the link is closed then. */
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
  /** What the last read left behind: a card that waits for the host's word, one without a say, or nothing. */
  #left: WaitingCard | 'card' | undefined;

  constructor(device: ReaderDevice, reader: ReaderActions<R>) {
    this.#device = device;
    this.#reader = reader;
    if (reader.insertion !== undefined) this.present = (withinMs, tell) => this.#present(withinMs, tell);
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

  async say(prompt: Prompt): Promise<void> {
    this.#idle();
    await this.#reader.say(prompt);
  }

  async #present(withinMs: number, tell: R['tell']): Promise<boolean> {
    this.#idle();
    const insertion = this.#reader.insertion?.(tell);
    const run = async () => {
      await this.#drop();
      return (await insertion?.within(withinMs)) ?? false;
    };
    return this.#during('present', run, insertion?.stop);
  }

  async read(request: ReadRequest, tell: R['tell']): Promise<ReadOutcome> {
    this.#idle();
    const reading = this.#reader.reading(request, tell);
    const run = async () => {
      await this.#drop();
      const { outcome, waiting } = await this.#reader.read(reading);
      this.#left = waiting ?? (outcome.kind === 'notRead' ? undefined : 'card');
      return outcome;
    };
    return this.#during('read', run, () => reading.stop('cancelledByTill'));
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

  async removed(withinMs: number): Promise<boolean> {
    this.#idle();
    return this.#during('removed', () => this.#reader.removed(withinMs));
  }

  close(): Promise<void> {
    return this.#device.close();
  }

  /** Throws `terminal.busy` while a card is being dealt with, and whatever ended the session. */
  #idle(): void {
    this.#device.check();
    if (this.#running !== undefined) throw new Fault('terminal.busy', { command: this.#running.call });
  }

  /** Gives up the card that waits for the host's word, if one does. */
  async #drop(): Promise<void> {
    const left = this.#left;
    this.#left = undefined;
    if (left !== undefined && left !== 'card') await left.drop();
  }

  /** Runs one of the long calls. One that the device refused is stopped, so that the device ends idle. */
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
      await this.#reader.calm();
    } catch (why) {
      if (why instanceof Fault) this.#device.tools.report(why);
    }
  }
}

/** The host's word for a card that is not there. */
const noCardRead = (): Fault =>
  new Fault('terminal.refused', { command: 'complete', status: '-', why: 'no card was read' });

export const notRead = (why: NotRead): ReadOutcome => ({ kind: 'notRead', why });

/** The card's number is to be typed, and nothing else is accepted. */
export const isTyped = ({ accept }: CardReading): boolean => accept.has('manual') && accept.size === 1;

/** The tap is of no use with this card. Tells the customer what to do instead; false where nothing is left. */
export const tellOtherWay = ({ accept, tell }: CardReading): boolean => {
  accept.delete('tap');
  if (!accept.has('chip') && !accept.has('swipe')) return false;
  tell(accept.has('chip') ? 'useChip' : 'useStripe');
  return true;
};

export type PinEntry = Encrypted | { why: NotRead };

/** The PIN that was entered. One that nobody wants any more is overwritten. */
export const takeEntered = (reading: CardReading, { data, ksn }: Encrypted): PinEntry => {
  if (!reading.cancelled()) reading.tell('pinEntered');
  // Whoever hears that the PIN is in may stop the sale there and then.
  if (!reading.cancelled()) return { data, ksn };
  overwrite(data);
  return { why: 'cancelledByTill' };
};

/** A stripe that was read. `chipFailed`: it stands in for the card's chip. `takePin` asks the customer. */
export type ReadStripe = {
  maskedPan: string;
  /** ISO/IEC 7813; undefined where the device masks it. */
  serviceCode: string | undefined;
  sred: readonly Encrypted[];
  chipFailed: boolean;
  pinKey: boolean;
  takePin(): Promise<PinEntry>;
};

/** When a stripe may be used at all, and whether it wants a PIN. `again`: the card has a chip that was not tried. */
export const stripeDecided = async (reading: CardReading, stripe: ReadStripe): Promise<ReadOutcome | 'again'> => {
  const { maskedPan, serviceCode, sred, chipFailed } = stripe;
  reading.tell('cardSwiped');
  const chipCard = serviceCode !== undefined && hasChip(serviceCode);
  if (chipCard && reading.accept.has('chip') && !chipFailed) {
    reading.tell('useChip');
    return 'again';
  }
  if (reading.cancelled()) return notRead('cancelledByTill');
  // Where the service code is masked, a swipe after a failed chip is taken for that chip's stripe.
  const fallback = chipFailed && (chipCard || serviceCode === undefined);
  const card = { entryMode: fallback ? 'MAGSTRIPE_AS_FALLBACK' : 'MAGSTRIPE', maskedPan, sred } as const;
  if (!takesStripePin(serviceCode, stripe)) {
    return { kind: 'goOnline', card: { ...card, verification: 'signature' } };
  }
  const pin = await stripe.takePin();
  if ('why' in pin) return notRead(pin.why);
  return { kind: 'goOnline', card: { ...card, pin, verification: 'onlinePin' } };
};

/** Key serial numbers of twelve bytes are of AES DUKPT, of ten or eight of Triple DES; another length tells nothing. */
export const usesLeftOf = (ksn: string | undefined): number | undefined => {
  const bytes = fromHex(ksn ?? '');
  if (bytes.length === 12) return aesKsnUsesLeft(bytes);
  return bytes.length === 10 || bytes.length === 8 ? tdesKsnUsesLeft(bytes) : undefined;
};
