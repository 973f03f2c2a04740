/**
 * Whose sales a person may see. Without seeAll, lists and searches show only one's own. A single sale opens by its
 * number with the permission to refund or void it, because customers return goods to any cashier; the till records it.
 */
import type { MiddlewareHandler } from 'hono';
import { type Env, may, notAllowed } from './actor.ts';
import type { Claim, ClaimAnswer } from './contract/sale-requests.ts';
import type { LiveSale } from './contract/sales.ts';
import type { SellingPort } from './ports/selling.ts';
import type { Actor, Sessions } from './ports/session.ts';

/** On a till without staff everyone sees everything. */
export const seesAll = ({ permissions, name, program }: Actor): boolean =>
  permissions.includes('seeAll') || (name === undefined && program === undefined);

/** The cashier whose sales are listed; undefined for all. */
export const listedAs = (actor: Actor): string | undefined =>
  seesAll(actor) ? undefined : (actor.name ?? actor.program);

const mayGiveBack = ({ permissions }: Actor): boolean => permissions.includes('refund') || permissions.includes('void');

/** The part of the selling service that these checks use. */
export type OwnSalesPort = Pick<SellingPort, 'isOwn' | 'openOthers' | 'allowOthers'>;
type Overrides = Pick<Sessions, 'spendOverride'>;

/** For the sale whose receipt number is in the path. Throws `till.notFound`, and as `may`. */
export const mayOpen =
  (service: OwnSalesPort, sessions: Overrides): MiddlewareHandler<Env> =>
  async (c, next) => {
    const actor = c.get('actor');
    const sale = { receipt: Number(c.req.param('receipt')) };
    if (seesAll(actor) || service.isOwn(sale, actor)) return next();
    const mayOpenAll = mayGiveBack(actor);
    if (mayOpenAll && service.openOthers(sale, actor)) return next();
    return may('seeAll', sessions)(c, async () => {
      if (mayOpenAll) service.allowOthers(actor);
      await next();
    });
  };

/** A claim that names a sale, by amount and card or by its receipt, needs only the permission to refund. */
export const mayClaim =
  ({ amount, last4, text = '' }: Claim, sessions: Overrides): MiddlewareHandler<Env> =>
  async (c, next) => {
    const actor = c.get('actor');
    const isNamed = (amount !== undefined && last4 !== undefined) || /^\d{1,9}$/.test(text.trim());
    const isAllowed = c.req.header('x-override') === undefined && isNamed && mayGiveBack(actor);
    return seesAll(actor) || isAllowed ? next() : may('seeAll', sessions)(c, next);
  };

/** Records access to other people's sales in the answer. Throws `session.notAllowed` if there are too many. */
export const openClaimed = (service: OwnSalesPort, answer: ClaimAnswer, actor: Actor): ClaimAnswer => {
  if (seesAll(actor)) return answer;
  for (const { receipt } of answer.sales)
    if (!service.isOwn({ receipt }, actor) && !service.openOthers({ receipt }, actor))
      throw notAllowed(actor, 'seeAll');
  return answer;
};

/**
 * Everyone at the counters sees the sales in progress and the last ones there, without the cards of other people's
 * customers. A program sees only its own sales: undefined for those of others.
 */
export const liveViewOf =
  (service: Pick<SellingPort, 'isOwn'>, actor: Actor) =>
  (sale: LiveSale): LiveSale | undefined => {
    if (seesAll(actor) || sale.cashier === (actor.name ?? actor.program) || service.isOwn(sale, actor)) return sale;
    if (actor.program !== undefined) return undefined;
    const { card: _, ...shown } = sale;
    return shown;
  };
