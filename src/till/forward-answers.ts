/**
 * How the answers to stored messages are sorted, in one table: first match wins. What is in no row follows its meaning:
 * a yes or a decline settles, a refusal is for a person, and what nobody understands is asked about.
 */
import type { HostAnswer } from './facts.ts';

/**
 * undecided: nobody who could decide was asked; sent again later as a new request, within the schemes' limits.
 * channel: this till's channel or the whole gateway; nothing else would fare better, and it goes by itself when mended.
 * mend: refused for what stands in the gateway's configuration; parked, and sent again as it was.
 * over: of what follows a payment: the payment does not allow it, and never will.
 */
export type Sorting = 'undecided' | 'channel' | 'mend' | 'over';

export type SortingRow = {
  readonly codes: RegExp;
  readonly sorting: Sorting;
  /** What has to be done, in words. */
  readonly mend?: string;
  /** Only of messages that follow a payment. */
  readonly ofFollowers?: true;
};

/** What has to be done where a test system answers a live till. */
export const mendMode =
  'Have the gateway’s operator set this till’s channel live, or give the till its live address and channel';

export const sortings: readonly SortingRow[] = [
  // Timed out and reversed behind the gateway, or never sent there: no money moved, but no issuer said no either.
  { codes: /^(100\.396\.103|900\.100\.301|900\.100\.310)$/, sorting: 'undecided' },
  // The issuer was not there.
  { codes: /^800\.100\.176$/, sorting: 'undecided' },
  { codes: /^800\.120\.100$/, sorting: 'channel', mend: 'Nothing: the gateway wants fewer requests at a time' },
  {
    codes: /^800\.900\./,
    sorting: 'channel',
    mend: 'Have the gateway’s operator check this till’s access token and channel',
  },
  {
    codes: /^(600\.[23]|500\.)/,
    sorting: 'channel',
    mend: 'Have the gateway’s operator set the channel up for this payment: type, brand and currency',
  },
  { codes: /^200\.300\.40[5-7]$/, sorting: 'mend', mend: 'Have the gateway’s operator correct the channel’s entity' },
  // Only of an answer in test mode at a live till.
  { codes: /^000\.100\.11[0-2]$/, sorting: 'mend', mend: mendMode },
  {
    codes: /^800\.121\./,
    sorting: 'mend',
    mend: 'Have the gateway’s operator allow this operation on the channel',
  },
  {
    codes: /^100\.(55|600|650|7)/,
    sorting: 'mend',
    mend: 'Have the gateway’s operator correct the merchant’s data and its bounds for amounts',
  },
  { codes: /^700\.400\.570$/, sorting: 'undecided', ofFollowers: true },
  { codes: /^700\.[1-4]00\./, sorting: 'over', ofFollowers: true },
];

/** DE 39 of networks in which nobody decided: cut-off, issuer not available, no route, malfunction. */
const nobodyDecided: ReadonlySet<string> = new Set(['90', '91', '92', '96']);

/** The row for this answer, or undefined: then its meaning decides. */
export const sortingOf = (
  { code, response }: Pick<HostAnswer, 'code' | 'response'>,
  follows = false,
): SortingRow | undefined => {
  const row = sortings.find(({ codes, ofFollowers }) => codes.test(code) && (follows || ofFollowers !== true));
  if (row !== undefined || response === undefined || !nobodyDecided.has(response)) return row;
  return { codes: /^/, sorting: 'undecided' };
};
