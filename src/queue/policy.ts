/** What an answer to a queued message means for the queue, in one table, and when the next try is. */
import type { Random } from '../base/ids.ts';

/** What became of one try, in a word. */
export type Means =
  | 'approved'
  | 'declined'
  | 'pending'
  | 'refused'
  | 'mend'
  | 'later'
  | 'otherMode'
  | 'undecided'
  | 'held'
  | 'spent'
  | 'unknown'
  | 'notSent'
  | 'silent';

/** done: an answer that settles it. later: the same message again. park: a person has to look. */
type Verdict = 'done' | 'later' | 'park';

export const verdicts: Readonly<Record<Means, Verdict>> = {
  approved: 'done',
  declined: 'done',
  // The gateway will not take this message however often it comes.
  refused: 'park',
  // It will, as it is, once somebody has put the channel's configuration right.
  mend: 'park',
  // A card-present request has no pending state: something is wrong that a retry does not mend.
  pending: 'park',
  later: 'later',
  // A live till was answered by a test system. Kept with its card data, to go as a new request once that is mended.
  otherMode: 'park',
  // Answered, and by nobody who could decide: an issuer that was not there. Sent again as a new request.
  undecided: 'later',
  // Not sent: the card's scheme allows no further try so soon.
  held: 'later',
  // Not sent: the scheme allows no further try of this sale at all.
  spent: 'park',
  notSent: 'later',
  silent: 'later',
  // A code that nobody knows may be a yes. The same key gets the same answer, so asking again is safe.
  unknown: 'later',
};

/** Nobody was there to answer: the next message would fare alike, and is not sent to find that out. */
export const isLineDown = (means: Means): boolean => means === 'notSent' || means === 'silent';

/** After this many answers of unknown meaning a person has to look. Unreachable gateways are tried for ever. */
export const UNKNOWN_ANSWERS_MOST = 10;

/** After so many answers of any kind that settled nothing a person has to look: at five minutes a try, eight hours. */
export const ANSWERS_MOST = 100;

/** What was parked after so many is tried as often once more on each start: the cause may be mended by then. */
export const RENEWED_TRIES = 10;

type Counted = { readonly means: Means; readonly unknowns: number; readonly answers: number };

/** What becomes of a message by this answer, after so many others that settled nothing. */
export const verdictOf = ({ means, unknowns, answers }: Counted): Verdict => {
  const isUsedUp = isAnswer(means) && answers >= ANSWERS_MOST;
  const isNotUnderstood = means === 'unknown' && unknowns >= UNKNOWN_ANSWERS_MOST;
  return verdicts[means] === 'later' && (isUsedUp || isNotUnderstood) ? 'park' : verdicts[means];
};

/** It was sent, and somebody answered. */
export const isAnswer = (means: Means): boolean => !isLineDown(means) && means !== 'held';

const FIRST_MS = 1_000;
/** A due time further away than this comes from a clock that was set back: it counts as due. */
export const LONGEST_BACKOFF_MS = 300_000;

/** How long to wait before try number `attempts` + 1: doubled each time, up to five minutes, half of it jitter. */
export const backoffMs = (attempts: number, random: Random): number => {
  const whole = Math.min(LONGEST_BACKOFF_MS, FIRST_MS * 2 ** Math.min(attempts, 20));
  const [dice = 0] = random(1);
  return Math.round(whole / 2 + (whole / 2) * (dice / 255));
};
