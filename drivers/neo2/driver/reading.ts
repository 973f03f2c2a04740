/** What the steps of reading one card share: the request, what is still accepted, and how to stop. */
import { Fault } from '../../../src/base/fault.ts';
import { numericOf } from '../../../src/base/money.ts';
import { cryptogramOf } from '../../card-facts.ts';
import { type PinEntry, takeEntered } from '../../reader-terminal.ts';
import type {
  CardData,
  CardInterface,
  NotReadReason,
  ReadOutcome,
  ReadRequest,
  TerminalEvent,
} from '../../terminal.ts';
import type { Neo2Result } from '../protocol/answers.ts';
import { clearIn, describeProprietaryCipher, proprietaryCipherOf } from '../protocol/card-data.ts';
import {
  interfaceBits,
  type Neo2Ask,
  type Neo2CommandName,
  type Neo2Reply,
  resultCodeOf,
} from '../protocol/commands.ts';
import { type ResultMeaning, resultRow, type StatusMeaning, status, statusRow } from '../protocol/status.ts';
import { findNeo2 } from '../protocol/tlv.ts';
import { type Neo2Device, refusalFault } from './device.ts';

/** How long the reader waits for the next command of a chip transaction: the host must answer within this time. */
export const nextCommandS = 120;

const noEncryption =
  'it gave no encrypted card data; whoever supplied it has to load its keys and switch its encryption on';

export class Neo2Reading {
  readonly device: Neo2Device;
  readonly request: ReadRequest;
  readonly notify: (event: TerminalEvent) => void;
  pinKey = false;
  /** Shrinks when an interface proves unusable with this card. */
  readonly accept: Set<CardInterface>;
  /** A chip was tried and failed: the stripe is allowed instead. */
  chipFailed = false;
  /** How many chip failures the reader itself did not count. */
  failures = 0;
  /** The reader asked this till for the PIN, and was told that there is none. */
  pinAsked = false;
  /** A chip was started: it may still be powered in the slot. */
  chipRan = false;
  /** The reader has a transaction that waits for its next command. */
  open = false;
  #cancelled = false;

  constructor(device: Neo2Device, at: { request: ReadRequest; notify: (event: TerminalEvent) => void }) {
    this.device = device;
    this.request = at.request;
    this.notify = at.notify;
    this.accept = new Set(at.request.accept);
  }

  isCancelled(): boolean {
    return this.#cancelled;
  }

  /** The till no longer wants a card. Resolves when the reader has acknowledged, if it was waiting for something. */
  async stop(): Promise<void> {
    this.#cancelled = true;
    if (this.device.isWaiting()) await this.device.cancel();
  }

