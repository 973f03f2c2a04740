/** From test mode to live: the checklist, a gateway that is tried, and the act itself. */
import { Hono } from 'hono';
import * as z from 'zod';
import { wantWords } from '../../base/field-wants.ts';
import { isGatewayAddress } from '../../base/gateway-address.ts';
import { type Env, may } from '../actor.ts';
import { body } from '../checked.ts';
import type { GoingLivePort } from '../ports/going-live.ts';
import type { Sessions } from '../ports/session.ts';

const channel = z.strictObject({
  baseUrl: z.string().max(500).refine(isGatewayAddress, wantWords.httpsAlone),
  entityId: z.string().regex(/^[0-9a-f]{32}$/, wantWords.entityId),
  token: z.string().regex(/^[!-~]{8,512}$/, wantWords.token),
});
const act = z.strictObject({ channel: channel.optional() });

export const goingLiveRoutes = (service: GoingLivePort, sessions: Sessions) => {
  const manager = may('goLive', sessions);
  return new Hono<Env>()
    .get('/going-live', manager, async (c) => c.json(await service.checklist()))
    .post('/going-live/gateway', body(channel), manager, async (c) =>
      c.json(await service.tryGateway(c.req.valid('json'))),
    )
    .post('/going-live', body(act), manager, async (c) => {
      await service.goLive(c.req.valid('json').channel, c.get('actor'));
      return c.body(null, 204);
    })
    .get('/going-live/found', manager, (c) => {
      const found = service.found();
      return c.json(found === undefined ? {} : { found });
    })
    .post('/going-live/found', manager, (c) => {
      service.read(c.get('actor'));
      return c.body(null, 204);
    });
};
