/** Reads sales from the books for the selling service: lists, single sales, holds, claims. Changes nothing. */
import type { Claim, ClaimAnswer } from '../api/contract/sale-requests.ts';
import type { HoldRow, LiveSale, SaleDetail, SaleRow } from '../api/contract/sales.ts';
import type { Amount } from '../api/contract/wire.ts';
import type { SellingPort } from '../api/ports/selling.ts';
import { type Clock, DAY_MS } from '../base/clock.ts';
import { meaningOf } from '../base/code-meanings.ts';
import { Fault } from '../base/fault.ts';
import { factsOf, type LocalizedMessage } from '../base/localized-message.ts';
import type { DisplayMode } from '../base/mode.ts';
import { compare, type Money, money, printMoney, subtract } from '../base/money.ts';
import { codeAtStart, declineGroupOf } from '../base/result-codes.ts';
import { cardOf, isWaiting } from '../books/lines/lines.ts';
import {
  detailOf,
  holdRowOf,
  resultOf,
  rowOf,
  rowsOf,
  type SaleContext,
  type SaleRowParts,
} from '../books/sale-rows.ts';
import type { Sql } from '../journal/sql.ts';
import { holdOfSale, openHolds } from '../ledger/bills.ts';
import { outcomeJson } from '../ledger/outcome.ts';
import { searchSales, slicedSales } from '../ledger/search-index.ts';
import { amountOf, moneyOf } from '../ledger/wire-money.ts';
import { claimWords, type EvidenceCode, tellClaim, tellDecline, tellEvidence } from '../locales/messages/en/sales.ts';
import type { EvidenceLine } from '../recovery/evidence-words.ts';
import type { OpenCase } from '../recovery/open-case.ts';
import { replay, type Sale } from '../till/machine/sale.ts';
import { chargedOn, mayHaveGone } from '../till/payments.ts';
import { type IsRunning, likelyRows, likelySales } from './likely-sales.ts';
import { liveFacts } from './live.ts';
import { phaseOf } from './phases.ts';
import type { SellingTill } from './port.ts';
import { timeZoneOf } from './shop.ts';

type Read = Pick<SellingPort, 'sales' | 'sale' | 'receiptOfCode' | 'holds' | 'claim' | 'likely'>;

/** The most sales that one claim looks at. */
const CLAIM_MOST = 50;

export const sellingBooks = (
  running: SellingTill,
  { clock, isRunning, mode }: { clock: Clock; isRunning: IsRunning; mode: DisplayMode },
): Read => {
  const { journal, config, till } = running;
  const { sql } = journal;
  const timeZone = timeZoneOf(config);
  return {
    sales({ from, most, search = '', cashier, outcomes = false }) {
      const toRows = (ids: readonly string[]) => (outcomes ? outcomeRows(running, ids, mode) : rowsOf(running, ids));
      if (search.trim() === '') {
        const { sales, total } = slicedSales(sql, { from, most, cashier });
        return { rows: toRows(sales), from, total };
      }
      const own = cashier === undefined ? {} : { cashier };
      const { currency } = config;
      const { sales, total } = searchSales(sql, { words: search, currency, from, most, timeZone, ...own });
      return { rows: toRows(sales), from, total };
    },
    sale(receipt) {
      const sale = till.find(receipt);
      return detailOf(running, sale, followUpsOf(running, sale));
    },
    receiptOfCode: (code) => receiptOfCode(running, code),
    holds: (): HoldRow[] => openHolds(running, clock.now()).map((hold) => holdRowOf(running, hold, clock.now())),
    claim: (claim): ClaimAnswer =>
      claimAnswer({ ...running, caseOf: (sale) => running.resolver.of(sale) }, claimed(running, claim, clock.now())),
    likely(amount: Amount, last4): SaleRow[] {
      const wantedSale = { operation: 'sale', amount: moneyOf(amount, config.currency) } as const;
      const sales = likelySales(running, wantedSale, isRunning).filter((sale) => {
        const card = cardOf(sale)?.last4;
        // When no card was read, nobody knows whose sale it is, so it can be this customer's.
        return last4 === undefined || card === undefined || card === last4;
      });
      return likelyRows(running, sales);
    },
  };
};

const outcomeRows = (running: SellingTill, ids: readonly string[], mode: DisplayMode): SaleRow[] =>
  ids.flatMap((id) => {
    const sale = running.ledger.sale(id);
    if (sale === undefined) return [];
    return [{ ...rowOf(running, sale), outcome: sale.at === 'ended' ? outcomeJson(sale, mode) : undefined }];
  });

/** The operations that the till itself would not refuse, and a tip when a completion with one would succeed. */
const followUpsOf = (running: SellingTill, sale: Sale): SaleDetail['may'] => {
  const counter =
    running.counters.find(({ terminalId }) => terminalId === sale.intent.terminalId) ?? running.counters[0];
  const possible = counter.till.mayFollow(sale.intent.receipt);
  const may: SaleDetail['may'] = possible.map(({ operation, most }) => ({ operation, most: most && amountOf(most) }));
  if (!possible.some(({ operation }) => operation === 'completion')) return may;
  const { completed, held, approved } = holdOfSale(running, sale);
  if (completed.minor !== 0n) return may;
  // The amount missing for a tip is held first. If something else raised the hold, only a tip of that amount is
  // possible.
  const raised = subtract(held, approved);
  return [...may, { operation: 'tip', most: raised.minor > 0n ? amountOf(raised) : undefined }];
};

