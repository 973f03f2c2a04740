/** The till as an installation: where its data folder belongs, its configuration, and going live. */
import * as z from 'zod';
import { wantWords } from '../../base/field-wants.ts';
import { isGatewayAddress } from '../../base/gateway-address.ts';
import { permission } from './session.ts';
import { localizedMessage, terminalNumber } from './wire.ts';

export const gatewayComparison = z
  .union([
    z.strictObject({ state: z.literal('compared') }),
    z.strictObject({ state: z.literal('due'), since: z.number(), refused: z.string().optional() }),
    z.strictObject({ state: z.literal('behind'), since: z.number(), sales: z.number() }),
  ])
  .describe(
    '`due`: since the last start the gateway was not asked, did not answer, or gave no list (`refused` is its code). ' +
      '`behind`: the number of sales that the gateway has and this folder lacks. Absent in training.',
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
        '`usedBefore`: sales were sent there before a manager had to allow it. `none`: the till cannot sell or send ' +
          'anything.',
      ),
  })
  .describe('Absent if the connection to the gateway is encrypted or does not leave this machine.');
export type PlainHttp = z.infer<typeof plainHttp>;

export const machineState = z
  .strictObject({
    binding: z
      .enum(['here', 'unbound', 'elsewhere'])
      .describe('`unbound`: the till cannot identify this machine, so it would not notice a copy of the folder.'),
    comparison: gatewayComparison.optional(),
    plainHttp: plainHttp.optional(),
    terminals: z
      .array(z.strictObject({ counter: z.string(), terminalId: z.string() }))
      .describe('The current terminal numbers: a copy needs a different one for each.'),
  })
  .meta({ id: 'MachineState' });
export type MachineState = z.infer<typeof machineState>;

export const takenOver = z.strictObject({
  sales: z.number().describe('The number of imported sales.'),
  left: z
    .number()
    .describe(
      'How many are undecided at the gateway, or follow a payment that is unknown here: they are imported later.',
    ),
  setAside: z
    .number()
    .describe('How many waiting messages were set aside for a person: their sales may have been voided since.'),
});
export type TakenOver = z.infer<typeof takenOver>;

export const plainHttpRequest = z.strictObject({ address: z.url().max(500), allowed: z.boolean() });
export const copiedRequest = z.strictObject({ terminalIds: z.array(terminalNumber).min(1).max(10) });

export const configurationChange = z
  .strictObject({
    field: z.string(),
    before: z.string().optional(),
    after: z.string().optional(),
    needs: permission.describe('The permission that is needed to change it.'),
  })
  .describe('A value that differs: `before` or `after` is absent if the value is not set there.');
export type ConfigurationChange = z.infer<typeof configurationChange>;

export const configurationPlan = z
  .strictObject({ changes: z.array(configurationChange), restart: z.boolean() })
  .meta({ id: 'ConfigurationPlan' });
export type ConfigurationPlan = z.infer<typeof configurationPlan>;

export const undoAnswer = z.strictObject({ plan: configurationPlan.optional() });
export const configurationText = z.strictObject({ text: z.string().max(1_000_000) });

export const goingLiveRow = z.strictObject({
  item: z.enum(['terminal', 'gateway', 'people', 'shop']),
  done: z.boolean(),
  says: localizedMessage.describe('The current value, or what is missing.'),
  cure: localizedMessage.optional().describe('What to do about it, if it is not done.'),
});
export type GoingLiveRow = z.infer<typeof goingLiveRow>;
export type GoingLiveItem = GoingLiveRow['item'];

export const checklist = z.strictObject({
  rows: z.array(goingLiveRow),
  ready: z.boolean().describe('All rows are done.'),
  gateway: z
    .strictObject({ baseUrl: z.string(), entityId: z.string() })
    .optional()
    .describe(
      'The live channel of the last successful test, without its token; absent if there is none, or none is needed.',
    ),
  withoutGateway: z.boolean().describe('All terminals contact their banks themselves: no channel is needed.'),
});
export type Checklist = z.infer<typeof checklist>;

export const triedGateway = z.strictObject({ answered: z.boolean(), says: localizedMessage });
export type TriedGateway = z.infer<typeof triedGateway>;
export const foundLive = z.strictObject({ found: localizedMessage.optional() });

export const liveChannel = z.strictObject({
  baseUrl: z.string().max(500).refine(isGatewayAddress, wantWords.httpsAlone).describe('Ends in a slash.'),
  entityId: z
    .string()
    .regex(/^[0-9a-f]{32}$/, wantWords.entityId)
    .describe('32 lower-case hex digits.'),
  token: z.string().regex(/^[!-~]{8,512}$/, wantWords.token),
});
export type LiveChannel = z.infer<typeof liveChannel>;

export const goLiveRequest = z.strictObject({ channel: liveChannel.optional() });
