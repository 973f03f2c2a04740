/** Runs one sale: records each event, then does what the machine asks for. It decides nothing itself. */
import type { TerminalEvent } from '../../drivers/terminal.ts';
import { errorText, Fault, isFault } from '../base/fault.ts';
import { compare, type Money } from '../base/money.ts';
import { authorise } from './gateway/host-effects.ts';
import type { GiftCardSecret } from './gateway/request.ts';
import { refuseAmount, withTip } from './intend.ts';
import type { SaleEvent } from './machine/events.ts';
import type { Intent } from './machine/facts.ts';
import { begin, type Effect, type EndedSale, next, type Sale } from './machine/sale.ts';
import { messageFor } from './messages.ts';
import type { TillParts } from './ports.ts';
import { overwriteHeld, type Run, type SaleOptions } from './run-context.ts';
import { awaitCard, cancelCard, completeChip, partWithCard, readCard, release } from './terminal/card-effects.ts';
import { attendTerminal } from './terminal/terminal-effects.ts';

export type Progress =
  | { kind: 'sale'; sale: Sale }
  | { kind: 'terminal'; event: TerminalEvent }
  /** The terminal reported, before this sale, the outcome of an earlier one. */
  | { kind: 'earlier'; sale: EndedSale };
export type ProgressListener = (progress: Progress) => void;

export interface Running {
  readonly sale: string;
  /** Resolves with the ending, once the card was told too. Rejects only when the journal could not be written. */
  readonly done: Promise<EndedSale>;
  /** Only requests the cancellation: the ending shows whether it took effect. */
  cancel(): void;
}

/** A sale that began before its amount is known. */
export interface RunningWithoutAmount extends Running {
  /**
   * Sets the amount, and the tip that is added to it; durable before the card receives it. Throws `till.amountFixed`
   * when it is already set or the sale is over, `journal.unwritable` when it could not be written, and as `sell` does
   * for an amount that no request could carry.
   */
  setAmount(amount: Money, tip?: Money): void;
}

export type SaleRunParts = { options: SaleOptions; onProgress: ProgressListener; giftCard?: GiftCardSecret };

/** Starts the sale. The intent is durable when this returns; throws `journal.unwritable` if it is not. */
export const run = (intent: Intent, parts: TillParts, how: SaleRunParts): RunningWithoutAmount => {
  const notify = guard(how.onProgress, parts);
  const context = contextOf(parts, how, { onProgress: notify, onEvent: (event) => hear(event) });
  const effects = trackEffects();
  let sale: Sale | undefined;
  let failure: Fault | undefined;

  const dispatch = (event: SaleEvent): void => {
    const step = sale === undefined ? begin(intent) : next(sale, event);
    const message = step?.outgoing && messageFor(step.outgoing, context, step.sale);
    parts.ledger.record(intent.sale, event, message);
    if (step === undefined) return;
    sale = step.sale;
    notify({ kind: 'sale', sale });
    for (const effect of step.effects ?? []) send(effect, sale);
    if (sale.at === 'ended' && intent.by !== 'terminal') send({ do: 'partWithCard' }, sale);
  };

  const hear = (event: SaleEvent | undefined): void => {
    if (event === undefined || failure !== undefined) return;
    effects.goOn();
    try {
      dispatch(event);
    } catch (error) {
      parts.report(error);
      // A cancel that was not recorded does not count. If it is in the journal after all, it ends the run, as the
      // journal will show.
      if (event.on === 'cancelAsked' && !isInJournal(event, intent, parts)) return;
      // The run ends here. The journal counts: the till brings the sale to an ending from there.
      failure = unwrittenFault(intent, sale, error);
      effects.add(release(context));
    }
  };

  // An effect never rejects: a failure at the terminal or the gateway is an event too.
  const send = (effect: SaleEffect, now: Sale): void => effects.add(perform(context, effect, now).then(hear));

  const settled = async (): Promise<EndedSale> => {
    // If nobody waits for a card any more, the sale continues with the cashier's amount or a cancel.
    await effects.waitForEnd(() => failure === undefined && sale?.at === 'awaitingAmount');
    overwriteHeld(context);
    check();
    if (sale?.at !== 'ended') throw new Fault('till.unresolved', { sale: intent.sale });
    return sale;
  };

  const check = (): void => {
    if (failure !== undefined) throw failure;
  };

  const setAmount = (amount: Money, tip?: Money): void => {
    check();
    if (sale?.at !== 'awaitingAmount') throw new Fault('till.amountFixed', { receipt: intent.receipt });
    hear({ on: 'amountFixed', ...wholeOf(amount, tip, intent) });
    check();
  };

  dispatch({ on: 'intended', intent });
  return { sale: intent.sale, done: settled(), cancel: () => hear({ on: 'cancelAsked' }), setAmount };
};

