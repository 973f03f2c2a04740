/**
 * What a sale does to the world: asks the terminal, the gateway, the card. Each errand ends with the event it led to.
 *
 * Card data lives here only, in memory, from the terminal's answer to the gateway's.
 */
import type { CardData, ReadOutcome, Terminal, TerminalEvent, TerminalInfo } from '../../drivers/terminal.ts';
import { Fault, isFault, wordsOf } from '../base/fault.ts';
import { eventOf, textAt } from './answer.ts';
import type { SaleEvent } from './events.ts';
import { cardFacts, type Intent } from './facts.ts';
import type { TillParts } from './ports.ts';
import { refundRequest, reversalRequest, saleRequest } from './request.ts';
import type { SaleOptions } from './running.ts';
import type { Effect, Sale } from './sale.ts';

export type Run = {
  readonly intent: Intent;
  readonly parts: TillParts;
  readonly options: SaleOptions;
  hear(event: TerminalEvent): void;
  /** Never written down. */
  readonly held: { terminal?: Terminal; info?: TerminalInfo; card?: CardData; hostIcc?: string; finalIcc?: string };
};

/** An effect of the machine, or the courtesy at the end: the terminal's screen and the card's return. */
export type Errand = Effect | { do: 'partWithCard' };

/** How long a customer is asked to take the card out before the till goes on. */
const CARD_OUT_WITHIN_MS = 30_000;

export const perform = async (run: Run, errand: Errand, now: Sale): Promise<SaleEvent | undefined> => {
  switch (errand.do) {
    case 'readCard':
      return readCard(run);
    case 'cancelCard':
      await attempt(run, (terminal) => terminal.cancel());
      return undefined;
    case 'authorise':
      return authorise(run);
    case 'completeChip':
      return completeChip(run, errand.verdict);
    case 'releaseCard':
      await attempt(run, (terminal) => terminal.complete({ kind: 'declined' }));
      return undefined;
    case 'partWithCard':
      await partWithCard(run, now);
      return undefined;
  }
};

const readCard = async (run: Run): Promise<SaleEvent> => {
  const { intent, parts, options, held } = run;
  try {
    await parts.settleUnknown();
    held.terminal = await parts.terminals.get();
    held.info = await held.terminal.info();
    const { accept, presentWithinMs: withinMs } = options;
    const outcome = await held.terminal.read(
      { amount: intent.amount, kind: 'purchase', at: intent.at, accept, withinMs },
      run.hear,
    );
    return cardEvent(run, outcome);
  } catch (error) {
    run.parts.report(error);
    await drop(run);
    return { on: 'cardNotRead', why: 'terminalFailed', words: wordsOf(error) };
  }
};

const cardEvent = ({ intent, parts, held }: Run, outcome: ReadOutcome): SaleEvent => {
  if (outcome.kind === 'notRead') return { on: 'cardNotRead', why: outcome.why };
  held.card = outcome.card;
  const card = cardFacts(outcome.card);
  return { on: 'cardRead', card, decision: outcome.kind, offline: parts.offline(card, intent.amount) };
};

const authorise = async ({ intent, parts, held }: Run): Promise<SaleEvent> => {
  if (intent.refunds !== undefined) {
    const reply = await parts.host.refer(intent.refunds.payment, refundRequest(intent), intent.key);
    return eventOf(reply, intent, { kind: 'refused', why: 'refunds need the gateway' });
  }
  const { card, info } = held;
  if (card === undefined || info === undefined)
    return { on: 'hostNotReached', why: 'no card was read', offline: { kind: 'refused', why: 'no card was read' } };
  const reply = await parts.host.pay(saleRequest(intent, { card, terminal: info }), intent.key);
  const icc = reply.kind === 'answered' ? textAt(reply.body, 'pos.iccDataResponse') : undefined;
  if (icc !== undefined) held.hostIcc = icc;
  return eventOf(reply, intent, parts.offline(cardFacts(card), intent.amount));
};

const completeChip = async (run: Run, kind: 'approved' | 'declined' | 'unableToGoOnline'): Promise<SaleEvent> => {
  const { held } = run;
  const icc = kind === 'unableToGoOnline' || held.hostIcc === undefined ? {} : { icc: held.hostIcc };
  const verdict = await attempt(run, (terminal) => terminal.complete({ kind, ...icc }));
  if (verdict === undefined) return { on: 'chipGone', why: 'the terminal failed' };
  if (verdict.kind === 'none') return { on: 'chipNotAsked' };
  if (verdict.kind === 'gone') return { on: 'chipGone', why: 'the card was taken out' };
  held.finalIcc = verdict.icc;
  const { kind: word, icc: _, ...chip } = verdict;
  return { on: word === 'approved' ? 'chipApproved' : 'chipDeclined', chip };
};

const partWithCard = async (run: Run, now: Sale): Promise<void> => {
  if (now.at !== 'ended') return;
  const word = now.ending === 'approved' ? 'approved' : now.ending === 'declined' ? 'declined' : 'cancelled';
  await attempt(run, async (terminal) => {
    await terminal.say(word);
    if (now.card?.entryMode === 'ICC') await terminal.removed(CARD_OUT_WITHIN_MS);
    await terminal.say('welcome');
  });
};

/** Asks the terminal if there still is one. A terminal that fails is dropped and made ready again for the next sale. */
const attempt = async <T>(run: Run, ask: (terminal: Terminal) => Promise<T>): Promise<T | undefined> => {
  if (run.held.terminal === undefined) return undefined;
  try {
    return await ask(run.held.terminal);
  } catch (error) {
    run.parts.report(error);
    await drop(run);
    return undefined;
  }
};

const drop = async ({ held, parts }: Run): Promise<void> => {
  delete held.terminal;
  await parts.terminals.drop();
};

/**
 * The journal would not take an event. The card is told no, and an approval that cannot be written down is given back
 * at once. If even that fails, the journal still shows an unanswered request: the next start takes it back.
 */
export const unrecorded = async (run: Run, event: SaleEvent, error: unknown): Promise<Fault> => {
  const fault = isFault(error) ? error : new Fault('journal.unwritable', { why: wordsOf(error) }, error);
  await attempt(run, (terminal) => terminal.complete({ kind: 'declined' }));
  if (event.on !== 'hostApproved' || event.answer.payment === undefined) return fault;
  const { parts, intent } = run;
  // A refund is asked for again by the next start, under the same key, and gets this same answer.
  if (intent.operation === 'refund')
    return new Fault('till.unrecorded', { sale: intent.sale, why: fault.message }, fault);
  const reply = await parts.host.refer(event.answer.payment, reversalRequest(intent.sale), parts.ids.next());
  if (reply.kind === 'answered' && reply.means === 'approved') return fault;
  return new Fault('till.unrecorded', { sale: intent.sale, why: fault.message }, fault);
};
