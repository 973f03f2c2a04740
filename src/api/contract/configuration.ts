/** A till's configuration as it is brought in and undone. */
import * as z from 'zod';
import { permission } from './session.ts';

export const configurationChange = z
  .strictObject({
    field: z.string(),
    before: z.string().optional(),
    after: z.string().optional(),
    needs: permission.describe('What it takes to change it.'),
  })
  .describe('A value that differs: `before` or `after` is absent where it is left out.');
export type ConfigurationChange = z.infer<typeof configurationChange>;

export const configurationPlan = z
  .strictObject({ changes: z.array(configurationChange), restart: z.boolean() })
  .meta({ id: 'ConfigurationPlan' });
export type ConfigurationPlan = z.infer<typeof configurationPlan>;

export const undoAnswer = z.strictObject({ plan: configurationPlan.optional() });
export const configurationText = z.strictObject({ text: z.string().max(1_000_000) });