const contextOf = (
  parts: TillParts,
  { options, giftCard }: SaleRunParts,
  { onProgress, onEvent }: { onProgress: ProgressListener; onEvent: Run['onEvent'] },
): Run => ({
  parts,
  options,
  onEvent,
  handle: (event) => onProgress({ kind: 'terminal', event }),
  heardOf: (earlier) => onProgress({ kind: 'earlier', sale: earlier }),
  held: { giftCard },
});

/** The effects of the sale in progress, and the wait until there are none. */
const trackEffects = () => {
  const underWay = new Set<Promise<void>>();
  let resume = () => {};
  return {
    add(effect: Promise<void>): void {
      const done = effect.finally(() => underWay.delete(done));
      underWay.add(done);
    },
    goOn: () => resume(),
    /** `isWaiting`: no effect is in progress, and something is still expected from outside; `goOn` says when. */
    async waitForEnd(isWaiting: () => boolean): Promise<void> {
      for (;;) {
        while (underWay.size > 0) for (const effect of underWay) await effect;
        if (!isWaiting()) return;
        await new Promise<void>((resolve) => {
          resume = resolve;
        });
      }
    },
  };
};

/** Refuses a currency other than the sale's, and an amount that no request could carry. */
const wholeOf = (amount: Money, tip: Money | undefined, intent: Intent): { amount: Money; tip?: Money } => {
  const whole = withTip(amount, tip);
  refuseAmount(whole.amount);
  compare(whole.amount, intent.amount);
  return whole;
};

/** An observer may fail; the sale continues. */
const guard =
  (notify: ProgressListener, { report }: TillParts): ProgressListener =>
  (progress) => {
    try {
      notify(progress);
    } catch (error) {
      report(error);
    }
  };

/** Before a request was sent nothing can have been charged. Afterwards only an inquiry can tell. */
const unwrittenFault = ({ sale: id }: Intent, sale: Sale | undefined, error: unknown): Fault =>
  sale === undefined || ['awaitingAmount', 'presenting', 'noting'].includes(sale.at)
    ? isFault(error, 'journal.unwritable')
      ? error
      : new Fault('journal.unwritable', { why: errorText(error) }, error)
    : new Fault('till.unrecorded', { sale: id, why: errorText(error) }, error);

/** Whether the failed write reached the disk after all. A journal that cannot be read may contain anything. */
const isInJournal = ({ on }: SaleEvent, intent: Intent, parts: TillParts): boolean => {
  try {
    return parts.ledger.events(intent.sale).at(-1)?.on === on;
  } catch (error) {
    parts.report(error);
    return true;
  }
};

// The effects of a sale on the world: requests to the terminal, the gateway, the card. Each ends with an event.

/** An effect of the machine, or the courtesy at the end: the terminal's screen and the return of the card. */
type SaleEffect = Effect | { do: 'partWithCard' };

/** Never rejects: an effect that fails in an unforeseen way ends as its worst case. */
const perform = async (run: Run, effect: SaleEffect, now: Sale): Promise<SaleEvent | undefined> => {
  try {
    return await attend(run, effect, now);
  } catch (error) {
    run.parts.report(error);
    return worstOf(effect, errorText(error));
  }
};

const attend = async (run: Run, effect: SaleEffect, now: Sale): Promise<SaleEvent | undefined> => {
  switch (effect.do) {
    case 'awaitCard':
      return awaitCard(run);
    case 'readCard':
      return readCard(run, now);
    case 'cancelCard':
      await cancelCard(run);
      return undefined;
    case 'authorise':
      return authorise(run, now);
    case 'completeChip':
      return completeChip(run, effect.verdict);
    case 'releaseCard':
      await release(run);
      return undefined;
    case 'partWithCard':
      // The sale has ended, and its stored part was written: the card may stay in the slot for long.
      overwriteHeld(run);
      await partWithCard(run, now);
      return undefined;
    default:
      return attendTerminal(run, effect, now);
  }
};

const worstOf = (effect: SaleEffect, reason: string): SaleEvent | undefined => {
  if (effect.do === 'readCard') return { on: 'cardNotRead', why: 'terminalFailed', words: reason };
  if (effect.do === 'authorise') return { on: 'hostSilent', why: reason };
  if (effect.do === 'noteTerminal') return { on: 'terminalUnready', why: reason };
  if (effect.do === 'payAtTerminal' || effect.do === 'askTerminal') return { on: 'terminalSilent', why: reason };
  return effect.do === 'completeChip' ? { on: 'chipGone', why: reason } : undefined;
};
