/**
 * A sale's requests to a terminal that authorises by itself. Each effect ends with an event. After a fault the terminal
 * is dropped: nothing on a connection that failed once is believed.
 */
import type { IntegratedOutcome, IntegratedTerminal } from '../../../drivers/integrated-terminal.ts';
import { DAY_MS, pause } from '../../base/clock.ts';
import { errorText, Fault, isFault } from '../../base/fault.ts';
import { safeText } from '../../emv/card-text.ts';
import type { SaleEvent } from '../machine/events.ts';
import type { Sale, TerminalEffect } from '../machine/states.ts';
import { type Mark, markOf, staleMark, unknownMark } from '../machine/terminal-facts.ts';
import type { TillParts } from '../ports.ts';
import type { Run } from '../run-context.ts';
import { inquireOnceMore, opened, settleEarlier, takenBack } from './ask-terminal.ts';
import { type DevicePlace, hasLaterPayment } from './device-numbers.ts';
import { eventOfOutcome, unclearEvent } from './last-payment.ts';

/** How long a terminal's host may take in addition to the customer. */
const HOST_WITHIN_MS = 120_000;
/** The pause before a lost terminal is asked again: it may be starting, or still be at the payment. */
const ASK_AFTER_MS = 3_000;

export const attendTerminal = async (run: Run, effect: TerminalEffect, now: Sale): Promise<SaleEvent | undefined> => {
  switch (effect.do) {
    case 'noteTerminal':
      return note(run);
    case 'payAtTerminal':
      return pay(run, now);
    case 'cancelAtTerminal':
      await cancel(run);
      return undefined;
    case 'askTerminal':
      return ask(run, now);
    case 'reverseAtTerminal':
      return giveBack(run, now);
  }
};

/** The current terminal, open and ready. Throws what its driver throws, and `terminal.unpaired`. */
export const terminalOf = (parts: TillParts): Promise<IntegratedTerminal> =>
  parts.integrated?.get() ?? Promise.reject(new Fault('terminal.unpaired'));

/** Nothing has begun yet: a connection that broke since the last sale gets a second try. */
const note = async (run: Run): Promise<SaleEvent> => {
  const { parts } = run;
  try {
    return await noted(run);
  } catch (error) {
    parts.report(error);
    await parts.integrated?.drop();
  }
  try {
    return await noted(run);
  } catch (error) {
    parts.report(error);
    await parts.integrated?.drop();
    return { on: 'terminalUnready', why: safeText(errorText(error)) };
  }
};

const noted = async (run: Run): Promise<SaleEvent> => {
  const { parts, held } = run;
  const at = await opened(await terminalOf(parts));
  await settleEarlier(parts, at, run.heardOf);
  const reported = await lastMark(at.terminal, parts);
  held.integrated = at.terminal;
  const place = { device: at.device, terminalId: parts.terminalId };
  const before = hasLaterPaymentHere(parts, place, reported.receiptNumber) ? staleMark : reported;
  const aheadMs = aheadAt(parts, place);
  return { on: 'terminalNoted', device: at.device, before, aheadMs, unnamed: at.unnamed };
};

/** A clock comparison older than this says nothing about today. */
const CLOCK_KNOWN_MS = 31 * DAY_MS;

/** Usually a device reports the newest payment: the others of the day are read only if it does not. */
const hasLaterPaymentHere = ({ ledger, clock }: TillParts, place: DevicePlace, number: string | undefined): boolean => {
  if (number === undefined) return false;
  const since = clock.now() - DAY_MS;
  const newest = ledger.newestAtDevice(place, 'number');
  const isNewest = newest !== undefined && (number === newest.number || number === newest.reversal);
  return !(isNewest && newest.at >= since) && hasLaterPayment(number, ledger.salesAtDevice(place, since));
};

/** How far the device's clock is ahead, by its last payment that was reported as it was made. */
const aheadAt = ({ ledger, clock }: TillParts, place: DevicePlace): number | undefined => {
  const newest = ledger.newestAtDevice(place, 'aheadMs');
  return newest !== undefined && newest.at >= clock.now() - CLOCK_KNOWN_MS ? newest.aheadMs : undefined;
};

/** A terminal that answers, but not this question, can still sell: only a person can then resolve a lost sale. */
const lastMark = async (terminal: IntegratedTerminal, { report }: TillParts): Promise<Mark> => {
  try {
    return markOf(await terminal.lastOutcome());
  } catch (error) {
    if (!isFault(error, 'terminal.refused')) throw error;
    report(error);
    return unknownMark;
  }
};

/** Called in the same turn as the step that is recorded: a later cancel finds the payment running. */
const pay = async (run: Run, now: Sale): Promise<SaleEvent> => {
  const { parts, held } = run;
  try {
    if (held.integrated === undefined) throw new Fault('terminal.unpaired');
    return eventOfOutcome(await begin(run, held.integrated, now.intent));
  } catch (error) {
    parts.report(error);
    delete held.integrated;
    await parts.integrated?.drop();
    return { on: 'terminalSilent', why: safeText(errorText(error)) };
  }
};

const begin = (
  { options, handle, onEvent, parts }: Run,
  terminal: IntegratedTerminal,
  { follows, amount }: Sale['intent'],
): Promise<IntegratedOutcome> => {
  const askedAt = parts.clock.now();
  const take = () => onEvent({ on: 'terminalTook', askedAt });
  const request = { amount, withinMs: options.presentWithinMs + HOST_WITHIN_MS, onAccepted: take };
  if (follows === undefined) return terminal.pay(request, handle);
  return follows.at?.how === 'reverse'
    ? terminal.reverse({ receiptNumber: follows.payment, amount }, handle)
    : terminal.refund(request, handle);
};

const cancel = async ({ held, parts }: Run): Promise<void> => {
  try {
    await held.integrated?.cancel();
  } catch (error) {
    // The running payment ends by itself, and reports how.
    parts.report(error);
  }
};

const ask = async (run: Run, now: Sale): Promise<SaleEvent> => {
  const { parts } = run;
  try {
    if (now.at !== 'asking') throw new Fault('till.unresolved', { sale: now.intent.sale });
    if (now.tries > 1) await pause(parts.clock, ASK_AFTER_MS);
    return await inquireOnceMore(await opened(await terminalOf(parts)), now, run.handle);
  } catch (error) {
    parts.report(error);
    await parts.integrated?.drop();
    const reason = safeText(errorText(error));
    // It answers, but not this question: asked again it would say the same.
    return isFault(error, 'terminal.refused') ? unclearEvent(reason) : { on: 'terminalSilent', why: reason };
  }
};

const giveBack = async (run: Run, now: Sale): Promise<SaleEvent | undefined> => {
  try {
    return await takenBack(await opened(await terminalOf(run.parts)), now, run);
  } catch (error) {
    // The reversal stays due, and is repeated before the next payment.
    run.parts.report(error);
    await run.parts.integrated?.drop();
    return undefined;
  }
};
