/** The journal's seal and second copy, and unsent sales that one till handed over to another. */
import { Hono } from 'hono';
import * as z from 'zod';
import { type Env, may } from '../actor.ts';
import { answer, answers, eachInMode, inMode } from '../answers.ts';
import { body } from '../checked.ts';
import {
  sealedAnswer,
  secondCopyAnswer,
  sentTakenOver,
  takeBackRequest,
  takenBackAnswer,
  takenOverRowInMode,
} from '../contract/recovery.ts';
import type { TakeoverPort } from '../ports/recovery.ts';
import type { Sessions } from '../ports/session.ts';

export const takeoverRoutes = (service: TakeoverPort, sessions: Sessions) => {
  const see = may('seeAll', sessions);
  return new Hono<Env>()
    .get('/journal/copy', see, answers(secondCopyAnswer), async (c) => answer(c, inMode(c, await service.secondCopy())))
    .post('/journal/seal', see, answers(sealedAnswer), (c) => answer(c, inMode(c, service.seal())))
    .get('/taken-over', see, answers(z.array(takenOverRowInMode)), (c) => answer(c, eachInMode(c, service.takenOver())))
    .post('/taken-over/send', see, answers(sentTakenOver), async (c) =>
      answer(c, inMode(c, await service.sendTakenOver())),
    )
    .post('/taken-over/back', body(takeBackRequest), may('exportJournal', sessions), answers(takenBackAnswer), (c) =>
      answer(c, inMode(c, service.takeBack(c.get('actor'), c.req.valid('json').exportId))),
    );
};
