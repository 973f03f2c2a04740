/** The shape of a channel's schedule settings in a configuration, separate so that payments run without zod. */
import * as z from 'zod';
import { isTimeZone } from '../../base/wall-time.ts';
import type { ScheduleRules } from './settings.ts';

const whole = (least: number, most: number, unit: string) =>
  z.int(`must be whole ${unit}`).min(least, `must be ${least} or more`).max(most, `must be ${most} or less`);

export const scheduleRulesShape = z.strictObject({
  timeZone: z
    .string()
    .refine(isTimeZone, 'must be a time zone that this machine knows, such as Europe/Vienna')
    .exactOptional(),
  leastSeconds: whole(1, 86_400, 'seconds').exactOptional(),
  catchUpHours: whole(1, 720, 'hours').exactOptional(),
  declinesMost: whole(1, 100, 'declines').exactOptional(),
}) satisfies z.ZodType<ScheduleRules>;
