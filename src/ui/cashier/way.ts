/** How the next card may be presented: for one sale, after which it is as usual again. */
import type { BeginRequest } from '../../api/ports/selling.ts';
import type { Words } from '../../locales/screens.ts';

type Ways = NonNullable<BeginRequest['accept']>;

export type Way = {
  accept: Ways;
  /** Take less when the card has too little. */
  partial: boolean;
};

const usual: Ways = ['chip', 'tap', 'swipe'];

export const usualWay: Way = { accept: usual, partial: false };

export const isUsual = ({ accept, partial }: Way): boolean =>
  !partial && accept.length === usual.length && usual.every((way) => accept.includes(way));

/** The customer's card is not there, or cannot be read: its number is typed at the terminal. */
export const isTyped = ({ accept }: Way): boolean => accept.length === 1 && accept[0] === 'manual';

/** The same key once more: as usual again. */
export const typedOrUsual = (way: Way): Way => ({ ...way, accept: isTyped(way) ? usual : ['manual'] });

/** `Number typed`, and what else is not as usual. */
export const saidWay = (t: Words['cashier'], way: Way): string => {
  const ways = isUsual({ ...way, partial: false }) ? [] : way.accept.map((one) => t.ways[one]);
  return [...ways, ...(way.partial ? [t.partial] : [])].join(', ');
};
