/** A sale's requests to a card reader: wait for a card, read it, pass on the host's answer, return the card. */
import type { ReadOutcome, Terminal } from '../../../drivers/terminal.ts';
import { within } from '../../base/clock.ts';
import { errorText, Fault } from '../../base/fault.ts';
import { overwrite } from '../../base/hex.ts';
import { safeText } from '../../emv/card-text.ts';
import { offlineVerdictOf } from '../gateway/host-effects.ts';
import type { SaleEvent } from '../machine/events.ts';
import { cardFacts, chipFacts } from '../machine/facts.ts';
import type { Sale } from '../machine/sale.ts';
import type { Run } from '../run-context.ts';

/** How long the customer is asked to remove the card before the till continues. */
const CARD_OUT_WITHIN_MS = 30_000;
/** A terminal that has not finished its courtesies by then is given up. */
const PART_WITHIN_MS = CARD_OUT_WITHIN_MS + 15_000;
/** How long a card can be inserted before the amount is known: later ones are noticed when they are read. */
const AMOUNT_WITHIN_MS = 600_000;

/** Reports that a card was inserted before the amount is known. Whatever fails here, the card is still read later. */
export const awaitCard = (run: Run): Promise<SaleEvent | undefined> => {
  const waitingForCard = waitForCard(run);
  run.held.busy = waitingForCard;
  return waitingForCard;
};

const waitForCard = async (run: Run): Promise<SaleEvent | undefined> => {
  const { held, parts } = run;
  try {
    const terminal = await ready(run);
    if (terminal.present === undefined || held.cancelled || held.reading) return undefined;
    held.awaiting = true;
    const isThere = await terminal.present(AMOUNT_WITHIN_MS, run.handle);
    return isThere && !held.cancelled ? { on: 'cardPresented' } : undefined;
  } catch (error) {
    parts.report(error);
    await drop(run);
    return undefined;
  } finally {
    delete held.awaiting;
  }
};

/** Open, and proved to answer: if the line broke since the last sale, the terminal is opened once more. */
const ready = async (run: Run): Promise<Terminal> => {
  const { held, parts } = run;
  let terminal = await parts.terminals.get();
  try {
    await terminal.echo();
  } catch (error) {
    parts.report(error);
    await parts.terminals.drop();
    terminal = await parts.terminals.get();
  }
  held.info = await terminal.info();
  held.terminal = terminal;
  return terminal;
};

export const readCard = async (run: Run, { intent }: Sale): Promise<SaleEvent> => {
  const { parts, options, held } = run;
  try {
    await endWaiting(run);
    await parts.settleUnknown();
    const terminal = await ready(run);
    if (held.cancelled) return { on: 'cardNotRead', why: 'cancelledByTill' };
    const { accept, presentWithinMs: withinMs } = options;
    const kind = intent.operation === 'credit' ? 'refund' : 'purchase';
    const outcome = await terminal.read({ amount: intent.amount, kind, at: intent.at, accept, withinMs }, run.handle);
    return cardEvent(run, outcome, intent);
  } catch (error) {
    parts.report(error);
    await drop(run);
    return { on: 'cardNotRead', why: 'terminalFailed', words: safeText(errorText(error)) };
  }
};

/** The amount has arrived: ends the wait that began without it, so that the card can be read. */
export const endWaiting = async ({ held }: Run): Promise<void> => {
  held.reading = true;
  if (held.awaiting) await held.terminal?.cancel();
  await held.busy;
};

const cardEvent = (run: Run, outcome: ReadOutcome, intent: Sale['intent']): SaleEvent => {
  if (outcome.kind === 'notRead') return { on: 'cardNotRead', why: outcome.why };
  run.held.card = outcome.card;
  const offline = offlineVerdictOf(run, intent);
  return { on: 'cardRead', card: cardFacts(outcome.card), decision: outcome.kind, offline };
};

export const completeChip = async (
  run: Run,
  kind: 'approved' | 'declined' | 'unableToGoOnline',
): Promise<SaleEvent> => {
  const { held } = run;
  const icc = kind === 'unableToGoOnline' || held.hostIcc === undefined ? {} : { icc: held.hostIcc };
  const verdict = await attempt(run, (terminal) => terminal.complete({ kind, ...icc }));
  if (verdict === undefined) return { on: 'chipGone', why: 'the terminal failed' };
  if (verdict.kind === 'gone') return { on: 'chipGone', why: 'the card was taken out' };
  const chip = chipFacts(verdict);
  if (verdict.kind === 'none') return { on: 'chipNotAsked', chip: Object.keys(chip).length > 0 ? chip : undefined };
  held.finalIcc = verdict.icc;
  if (verdict.kind === 'approved' && verdict.sred !== undefined) held.finalSred = verdict.sred;
  // Without the card's final data, nothing of this sale could be stored or ever sent.
  if (kind === 'unableToGoOnline' && held.card?.mayHoldPin && held.finalSred === undefined)
    return { on: 'chipGone', why: 'the card’s last word did not come' };
  return { on: verdict.kind === 'approved' ? 'chipApproved' : 'chipDeclined', chip };
};

/** Tells the card that it is declined. A card that is only waited for was never read. */
export const release = async (run: Run): Promise<void> => {
  run.held.reading = true;
  if (run.held.awaiting) await cancelCard(run);
  const verdict = await attempt(run, (terminal) => terminal.complete({ kind: 'declined' }));
  // A card that approves all the same is not believed, and its data is sent nowhere.
  if (verdict?.kind === 'approved') overwrite(verdict.sred?.data);
};

export const partWithCard = async (run: Run, now: Sale): Promise<void> => {
  if (now.at !== 'ended') return;
  const outcomeWord = now.ending === 'approved' ? 'approved' : now.ending === 'declined' ? 'declined' : 'cancelled';
  await attempt(run, (terminal) => {
    const finishTerminal = async () => {
      await terminal.show(outcomeWord);
      if (now.card?.entryMode === 'ICC') await terminal.waitForRemoval(CARD_OUT_WITHIN_MS);
      await terminal.show('welcome');
    };
    const timeoutFault = () => new Fault('terminal.silent', { command: 'the end of the sale', ms: PART_WITHIN_MS });
    return within(run.parts.clock, PART_WITHIN_MS, finishTerminal(), timeoutFault);
  });
};

export const cancelCard = async (run: Run): Promise<void> => {
  run.held.cancelled = true;
  try {
    await run.held.terminal?.cancel();
  } catch (error) {
    run.parts.report(error);
    await drop(run);
  }
};

/** Asks the terminal, if there still is one, after its current operation. A terminal that fails is opened again. */
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
  const ownTurn = held.busy === undefined ? turn() : held.busy.then(turn);
  held.busy = ownTurn;
  return ownTurn;
};

const drop = async ({ held, parts }: Run): Promise<void> => {
  delete held.terminal;
  await parts.terminals.drop();
};