/** Finds sales by what the claim names: one index answers, and the other conditions narrow the result. */
const claimed = (running: SellingTill, claim: Claim, now: number): Sale[] => {
  const { config, journal, ledger } = running;
  const { sql } = journal;
  const { from = 0, to = now + DAY_MS, last4, text = '' } = claim;
  const minor = claim.amount && moneyOf(claim.amount, config.currency).minor.toString();
  // In the order of the index that finds them; otherwise all matches would be sorted to get the first ones.
  const newest = minor === undefined && last4 === undefined ? 'at DESC, receipt' : 'receipt';
  const ids =
    text.trim() === ''
      ? sql
          .all(
            `SELECT sale FROM sale_search WHERE at >= ? AND at <= ? ${minor === undefined ? '' : 'AND minor = ?'}
             ${last4 === undefined ? '' : "AND last4 = ? AND last4 <> ''"} ORDER BY ${newest} DESC LIMIT ?`,
            from,
            to,
            ...(minor === undefined ? [] : [minor]),
            ...(last4 === undefined ? [] : [last4]),
            CLAIM_MOST,
          )
          .map(({ sale }) => String(sale))
      : searchSales(sql, { words: text, currency: config.currency, most: CLAIM_MOST, timeZone: timeZoneOf(config) })
          .sales;
  return ids.flatMap((id) => {
    const sale = ledger.sale(id);
    if (sale === undefined) return [];
    const { at, amount } = sale.intent;
    const card = cardOf(sale)?.last4;
    const fits = at >= from && at <= to && (minor === undefined || amount.minor.toString() === minor);
    return fits && (last4 === undefined || card === last4) ? [sale] : [];
  });
};

// Finds the receipt that a scanned code means. Receipts and screens show a sale's own id, which is unique for ever.
// Screens of earlier versions, and people, combine a terminal id with a receipt number. Other tills count receipts too,
// so the terminal id decides.

/** Throws `receipt.elsewhere`, `receipt.unknown`, `till.notFound`. */
const receiptOfCode = ({ journal: { sql }, config }: Pick<SellingTill, 'journal' | 'config'>, code: string): number => {
  const [, terminalId, digits] = /^([0-9A-Za-z]{1,32})-(\d{1,9})$/.exec(code) ?? [];
  if (terminalId !== undefined) return saleOfNumber(sql, config, { terminalId, receipt: Number(digits) });
  const found = sql.get('SELECT receipt FROM sale WHERE sale = ?', code.toLowerCase());
  if (found === undefined) throw new Fault('receipt.unknown', { terminalId: config.terminalId });
  return Number(found['receipt']);
};

type SaleNumber = { terminalId: string; receipt: number };

const saleOfNumber = (
  sql: Sql,
  { terminalId: first, terminals = [] }: SellingTill['config'],
  { terminalId, receipt }: SaleNumber,
): number => {
  const others = terminals.map((one) => one.terminalId);
  const takenAt = sql.get('SELECT terminal_id FROM sale WHERE receipt = ?', receipt)?.['terminal_id'];
  if (takenAt === terminalId) return receipt;
  // Screens of earlier versions used the till's first terminal, whichever terminal took the sale.
  if (terminalId === first && others.some((one) => one === takenAt)) return receipt;
  if (takenAt === undefined && [first, ...others].includes(terminalId)) throw new Fault('till.notFound', { receipt });
  throw new Fault('receipt.elsewhere', { receipt: String(receipt).padStart(6, '0'), terminalId });
};

// "The customer says they were charged": the sales this can mean, and what the books prove about each. A fully returned
// charge does not count. Two charges of one card and amount that no split bill explains are one too many.

type Verdict = ClaimAnswer['verdict'];

/** A sale, and how much of it is the customer's money now. */
type Charge = { sale: Sale; state: 'charged' | 'held' | 'not' | 'givenBack' | 'unknown'; left: Money; returned: Money };

export type ClaimParts = SaleRowParts & { caseOf(sale: Sale): OpenCase };

/** `found` can be in any order; only charges and holds are considered. */
const claimAnswer = (parts: ClaimParts, found: readonly Sale[]): ClaimAnswer => {
  const charges = found
    .filter(({ intent }) => ['sale', 'preauthorisation', 'completion'].includes(intent.operation))
    .map((sale) => chargeOf(parts, sale))
    .sort((one, other) => one.sale.intent.receipt - other.sale.intent.receipt);
  const repeatedCharges = new Set(groupsOf(charges).flatMap((group) => group.slice(1)));
  const verdict = verdictOf(charges, repeatedCharges.size);
  return {
    verdict,
    says: claimWords[verdict],
    told: tellClaim(verdict),
    sales: charges.map((charge) => {
      const { state, evidence } = parts.caseOf(charge.sale);
      const toldNext = nextOf(charge, repeatedCharges.has(charge));
      const toldPerson = tellClaim(state);
      return {
        ...rowOf(parts, charge.sale),
        evidence: evidence.map(atCounter),
        next: toldNext.says,
        toldNext,
        person: toldPerson.says,
        toldPerson,
      };
    }),
  };
};

