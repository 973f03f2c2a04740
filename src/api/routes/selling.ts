/** Routes for sales: start, follow up, cancel, look up. */
import { type Context, Hono } from 'hono';
import * as z from 'zod';
import { Fault } from '../../base/fault.ts';
import { disconnectSignal, type Env, may } from '../actor.ts';
import { answer, answers, eachInMode, inMode } from '../answers.ts';
import { body, keyNeeded, keyOf, path, query } from '../checked.ts';
import { counterInMode, lineStateInMode } from '../contract/counters.ts';
import type { Permission } from '../contract/roles.ts';
import {
  type BeginRequest,
  beginRequest,
  claim,
  claimAnswerInMode,
  codeAnswer,
  type FollowUpRequest,
  followBody,
  followPath,
  likelyRequest,
  salesPage,
  salesQuery,
  trainingAnswer,
  trainingRequest,
} from '../contract/sale-requests.ts';
import {
  type FollowOperation,
  holdRowInMode,
  type LiveSale,
  liveSale,
  saleDetailInMode,
  saleRowInMode,
} from '../contract/sales.ts';
import { receiptPath } from '../contract/wire.ts';
import { listedAs, liveViewOf, mayClaim, mayOpen, openClaimed } from '../own-sales.ts';
import type { SellingPort } from '../ports/selling.ts';
import type { Sessions } from '../ports/session.ts';

const beginPermission = { sale: 'sell', giftCard: 'sell', preauthorisation: 'preauthorise', credit: 'credit' } as const;
const followPermission: Readonly<Record<FollowOperation, Permission>> = {
  refund: 'refund',
  void: 'void',
  release: 'void',
  increment: 'preauthorise',
  completion: 'preauthorise',
  tip: 'tip',
};

/** A repetition is answered before the permission check: the approval of the first request is already used up. */
const repeatedOf = (
  service: SellingPort,
  request: BeginRequest | FollowUpRequest,
  c: Context<Env>,
): LiveSale | undefined => service.repeated?.(request, c.get('actor'), keyOf(c));

/** Lookups, which change nothing, with their access checks. */
const lookupRoutes = (service: SellingPort, sessions: Sessions) =>
  new Hono<Env>()
    .get('/live', answers(z.array(liveSale)), (c) =>
      answer(
        c,
        service.live().flatMap((sale) => liveViewOf(service, c.get('actor'))(sale) ?? []),
      ),
    )
    .get('/preauths', answers(z.array(holdRowInMode)), (c) => {
      const onlyCashier = listedAs(c.get('actor'));
      return answer(
        c,
        eachInMode(
          c,
          service.holds().filter(({ cashier }) => onlyCashier === undefined || cashier === onlyCashier),
        ),
      );
    })
    .get('/sales', query(salesQuery), answers(salesPage), (c) => {
      const onlyCashier = listedAs(c.get('actor'));
      const ask = c.req.valid('query');
      return answer(c, inMode(c, service.sales(onlyCashier === undefined ? ask : { ...ask, cashier: onlyCashier })));
    })
    .get('/sales/:receipt{[0-9]{1,9}}', path(receiptPath), mayOpen(service, sessions), answers(saleDetailInMode), (c) =>
      answer(c, inMode(c, service.sale(c.req.valid('param').receipt))),
    )
    // The answer is only a number: opening that sale checks permissions.
    .get('/receipts/:code', answers(codeAnswer), (c) =>
      answer(c, { receipt: service.receiptOfCode(c.req.param('code')) }),
    )
    .get('/live/:id', answers(liveSale), (c) => {
      const id = c.req.param('id');
      const sale = liveViewOf(service, c.get('actor'))(service.liveSale(id));
      if (sale === undefined) throw new Fault('till.notFound', { receipt: id });
      return answer(c, sale);
    })
    .post(
      '/claims',
      may('sell', sessions),
      body(claim),
      async (c, next) => mayClaim(c.req.valid('json'), sessions)(c, next),
      answers(claimAnswerInMode),
      (c) => answer(c, inMode(c, openClaimed(service, service.claim(c.req.valid('json')), c.get('actor')))),
    )
    .post('/likely', may('sell', sessions), body(likelyRequest), answers(z.array(saleRowInMode)), (c) => {
      const { amount: of, last4 } = c.req.valid('json');
      return answer(c, eachInMode(c, service.likely(of, last4)));
    });

export const sellingRoutes = (service: SellingPort, sessions: Sessions) =>
  new Hono<Env>()
    .get('/counters', answers(z.array(counterInMode)), (c) => answer(c, eachInMode(c, service.counters())))
    .get('/line', answers(lineStateInMode), (c) => answer(c, inMode(c, service.line())))
    .route('/', lookupRoutes(service, sessions))
    .post(
      '/sales',
      keyNeeded,
      body(beginRequest),
      answers(liveSale),
      async (c, next) => {
        const request = c.req.valid('json');
        const guard = may(beginPermission[request.operation], sessions, keyOf);
        const repeated = repeatedOf(service, request, c);
        return repeated === undefined ? guard(c, next) : answer(c, repeated, 201);
      },
      async (c) => {
        const request = c.req.valid('json');
        const leave = await service.turn?.(request, disconnectSignal(c));
        try {
          return answer(c, await service.begin(request, c.get('actor'), keyOf(c)), 201);
        } finally {
          leave?.();
        }
      },
    )
    // Anyone who may sell may cancel a colleague's sale: the customer is waiting.
    .post('/live/:id/cancel', may('sell', sessions), answers(liveSale), (c) =>
      answer(c, service.cancel(c.req.param('id'))),
    )
    .post(
      '/sales/:receipt/:operation',
      path(followPath),
      keyNeeded,
      body(followBody),
      answers(liveSale),
      async (c, next) => {
        const request = { ...c.req.valid('param'), ...c.req.valid('json') };
        const guard = may(followPermission[request.operation], sessions, keyOf);
        const repeated = repeatedOf(service, request, c);
        return repeated === undefined ? guard(c, next) : answer(c, repeated, 201);
      },
      async (c) => {
        const request = { ...c.req.valid('param'), ...c.req.valid('json') };
        const leave = await service.turn?.(request, disconnectSignal(c));
        try {
          return answer(c, await service.follow(request, c.get('actor'), keyOf(c)), 201);
        } finally {
          leave?.();
        }
      },
    )
    .post('/training', body(trainingRequest), may('sell', sessions), answers(trainingAnswer), async (c) => {
      const token = c.get('session') === undefined ? undefined : c.get('token');
      // A program has no session, so it cannot train.
      if (service.train === undefined || token === undefined || c.get('actor').program !== undefined)
        throw new Fault('request.unknown', { path: c.req.path });
      return answer(c, await service.train(token, c.req.valid('json').on));
    });
