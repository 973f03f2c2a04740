/**
 * Finds out whether the gateway knows more about this till than its journal. It does after a data folder was restored
 * from an older copy, and while another machine sells with a copy of it. Asked after each start, as soon as the gateway
 * answers.
 */
import { comparedIn, noteCompared, terminalsLeft } from '../folder/till-machine.ts';
import type { Journal } from '../journal/journal.ts';
import { listStretches } from '../recovery/gateway-listing.ts';
import { textAt } from '../till/gateway/answer.ts';
import { type ListedSale, listedSales } from '../till/gateway/learned.ts';
import type { Host, Period } from '../till/ports.ts';

export type Comparison =
  /** Asked since the last start, and every sale was known here. */
  | { readonly state: 'compared' }
  /** Not asked yet, or not answered. `refused`: the gateway answered without a list. */
  | { readonly state: 'due'; readonly since: number; readonly refused?: string }
  /** The gateway knows this many sales of these terminals that the journal lacks. */
  | { readonly state: 'behind'; readonly since: number; readonly sales: number };

export type ComparisonParts = {
  journal: Pick<Journal, 'sql'>;
  host: Pick<Host, 'list'>;
  /** The best time available. */
  now(): number;
  /** The gateway's own time of the last sale that it answered, if known. Undefined if it answered none. */
  lastAnswerAt(): number | undefined;
  /** The terminal ids as configured: what the gateway has of other terminals is not this till's. */
  terminalIds: readonly string[];
  /** Sales taken over from other tills: they may have used the id of a terminal here. */
  foreignSales(): ReadonlySet<string>;
  report(error: unknown): void;
};

/** What the gateway knows about this till in the requested period. */
export type GatewayFindings = {
  /** Unknown here, oldest first. */
  readonly unknown: readonly ListedSale[];
  /** The references of all its payments of that period, whoever made them, and of those that were reversed. */
  readonly heard: ReadonlySet<string>;
  readonly reversed: ReadonlySet<string>;
};

export interface TillComparison {
  state(): Comparison;
  /**
   * Asks, unless that was done since the last start. One request at a time. A gateway that gave no list is asked again
   * after a while, or with `anew`, when the line is back or a person asks. Never rejects.
   */
  look(again?: 'anew'): Promise<Comparison>;
  /** Registers a callback for each answer: the state may have changed. */
  changed(listener: () => void): void;
  /** The sales unknown here, from a new request. Undefined when the gateway did not answer. */
  find(): Promise<GatewayFindings | undefined>;
}

/** A gateway that never answers this request is not waited for any longer: otherwise the queue would never be sent. */
const SILENCES_MOST = 3;
const NO_ANSWER = 'no answer';
/** How long to wait before asking a gateway for a list again after it gave none. */
const REFUSED_MS = 900_000;

/** The clocks of tills and gateways differ by less than this. */
const CLOCKS_MS = 3_600_000;
/** A recent payment is never later than this, whatever the clocks say. */
const AHEAD_MS = 86_400_000;

export const openComparison = (parts: ComparisonParts): TillComparison => {
  const { journal, host, now, report } = parts;
  let refused: { code: string; at: number } | undefined;
  let silences = 0;
  // The result of an earlier start may be out of date: a till that had another till's id may have its own now.
  let wasAsked = false;
  let comparing: Promise<Comparison> | undefined;
  let answer = (): void => {};

  const state = (): Comparison => {
    const { uncomparedSince: since, behind: missingCount } = comparedIn(journal);
    if (since === undefined) return { state: 'compared' };
    if (missingCount > 0) return { state: 'behind', since, sales: missingCount };
    return { state: 'due', since, refused: refused?.code };
  };

  const find = async (): Promise<GatewayFindings | undefined> => {
    const { uncomparedSince: since = now() } = comparedIn(journal);
    const listed = await listAll(host, { from: fromOf(parts, since), to: now() + AHEAD_MS });
    silences = listed.kind === 'silent' ? silences + 1 : 0;
    const code = listed.kind === 'refused' ? listed.code : silences >= SILENCES_MOST ? NO_ANSWER : undefined;
    refused = code === undefined ? undefined : { code, at: now() };
    wasAsked ||= listed.kind === 'payments';
    return listed.kind === 'payments' ? foundIn(parts, listed.payments) : undefined;
  };

  const ask = async (): Promise<Comparison> => {
    try {
      const found = await find();
      if (found !== undefined) noteCompared(journal, found.unknown.length);
      answer();
      return state();
    } catch (error) {
      // A failing disk, or a till that was closed meanwhile: it asks again.
      report(error);
      return { state: 'due', since: 0 };
    }
  };

  return {
    state,
    find,
    changed(listener) {
      answer = listener;
    },
    look(again) {
      if (comparing !== undefined) return comparing;
      const known = state();
      const isFresh = refused !== undefined && now() - refused.at < REFUSED_MS;
      const isToAsk = known.state === 'due' || (known.state === 'behind' && (!wasAsked || again !== undefined));
      if (!isToAsk || (isFresh && again === undefined)) return Promise.resolve(known);
      comparing = ask().finally(() => {
        comparing = undefined;
      });
      return comparing;
    },
  };
};

