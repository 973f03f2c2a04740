/** Sales: begun, followed, cancelled, looked up. */
import { type Context, Hono } from 'hono';
import * as z from 'zod';
import { Fault } from '../../base/fault.ts';
import { wantWords } from '../../base/field-wants.ts';
import { type Env, goneOf, may } from '../actor.ts';
import { amount, body, countInPath, keyNeeded, keyOf, path, query, receiptPath, slice } from '../checked.ts';
import { eachInMode, inMode } from '../mode.ts';
import { listedAs, liveViewOf, mayClaim, mayOpen, openClaimed } from '../own-sales.ts';
import type { Permission } from '../ports/roles.ts';
import type { FollowOperation, SellingPort } from '../ports/selling.ts';
import type { Sessions } from '../ports/session.ts';

const interfaces = z.enum(['chip', 'tap', 'swipe', 'manual']);

const again = z.array(z.int().min(1)).max(100).optional();

const begin = z.strictObject({
  operation: z.enum(['sale', 'preauthorisation', 'credit', 'giftCard']).default('sale'),
  amount,
  tip: amount.optional(),
  counter: z
    .string()
    .regex(/^T\d{1,2}$/, wantWords.counter)
    .optional(),
  accept: z.array(interfaces).min(1).optional(),
  partial: z.boolean().optional(),
  storeCard: z.boolean().optional(),
  bill: z.int().min(1).optional(),
  billTotal: amount.optional(),
  chargesAgain: z.int().min(1).optional(),
  again,
  giftCard: z
    .strictObject({
      number: z.string().regex(/^\d{8,32}$/, wantWords.giftNumber),
      pin: z
        .string()
        .regex(/^\d{3,12}$/, wantWords.giftPin)
        .optional(),
    })
    .optional(),
});

const follow = z.strictObject({
  amount: amount.optional(),
  tip: amount.optional(),
  keepRest: z.boolean().optional(),
  counter: z.string().optional(),
  again,
});

const claim = z.strictObject({
  amount: amount.optional(),
  last4: z
    .string()
    .regex(/^\d{4}$/, wantWords.fourDigits)
    .optional(),
  from: z.number().int().optional(),
  to: z.number().int().optional(),
  text: z.string().max(100).optional(),
});

const followPath = z.object({
  receipt: countInPath,
  operation: z.enum(['refund', 'void', 'increment', 'completion', 'release', 'tip']),
});

const salesQuery = z.object({
  ...slice,
  search: z.string().max(100).optional(),
  cashier: z.string().max(40).optional(),
  outcomes: z.stringbool().optional(),
});

const beginPermission = { sale: 'sell', giftCard: 'sell', preauthorisation: 'preauthorise', credit: 'credit' } as const;
const followPermission: Readonly<Record<FollowOperation, Permission>> = {
  refund: 'refund',
  void: 'void',
  release: 'void',
  increment: 'preauthorise',
  completion: 'preauthorise',
  tip: 'tip',
};

/** A repetition is answered before anybody is asked for a permission: it was given, and the word for it is used up. */
const repeatedOf = (
  service: SellingPort,
  request: Parameters<NonNullable<SellingPort['repeated']>>[0],
  c: Context<Env>,
): Response | undefined => {
  const before = service.repeated?.(request, c.get('actor'), keyOf(c));
  return before && c.json(before, 201);
};

/** What is looked up, and whose: nothing of it changes a sale. */
const lookupRoutes = (service: SellingPort, sessions: Sessions) =>
  new Hono<Env>()
    .get('/live', (c) => c.json(service.live().flatMap((sale) => liveViewOf(service, c.get('actor'))(sale) ?? [])))
    .get('/preauths', (c) => {
      const own = listedAs(c.get('actor'));
      return c.json(
        eachInMode(
          c,
          service.holds().filter(({ cashier }) => own === undefined || cashier === own),
        ),
      );
    })
    .get('/sales', query(salesQuery), (c) => {
      const own = listedAs(c.get('actor'));
      const ask = c.req.valid('query');
      return c.json(inMode(c, service.sales(own === undefined ? ask : { ...ask, cashier: own })));
    })
    .get('/sales/:receipt{[0-9]{1,9}}', path(receiptPath), mayOpen(service, sessions), (c) =>
      c.json(inMode(c, service.sale(c.req.valid('param').receipt))),
    )
    // It tells a number alone: opening that sale asks who may.
    .get('/receipts/:code', (c) => c.json({ receipt: service.receiptOfCode(c.req.param('code')) }))
    .get('/live/:id', (c) => {
      const id = c.req.param('id');
      const sale = liveViewOf(service, c.get('actor'))(service.liveSale(id));
      if (sale === undefined) throw new Fault('till.notFound', { receipt: id });
      return c.json(sale);
    })
    .post(
      '/claims',
      may('sell', sessions),
      body(claim),
      async (c, next) => mayClaim(c.req.valid('json'), sessions)(c, next),
      (c) => c.json(inMode(c, openClaimed(service, service.claim(c.req.valid('json')), c.get('actor')))),
    )
    .post('/likely', may('sell', sessions), body(z.strictObject({ amount, last4: z.string().optional() })), (c) => {
      const { amount: of, last4 } = c.req.valid('json');
      return c.json(eachInMode(c, service.likely(of, last4)));
    });

export const sellingRoutes = (service: SellingPort, sessions: Sessions) =>
  new Hono<Env>()
    .get('/counters', (c) => c.json(eachInMode(c, service.counters())))
    .get('/line', (c) => c.json(inMode(c, service.line())))
    .route('/', lookupRoutes(service, sessions))
    .post(
      '/sales',
      keyNeeded,
      body(begin),
      async (c, next) => {
        const request = c.req.valid('json');
        const guard = may(beginPermission[request.operation], sessions, keyOf);
        return repeatedOf(service, request, c) ?? guard(c, next);
      },
      async (c) => {
        const request = c.req.valid('json');
        const leave = await service.turn?.(request, goneOf(c));
        try {
          return c.json(await service.begin(request, c.get('actor'), keyOf(c)), 201);
        } finally {
          leave?.();
        }
      },
    )
    // Whoever may begin a sale may end one that a colleague began: the customer stands before them.
    .post('/live/:id/cancel', may('sell', sessions), (c) => c.json(service.cancel(c.req.param('id'))))
    .post(
      '/sales/:receipt/:operation',
      path(followPath),
      keyNeeded,
      body(follow),
      async (c, next) => {
        const request = { ...c.req.valid('param'), ...c.req.valid('json') };
        const guard = may(followPermission[request.operation], sessions, keyOf);
        return repeatedOf(service, request, c) ?? guard(c, next);
      },
      async (c) => {
        const request = { ...c.req.valid('param'), ...c.req.valid('json') };
        const leave = await service.turn?.(request, goneOf(c));
        try {
          return c.json(await service.follow(request, c.get('actor'), keyOf(c)), 201);
        } finally {
          leave?.();
        }
      },
    )
    .post('/training', body(z.strictObject({ on: z.boolean() })), may('sell', sessions), async (c) => {
      const token = c.get('session') === undefined ? undefined : c.get('token');
      // A program has no session: what it does is always real.
      if (service.train === undefined || token === undefined || c.get('actor').program !== undefined)
        throw new Fault('request.unknown', { path: c.req.path });
      return c.json(await service.train(token, c.req.valid('json').on));
    });
