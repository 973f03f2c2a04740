/** From test mode to live: the checklist, and the live channel that is tried. */
import * as z from 'zod';
import { wantWords } from '../../base/field-wants.ts';
import { isGatewayAddress } from '../../base/gateway-address.ts';
import { localizedMessage } from './wire.ts';

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
