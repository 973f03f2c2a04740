/** The decisions about a card: the first decision on a chip or tap, the PIN for the host, the host's answer. */
import { Fault } from '../../../src/base/fault.ts';
import { numericOf, printMoney } from '../../../src/base/money.ts';
import type { EntryMode } from '../../../src/emv/entry-mode.ts';
import { encodeTlv, type Tlv, tlv } from '../../../src/emv/tlv.ts';
import { chipResults, issuerList } from '../../card-facts.ts';
import { localDateTime } from '../../codec.ts';
import { notRead, type PinEntry, takeEntered } from '../../reader-terminal.ts';
import type {
  CardData,
  CardInterface,
  ChipVerdict,
  HostVerdict,
  NotReadReason,
  Prompt,
  ReadOutcome,
  ReadRequest,
  TerminalEvent,
} from '../../terminal.ts';
import {
  cardDataOf,
  clearIn,
  flattenTlvs,
  type MpiMaskedTrack2,
  maskedTrackOf,
  printHarmless,
} from '../protocol/card-data.ts';
import type { MpiAsk, MpiCommandName, MpiDecision, MpiKeyStatus, MpiReply } from '../protocol/commands.ts';
import { statusRow } from '../protocol/notices.ts';
import { type MpiDevice, refusalFault } from './device.ts';

type StopReason = 'cancelledByTill' | 'timedOut';

/** What the steps of reading one card share: the request, what is still accepted, and how it is stopped. */
export class MpiReading {
  readonly device: MpiDevice;
  /** The keys as the device reported them at the beginning of this read. */
  keys: MpiKeyStatus = { ready: false, pin: false, sred: false };
  readonly request: ReadRequest;
  readonly notify: (event: TerminalEvent) => void;
  /** Shrinks when an interface proves unusable with this card. */
  readonly accept: Set<CardInterface>;
  /** A chip was tried, and the device allows the stripe instead. */
  chipFailed = false;
  /** The insertion whose chip was already tried. */
  triedInsertion = 0;
  #stopped: StopReason | undefined;

  constructor(device: MpiDevice, at: { request: ReadRequest; notify: (event: TerminalEvent) => void }) {
    this.device = device;
    this.request = at.request;
    this.notify = at.notify;
    this.accept = new Set(at.request.accept);
  }

  stopReason(): StopReason | undefined {
    return this.#stopped;
  }

  isCancelled(): boolean {
    return this.#stopped === 'cancelledByTill';
  }

  /** A new wait for the customer begins; a cancel remains in effect. */
  rearm(): void {
    if (!this.isCancelled()) this.#stopped = undefined;
  }

  /** Stops the running command; resolves when the device has acknowledged. */
  async stop(reason: StopReason): Promise<void> {
    if (!this.isCancelled()) this.#stopped = reason;
    this.device.slot.wakeAll();
    if (this.device.isWaiting()) await this.device.abort();
  }

  /** Runs a command that waits for customer or card; after a cancel it is not started. */
  async run<N extends MpiCommandName>(name: N, ask: MpiAsk<N>, withinMs?: number): Promise<MpiReply<N>> {
    if (this.isCancelled()) return { status: '9F41' };
    return this.device.ask(name, ask, withinMs);
  }

  /** Ends a chip transaction that nobody will continue, so that the device is free again. */
  async abandon(reason: NotReadReason): Promise<ReadOutcome> {
    await this.device.abort();
    return notRead(reason);
  }

  /** Fields of both transaction starts. */
  fields() {
    const { amount, kind, at } = this.request;
    const [date, time] = localDateTime(at, this.device.tools.timeZone);
    // A currency missing from the table is refused here, before anything is sent to the device.
    numericOf(amount.currency);
    return { type: kind === 'refund' ? '20' : '00', amountMinor: amount.minor, date, time, currency: amount.currency };
  }
}

// The texts of the device's display, at most four short lines.

export const promptTexts: Readonly<Record<Prompt, string>> = {
  welcome: 'WELCOME',
  processing: 'PLEASE WAIT',
  approved: 'APPROVED',
  declined: 'DECLINED',
  cancelled: 'CANCELLED',
  removeCard: 'REMOVE CARD',
};

const verbs: readonly (readonly [CardInterface, string])[] = [
  ['tap', 'TAP'],
  ['chip', 'INSERT'],
  ['swipe', 'SWIPE'],
];

/** The amount, and how a card can be presented: `12.50 EUR` / `TAP, INSERT OR SWIPE`. */
export const promptTextFor = ({ amount }: ReadRequest, accept: ReadonlySet<CardInterface>): string => {
  const words = verbs.filter(([each]) => accept.has(each)).map(([, verb]) => verb);
  const last = words.pop() ?? '';
  const ways = words.length === 0 ? last : `${words.join(', ')} OR ${last}`;
  return `${printMoney(amount)}\n${ways}`;
};

