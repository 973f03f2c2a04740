/** What a channel can set about its schedules, and what holds where it sets nothing. */

export type ScheduleRules = {
  /** IANA name: whose clock job.* is read by. UTC unless told. */
  timeZone?: string;
  /** The least time between two runs of a plan, seconds up to a day. 3600 unless told. */
  leastSeconds?: number;
  /** How late a missed run may still be done, hours. 72 unless told. */
  catchUpHours?: number;
  /** So many declined runs one after another end a plan. 3 unless told. */
  declinesMost?: number;
};

export const settingsOf = ({ schedules = {} }: { schedules?: ScheduleRules }): Required<ScheduleRules> => ({
  timeZone: 'UTC',
  leastSeconds: 3600,
  catchUpHours: 72,
  declinesMost: 3,
  ...schedules,
});
