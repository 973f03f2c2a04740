/** Routes for staff, PINs, the audit list and program keys. */
import { Hono } from 'hono';
import * as z from 'zod';
import { type Env, may, mayIfApproved } from '../actor.ts';
import { answer, answers } from '../answers.ts';
import { body, query } from '../checked.ts';
import {
  auditPage,
  auditQuery,
  freshPosKey,
  ownPinRequest,
  permissionRow,
  personRequest,
  personRow,
  pinRequest,
  posKeyRequest,
  posKeyRow,
} from '../contract/store.ts';
import type { Sessions } from '../ports/session.ts';
import type { StorePort } from '../ports/store.ts';

export const storeRoutes = (service: StorePort, sessions: Sessions) => {
  const staff = may('manageStaff', sessions);
  return (
    new Hono<Env>()
      .get('/staff', may('seeAll', sessions), answers(z.array(personRow)), (c) => answer(c, service.people()))
      .post('/staff', body(personRequest), staff, answers(personRow), async (c) =>
        answer(c, await service.addPerson(c.req.valid('json'), c.get('actor')), 201),
      )
      .put('/staff/:name/pin', body(pinRequest), staff, answers(personRow), async (c) =>
        answer(c, await service.changePin({ name: c.req.param('name'), ...c.req.valid('json') }, c.get('actor'))),
      )
      // Requires the current PIN, so that nobody can change it in a session that was left open.
      .put('/session/pin', may('signIn', sessions), body(ownPinRequest), answers(personRow), async (c) =>
        answer(c, await service.changeOwnPin(c.req.valid('json'), c.get('actor'))),
      )
      .delete('/staff/:name', staff, answers(personRow), (c) =>
        answer(c, service.removePerson(c.req.param('name'), c.get('actor'))),
      )
      .get('/permissions', answers(z.array(permissionRow)), (c) => answer(c, service.permissions()))
      .get('/audit', may('seeAll', sessions), query(auditQuery), answers(auditPage), (c) =>
        answer(c, service.audit(c.req.valid('query'))),
      )
      .get('/pos-keys', may('pairTerminal', sessions), answers(z.array(posKeyRow)), (c) => answer(c, service.posKeys()))
      .post('/pos-keys', body(posKeyRequest), mayIfApproved('approveKey', sessions), answers(freshPosKey), (c) =>
        answer(c, service.makePosKey(c.req.valid('json'), { by: c.get('actor'), approver: c.get('approver') }), 201),
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