/** Templates of the vendor: E3 approved, E4 go online, E5 declined. Throws `terminal.refused` for any other. */
export const decide = async (reading: MpiReading, decision: MpiDecision, mode: EntryMode): Promise<ReadOutcome> => {
  const card = cardDataOf(decision.tlvs, mode);
  const { template } = decision;
  // A card that returned an AAC has declined, whatever the template says.
  if (template === 'E5' || card.cryptogram?.kind === 'AAC') return { kind: 'declinedOffline', card };
  if (template === 'E3') return { kind: 'approvedOffline', card: withSred(card) };
  if (template !== 'E4') {
    throw new Fault('terminal.refused', {
      command: 'the card',
      status: template,
      why: 'its answer is of no known kind',
    });
  }
  if (reading.isCancelled()) return reading.abandon('cancelledByTill');
  return goOnline(reading, withSred(card), decision);
};

/** The issuer must be asked; if the card requires an online PIN, the customer is asked for it first. */
const goOnline = async (reading: MpiReading, card: CardData, { tlvs }: MpiDecision): Promise<ReadOutcome> => {
  if (card.verification !== 'onlinePin') return { kind: 'goOnline', card };
  const pin = await takePin(reading, { track: maskedTrackOf(flattenTlvs(tlvs)), label: card.label });
  if ('why' in pin) return card.entryMode === 'ICC' ? reading.abandon(pin.why) : notRead(pin.why);
  return { kind: 'goOnline', card: { ...card, pin } };
};

/** Without encrypted account data no host can be asked and nothing can be cleared. */
export const withSred = (card: CardData): CardData => {
  if (card.sred.length === 0) throw new Fault('terminal.unready', { why: 'it gave no encrypted card data' });
  return card;
};

/**
 * Asks for the PIN. A customer who cancels, waits too long or skips it gives `pinCancelled`: the cryptogram already
 * promises an online PIN. Throws `terminal.unready` without a PIN key or a masked track, `terminal.refused` otherwise.
 */
export const takePin = async (
  reading: MpiReading,
  card: { track: MpiMaskedTrack2 | undefined; label: string | undefined },
): Promise<PinEntry> => {
  if (!reading.keys.pin) throw new Fault('terminal.unready', { why: 'it has no PIN key' });
  if (card.track === undefined) throw new Fault('terminal.unready', { why: 'it gave no masked track for the PIN' });

  reading.notify('enterPin');
  const { minor, currency } = reading.request.amount;
  const { status, answer } = await reading.run('onlinePin', {
    amountMinor: minor,
    currency,
    maskedTrack2: card.track.text,
    label: card.label,
  });
  if (answer?.kind === 'entered') return takeEntered(reading, answer);
  if (reading.isCancelled()) return { why: 'cancelledByTill' };
  if (answer === undefined) {
    const { means, says } = statusRow(status);
    if (means === 'cancelled' || means === 'timedOut') return { why: 'pinCancelled' };
    if (means === 'gone') return { why: 'cardRemoved' };
    if (means === 'notReady') throw new Fault('terminal.unready', { why: says });
    throw refusalFault('onlinePin', status);
  }
  if (answer.kind === 'failed') {
    const reason = 'the PIN pad failed';
    throw new Fault('terminal.refused', { command: 'onlinePin', status: answer.code.toString(16), why: reason });
  }
  return { why: 'pinCancelled' };
};

// The host's answer, passed to the chip for its second cryptogram (EMV Book 3, 10.9 to 10.11).

/** Asks the chip for its final decision. Anything but a clear answer counts as a card that was removed. */
export const complete = async (device: MpiDevice, verdict: HostVerdict): Promise<ChipVerdict> => {
  const { status, answer } = await device.ask('continueContact', { tlvs: issuerTlvs(device, verdict) });
  if (answer === undefined) {
    device.tools.report(refusalFault('continueContact', status));
    return { kind: 'gone' };
  }
  const tlvs = flattenTlvs(answer.tlvs);
  const results = chipResults(clearIn(tlvs));
  const kind = results.cryptogram?.kind;
  const icc = printHarmless(tlvs) ?? '';
  if (answer.template === 'E5' || kind === 'AAC') return { kind: 'declined', icc, ...results };
  if (answer.template === 'E3' && kind !== 'ARQC') return { kind: 'approved', icc, ...results };
  device.tools.report(new Fault('terminal.garbled', { bytes: encodeTlv(answer.tlvs).length }));
  return { kind: 'gone' };
};

/** Tags 8A, 91, 71 and 72 of the verdict, as many as fit into one command. */
const issuerTlvs = (device: MpiDevice, verdict: HostVerdict): readonly Tlv[] =>
  issuerList(verdict, {
    unable: 'Y3',
    fits: (list) => encodeTlv([tlv('E0', list)]).length <= device.dataMax(),
    report: (fault) => device.tools.report(fault),
  });
