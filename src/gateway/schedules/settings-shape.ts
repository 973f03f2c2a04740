/** The shape of a channel's schedule settings in a configuration, separate so that payments run without zod. */
import * as z from 'zod';
import { isTimeZone } from '../../base/wall-time.ts';

const wholeNumber = (least: number, most: number, unit: string) =>
  z.int(`must be whole ${unit}`).min(least, `must be ${least} or more`).max(most, `must be ${most} or less`);

export const scheduleRulesShape = z.strictObject({
  /** For job.*. Default UTC. */
  timeZone: z
    .string()
    .refine(isTimeZone, 'must be a time zone that this machine knows, such as Europe/Vienna')
    .exactOptional(),
  /** The shortest time between two runs of a plan. Default 3600. */
  leastSeconds: wholeNumber(1, 86_400, 'seconds').exactOptional(),
  /** How late a missed run may still be made. Default 72. */
  catchUpHours: wholeNumber(1, 720, 'hours').exactOptional(),
  /** This many consecutive declined runs end a plan. Default 3. */
  declinesMost: wholeNumber(1, 100, 'declines').exactOptional(),
});

export type ScheduleRules = z.infer<typeof scheduleRulesShape>;
