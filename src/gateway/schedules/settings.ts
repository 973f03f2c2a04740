/** The defaults of a channel's settings for schedules. */
import type { ScheduleRules } from './settings-shape.ts';

export type { ScheduleRules } from './settings-shape.ts';

export const settingsOf = ({ schedules = {} }: { schedules?: ScheduleRules }): Required<ScheduleRules> => ({
  timeZone: 'UTC',
  leastSeconds: 3600,
  catchUpHours: 72,
  declinesMost: 3,
  ...schedules,
});
