/** A channel's settings for schedules, and their defaults. */

import * as z from 'zod';
import { isTimeZone } from '../../base/wall-time.ts';

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

const whole = (least: number, most: number, unit: string) =>
  z.int(`must be whole ${unit}`).min(least, `must be ${least} or more`).max(most, `must be ${most} or less`);

/** The shape of a channel's schedule settings in a configuration. */
export const scheduleRulesShape = z.strictObject({
  timeZone: z
    .string()
    .refine(isTimeZone, 'must be a time zone that this machine knows, such as Europe/Vienna')
    .exactOptional(),
  leastSeconds: whole(1, 86_400, 'seconds').exactOptional(),
  catchUpHours: whole(1, 720, 'hours').exactOptional(),
  declinesMost: whole(1, 100, 'declines').exactOptional(),
}) satisfies z.ZodType<ScheduleRules>;
