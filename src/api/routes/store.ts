/** People, their PINs, what was done by whom, and keys of programs. */
import { Hono } from 'hono';
import * as z from 'zod';
import { type Env, may, mayIfApproved } from '../actor.ts';
import { body, name, pin, query, slice } from '../checked.ts';
import { roles } from '../ports/roles.ts';
import type { Sessions } from '../ports/session.ts';
import type { StorePort } from '../ports/store.ts';

const fresh = z.strictObject({ name, role: z.enum(roles), pin });
const posKey = z.strictObject({ name, origins: z.array(z.string().max(200)).max(10).optional() });
const auditQuery = z.object({ ...slice, kind: z.string().max(40).optional(), by: z.string().max(40).optional() });

export const storeRoutes = (service: StorePort, sessions: Sessions) => {
  const staff = may('manageStaff', sessions);
  return (
    new Hono<Env>()
      .get('/staff', may('seeAll', sessions), (c) => c.json(service.people()))
      .post('/staff', body(fresh), staff, async (c) =>
        c.json(await service.addPerson(c.req.valid('json'), c.get('actor')), 201),
      )
      .put('/staff/:name/pin', body(z.strictObject({ pin })), staff, async (c) =>
        c.json(await service.changePin({ name: c.req.param('name'), ...c.req.valid('json') }, c.get('actor'))),
      )
      // A session that somebody left open changes nobody's PIN: the one before is asked for.
      .put('/session/pin', may('signIn', sessions), body(z.strictObject({ current: pin, pin })), async (c) =>
        c.json(await service.changeOwnPin(c.req.valid('json'), c.get('actor'))),
      )
      .delete('/staff/:name', staff, (c) => c.json(service.removePerson(c.req.param('name'), c.get('actor'))))
      .get('/permissions', (c) => c.json(service.permissions()))
      .get('/audit', may('seeAll', sessions), query(auditQuery), (c) => c.json(service.audit(c.req.valid('query'))))
      .get('/pos-keys', may('pairTerminal', sessions), (c) => c.json(service.posKeys()))
      .post('/pos-keys', body(posKey), mayIfApproved('approveKey', sessions), (c) =>
        c.json(service.makePosKey(c.req.valid('json'), { by: c.get('actor'), approver: c.get('approver') }), 201),
      )
      .post('/pos-keys/:name/approval', mayIfApproved('approveKey', sessions), (c) => {
        service.approvePosKey(c.req.param('name'), c.get('approver'));
        return c.body(null, 204);
      })
      .delete('/pos-keys/:name', may('pairTerminal', sessions), (c) => {
        service.removePosKey(c.req.param('name'), c.get('actor'));
        return c.body(null, 204);
      })
  );
};
