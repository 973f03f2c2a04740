/** Runs one sale: writes each event down, then does what the machine asks for. It decides nothing itself. */
import type { TerminalEvent } from '../../drivers/terminal.ts';
import { Fault, isFault, wordsOf } from '../base/fault.ts';
import { type Errand, perform, type Run, release } from './effects.ts';
import type { SaleEvent } from './events.ts';
import type { Intent } from './facts.ts';
import { messageFor } from './messages.ts';
import type { TillParts } from './ports.ts';
import { begin, type EndedSale, next, type Sale } from './sale.ts';

export type Progress =
  | { kind: 'sale'; sale: Sale }
  | { kind: 'terminal'; event: TerminalEvent }
  /** The terminal told, before this sale, what became of an earlier one. */
  | { kind: 'earlier'; sale: EndedSale };
export type Tell = (progress: Progress) => void;

export type SaleOptions = { accept: readonly ('chip' | 'tap' | 'swipe' | 'manual')[]; presentWithinMs: number };

export interface Running {
  readonly sale: string;
  /** The ending, once the card has been told too. Rejects only when the journal could not be written. */
  readonly done: Promise<EndedSale>;
  /** A request, not a result: the ending says what became of it. */
  cancel(): void;
}

/** Starts the sale. The intent is durable when this returns; throws `journal.unwritable` when it could not be. */
export const run = (intent: Intent, parts: TillParts, how: { options: SaleOptions; tell: Tell }): Running => {
  const tell = guarded(how.tell, parts);
  const context: Run = {
    intent,
    parts,
    options: how.options,
    hear: (event) => tell({ kind: 'terminal', event }),
    heardOf: (earlier) => tell({ kind: 'earlier', sale: earlier }),
    held: {},
  };
  const errands = new Set<Promise<void>>();
  let sale: Sale | undefined;
  let failure: Fault | undefined;

  const dispatch = (event: SaleEvent): void => {
    const step = sale === undefined ? begin(intent) : next(sale, event);
    const message = step?.outgoing && messageFor(step.outgoing, context, step.sale);
    parts.ledger.record(intent.sale, event, message);
    if (step === undefined) return;
    sale = step.sale;
    tell({ kind: 'sale', sale });
    for (const effect of step.effects ?? []) send(effect, sale);
    if (sale.at === 'ended' && intent.by !== 'terminal') send({ do: 'partWithCard' }, sale);
  };

  const hear = (event: SaleEvent | undefined): void => {
    if (event === undefined || failure !== undefined) return;
    try {
      dispatch(event);
    } catch (error) {
      parts.report(error);
      // A cancel that was not written down has not been asked for. One that stands all the same ends the run, as the
      // journal will tell it.
      if (event.on === 'cancelAsked' && !stands(event, context)) return;
      // The run ends here. What the journal shows is what counts: the till brings it to an ending from there.
      failure = unwritten(intent, sale, error);
      errands.add(release(context));
    }
  };

  // An errand never rejects: what fails at the terminal or the gateway is an event too.
  const send = (errand: Errand, now: Sale): void => {
    const done = perform(context, errand, now)
      .then(hear)
      .finally(() => errands.delete(done));
    errands.add(done);
  };

  const settled = async (): Promise<EndedSale> => {
    while (errands.size > 0) for (const errand of errands) await errand.finally(() => errands.delete(errand));
    if (failure !== undefined) throw failure;
    if (sale?.at !== 'ended') throw new Fault('till.unresolved', { sale: intent.sale });
    return sale;
  };

  dispatch({ on: 'intended', intent });
  return { sale: intent.sale, done: settled(), cancel: () => hear({ on: 'cancelAsked' }) };
};

/** Whoever watches may fail; the sale goes on. */
const guarded =
  (tell: Tell, { report }: TillParts): Tell =>
  (progress) => {
    try {
      tell(progress);
    } catch (error) {
      report(error);
    }
  };

/** Before a request has left, nothing can have been charged. After it, only asking tells. */
const unwritten = ({ sale: id }: Intent, sale: Sale | undefined, error: unknown): Fault =>
  sale === undefined || sale.at === 'presenting' || sale.at === 'noting'
    ? isFault(error, 'journal.unwritable')
      ? error
      : new Fault('journal.unwritable', { why: wordsOf(error) }, error)
    : new Fault('till.unrecorded', { sale: id, why: wordsOf(error) }, error);

/** Whether the write that failed has reached the disk nevertheless. A journal that cannot be read may hold anything. */
const stands = ({ on }: SaleEvent, { parts, intent }: Run): boolean => {
  try {
    return parts.ledger.events(intent.sale).at(-1)?.on === on;
  } catch (error) {
    parts.report(error);
    return true;
  }
};
