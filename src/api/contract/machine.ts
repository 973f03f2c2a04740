/** Where a till's data folder belongs, and what a manager says of it. */
import * as z from 'zod';
import { terminalNumber } from './wire.ts';

export const gatewayComparison = z
  .union([
    z.strictObject({ state: z.literal('compared') }),
    z.strictObject({ state: z.literal('due'), since: z.number(), refused: z.string().optional() }),
    z.strictObject({ state: z.literal('behind'), since: z.number(), sales: z.number() }),
  ])
  .describe(
    '`due`: the gateway was not asked since the last start, did not answer, or gave no list (`refused` is its code). ' +
      '`behind`: it knows so many sales that this folder lacks. Absent in training.',
  );
export type GatewayComparison = z.infer<typeof gatewayComparison>;

export const plainHttp = z
  .strictObject({
    address: z.string().describe('The gateway’s address.'),
    reach: z
      .enum(['privateNetwork', 'elsewhere'])
      .describe('Only within a private network can a manager allow plain http.'),
    permission: z
      .union([
        z.strictObject({ state: z.literal('none') }),
        z.strictObject({ state: z.literal('usedBefore') }),
        z.strictObject({ state: z.literal('allowed'), at: z.number(), by: z.string().optional() }),
      ])
      .describe(
        '`usedBefore`: sales were sent there before a manager was asked. `none`: nothing is sold, and nothing is sent.',
      ),
  })
  .describe('Absent where the way to the gateway is encrypted, or does not leave this machine.');
export type PlainHttp = z.infer<typeof plainHttp>;

export const machineState = z
  .strictObject({
    binding: z
      .enum(['here', 'unbound', 'elsewhere'])
      .describe(
        '`unbound`: this machine cannot be told from others, so that a copy of the folder would not be noticed.',
      ),
    comparison: gatewayComparison.optional(),
    plainHttp: plainHttp.optional(),
    terminals: z
      .array(z.strictObject({ counter: z.string(), terminalId: z.string() }))
      .describe('The terminals’ numbers as they are: a copy needs another one for each.'),
  })
  .meta({ id: 'MachineState' });
export type MachineState = z.infer<typeof machineState>;

export const takenOver = z.strictObject({
  sales: z.number().describe('How many sales were taken over.'),
  left: z
    .number()
    .describe(
      'How many are undecided at the gateway, or follow a payment that nobody here knows: they are taken over later.',
    ),
  setAside: z
    .number()
    .describe('How many waiting messages were set aside for a person: their sales may have been voided since.'),
});
export type TakenOver = z.infer<typeof takenOver>;

export const plainHttpRequest = z.strictObject({ address: z.url().max(500), allowed: z.boolean() });
export const copiedRequest = z.strictObject({ terminalIds: z.array(terminalNumber).min(1).max(10) });
