/** Unfinished work: the queue, unresolved sales, and the comparison with the gateway. */
import { Hono } from 'hono';
import * as z from 'zod';
import { type Env, may } from '../actor.ts';
import { answer, answers, answersLines, eachInMode, inMode, lines } from '../answers.ts';
import { path } from '../checked.ts';
import {
  comparisonStep,
  lateApprovals,
  queueViewInMode,
  retriedAnswer,
  salesComparisonInMode,
  unresolvedSaleInMode,
} from '../contract/recovery.ts';
import { receiptPath } from '../contract/wire.ts';
import type { RecoveryPort } from '../ports/recovery.ts';
import type { Sessions } from '../ports/session.ts';

export const recoveryRoutes = (service: RecoveryPort, sessions: Sessions) => {
  const see = may('seeAll', sessions);
  return new Hono<Env>()
    .get('/queue', see, answers(queueViewInMode), (c) => answer(c, inMode(c, service.queue())))
    .post('/queue/retry', see, answers(retriedAnswer), (c) => answer(c, inMode(c, service.retryParked(c.get('actor')))))
    .post('/queue/comparison', see, answersLines(comparisonStep, salesComparisonInMode), (c) =>
      lines(c, async (send) => inMode(c, await service.compareAll(send))),
    )
    .get('/unresolved', see, answers(z.array(unresolvedSaleInMode)), (c) =>
      answer(c, eachInMode(c, service.unresolved())),
    )
    .post('/unresolved/late-approvals', see, answers(lateApprovals), async (c) =>
      answer(c, inMode(c, await service.askLate(c.get('actor')))),
    )
    .get('/unresolved/:receipt', path(receiptPath), see, answers(unresolvedSaleInMode), (c) =>
      answer(c, inMode(c, service.unresolvedSale(c.req.valid('param').receipt))),
    );
};
