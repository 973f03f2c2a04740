/**
 * What one sale works with while it runs, and the data it holds. Card data is only here, in memory, from the terminal's
 * answer to the gateway's.
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
  handle(event: TerminalEvent): void;
  /** Something that happened during an effect: it is recorded before the effect continues. */
  onEvent(event: SaleEvent): void;
  /** An earlier sale made progress. */
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
    /** The card's final encrypted account data: it replaces the first. */
    finalSred?: Encrypted;
    cancelled?: true;
    /** The terminal waits for a card to be inserted, and has not read it yet. */
    awaiting?: true;
    /** The amount is known: nobody waits any longer for a card without reading it. */
    reading?: true;
    /** What the terminal is doing: it does one thing at a time, apart from a cancel. */
    busy?: Promise<unknown>;
  };
};

/** At the end of every run: no encrypted card data survives the sale. */
export const overwriteHeld = ({ held }: Run): void => {
  const { card, finalSred } = held;
  overwrite(card?.pin?.data, ...(card?.sred ?? []).map(({ data }) => data), finalSred?.data);
  delete held.card;
  delete held.finalSred;
  delete held.giftCard;
};
