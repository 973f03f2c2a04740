/** How a plan comes to its end, and which one of a chain is alive. */
import type { EndReason, Schedule } from '../store/schedule-store.ts';

export type ActiveSchedule = Extract<Schedule, { state: 'active' }>;

/** In words, for whoever asks why no more runs come. */
const words: Readonly<Record<EndReason, string>> = {
  descheduled: 'It was descheduled.',
  rescheduled: 'It was rescheduled: another plan of its chain took its place.',
  over: 'Nothing more falls due.',
  installments: 'All installments were charged.',
  registration: 'Its registration was deleted, or the time of it is over.',
  declines: 'Its runs were declined too often, one after another.',
  'set aside': 'It cannot be worked out when it falls due. Nothing more is charged until it is rescheduled.',
  'must not be tried again': 'The bank said that this account must not be tried again.',
};

type Ending = { at: number; reason: EndReason; resultCode?: string };

/** The plan at its end. `at` is wall time, ms. */
export const endedSchedule = (schedule: Schedule, { at, reason, resultCode }: Ending): Schedule => ({
  ...schedule,
  resultCode: resultCode ?? schedule.resultCode,
  facts: { ...schedule.facts, ended: { at, reason, why: words[reason] } },
  state: 'ended',
  nextAt: undefined,
});

/** With this time as its next, or at its end if there is none or it would come after the plan's. */
export const comingAt = (schedule: ActiveSchedule, nextAt: number | undefined, at: number): Schedule =>
  nextAt === undefined || (schedule.endsAt !== undefined && nextAt > schedule.endsAt)
    ? endedSchedule(schedule, { at, reason: 'over' })
    : { ...schedule, nextAt };

/** The one of a chain that runs; there is never more than one. */
export const aliveOf = (chain: readonly Schedule[]): ActiveSchedule | undefined =>
  chain.find((each): each is ActiveSchedule => each.state === 'active');

const revivable: ReadonlySet<EndReason> = new Set(['registration', 'declines', 'must not be tried again', 'set aside']);

/** Whether a new plan may take the place of this one though it has ended: nobody has said that it should end. */
export const isRevivable = ({ facts }: Schedule): boolean =>
  facts.ended !== undefined && revivable.has(facts.ended.reason);