  /** Runs a command that waits for customer or card; after a cancel it is not started. */
  async run<N extends Neo2CommandName>(name: N, ask: Neo2Ask<N>, withinMs?: number): Promise<Neo2Reply<N>> {
    if (this.#cancelled) return { status: status.failed };
    return this.device.ask(name, ask, withinMs);
  }

  /** Throws `terminal.unready` for a card whose data this till's host cannot decrypt. */
  refuseForeign(answer: Neo2Result): void {
    const cipher = proprietaryCipherOf(answer);
    this.device.proprietaryCipher = cipher;
    if (cipher !== undefined) throw new Fault('terminal.unready', { why: describeProprietaryCipher(cipher) });
  }

  /** The card, if its account is encrypted: no host accepts it otherwise. Throws `terminal.unready`. */
  withSred<T extends Pick<CardData, 'sred'>>(card: T): T {
    this.device.gaveClear = card.sred.length === 0;
    this.device.lacksKey = undefined;
    if (this.device.gaveClear) throw new Fault('terminal.unready', { why: noEncryption });
    return card;
  }

  /** The Fault when the reader reports that it has no key for a card's data. */
  noteMissingKey(value: number): Fault {
    const reason = statusRow(value).says;
    this.device.lacksKey = reason;
    return new Fault('terminal.unready', { why: reason });
  }

  /** Ends without a card; a transaction that nobody will continue is stopped, so that the reader is free again. */
  async giveUp(reason: NotReadReason): Promise<ReadOutcome> {
    if (this.open) await this.device.cancel();
    this.open = false;
    return { kind: 'notRead', why: reason };
  }

  /**
   * The sale data for the reader, besides its own time limit. Date and time come from its own clock: SRED readers must
   * not be given 9A and 9F21 (IDG p179).
   */
  fields() {
    const { amount, kind } = this.request;
    // A currency missing from the table is refused here, before anything is sent to the reader.
    numericOf(amount.currency);
    const ways = [...this.accept].filter((way) => way !== 'manual');
    return {
      type: kind === 'refund' ? '20' : '00',
      amountMinor: amount.minor,
      otherMinor: 0n,
      currency: amount.currency,
      interfaces: ways.reduce((bits, way) => bits | interfaceBits[way], 0),
      patience: { fallback: 1, nextCommandS },
    };
  }
}

// What the end of a transaction step means, from its status, its result code or, if both are silent, the card.

export type StepMeaning =
  | ResultMeaning
  /** The tap was too short. */
  | 'tapAgain'
  /** The reader refused, or its answer is unknown. */
  | Extract<StatusMeaning, 'refused' | 'keyless' | 'tampered'>;

export type CardReply = Neo2Reply<'activate' | 'authenticate' | 'finish' | 'manual' | 'manualUnderV3'>;

const byCryptogram = { ARQC: 'online', TC: 'approved', AAC: 'declined' } as const;

/** A card that returned an AAC has declined, whatever the reader's code says. */
export const meaningOf = ({ status, answer }: CardReply): StepMeaning => {
  const kind = answer === undefined ? undefined : cryptogramOf(clearIn(answer.tlvs))?.kind;
  const code = answer === undefined ? undefined : resultCodeOf(answer);
  const row = code === undefined ? undefined : resultRow(code);
  if (row !== undefined)
    return kind === 'AAC' && (row.means === 'approved' || row.means === 'online') ? 'declined' : row.means;
  const { means } = statusRow(status);
  if (means === 'online') return kind === 'AAC' ? 'declined' : 'online';
  if (means === 'timedOut' || means === 'cancelled' || means === 'keyless' || means === 'tampered') return means;
  if (means === 'ok' && kind !== undefined && code === undefined) return byCryptogram[kind];
  // This object contains the reason why a chip was unreadable.
  if (answer !== undefined && findNeo2(answer.tlvs, 'DFEF61') !== undefined) return 'chipFailed';
  const failed = answer === undefined ? undefined : tapErrorOf(answer.tlvs);
  return failed === undefined ? 'refused' : (tapErrors[failed] ?? 'otherWay');
};

/**
 * Why a tap failed (IDG p31 to p34): 21 two cards, 24 and 30 too short. 2C ends what was cancelled (the vendor's logs).
 * With any other code the card must be tried another way.
 */
const tapErrors: Readonly<Record<number, StepMeaning>> = {
  33: 'twoCards',
  36: 'tapAgain',
  44: 'cancelled',
  48: 'tapAgain',
};

/** First byte of FFEE1F, in newer firmware DFEE02 (the vendor's logs): the error of a tap; zero means none. */
const tapErrorOf = (tlvs: Parameters<typeof findNeo2>[0]): number | undefined => {
  const code = (findNeo2(tlvs, 'FFEE1F') ?? findNeo2(tlvs, 'DFEE02'))?.value[0];
  return code === 0 ? undefined : code;
};

/** Allows only the stripe for this card from now on. */
export const fallBackToStripe = (reading: Neo2Reading): 'again' => {
  reading.chipFailed = true;
  reading.accept.delete('chip');
  reading.accept.delete('tap');
  reading.notify('useStripe');
  return 'again';
};

// Online PIN entry by a separate command, for cards whose PIN the reader did not take by itself (62-01).

/** Type 01: DUKPT, with the card number that the reader itself read. PINs have 4 to 12 digits (ISO 9564-1). */
const entry = { type: 1, panLength: 0, longest: 12, shortest: 4, words: 0 };

/**
 * Asks for the PIN. A customer who cancels or waits too long gives `pinCancelled`. Throws `terminal.unready` without a
 * PIN key, `terminal.refused` otherwise.
 */
export const takePin = async (reading: Neo2Reading): Promise<PinEntry> => {
  if (!reading.pinKey) throw new Fault('terminal.unready', { why: 'it has no PIN key' });
  reading.notify('enterPin');
  const { status, answer } = await reading.run('onlinePin', entry);
  if (answer?.kind === 'entered') return takeEntered(reading, answer);
  if (reading.isCancelled()) return { why: 'cancelledByTill' };
  if (answer === undefined) {
    if (statusRow(status).means === 'timedOut') return { why: 'pinCancelled' };
    throw refusalFault('onlinePin', status);
  }
  switch (answer.kind) {
    case 'customerCancelled':
    case 'hostCancelled':
      return { why: 'pinCancelled' };
    case 'noKey':
      throw new Fault('terminal.unready', { why: 'its PIN key is missing or used up' });
    case 'failed': {
      const reason = 'the PIN pad failed';
      throw new Fault('terminal.refused', { command: 'onlinePin', status: answer.code.toString(16), why: reason });
    }
  }
};
