/** What is not at its end: the queue, unresolved sales, and every sale compared with the gateway. */
import { Hono } from 'hono';
import { type Env, may } from '../actor.ts';
import { path, receiptPath } from '../checked.ts';
import { lines, type TellStep } from '../lines.ts';
import { eachInMode, inMode } from '../mode.ts';
import type { ComparisonStep, RecoveryPort } from '../ports/recovery.ts';
import type { Sessions } from '../ports/session.ts';

export const recoveryRoutes = (service: RecoveryPort, sessions: Sessions) => {
  const see = may('seeAll', sessions);
  return new Hono<Env>()
    .get('/queue', see, (c) => c.json(inMode(c, service.queue())))
    .post('/queue/retry', see, (c) => c.json(inMode(c, service.retryParked(c.get('actor')))))
    .post('/queue/comparison', see, (c) =>
      lines(c, async (tell: TellStep<ComparisonStep>) => inMode(c, await service.compareAll(tell))),
    )
    .get('/unresolved', see, (c) => c.json(eachInMode(c, service.unresolved())))
    .post('/unresolved/late-approvals', see, async (c) => c.json(inMode(c, await service.askLate(c.get('actor')))))
    .get('/unresolved/:receipt', path(receiptPath), see, (c) =>
      c.json(inMode(c, service.unresolvedSale(c.req.valid('param').receipt))),
    );
};