/** The customer can see the screen: a decline shows its group, without the bank's own text. */
export const atCounter = ({ at, words, told }: Pick<EvidenceLine, 'at' | 'words' | 'told'>) => {
  const { answer, ...facts } = factsOf(told);
  const name = told.code.replace(/^evidence\./, '') as EvidenceCode;
  const code = typeof answer === 'string' ? declinedIn(name, answer) : undefined;
  if (code === undefined) return { at, words, told };
  // An answer that begins with a colon says only that it was not approved.
  const group = String(answer).startsWith(':') ? '' : tellDecline(declineGroupOf(code));
  const summary = tellEvidence(name, { ...facts, answer: group } as never);
  return { at, words: summary.says, told: summary };
};

/** The code at the start of an answer, if it is that of a decline. */
const declinedIn = (name: EvidenceCode, answer: string): string | undefined => {
  if (name === 'terminalDeclined') return answer.slice(0, 2);
  const code = codeAtStart(answer.replace(/^: /, ''));
  return code !== undefined && meaningOf(code) === 'declined' ? code : undefined;
};

const verdictOf = (charges: readonly Charge[], repeatedCharges: number): Verdict => {
  if (charges.length === 0) return 'notFound';
  if (repeatedCharges > 0) return 'chargedTwice';
  if (charges.some(({ state }) => state === 'unknown')) return 'unknown';
  return charges.some(({ state }) => state === 'charged') ? 'chargedOnce' : 'notCharged';
};

const chargeOf = ({ ledger }: SaleRowParts, sale: Sale): Charge => {
  const zero = money(0n, sale.intent.amount.currency);
  const followers = ledger.followersOf(sale.intent.sale).flatMap((id) => replay(ledger.events(id)) ?? []);
  const backs = followers.filter(({ intent }) => ['refund', 'void'].includes(intent.operation)).filter(mayHaveGone);
  const done = backs.filter((one) => one.at === 'ended' && one.ending === 'approved');
  const returned = done.reduce((sum, one) => money(sum.minor + chargedOn(one).minor, sum.currency), zero);
  if (sale.at !== 'ended' || sale.ending === 'unknown' || sale.differs !== undefined)
    return { sale, state: 'unknown', left: chargedOn(sale), returned };
  if (sale.ending !== 'approved')
    return { sale, state: sale.reversal === 'due' ? 'unknown' : 'not', left: zero, returned };
  if (sale.intent.operation === 'preauthorisation') return { sale, state: 'held', left: zero, returned };
  const left = subtract(chargedOn(sale), returned);
  if (compare(left, zero) <= 0) return { sale, state: 'givenBack', left: zero, returned };
  // Part of it may have been given back, which is still unknown.
  return { sale, state: backs.length > done.length ? 'unknown' : 'charged', left, returned };
};

/** Charged sales of one card and amount that are not parts of one bill. The first of each group counts as right. */
const groupsOf = (charges: readonly Charge[]): Charge[][] =>
  [
    ...Map.groupBy(
      charges.filter(({ state }) => state === 'charged'),
      ({ sale }) =>
        [cardOf(sale)?.last4 ?? sale.intent.sale, sale.intent.amount.minor, sale.intent.bill?.id ?? ''].join(' '),
    ).values(),
  ].filter((group) => group.length > 1 && group[0]?.sale.intent.bill === undefined);

const nextOf = ({ sale, state, left: most, returned }: Charge, isTooMany: boolean): LocalizedMessage => {
  const receipt = String(sale.intent.receipt).padStart(6, '0');
  const part = returned.minor > 0n ? tellClaim('part', { back: printMoney(returned) }) : '';
  const facts = { receipt, part, left: printMoney(most) };
  if (state === 'charged' && isTooMany) return tellClaim('giveBack', facts);
  if (state === 'charged') return tellClaim(isWaiting(sale) ? 'chargedLater' : 'charged', facts);
  if (state === 'givenBack' || state === 'held') return tellClaim(state);
  return tellClaim(state === 'unknown' ? 'notKnown' : 'nothingToGive');
};

/** A sale that is not running, from the journal: an earlier one, or one from before a restart. */
export const liveFromBooks = (
  sale: Sale,
  { counter, at, ...rest }: SaleContext & { counter: string; at: number },
): LiveSale => ({
  ...liveFacts(sale, counter),
  mode: rest.mode,
  accept: [],
  phase: sale.at === 'ended' ? 'ended' : (phaseOf({ kind: 'sale', sale }, sale.at) ?? 'starting'),
  startedAt: sale.intent.at,
  phaseAt: at,
  ahead: [],
  cancelling: 'cancelled' in sale && sale.cancelled === true && sale.at !== 'ended',
  terminalFree: true,
  result: sale.at === 'ended' ? resultOf(sale, rest) : undefined,
});
