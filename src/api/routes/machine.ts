/** Routes for the place of the data folder and for going live. */
import { Hono } from 'hono';
import { type Env, may } from '../actor.ts';
import { answer, answers } from '../answers.ts';
import { body } from '../checked.ts';
import {
  checklist,
  copiedRequest,
  foundLive,
  goLiveRequest,
  liveChannel,
  machineState,
  plainHttpRequest,
  takenOver,
  triedGateway,
} from '../contract/machine.ts';
import type { GoingLivePort, MachinePort } from '../ports/machine.ts';
import type { Sessions } from '../ports/session.ts';

export const machineRoutes = (service: MachinePort, sessions: Sessions) => {
  const manager = may('placeTill', sessions);
  return new Hono<Env>()
    .get('/machine', manager, answers(machineState), (c) => answer(c, service.state()))
    .post('/machine/compare', manager, answers(machineState), async (c) => answer(c, await service.compare()))
    .post('/machine/take-over', manager, answers(takenOver), async (c) =>
      answer(c, await service.takeOver(c.get('actor'))),
    )
    .post('/machine/plain-http', body(plainHttpRequest), may('changeGateway', sessions), answers(machineState), (c) =>
      answer(c, service.setPlainHttp(c.req.valid('json'), c.get('actor'))),
    )
    .post('/machine/moved', manager, (c) => {
      service.moved(c.get('actor'));
      return c.body(null, 204);
    })
    .post('/machine/copied', body(copiedRequest), manager, (c) => {
      service.declareCopy(c.req.valid('json').terminalIds, c.get('actor'));
      return c.body(null, 204);
    });
};

/** From test mode to live: the checklist, the test of a gateway, and the switch itself. */
export const goingLiveRoutes = (service: GoingLivePort, sessions: Sessions) => {
  const manager = may('goLive', sessions);
  return new Hono<Env>()
    .get('/going-live', manager, answers(checklist), async (c) => answer(c, await service.checklist()))
    .post('/going-live/gateway', body(liveChannel), manager, answers(triedGateway), async (c) =>
      answer(c, await service.tryGateway(c.req.valid('json'))),
    )
    .post('/going-live', body(goLiveRequest), manager, async (c) => {
      await service.goLive(c.req.valid('json').channel, c.get('actor'));
      return c.body(null, 204);
    })
    .get('/going-live/found', manager, answers(foundLive), (c) => {
      const found = service.found();
      return answer(c, found === undefined ? {} : { found });
    })
    .post('/going-live/found', manager, (c) => {
      service.read(c.get('actor'));
      return c.body(null, 204);
    });
};
