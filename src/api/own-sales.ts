/**
 * Whose sales somebody is shown. Lists and searches show their own to whoever may not see all. One sale opens by its
 * number to whoever may refund or void it, since customers bring goods back to whom they meet: the till notes that.
 */
import type { MiddlewareHandler } from 'hono';
import { type Env, may, notAllowed } from './actor.ts';
import type { Claim, ClaimAnswer } from './contract/sale-requests.ts';
import type { LiveSale } from './contract/sales.ts';
import type { SellingPort } from './ports/selling.ts';
import type { Actor, Sessions } from './ports/session.ts';

/** As long as a till knows no people nobody is shown less than all. */
export const seesAll = ({ permissions, name, program }: Actor): boolean =>
  permissions.includes('seeAll') || (name === undefined && program === undefined);

/** By which name their own sales are listed; undefined for whoever sees all. */
export const listedAs = (actor: Actor): string | undefined =>
  seesAll(actor) ? undefined : (actor.name ?? actor.program);

const mayGiveBack = ({ permissions }: Actor): boolean => permissions.includes('refund') || permissions.includes('void');

/** What the routes of one sale ask of the selling service. */
export type OwnSalesPort = Pick<SellingPort, 'isOwn' | 'openOthers' | 'allowOthers'>;
type Overrides = Pick<Sessions, 'spendOverride'>;

/** Of the sale whose receipt number stands in the path. Throws `till.notFound`, and what `may` throws. */
export const mayOpen =
  (service: OwnSalesPort, sessions: Overrides): MiddlewareHandler<Env> =>
  async (c, next) => {
    const actor = c.get('actor');
    const sale = { receipt: Number(c.req.param('receipt')) };
    if (seesAll(actor) || service.isOwn(sale, actor)) return next();
    const opens = mayGiveBack(actor);
    if (opens && service.openOthers(sale, actor)) return next();
    return may('seeAll', sessions)(c, async () => {
      if (opens) service.allowOthers(actor);
      await next();
    });
  };

/** A claim that names a sale, by amount and card or by its receipt, may be looked up by whoever may give it back. */
export const mayClaim =
  ({ amount, last4, text = '' }: Claim, sessions: Overrides): MiddlewareHandler<Env> =>
  async (c, next) => {
    const actor = c.get('actor');
    const isNamed = (amount !== undefined && last4 !== undefined) || /^\d{1,9}$/.test(text.trim());
    const isAllowed = c.req.header('x-override') === undefined && isNamed && mayGiveBack(actor);
    return seesAll(actor) || isAllowed ? next() : may('seeAll', sessions)(c, next);
  };

/** Notes the sales of others in the answer. Throws `session.notAllowed` where they are too many. */
export const openClaimed = (service: OwnSalesPort, answer: ClaimAnswer, actor: Actor): ClaimAnswer => {
  if (seesAll(actor)) return answer;
  for (const { receipt } of answer.sales)
    if (!service.isOwn({ receipt }, actor) && !service.openOthers({ receipt }, actor))
      throw notAllowed(actor, 'seeAll');
  return answer;
};

/**
 * What runs at the counters, and how the last one ended there, is seen by everybody who works at them, without the card
 * of somebody else's customer. A program is told of its own sales alone: undefined for those of others.
 */
export const liveViewOf =
  (service: Pick<SellingPort, 'isOwn'>, actor: Actor) =>
  (sale: LiveSale): LiveSale | undefined => {
    if (seesAll(actor) || sale.cashier === (actor.name ?? actor.program) || service.isOwn(sale, actor)) return sale;
    if (actor.program !== undefined) return undefined;
    const { card: _, ...shown } = sale;
    return shown;
  };
