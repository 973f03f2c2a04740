/**
 * Unpaid sales of a running till: which are open, what can be done about each, and the person's decision that closes
 * one.
 */
import type { UnpaidView } from '../api/contract/sales.ts';
import type { Clock } from '../base/clock.ts';
import { dateTime } from '../base/clock.ts';
import { Fault } from '../base/fault.ts';
import { printable } from '../base/mask.ts';
import { compare, type Money, printMoney } from '../base/money.ts';
import type { TillSigner } from '../folder/keys/till-signer.ts';
import type { Sql } from '../journal/sql.ts';
import type { FullLedger } from '../ledger/ledger.ts';
import { amountOf } from '../ledger/wire-money.ts';
import { type CardTries, classOf } from '../queue/retry-rules.ts';
import { canonical } from '../reconciliation/z-report.ts';
import type { HostAnswer, Intent, UnpaidEnd } from '../till/machine/facts.ts';
import { type EndedSale, refuseUnread, type Sale } from '../till/machine/sale.ts';
import type { Till } from '../till/till.ts';
import { mayTryAgain, schemeOf } from './card-limits.ts';
import { openLosses, triesOf } from './forward-losses.ts';
import { type CardPair, isOtherCard, otherCardOf, otherCardsOf, type Unpaid, unpaidAmong } from './unpaid.ts';

/** never: the scheme forbids this card. from: the next try is allowed at this wall time, ms. */
export type MayCharge = { kind: 'now' } | { kind: 'from'; at: number } | { kind: 'never' };

export type UnpaidSales = {
  /** The unpaid sales that nobody has paid or closed, oldest first. */
  open(): Unpaid[];
  of(sale: Sale): Unpaid | undefined;
  /** For a sale that charges an unpaid one again, the card of both when they differ; undefined in every other case. */
  otherCard(sale: Sale): (CardPair & { receipt: number }) | undefined;
  /** Whether the card's scheme allows the bank to be asked about this sale's card again. */
  mayCharge(unpaid: Unpaid): MayCharge;
  /**
   * For the intent of a new sale of this amount, which can be part of what is missing. Throws `till.notFound`,
   * `unpaid.none`, `unpaid.underWay`, `unpaid.tooMuch`, `unpaid.cardSpent`, `unpaid.notYet`.
   */
  toCharge(receipt: number, amount: Money): NonNullable<Intent['chargesAgain']>;
  /**
   * Records a person's final decision on the missing amount. The caller has checked their permission. Their reason is
   * masked, because it may contain a card number. Throws `till.notFound`, `sale.newer`, `unpaid.none`,
   * `unpaid.underWay`, `journal.unwritable`.
   */
  end(receipt: number, settlement: UnpaidEnd): EndedSale;
};

export type UnpaidSource = { ledger: Pick<FullLedger, 'sale' | 'followersOf'>; sql: Sql };

type Parts = UnpaidSource & {
  ledger: FullLedger;
  till: Pick<Till, 'find' | 'findSale'>;
  tries: CardTries;
  clock: Pick<Clock, 'now'>;
  signer: TillSigner;
};

const WORDS_MOST = 500;

export const openUnpaid = (parts: Parts): UnpaidSales => {
  const { ledger, till, sql, signer } = parts;
  const of = (sale: Sale): Unpaid | undefined => unpaidIn(parts, sale);
  /** The unpaid sale of this receipt. Throws unless it is still open with no new charge in progress. */
  const findOpen = (receipt: number): Unpaid => {
    const sale = till.find(receipt);
    refuseUnread(sale);
    const unpaid = of(sale);
    if (unpaid?.state === 'charging')
      throw new Fault('unpaid.underWay', { receipt, again: unpaid.tries.at(-1)?.intent.receipt ?? '' });
    if (unpaid?.state !== 'open') throw new Fault('unpaid.none', { receipt });
    return unpaid;
  };
  return {
    open: () => openLosses(sql).flatMap((id) => of(till.findSale(id)) ?? []),
    of,
    otherCard(retry) {
      const { chargesAgain } = retry.intent;
      const other = chargesAgain && otherCardOf(till.findSale(chargesAgain.sale), retry);
      return other && { receipt: chargesAgain.receipt, ...other };
    },
    mayCharge: (unpaid) => mayCharge(parts, unpaid),
    toCharge(receipt, amount) {
      const unpaid = findOpen(receipt);
      const { sale, missing } = unpaid;
      if (amount.currency !== missing.currency || compare(amount, missing) > 0)
        throw new Fault('unpaid.tooMuch', { receipt, amount: printMoney(amount), missing: printMoney(missing) });
      const may = mayCharge(parts, unpaid);
      if (may.kind === 'never') throw new Fault('unpaid.cardSpent', { receipt });
      if (may.kind === 'from') throw new Fault('unpaid.notYet', { receipt, from: `${dateTime(may.at)} UTC` });
      return { sale: sale.intent.sale, receipt };
    },
    end(receipt, { how, who, role, reason }) {
      const { sale, missing } = findOpen(receipt);
      const end: UnpaidEnd = { how, who, role, reason: printable(reason, WORDS_MOST) };
      const { sale: id } = sale.intent;
      const signature = signer.sign(unpaidEndBytes({ sale: id, receipt }, end, missing));
      ledger.record(id, { on: 'unpaidEnded', end, missing, signature, publicKey: signer.publicKey });
      const ended = till.findSale(id);
      if (ended.at !== 'ended') throw new Error('an unpaid sale has ended');
      return ended;
    },
  };
};

