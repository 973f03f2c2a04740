/**
 * What a sale does to the world: asks the terminal, the gateway, the card. Each errand ends with the event it led to.
 *
 * Card data lives here only, in memory, from the terminal's answer to the gateway's.
 */
import type { IntegratedTerminal } from '../../drivers/integrated-terminal.ts';
import type {
  CardData,
  Encrypted,
  ReadOutcome,
  Terminal,
  TerminalEvent,
  TerminalInfo,
} from '../../drivers/terminal.ts';
import { within } from '../base/clock.ts';
import { Fault, wordsOf } from '../base/fault.ts';
import { printable } from '../base/mask.ts';
import { eventOf, textAt } from './answer.ts';
import type { SaleEvent } from './events.ts';
import { cardFacts, chipFacts, type Intent, type OfflineVerdict } from './facts.ts';
import { findPayment } from './inquiry.ts';
import type { HostReply, TillParts } from './ports.ts';
import { refundRequest, saleRequest } from './request.ts';
import type { SaleOptions } from './running.ts';
import type { Effect, EndedSale, Sale } from './sale.ts';
import { attendTerminal } from './terminal-errands.ts';

export type Run = {
  readonly intent: Intent;
  readonly parts: TillParts;
  readonly options: SaleOptions;
  hear(event: TerminalEvent): void;
  /** An earlier sale came a step further. */
  heardOf(sale: EndedSale): void;
  /** Never written down. */
  readonly held: {
    terminal?: Terminal;
    integrated?: IntegratedTerminal;
    info?: TerminalInfo;
    card?: CardData;
    hostIcc?: string;
    finalIcc?: string;
    /** The card's last word as encrypted account data: it takes the place of the first. */
    finalSred?: Encrypted;
    cancelled?: true;
    /** What the terminal is doing: it takes one thing at a time, but for a cancel. */
    busy?: Promise<unknown>;
  };
};

/** An effect of the machine, or the courtesy at the end: the terminal's screen and the card's return. */
export type Errand = Effect | { do: 'partWithCard' };

/** How long a customer is asked to take the card out before the till goes on. */
const CARD_OUT_WITHIN_MS = 30_000;
/** A terminal that is not done with its courtesies by then is given up. */
const PART_WITHIN_MS = CARD_OUT_WITHIN_MS + 15_000;

/** Never rejects: an errand that fails in a way nobody foresaw ends as its worst case. */
export const perform = async (run: Run, errand: Errand, now: Sale): Promise<SaleEvent | undefined> => {
  try {
    return await attend(run, errand, now);
  } catch (error) {
    run.parts.report(error);
    return worstOf(errand, wordsOf(error));
  }
};

const attend = async (run: Run, errand: Errand, now: Sale): Promise<SaleEvent | undefined> => {
  switch (errand.do) {
    case 'readCard':
      return readCard(run);
    case 'cancelCard':
      await cancelCard(run);
      return undefined;
    case 'authorise':
      return authorise(run, now);
    case 'completeChip':
      return completeChip(run, errand.verdict);
    case 'releaseCard':
      await release(run);
      return undefined;
    case 'partWithCard':
      await partWithCard(run, now);
      return undefined;
    default:
      return attendTerminal(run, errand, now);
  }
};

const worstOf = (errand: Errand, why: string): SaleEvent | undefined => {
  if (errand.do === 'readCard') return { on: 'cardNotRead', why: 'terminalFailed', words: why };
  if (errand.do === 'authorise') return { on: 'hostSilent', why };
  if (errand.do === 'noteTerminal') return { on: 'terminalUnready', why };
  if (errand.do === 'payAtTerminal' || errand.do === 'askTerminal') return { on: 'terminalSilent', why };
  return errand.do === 'completeChip' ? { on: 'chipGone', why } : undefined;
};

const readCard = async (run: Run): Promise<SaleEvent> => {
  const { intent, parts, options, held } = run;
  try {
    await parts.settleUnknown();
    held.terminal = await parts.terminals.get();
    held.info = await held.terminal.info();
    if (held.cancelled) return { on: 'cardNotRead', why: 'cancelledByTill' };
    const { accept, presentWithinMs: withinMs } = options;
    const request = { amount: intent.amount, kind: 'purchase' as const, at: intent.at, accept, withinMs };
    return cardEvent(run, await held.terminal.read(request, run.hear));
  } catch (error) {
    parts.report(error);
    await drop(run);
    return { on: 'cardNotRead', why: 'terminalFailed', words: printable(wordsOf(error)) };
  }
};

const cardEvent = (run: Run, outcome: ReadOutcome): SaleEvent => {
  if (outcome.kind === 'notRead') return { on: 'cardNotRead', why: outcome.why };
  run.held.card = outcome.card;
  return { on: 'cardRead', card: cardFacts(outcome.card), decision: outcome.kind, offline: offlineVerdictOf(run) };
};

