/** A channel's settings for schedules, and their defaults. */

export type ScheduleRules = {
  /** IANA name of the time zone for job.*. Default UTC. */
  timeZone?: string;
  /** The shortest time between two runs of a plan, in seconds, up to a day. Default 3600. */
  leastSeconds?: number;
  /** How late a missed run may still be made, in hours. Default 72. */
  catchUpHours?: number;
  /** This many consecutive declined runs end a plan. Default 3. */
  declinesMost?: number;
};

export const settingsOf = ({ schedules = {} }: { schedules?: ScheduleRules }): Required<ScheduleRules> => ({
  timeZone: 'UTC',
  leastSeconds: 3600,
  catchUpHours: 72,
  declinesMost: 3,
  ...schedules,
});
