/** Where the money of a sale is according to the journal: a row for each case, and the first that fits applies. */
import type { Sale } from '../till/machine/sale.ts';

/** Where the money of an intent is, without regard to its follow-ups. */
export type Place = 'notSent' | 'unknown' | 'approved' | 'declined' | 'reversed';

export type PlaceRow = { readonly place: Place; readonly says: string; is(sale: Sale): boolean };

/** Tips are part of the amount. A sale that fits no row is unknown. */
export const places = {
  unread: {
    place: 'unknown',
    says: 'A newer version of this program has recorded something about it that this version cannot read.',
    is: (sale) => sale.at === 'ended' && sale.unread !== undefined,
  },
  waiting: {
    place: 'notSent',
    says: 'The till waits for the card; nothing has been sent.',
    is: ({ at }) => at === 'presenting' || at === 'noting' || at === 'awaitingAmount',
  },
  goingOffline: {
    place: 'notSent',
    says: 'The gateway was certainly not reached, and the card is being asked for an offline approval.',
    is: ({ at }) => at === 'goingOffline',
  },
  tellingNo: {
    place: 'declined',
    says: 'The bank declined, and the card is being told.',
    is: (sale) => sale.at === 'completing' && !sale.approved,
  },
  underWay: {
    place: 'unknown',
    says: 'It was requested, and its ending is not recorded yet.',
    is: ({ at }) => at !== 'ended',
  },
  contradicted: {
    place: 'unknown',
    says: 'A person said how it ended, and a later answer contradicts it.',
    is: (sale) => sale.at === 'ended' && sale.differs !== undefined,
  },
  reversalDue: {
    place: 'unknown',
    says: 'It was approved and is being reversed: until that is confirmed the bank may still have it.',
    is: (sale) => sale.at === 'ended' && sale.reversal === 'due',
  },
  unanswered: {
    place: 'unknown',
    says: 'There is no answer yet.',
    is: (sale) => sale.at === 'ended' && sale.ending === 'unknown',
  },
  givenBack: {
    place: 'reversed',
    says: 'It was approved, and the approval was reversed.',
    is: (sale) => sale.at === 'ended' && sale.reversal === 'done',
  },
  withdrawn: {
    place: 'notSent',
    says: 'A stored sale and its void left the queue together: no money was ever requested.',
    is: (sale) => sale.at === 'ended' && sale.reason === 'voidedBeforeSending',
  },
  stored: {
    place: 'notSent',
    says: 'It was taken offline and waits to be forwarded.',
    is: (sale) =>
      sale.at === 'ended' && sale.ending === 'approved' && sale.offline !== undefined && sale.forwarded === undefined,
  },
  approved: {
    place: 'approved',
    says: 'It was approved, by the gateway or the terminal.',
    is: (sale) => sale.at === 'ended' && sale.ending === 'approved',
  },
  declined: {
    place: 'declined',
    says: 'It was declined, at once or when it was forwarded.',
    is: (sale) => sale.at === 'ended' && sale.ending === 'declined',
  },
  neverSent: {
    place: 'notSent',
    says: 'It was provably never sent.',
    is: (sale) => sale.at === 'ended' && sale.ending === 'notSent',
  },
  unforeseen: { place: 'unknown', says: 'A case that is not known to be harmless is unknown.', is: () => true },
} as const satisfies Record<string, PlaceRow>;

export type PlaceName = keyof typeof places;

/** The name of the row that applies to this sale. */
export const caseOf = (sale: Sale): PlaceName =>
  (Object.keys(places) as PlaceName[]).find((name) => places[name].is(sale)) ?? 'unforeseen';
