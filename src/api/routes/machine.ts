/** Where the till's data folder belongs: what is found, and what a manager says. */
import { Hono } from 'hono';
import * as z from 'zod';
import { wantWords } from '../../base/field-wants.ts';
import { isGatewayAddress } from '../../base/gateway-address.ts';
import { type Env, may } from '../actor.ts';
import { body } from '../checked.ts';
import type { GoingLivePort } from '../ports/going-live.ts';
import type { MachinePort } from '../ports/machine.ts';
import type { Sessions } from '../ports/session.ts';

const copy = z.strictObject({
  terminalIds: z
    .array(z.string().regex(/^\d{1,32}$/, wantWords.digits))
    .min(1)
    .max(10),
});

const plainHttp = z.strictObject({ address: z.url().max(500), allowed: z.boolean() });

export const machineRoutes = (service: MachinePort, sessions: Sessions) => {
  const manager = may('placeTill', sessions);
  return new Hono<Env>()
    .get('/machine', manager, (c) => c.json(service.state()))
    .post('/machine/compare', manager, async (c) => c.json(await service.compare()))
    .post('/machine/take-over', manager, async (c) => c.json(await service.takeOver(c.get('actor'))))
    .post('/machine/plain-http', body(plainHttp), may('changeGateway', sessions), (c) =>
      c.json(service.setPlainHttp(c.req.valid('json'), c.get('actor'))),
    )
    .post('/machine/moved', manager, (c) => {
      service.moved(c.get('actor'));
      return c.body(null, 204);
    })
    .post('/machine/copied', body(copy), manager, (c) => {
      service.copied(c.req.valid('json').terminalIds, c.get('actor'));
      return c.body(null, 204);
    });
};

const channel = z.strictObject({
  baseUrl: z.string().max(500).refine(isGatewayAddress, wantWords.httpsAlone),
  entityId: z.string().regex(/^[0-9a-f]{32}$/, wantWords.entityId),
  token: z.string().regex(/^[!-~]{8,512}$/, wantWords.token),
});
const act = z.strictObject({ channel: channel.optional() });

/** From test mode to live: the checklist, a gateway that is tried, and the act itself. */
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
