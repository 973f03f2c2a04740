/** What an answer to a queued message means for the queue, in one table, and when the next try is due. */
import type { Random } from '../base/ids.ts';

/** done: the answer settles it. later: send the same message again. park: a person must look. */
type Verdict = 'done' | 'later' | 'park';

/** The verdict on each outcome of a try. */
export const verdicts = {
  approved: 'done',
  declined: 'done',
  // The gateway will never take this message.
  refused: 'park',
  // The gateway will take the message unchanged once the channel's configuration is fixed.
  mend: 'park',
  // A card-present request is never pending: something is wrong that a retry does not fix.
  pending: 'park',
  later: 'later',
  // A test system answered a live till. Kept with its card data, to be sent as a new request once that is fixed.
  otherMode: 'park',
  // Someone answered who could not decide: the issuer was unavailable. Sent again as a new request.
  undecided: 'later',
  // Not sent: the card's scheme forbids a try so soon.
  held: 'later',
  // Not sent: the scheme forbids any further try of this sale.
  spent: 'park',
  notSent: 'later',
  silent: 'later',
  // An unknown code may mean an approval. The same key gets the same answer, so asking again is safe.
  unknown: 'later',
} as const satisfies Record<string, Verdict>;

export type TryOutcome = keyof typeof verdicts;

/** Nothing answered: the next message would get no answer either, so it is not tried. */
export const isLineDown = (means: TryOutcome): boolean => means === 'notSent' || means === 'silent';

/** After this many answers of unknown meaning a person must look. An unreachable gateway is tried for ever. */
export const UNKNOWN_ANSWERS_MOST = 10;

/** After this many answers of any kind without a settlement a person must look: at five minutes each, eight hours. */
export const ANSWERS_MOST = 100;

/** After that many, each start allows this many further tries: the cause may be fixed by then. */
export const RENEWED_TRIES = 10;

type Counted = { readonly means: TryOutcome; readonly unknowns: number; readonly answers: number };

/** The verdict on a message after this answer and the given number of earlier ones that settled nothing. */
export const verdictOf = ({ means, unknowns, answers }: Counted): Verdict => {
  const isUsedUp = isAnswer(means) && answers >= ANSWERS_MOST;
  const isNotUnderstood = means === 'unknown' && unknowns >= UNKNOWN_ANSWERS_MOST;
  return verdicts[means] === 'later' && (isUsedUp || isNotUnderstood) ? 'park' : verdicts[means];
};

/** Whether the message was sent and someone answered. */
export const isAnswer = (means: TryOutcome): boolean => !isLineDown(means) && means !== 'held';

const FIRST_MS = 1_000;
/** A due time further away than this comes from a clock that was set back: it counts as due. */
export const LONGEST_BACKOFF_MS = 300_000;

/** The wait before try number `attempts` + 1: doubled each time, up to five minutes, half of it jitter. */
export const backoffMs = (attempts: number, random: Random): number => {
  const whole = Math.min(LONGEST_BACKOFF_MS, FIRST_MS * 2 ** Math.min(attempts, 20));
  const [dice = 0] = random(1);
  return Math.round(whole / 2 + (whole / 2) * (dice / 255));
};
