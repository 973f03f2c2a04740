/** How the next card may be presented: for one sale only, after which the usual ways apply again. */
import type { BeginRequest } from '../../api/contract/sale-requests.ts';
import type { Words } from '../../locales/screens.ts';

type Ways = NonNullable<BeginRequest['accept']>;

export type Way = {
  accept: Ways;
  /** Accept a partial approval when the card has too little. */
  partial: boolean;
};

const usual: Ways = ['chip', 'tap', 'swipe'];

export const usualWay: Way = { accept: usual, partial: false };

export const isUsual = ({ accept, partial }: Way): boolean =>
  !partial && accept.length === usual.length && usual.every((way) => accept.includes(way));

/** The card is not present or unreadable: its number is typed at the terminal. */
export const isTyped = ({ accept }: Way): boolean => accept.length === 1 && accept[0] === 'manual';

/** Pressing the same key again restores the usual ways. */
export const switchTyped = (way: Way): Way => ({ ...way, accept: isTyped(way) ? usual : ['manual'] });

/** `Number typed`, and whatever else is unusual. */
export const wayText = (t: Words['cashier'], way: Way): string => {
  const ways = isUsual({ ...way, partial: false }) ? [] : way.accept.map((one) => t.ways[one]);
  return [...ways, ...(way.partial ? [t.partial] : [])].join(', ');
};