/**
 * A till with a wrong clock asks from the gateway's last time on. Nothing before the journal's first entry is asked
 * about, because another till may have had the terminal id then.
 */
const fromOf = ({ journal, lastAnswerAt }: ComparisonParts, since: number): number => {
  const answered = lastAnswerAt();
  const begin = beginOf(journal, since);
  const from = Math.min(since, answered ?? since) - CLOCKS_MS;
  return answered === undefined || begin <= answered ? Math.max(begin, from) : from;
};

const beginOf = ({ sql }: Pick<Journal, 'sql'>, since: number): number =>
  Number(sql.get('SELECT at FROM entry ORDER BY entry LIMIT 1')?.['at'] ?? since);

/** This till's present and former terminals, except those that a copied folder left to another machine. */
export const ownTerminals = ({ sql }: Pick<Journal, 'sql'>, configured: readonly string[]): ReadonlySet<string> => {
  const usedTerminals = sql.all('SELECT DISTINCT terminal_id FROM sale').map((row) => String(row['terminal_id']));
  return new Set([...configured, ...usedTerminals]).difference(terminalsLeft(sql));
};

/** Another till may use a terminal id that this till gave up: that is how two tills with the same id are separated. */
const comparedTerminals = ({ sql }: Pick<Journal, 'sql'>, configured: readonly string[]): ReadonlySet<string> =>
  new Set(configured).difference(terminalsLeft(sql));

const foundIn = (
  { journal, terminalIds, foreignSales }: ComparisonParts,
  payments: readonly unknown[],
): GatewayFindings => {
  const { sql } = journal;
  const isKnown = ({ sale }: ListedSale): boolean =>
    sql.get('SELECT 1 FROM entry WHERE subject = ? LIMIT 1', sale) !== undefined;
  const foreign = listedSales(payments, comparedTerminals(journal, terminalIds)).filter((one) => !isKnown(one));
  const takenOver = foreign.length === 0 ? new Set() : foreignSales();
  return { unknown: foreign.filter(({ sale }) => !takenOver.has(sale)), ...referencesIn(payments) };
};

const referencesIn = (payments: readonly unknown[]): Pick<GatewayFindings, 'heard' | 'reversed'> => {
  const references = (values: readonly unknown[]): Set<string> =>
    new Set(values.flatMap((payment) => textAt(payment, 'merchantTransactionId') ?? []));
  const reversals = payments.filter((payment) => textAt(payment, 'paymentType') === 'RV');
  return { heard: references(payments), reversed: references(reversals) };
};

type ListedAll =
  | { kind: 'payments'; payments: unknown[] }
  | { kind: 'away' | 'silent' }
  | { kind: 'refused'; code: string };

const listAll = async (host: Pick<Host, 'list'>, period: Period): Promise<ListedAll> => {
  const payments = new Map<unknown, unknown>();
  for await (const stretch of listStretches(host, period)) {
    if (stretch.kind === 'unlisted') {
      const { reply } = stretch;
      if (reply.kind === 'answered') return { kind: 'refused', code: reply.code };
      return { kind: reply.kind === 'silent' ? 'silent' : 'away' };
    }
    for (const payment of stretch.payments) payments.set(idOf(payment), payment);
  }
  return { kind: 'payments', payments: [...payments.values()] };
};

const idOf = (payment: unknown): unknown => (payment as { id?: unknown } | null)?.id ?? payment;
