/** The till as an installation: its data folder's place, its configuration, and the way from test mode to live. */
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

export const goingLiveRow = z.strictObject({
  item: z.enum(['terminal', 'gateway', 'people', 'shop']),
  done: z.boolean(),
  says: localizedMessage.describe('What stands there now, or what is missing.'),
  cure: localizedMessage.optional().describe('What to do about it, where it is not done.'),
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
      'The live channel that was tried last with success, without its token; absent where none was, or none is needed.',
    ),
  withoutGateway: z.boolean().describe('All terminals authorise by themselves: no channel is asked for.'),
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
/** A live channel at a gateway. */
export type LiveChannel = z.infer<typeof liveChannel>;

export const goLiveRequest = z.strictObject({ channel: liveChannel.optional() });
