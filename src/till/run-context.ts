/**
 * What one sale works with while it runs, and what it holds until then. Card data lives here only, in memory, from the
 * terminal's answer to the gateway's.
 */
import type { IntegratedTerminal } from '../../drivers/integrated-terminal.ts';
import type { CardData, Encrypted, Terminal, TerminalEvent, TerminalInfo } from '../../drivers/terminal.ts';
import { overwrite } from '../base/hex.ts';
import type { GiftCardSecret } from './gateway/request.ts';
import type { SaleEvent } from './machine/events.ts';
import type { EndedSale } from './machine/sale.ts';
import type { TillParts } from './ports.ts';

export type SaleOptions = { accept: readonly ('chip' | 'tap' | 'swipe' | 'manual')[]; presentWithinMs: number };

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
