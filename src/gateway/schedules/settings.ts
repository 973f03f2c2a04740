/** What a channel can set about its schedules, and what holds where it sets nothing. */

import * as z from 'zod';
import { isTimeZone } from '../../base/wall-time.ts';

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

const whole = (least: number, most: number, unit: string) =>
  z.int(`must be whole ${unit}`).min(least, `must be ${least} or more`).max(most, `must be ${most} or less`);

/** The shape of a channel's schedule settings in a configuration. */
export const scheduleRulesShape = z.strictObject({
  timeZone: z.string().refine(isTimeZone, 'must be a time zone of this machine such as Europe/Vienna').exactOptional(),
  leastSeconds: whole(1, 86_400, 'seconds').exactOptional(),
  catchUpHours: whole(1, 720, 'hours').exactOptional(),
  declinesMost: whole(1, 100, 'declines').exactOptional(),
}) satisfies z.ZodType<ScheduleRules>;
