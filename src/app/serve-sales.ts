/** At a till's end: its sales are asked for a cancel, and each is waited for, since only the ending says what it is. */
import type { Events } from '../api/ports/events.ts';
import type { LiveSale, SellingPort } from '../api/ports/selling.ts';

const isOpen = ({ result }: LiveSale): boolean => result === undefined;

export const underWay = (selling: Pick<SellingPort, 'live'>): LiveSale[] => selling.live().filter(isOpen);

/** Resolves when every sale has its ending. However long that takes: a sale that is cut is asked about for days. */
export const endSales = async (
  selling: Pick<SellingPort, 'live' | 'cancel' | 'endWaits'>,
  events: Pick<Events, 'listen'>,
): Promise<void> => {
  selling.endWaits?.();
  for (const sale of underWay(selling)) selling.cancel(sale.id);
  await new Promise<void>((resolve) => {
    const stop = events.listen(() => look());
    const look = (): void => {
      if (underWay(selling).length > 0) return;
      stop();
      resolve();
    };
    look();
  });
};
