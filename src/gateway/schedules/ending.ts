/** How a plan ends, and which plan of a chain is active. */
import type { EndReason, Schedule } from '../store/schedule-store.ts';

export type ActiveSchedule = Extract<Schedule, { state: 'active' }>;

/** Explains why no more runs follow. */
const reasonTexts: Readonly<Record<EndReason, string>> = {
  descheduled: 'It was descheduled.',
  rescheduled: 'It was rescheduled: another plan of its chain replaced it.',
  over: 'Nothing more falls due.',
  installments: 'All installments were charged.',
  registration: 'Its registration was deleted, or has expired.',
  declines: 'Its runs were declined too often, one after another.',
  'set aside': 'Its due times cannot be computed. Nothing more is charged until it is rescheduled.',
  'must not be tried again': 'The bank refused further attempts on this account.',
};

type Ending = { at: number; reason: EndReason; resultCode?: string };

/** The plan with its ending. `at` is wall time, ms. */
export const endSchedule = (schedule: Schedule, { at, reason, resultCode }: Ending): Schedule => ({
  ...schedule,
  resultCode: resultCode ?? schedule.resultCode,
  facts: { ...schedule.facts, ended: { at, reason, why: reasonTexts[reason] } },
  state: 'ended',
  nextAt: undefined,
});

/** The plan with this next due time, or ended if there is none or it would come after the plan's end. */
export const withNextRun = (schedule: ActiveSchedule, nextAt: number | undefined, at: number): Schedule =>
  nextAt === undefined || (schedule.endsAt !== undefined && nextAt > schedule.endsAt)
    ? endSchedule(schedule, { at, reason: 'over' })
    : { ...schedule, nextAt };

/** The active plan of a chain; there is never more than one. */
export const activeScheduleOf = (chain: readonly Schedule[]): ActiveSchedule | undefined =>
  chain.find((each): each is ActiveSchedule => each.state === 'active');

const revivableReasons: ReadonlySet<EndReason> = new Set([
  'registration',
  'declines',
  'must not be tried again',
  'set aside',
]);

/** Whether a new plan may replace this one although it has ended: nobody requested its end. */
export const isRevivable = ({ facts }: Schedule): boolean =>
  facts.ended !== undefined && revivableReasons.has(facts.ended.reason);
