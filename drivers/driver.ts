/** What a driver is: a protocol's name, the marks its devices carry, and how to open one of them on a link. */
import type { Clock } from '../src/base/clock.ts';
import type { Fault } from '../src/base/fault.ts';
import type { IntegratedTerminal } from './integrated-terminal.ts';
import type { Link } from './links/link.ts';
import type { Scribe } from './links/tape.ts';
import type { Terminal } from './terminal.ts';

/** What a driver is given beside the link. */
export type DriverTools = {
  clock: Clock;
  /** What came unasked, late or garbled: counted and shown, never acted on. */
  report(stray: Fault): void;
  /**
   * Connects to the same place anew: some terminals end the connection behind each command. Absent where a lost link is
   * lost. Throws `link.unavailable`.
   */
  reopen?(): Promise<Link>;
  /** The shop's, an IANA name: readers are told its date and time. The machine's own where none is set. */
  timeZone?: string | undefined;
  /** Nobody knows yet what is there: the first message changes nothing, in whatever device hears it. */
  looks?: boolean | undefined;
};

/** How a device of this protocol shows itself on USB. */
export type UsbMark = {
  vendorId: number;
  /** Without one every product of the vendor may speak it. */
  productId?: number;
  /** The manufacturer's name of the family, for people. */
  name: string;
  by: 'hid' | 'serial';
};

/** Which way bytes go: `said` by the till to the device, `heard` from it. */
export type TraceDirection = 'said' | 'heard';

/** Says in words what goes by on a link, a line for each message. Bytes come in any portion. Never shows card data. */
export type Narrator = { push(way: TraceDirection, bytes: Uint8Array): string[] };

/** What an ear is told before it hears anything. */
export type BeforeHearing = {
  carries: Link['carries'];
  /** The name of the link: it says which kind of line it is. */
  line: Link['name'];
  /** Dialects that this device was heard to speak before, by the names of the protocol's table. */
  known: readonly string[];
};

/**
 * Listens to a conversation for the dialects in which the device speaks. Bytes come in any portion. A dialect that
 * another one turns out to be is taken out again.
 */
export type Ear = { push(way: TraceDirection, bytes: Uint8Array): void; readonly dialects: ReadonlySet<string> };

type Protocol = {
  /** The scheme of the terminal's address: `mpi`. */
  readonly name: string;
  /** Manufacturer and protocol, for people: `Miura MPI`. */
  readonly title: string;
  readonly usb: readonly UsbMark[];
  /** TCP ports where its devices listen as a rule: they are asked first there, and say nothing of other ports. */
  readonly tcpPorts?: readonly number[];
  /** How its serial ports are set; 8 data bits, no parity. */
  readonly serial: { readonly baudRate: number; readonly stopBits: 1 | 2 };
  /** Whether the first byte of its HID reports is a report id. Absent: it has no HID form. */
  readonly hid?: { readonly reportIds: boolean };
  /** Masks one way of a conversation, so that it can be recorded and played back without card data. */
  scribe(way: TraceDirection, carries: Link['carries']): Scribe;
  narrator(carries: Link['carries']): Narrator;
  /** Tells which rows of the protocol's table of dialects a device turns out to speak; absent where nothing listens. */
  ear?(before: BeforeHearing): Ear;
};

/** A card reader: the till asks the host itself. */
export type ReaderDriver = Protocol & {
  readonly kind: 'reader';
  /**
   * Says hello, resets the device to a known state, reads what it is. Never starts a payment, so it serves as a probe.
   * Throws the faults of link and device; the link is closed then.
   */
  open(link: Link, tools: DriverTools): Promise<Terminal>;
};

/** A terminal that asks its own host. */
export type IntegratedDriver = Protocol & {
  readonly kind: 'integrated';
  /** As a reader's. Throws the faults of link and device; the link is closed then. */
  open(link: Link, tools: DriverTools): Promise<IntegratedTerminal>;
};

export type Driver = ReaderDriver | IntegratedDriver;
