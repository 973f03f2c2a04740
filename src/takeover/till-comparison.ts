/**
 * Whether the gateway knows more of this till than its journal: it does after a data folder was restored from an older
 * copy, or while another machine sells with a copy of it. Asked after each start, as soon as the gateway answers.
 */
import { comparedIn, leftTerminals, noteCompared } from '../folder/till-machine.ts';
import type { Journal } from '../journal/journal.ts';
import { listStretches } from '../recovery/gateway-listing.ts';
import { textAt } from '../till/gateway/answer.ts';
import { type ListedSale, listedSales } from '../till/gateway/learned.ts';
import type { Host, Period } from '../till/ports.ts';

export type Comparison =
  /** Asked since the last start, and nothing was unknown here. */
  | { readonly state: 'compared' }
  /** Not yet, or without an answer. `refused`: the gateway answered, and gave no list. */
  | { readonly state: 'due'; readonly since: number; readonly refused?: string }
  /** The gateway knows so many sales of these terminals that this journal does not. */
  | { readonly state: 'behind'; readonly since: number; readonly sales: number };

export type ComparisonParts = {
  journal: Pick<Journal, 'sql'>;
  host: Pick<Host, 'list'>;
  /** The best time there is. */
  now(): number;
  /** The gateway's own time of the last sale that it answered, as far as it told; undefined where it answered none. */
  lastAnswerAt(): number | undefined;
  /** The terminals' numbers as they are configured: what is told of others is not this till's. */
  terminalIds: readonly string[];
  /** Other tills' sales that were brought in here: this one's terminal may have had the number of theirs. */
  foreignSales(): ReadonlySet<string>;
  report(error: unknown): void;
};

/** What the gateway knows of this till in the time that was asked about. */
export type GatewayFindings = {
  /** Unknown here, oldest first. */
  readonly unknown: readonly ListedSale[];
  /** The references of all that it has of that time, whoever made it, and of those that were reversed. */
  readonly heard: ReadonlySet<string>;
  readonly reversed: ReadonlySet<string>;
};

export interface TillComparison {
  state(): Comparison;
  /**
   * Asks, unless that was done since the last start. One question at a time. A gateway that gives no list is asked
   * again after a while, or `anew`: the line is back, or a person wants to know. Never rejects.
   */
  look(anew?: 'anew'): Promise<Comparison>;
  /** Calls when a question was answered: the state may be another one. */
  changed(hear: () => void): void;
  /** What is unknown here, asked anew; undefined when the gateway did not answer. */
  find(): Promise<GatewayFindings | undefined>;
}

/** What never answers this question, and others perhaps, is waited for no longer: the queue would never be sent. */
const SILENCES_MOST = 3;
const NO_ANSWER = 'no answer';
/** Before a gateway that gives no list is asked for one again by itself. */
const REFUSED_MS = 900_000;

/** Clocks of tills and gateways differ by less. */
const CLOCKS_MS = 3_600_000;
/** What came a moment ago is never later than this, whatever the clocks say. */
const AHEAD_MS = 86_400_000;

export const openComparison = (parts: ComparisonParts): TillComparison => {
  const { journal, host, now, report } = parts;
  let refused: { code: string; at: number } | undefined;
  let silences = 0;
  // What an earlier start found may be mended since: a till that had another one's number, and has its own now.
  let wasAsked = false;
  let looking: Promise<Comparison> | undefined;
  let answered = (): void => {};

  const state = (): Comparison => {
    const { uncomparedSince: since, behind } = comparedIn(journal);
    if (since === undefined) return { state: 'compared' };
    if (behind > 0) return { state: 'behind', since, sales: behind };
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
      answered();
      return state();
    } catch (error) {
      // A disk that fails, or a till that was closed meanwhile: it is asked again.
      report(error);
      return { state: 'due', since: 0 };
    }
  };

  return {
    state,
    find,
    changed(hear) {
      answered = hear;
    },
    look(anew) {
      if (looking !== undefined) return looking;
      const known = state();
      const isFresh = refused !== undefined && now() - refused.at < REFUSED_MS;
      const isToAsk = known.state === 'due' || (known.state === 'behind' && (!wasAsked || anew !== undefined));
      if (!isToAsk || (isFresh && anew === undefined)) return Promise.resolve(known);
      looking = ask().finally(() => {
        looking = undefined;
      });
      return looking;
    },
  };
};

/**
 * A till whose clock goes wrong asks from the gateway's own last time on. Nothing before the journal was begun is asked
 * about: then the terminal's number may have been another till's.
 */
const fromOf = ({ journal, lastAnswerAt }: ComparisonParts, since: number): number => {
  const answered = lastAnswerAt();
  const begin = beginOf(journal, since);
  const from = Math.min(since, answered ?? since) - CLOCKS_MS;
  return answered === undefined || begin <= answered ? Math.max(begin, from) : from;
};

const beginOf = ({ sql }: Pick<Journal, 'sql'>, since: number): number =>
  Number(sql.get('SELECT at FROM entry ORDER BY entry LIMIT 1')?.['at'] ?? since);

/** Terminals of this till, now and before; not those that a copy of its folder left to another machine. */
export const ownTerminals = ({ sql }: Pick<Journal, 'sql'>, configured: readonly string[]): ReadonlySet<string> => {
  const used = sql.all('SELECT DISTINCT terminal_id FROM sale').map((row) => String(row['terminal_id']));
  return new Set([...configured, ...used]).difference(leftTerminals(sql));
};

/** Under a number that this till gave up another one may sell: it is the way out for two tills that had the same. */
const comparedTerminals = ({ sql }: Pick<Journal, 'sql'>, configured: readonly string[]): ReadonlySet<string> =>
  new Set(configured).difference(leftTerminals(sql));

const foundIn = (
  { journal, terminalIds, foreignSales }: ComparisonParts,
  payments: readonly unknown[],
): GatewayFindings => {
  const { sql } = journal;
  const isKnown = ({ sale }: ListedSale): boolean =>
    sql.get('SELECT 1 FROM entry WHERE subject = ? LIMIT 1', sale) !== undefined;
  const strange = listedSales(payments, comparedTerminals(journal, terminalIds)).filter((one) => !isKnown(one));
  const takenOver = strange.length === 0 ? new Set() : foreignSales();
  return { unknown: strange.filter(({ sale }) => !takenOver.has(sale)), ...referencesIn(payments) };
};

const referencesIn = (payments: readonly unknown[]): Pick<GatewayFindings, 'heard' | 'reversed'> => {
  const references = (some: readonly unknown[]): Set<string> =>
    new Set(some.flatMap((payment) => textAt(payment, 'merchantTransactionId') ?? []));
  const reversals = payments.filter((payment) => textAt(payment, 'paymentType') === 'RV');
  return { heard: references(payments), reversed: references(reversals) };
};

type ListedAll =
  | { kind: 'payments'; payments: unknown[] }
  | { kind: 'away' | 'silent' }
  | { kind: 'refused'; code: string };

/** All payments of this time. */
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
