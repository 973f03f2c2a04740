/** What a driver is: a protocol's name, the marks its devices carry, and how to open one of them on a link. */
import type { Clock } from '../src/base/clock.ts';
import type { Fault } from '../src/base/fault.ts';
import type { IntegratedTerminal } from './integrated-terminal.ts';
import type { Link } from './links/link.ts';
import type { Scribe } from './links/tape.ts';
import type { Terminal } from './terminal.ts';

/** What a driver receives together with the link. */
export type DriverTools = {
  clock: Clock;
  /** Receives what arrived unasked, late or garbled: such messages are counted and shown, never acted on. */
  report(stray: Fault): void;
  /**
   * Connects to the same place again: some terminals close the connection after each command. Absent where a lost link
   * cannot be restored. Throws `link.unavailable`.
   */
  reopen?(): Promise<Link>;
  /** The shop's time zone, an IANA name: readers receive its date and time. The machine's own where none is set. */
  timeZone?: string | undefined;
  /** Set while the device is still unknown: the first message must then change nothing, whatever the device. */
  looks?: boolean | undefined;
};

/** How a device with this protocol identifies itself on USB. */
export type UsbMark = {
  vendorId: number;
  /** Without a product id, every product of the vendor may speak the protocol. */
  productId?: number;
  /** The manufacturer's name of the family, for people. */
  name: string;
  by: 'hid' | 'serial';
};

/** The direction of bytes: `said` by the till to the device, `heard` from it. */
export type TraceDirection = 'said' | 'heard';

/** Describes the conversation on a link, one line per message, from portions of any size. Never shows card data. */
export type Narrator = { push(direction: TraceDirection, bytes: Uint8Array): string[] };

/** What a detector knows before it receives the first bytes. */
export type LinkFacts = {
  carries: Link['carries'];
  /** The name of the link: it says which kind of line it is. */
  line: Link['name'];
  /** Dialects in which this device has spoken before, by their names in the protocol's table. */
  known: readonly string[];
};

/**
 * Listens to a conversation and detects the dialects that the device speaks. Bytes arrive in portions of any size. A
 * dialect is removed again when another one explains the same bytes better.
 */
export type DialectDetector = {
  push(direction: TraceDirection, bytes: Uint8Array): void;
  readonly dialects: ReadonlySet<string>;
};

type Protocol = {
  /** The scheme of the terminal's address: `mpi`. */
  readonly name: string;
  /** Manufacturer and protocol, for people: `Miura MPI`. */
  readonly title: string;
  readonly usb: readonly UsbMark[];
  /** The TCP ports where its devices usually listen. They are tried first; the driver is also tried at other ports. */
  readonly tcpPorts?: readonly number[];
  /** Settings of its serial ports, besides 8 data bits and no parity. */
  readonly serial: { readonly baudRate: number; readonly stopBits: 1 | 2 };
  /** Whether the first byte of its HID reports is a report id. Absent: it has no HID form. */
  readonly hid?: { readonly reportIds: boolean };
  /** Masks one direction of a conversation, so that it can be recorded and replayed without card data. */
  scribe(direction: TraceDirection, carries: Link['carries']): Scribe;
  narrator(carries: Link['carries']): Narrator;
  /** Detects which rows of the protocol's table of dialects a device speaks; absent for protocols without dialects. */
  detector?(knownFacts: LinkFacts): DialectDetector;
};

/** A card reader: the till itself sends the sale to the host. */
export type ReaderDriver = Protocol & {
  readonly kind: 'reader';
  /**
   * Says hello, resets the device to a known state and reads its information. Never starts a payment, so it also serves
   * as a probe. Throws the faults of link and device; the link is closed then.
   */
  open(link: Link, tools: DriverTools): Promise<Terminal>;
};

/** A terminal that sends the sale to its own host. */
export type IntegratedDriver = Protocol & {
  readonly kind: 'integrated';
  /** Opens the terminal, as for a reader. Throws the faults of link and device; the link is closed then. */
  open(link: Link, tools: DriverTools): Promise<IntegratedTerminal>;
};

export type Driver = ReaderDriver | IntegratedDriver;
