/** Passes the host's answer to the card for its last cryptogram, and ends transactions that nobody will continue. */
import { Fault } from '../../../src/base/fault.ts';
import { encodeTlv, tlv } from '../../../src/emv/tlv.ts';
import { issuerDataTooLong, issuerReply } from '../../card-facts.ts';
import type { ChipVerdict, FinalCardData, HostVerdict } from '../../terminal.ts';
import { finalCardDataOf, type MmsBlock, printHarmless, takeSealed } from '../protocol/card-data.ts';
import { isSuccess, statusRow } from '../protocol/messages.ts';
import type { EndName } from '../protocol/notices.ts';
import { type MmsDevice, refusalFault } from './device.ts';

/** How long card and device may take after the host's answer. */
const endMs = 30_000;
/** How long the batch data may take to follow the end, or the end to follow the batch data. */
const restMs = 5_000;

/** What the device reported: how it ended, the batch data with the card's decision, or neither. */
type CompletionReport = { how?: EndName; batch?: MmsBlock };

/** `requestBlock`: the block in which the card asked for the host. `chip`: the card is in the slot and decides last. */
export const complete = async (
  device: MmsDevice,
  verdict: HostVerdict,
  at: { requestBlock: MmsBlock; chip: boolean },
): Promise<ChipVerdict> => {
  const { arpc, omitted } = arpcBlock(at.requestBlock.serial, verdict);
  for (const fault of omitted) device.tools.report(fault);
  const { status } = await device.ask('resume', { from: 0, arpc });
  const isLate = !isSuccess(status);
  if (isLate) device.tools.report(refusalFault('resume', status));
  // The device did not wait: its own decision has been reported already, or never will be.
  const isOver = isLate && statusRow(status).means === 'noTransaction';
  const ending = await collectEnding(device, isLate ? (isOver ? 0 : restMs) : endMs);
  if (ending.how === undefined && ending.batch === undefined && !isLate) {
    // Later messages of this transaction must not be taken for those of the next one.
    const fault = device.end(new Fault('terminal.silent', { command: 'the end of the transaction', ms: endMs }));
    if (at.chip) throw fault;
    device.tools.report(fault);
  }
  device.events.end();
  if (!at.chip) return { kind: 'none', ...finalCardData(ending) };
  return verdictOf(ending, { verdict, isLate });
};

/** Collects the end and the batch data, which arrive in either order. */
const collectEnding = async (device: MmsDevice, withinMs: number): Promise<CompletionReport> => {
  const { clock, report } = device.tools;
  const ending: CompletionReport = {};
  let isReported = false;
  let until = clock.monotonic() + withinMs;
  for (;;) {
    const event = await device.nextEvent(() => until);
    if (event === undefined) return ending;
    if (event.kind === 'arqc') report(new Fault('terminal.stray', { bytes: 0 }));
    if (event.kind === 'batch') ending.batch = event.block;
    if (event.kind === 'ended') ending.how = event.how;
    if (ending.how !== undefined && (ending.batch !== undefined || !decided.has(ending.how))) return ending;
    if (isReported || (event.kind !== 'batch' && event.kind !== 'ended')) continue;
    // What is missing follows soon. Set only once, so that repeats cannot extend the wait.
    isReported = true;
    until = clock.monotonic() + restMs;
  }
};

/** Endings for which batch data is sent. */
const decided: ReadonlySet<string> = new Set(['approved', 'declined', 'approvedOffline', 'declinedOffline']);

/** Approved only if the device says "approved" and the card's data does not deny it. */
const verdictOf = ({ how, batch }: CompletionReport, o: { verdict: HostVerdict; isLate: boolean }): ChipVerdict => {
  const icc = batch === undefined ? '' : printHarmless(batch);
  // Quick Chip: the card has left before the host was asked.
  if (how === 'deferred') return { kind: 'none' };
  const reported = finalCardData({ batch });
  if (how === 'declined' || how === 'declinedOffline') return { kind: 'declined', icc, ...reported };
  if (how !== 'approved' && how !== 'approvedOffline') return { kind: 'gone' };
  if (batch?.decision === 'declined') return { kind: 'declined', icc, ...reported };
  if (batch?.decision === 'failed') return { kind: 'gone' };
  // An approval that the card made without the host's answer does not count if the host declined.
  if (o.isLate && o.verdict.kind === 'declined') return { kind: 'gone' };
  const sred = batch && takeSealed(batch);
  return { kind: 'approved', icc, ...reported, sred };
};

/** The batch data contains unencrypted values that were encrypted in the earlier data. */
const finalCardData = ({ batch }: Pick<CompletionReport, 'batch'>): FinalCardData =>
  batch === undefined ? {} : finalCardDataOf(batch);

// The host's answer as the card receives it: FF74 with the device's serial number, and tags 8A, 91, 71 and 72. Source:
// MagTek, DynaFlex family programmer's manual, "EMV ARPC Type".

/** Code for tag 8A that the device itself takes as "host could not be reached". */
const unable = 'Z3';

/** The most bytes of scripts that the device takes. */
const scriptsMax = 128;

/** The block, and what was left out of it because it is unreadable or too long. */
const arpcBlock = (serial: Uint8Array, verdict: HostVerdict): { arpc: Uint8Array; omitted: Fault[] } => {
  const omitted: Fault[] = [];
  const { code, sent } = issuerReply(verdict, { unable, report: (fault) => omitted.push(fault) });
  const list = [code];
  const issuer = sent.find(({ tag }) => tag === '91');
  if (issuer !== undefined) list.push(issuer);
  for (const tag of ['71', '72']) {
    let size = 0;
    for (const script of sent.filter((each) => each.tag === tag)) {
      size += encodeTlv([script]).length;
      // A script that does not fit is left out: the issuer sends it again, and the sale does not depend on it.
      if (size <= scriptsMax) list.push(script);
      else omitted.push(issuerDataTooLong(tag));
    }
  }
  const arpc = encodeTlv([tlv('FF74', [tlv('DFDF25', serial), tlv('FA', [tlv('70', list)])])]);
  return { arpc, omitted };
};

// Ends a transaction that nobody will continue, so that the device is idle again.

/** How long the device may take to report that it ended. */
const endingMs = 10_000;

/**
 * Cancels; where the device no longer can, the card is told that the host declined. `serial`: tag DFDF25 of the device.
 * Throws `terminal.silent` when the device never reports the end.
 */
export const giveUp = async (device: MmsDevice, serial: Uint8Array | undefined): Promise<void> => {
  if (!device.events.isRunning()) return;
  const cancelled = await device.cancel();
  if (!cancelled) {
    const { arpc } = arpcBlock(serial ?? new Uint8Array(8), { kind: 'declined' });
    const { status } = await device.ask('resume', { from: 0, arpc });
    // The transaction ended by itself meanwhile.
    if (!isSuccess(status)) return device.events.end();
  }
  const until = device.tools.clock.monotonic() + endingMs;
  for (;;) {
    const event = await device.nextEvent(() => until);
    if (event === undefined) {
      throw device.end(new Fault('terminal.silent', { command: 'the end of the transaction', ms: endingMs }));
    }
    if (event.kind !== 'ended') continue;
    device.events.end();
    return;
  }
};
