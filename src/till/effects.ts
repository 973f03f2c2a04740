/**
 * What a sale does to the world: asks the terminal, the gateway, the card. Each errand ends with the event it led to.
 *
 * Card data lives here only, in memory, from the terminal's answer to the gateway's.
 */
import type { IntegratedTerminal } from '../../drivers/integrated-terminal.ts';
import type { CardData, Encrypted, Terminal, TerminalEvent, TerminalInfo } from '../../drivers/terminal.ts';
import { wordsOf } from '../base/fault.ts';
import { overwrite } from '../base/overwrite.ts';
import { authorise } from './gateway/host-errands.ts';
import type { GiftCardSecret } from './gateway/request.ts';
import type { SaleEvent } from './machine/events.ts';
import type { Effect, EndedSale, Sale } from './machine/sale.ts';
import type { TillParts } from './ports.ts';
import type { SaleOptions } from './running.ts';
import { awaitCard, cancelCard, completeChip, partWithCard, readCard, release } from './terminal/card-errands.ts';
import { attendTerminal } from './terminal/terminal-errands.ts';

export type Run = {
  readonly parts: TillParts;
  readonly options: SaleOptions;
  hear(event: TerminalEvent): void;
  /** Something that an errand under way has met: it is written down before the errand goes on. */
  happened(event: SaleEvent): void;
  /** An earlier sale came a step further. */
  heardOf(sale: EndedSale): void;
  /** Never written down. */
  readonly held: {
    terminal?: Terminal;
    integrated?: IntegratedTerminal;
    info?: TerminalInfo;
    card?: CardData;
    giftCard?: GiftCardSecret;
    hostIcc?: string;
    finalIcc?: string;
    /** The card's last word as encrypted account data: it takes the place of the first. */
    finalSred?: Encrypted;
    cancelled?: true;
    /** The terminal waits for a card to be put in, and nothing is read of it yet. */
    awaiting?: true;
    /** The amount is known: nobody waits for a card any more without reading it. */
    reading?: true;
    /** What the terminal is doing: it takes one thing at a time, but for a cancel. */
    busy?: Promise<unknown>;
  };
};

/** At the end of a run, whatever it was: nothing that is encrypted of the card outlives the sale. */
export const overwriteHeld = ({ held }: Run): void => {
  const { card, finalSred } = held;
  overwrite(card?.pin?.data, ...(card?.sred ?? []).map(({ data }) => data), finalSred?.data);
  delete held.card;
  delete held.finalSred;
  delete held.giftCard;
};

/** An effect of the machine, or the courtesy at the end: the terminal's screen and the card's return. */
export type Errand = Effect | { do: 'partWithCard' };

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
      return completeChip(run, errand.verdict);
    case 'releaseCard':
      await release(run);
      return undefined;
    case 'partWithCard':
      // The sale has ended, and what is to be stored of it was written down: the card may stay in the slot for long.
      overwriteHeld(run);
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