/** What the store's limits say of this card. A queue that cannot be read lets nothing go offline. */
const offlineVerdictOf = ({ held, parts, intent }: Run): OfflineVerdict => {
  if (held.card === undefined) return { kind: 'refused', why: 'no card was read' };
  try {
    return parts.offline(cardFacts(held.card), intent.amount);
  } catch (error) {
    parts.report(error);
    return { kind: 'refused', why: 'the stored sales cannot be counted' };
  }
};

const authorise = async (run: Run, now: Sale): Promise<SaleEvent> => {
  const { intent } = run;
  const reply = await ask(run, now);
  const icc = reply.kind === 'answered' ? textAt(reply.body, 'pos.iccDataResponse') : undefined;
  if (icc !== undefined) run.held.hostIcc = icc;
  if (intent.follows !== undefined)
    return eventOf(reply, intent, () => ({ kind: 'refused', why: 'refunds need the gateway' }));
  return eventOf(reply, intent, () => offlineVerdictOf(run));
};

/** A second try asks first what became of the first; only what the gateway does not have is sent again, as it was. */
const ask = async ({ intent, parts, held }: Run, now: Sale): Promise<HostReply> => {
  const { host } = parts;
  if (now.at === 'authorising' && now.tries > 1) {
    const found = await findPayment(host, intent);
    if (found !== 'nothing') return found;
  }
  if (intent.follows !== undefined) return host.refer(intent.follows.payment, refundRequest(intent), intent.key);
  const { card, info } = held;
  if (card === undefined || info === undefined) throw new Fault('terminal.unready', { why: 'no card was read' });
  return host.pay(saleRequest(intent, { card, terminal: info }), intent.key);
};

const completeChip = async (run: Run, kind: 'approved' | 'declined' | 'unableToGoOnline'): Promise<SaleEvent> => {
  const { held } = run;
  const icc = kind === 'unableToGoOnline' || held.hostIcc === undefined ? {} : { icc: held.hostIcc };
  const verdict = await attempt(run, (terminal) => terminal.complete({ kind, ...icc }));
  if (verdict === undefined) return { on: 'chipGone', why: 'the terminal failed' };
  if (verdict.kind === 'gone') return { on: 'chipGone', why: 'the card was taken out' };
  const chip = chipFacts(verdict);
  if (verdict.kind === 'none') return { on: 'chipNotAsked', ...(Object.keys(chip).length > 0 && { chip }) };
  held.finalIcc = verdict.icc;
  if (verdict.kind === 'approved' && verdict.sred !== undefined) held.finalSred = verdict.sred;
  // Without it nothing of this sale could be stored, and nothing ever sent.
  if (kind === 'unableToGoOnline' && held.card?.mayHoldPin && held.finalSred === undefined)
    return { on: 'chipGone', why: 'the card’s last word did not come' };
  return { on: verdict.kind === 'approved' ? 'chipApproved' : 'chipDeclined', chip };
};

/** Tells the card no. */
export const release = async (run: Run): Promise<void> => {
  await attempt(run, (terminal) => terminal.complete({ kind: 'declined' }));
};

const partWithCard = async (run: Run, now: Sale): Promise<void> => {
  if (now.at !== 'ended') return;
  const word = now.ending === 'approved' ? 'approved' : now.ending === 'declined' ? 'declined' : 'cancelled';
  await attempt(run, (terminal) => {
    const courtesies = async () => {
      await terminal.say(word);
      if (now.card?.entryMode === 'ICC') await terminal.removed(CARD_OUT_WITHIN_MS);
      await terminal.say('welcome');
    };
    const late = () => new Fault('terminal.silent', { command: 'the end of the sale', ms: PART_WITHIN_MS });
    return within(run.parts.clock, PART_WITHIN_MS, courtesies(), late);
  });
};

const cancelCard = async (run: Run): Promise<void> => {
  run.held.cancelled = true;
  try {
    await run.held.terminal?.cancel();
  } catch (error) {
    run.parts.report(error);
    await drop(run);
  }
};

/** Asks the terminal if there still is one, after what it is doing. One that fails is dropped, and made ready anew. */
const attempt = async <T>(run: Run, askIt: (terminal: Terminal) => Promise<T>): Promise<T | undefined> => {
  const { held } = run;
  const turn = async (): Promise<T | undefined> => {
    if (held.terminal === undefined) return undefined;
    try {
      return await askIt(held.terminal);
    } catch (error) {
      run.parts.report(error);
      await drop(run);
      return undefined;
    }
  };
  const mine = held.busy === undefined ? turn() : held.busy.then(turn);
  held.busy = mine;
  return mine;
};

const drop = async ({ held, parts }: Run): Promise<void> => {
  delete held.terminal;
  await parts.terminals.drop();
};
