/** Where the money of one sale is, by what the journal tells of it: a row for each case, the first that fits holds. */
import type { Sale } from '../till/machine/sale.ts';

/** Of one intent by itself, before anything that follows it is looked at. */
export type Place = 'notSent' | 'unknown' | 'approved' | 'declined' | 'reversed';

export type PlaceRow = { readonly place: Place; readonly says: string; is(sale: Sale): boolean };

/** Tips are in the amount, and are where it is. What no row knows is unknown. */
export const places = {
  unread: {
    place: 'unknown',
    says: 'A newer version of this program has written about it what this one cannot read.',
    is: (sale) => sale.at === 'ended' && sale.unread !== undefined,
  },
  waiting: {
    place: 'notSent',
    says: 'The card is awaited; nothing has left the till.',
    is: ({ at }) => at === 'presenting' || at === 'noting' || at === 'awaitingAmount',
  },
  goingOffline: {
    place: 'notSent',
    says: 'The gateway was certainly not reached, and the card is being asked.',
    is: ({ at }) => at === 'goingOffline',
  },
  tellingNo: {
    place: 'declined',
    says: 'The bank said no, and the card is being told.',
    is: (sale) => sale.at === 'completing' && !sale.approved,
  },
  underWay: {
    place: 'unknown',
    says: 'It was asked for, and its end is not written down yet.',
    is: ({ at }) => at !== 'ended',
  },
  contradicted: {
    place: 'unknown',
    says: 'A person said how it ended, and what came later says otherwise.',
    is: (sale) => sale.at === 'ended' && sale.differs !== undefined,
  },
  reversalDue: {
    place: 'unknown',
    says: 'It was approved and is being given back: until that is answered it may stand at the bank.',
    is: (sale) => sale.at === 'ended' && sale.reversal === 'due',
  },
  unanswered: {
    place: 'unknown',
    says: 'Nobody has said what became of it.',
    is: (sale) => sale.at === 'ended' && sale.ending === 'unknown',
  },
  givenBack: {
    place: 'reversed',
    says: 'It was approved, and the approval was given back.',
    is: (sale) => sale.at === 'ended' && sale.reversal === 'done',
  },
  withdrawn: {
    place: 'notSent',
    says: 'A stored sale and its void were taken out of the queue together: no money was ever asked for.',
    is: (sale) => sale.at === 'ended' && sale.reason === 'voidedBeforeSending',
  },
  stored: {
    place: 'notSent',
    says: 'It was taken offline, and is stored until it is forwarded.',
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
    says: 'It was declined, at once or on forwarding.',
    is: (sale) => sale.at === 'ended' && sale.ending === 'declined',
  },
  neverSent: {
    place: 'notSent',
    says: 'It is proved that nobody was asked for it.',
    is: (sale) => sale.at === 'ended' && sale.ending === 'notSent',
  },
  unforeseen: { place: 'unknown', says: 'What is not known to be harmless is unknown.', is: () => true },
} as const satisfies Record<string, PlaceRow>;

export type PlaceName = keyof typeof places;

/** The name of the row that holds for this sale. */
export const caseOf = (sale: Sale): PlaceName =>
  (Object.keys(places) as PlaceName[]).find((name) => places[name].is(sale)) ?? 'unforeseen';