export type UnpaidRead = Pick<UnpaidSales, 'of' | 'mayCharge'>;

/** Remembers what was read, for one pass over many sales that asks about each of them several times. */
export const cacheUnpaid = <Sales extends UnpaidRead>(service: Sales, parts: Pick<Parts, 'tries' | 'clock'>): Sales => {
  const known = new Map<string, Unpaid | undefined>();
  const allowed = new Map<Unpaid, MayCharge>();
  return {
    ...service,
    of(sale: Sale) {
      const { sale: id } = sale.intent;
      if (!known.has(id)) known.set(id, service.of(sale));
      return known.get(id);
    },
    mayCharge(unpaid: Unpaid) {
      const may = allowed.get(unpaid) ?? mayCharge(parts, unpaid);
      allowed.set(unpaid, may);
      return may;
    },
  };
};

/** The bytes of a person's decision that the till signs. */
export const unpaidEndBytes = (
  { sale, receipt }: Pick<Intent, 'sale' | 'receipt'>,
  { how, who, role, reason }: UnpaidEnd,
  missing: Money,
): Uint8Array =>
  new TextEncoder().encode(
    canonical({ statement: 'unpaid sale ended', sale, receipt, how, who, role, reason, missing: printMoney(missing) }),
  );

/** Undefined for a sale with nothing missing. */
export const unpaidIn = ({ ledger, sql }: UnpaidSource, sale: Sale): Unpaid | undefined =>
  unpaidAmong(
    { saleOf: ledger.sale, followersOf: (id) => ledger.followersOf(id), triesOf: (id) => triesOf(sql, id) },
    sale,
  );

/**
 * Decided by the bank's last refusal and by the number of tries with this card, including new sales that it declined.
 * Tries with another card do not count.
 */
export const mayCharge = (parts: Pick<Parts, 'tries' | 'clock'>, { sale, tries }: Unpaid): MayCharge => {
  const withThis = tries.filter((one) => !isOtherCard(sale, one));
  const declined = withThis.flatMap((one) =>
    one.at === 'ended' && one.ending === 'declined' && one.answer ? [{ at: one.intent.at, answer: one.answer }] : [],
  );
  const answers: HostAnswer[] = [
    ...(sale.forwarded ? [sale.forwarded.answer] : []),
    ...declined.map((one) => one.answer),
  ];
  if (answers.some((answer) => classOf(answer, schemeOf(sale)) === 'never')) return { kind: 'never' };
  const counted: CardTries = {
    ...parts.tries,
    of: (card, since) => [...parts.tries.of(card, since), ...declined.flatMap(({ at }) => (at > since ? [at] : []))],
  };
  const may = mayTryAgain(sale, { ...parts, tries: counted });
  if (may?.kind === 'over') return { kind: 'never' };
  return may?.kind === 'from' ? { kind: 'from', at: may.at } : { kind: 'now' };
};

/** An unpaid sale for the local API; empty for a sale with nothing missing. */
export const unpaidViewOf = (unpaid: Pick<UnpaidSales, 'of' | 'mayCharge'>, sale: Sale): { unpaid?: UnpaidView } => {
  const one = unpaid.of(sale);
  if (one === undefined) return {};
  const retry = one.tries.map(({ intent }) => intent.receipt);
  const otherCards = otherCardsOf(one);
  const { who, role, reason } = one.sale.unpaidEnd ?? {};
  return {
    unpaid: {
      state: one.state,
      missing: amountOf(one.missing),
      again: retry.length > 0 ? retry : undefined,
      otherCards: otherCards.length > 0 ? otherCards : undefined,
      mayCharge: (one.state === 'open' && unpaid.mayCharge(one).kind === 'now') || undefined,
      by: who === undefined ? undefined : { name: who, role: role ?? '', reason: reason ?? '' },
    },
  };
};
