/** What a shop says of the screens of `npm start`, in till.json. */
import * as z from 'zod';
import { wantWords } from '../base/field-wants.ts';

export const screensShape = z
  .strictObject({
    /** They lock themselves when nobody touches them for so long; 5 if left out. */
    lockAfterMinutes: z.int().min(1).max(480).optional(),
    /** Until somebody chooses another one; BCP 47, English if left out. */
    language: z
      .string()
      .regex(/^[a-z]{2,3}(-[A-Za-z]{2,4})?$/, wantWords.language)
      .optional(),
    /** Tips that are offered, whole percent of the amount; 5, 10, 15 and 20 if left out. */
    tipPercents: z
      .array(z.int().min(1).max(100))
      .min(1)
      .max(4)
      .refine((percents) => new Set(percents).size === percents.length, 'must each be another one')
      .optional(),
  })
  .optional();
