/**
 * "The customer says he was charged": the sales that it may be, and what the books prove of each. A charge that was
 * given back whole is none; two of one card and one amount that no bill explains are one too many.
 */
import type { ClaimAnswer } from '../api/ports/selling.ts';
import { factsOf, type LocalizedMessage } from '../base/localized-message.ts';
import { compare, type Money, money, printMoney, subtract } from '../base/money.ts';
import { codeAtStart, declineGroupOf, meaningOf } from '../base/result-codes.ts';
import { cardOf, isWaiting } from '../books/lines/lines.ts';
import { rowOf, type SaleRowParts } from '../books/sale-rows.ts';
import type { EvidenceLine } from '../recovery/evidence-words.ts';
import type { OpenCase } from '../recovery/open-case.ts';
import { replay, type Sale } from '../till/machine/sale.ts';
import { chargedOn, mayHaveGone } from '../till/payments.ts';
import { claimWords, type EvidenceCode, tellClaim, tellDecline, tellEvidence } from '../words/en/messages/sales.ts';

type Verdict = ClaimAnswer['verdict'];

/** One sale, and what of it is the customer's money now. */
type Charge = { sale: Sale; state: 'charged' | 'held' | 'not' | 'givenBack' | 'unknown'; left: Money; back: Money };

export type ClaimParts = SaleRowParts & { caseOf(sale: Sale): OpenCase };

/** `found`: in any order; only what charges or holds is looked at. */
export const claimAnswer = (parts: ClaimParts, found: readonly Sale[]): ClaimAnswer => {
  const charges = found
    .filter(({ intent }) => ['sale', 'preauthorisation', 'completion'].includes(intent.operation))
    .map((sale) => chargeOf(parts, sale))
    .sort((one, other) => one.sale.intent.receipt - other.sale.intent.receipt);
  const twice = new Set(groupsOf(charges).flatMap((group) => group.slice(1)));
  const verdict = verdictOf(charges, twice.size);
  return {
    verdict,
    says: claimWords[verdict],
    told: tellClaim(verdict),
    sales: charges.map((charge) => {
      const { state, evidence } = parts.caseOf(charge.sale);
      const toldNext = nextOf(charge, twice.has(charge));
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

/** A customer looks on: what was declined is told by its group, without the bank's own words. */
export const atCounter = ({ at, words, told }: Pick<EvidenceLine, 'at' | 'words' | 'told'>) => {
  const { answer, ...facts } = factsOf(told);
  const name = told.code.replace(/^evidence\./, '') as EvidenceCode;
  const code = typeof answer === 'string' ? declinedIn(name, answer) : undefined;
  if (code === undefined) return { at, words, told };
  // Behind a colon of its own there is nothing more to say than that it was not approved.
  const group = String(answer).startsWith(':') ? '' : tellDecline(declineGroupOf(code));
  const shown = tellEvidence(name, { ...facts, answer: group });
  return { at, words: shown.says, told: shown };
};

/** The code that an answer begins with, if it is that of a decline. */
const declinedIn = (name: EvidenceCode, answer: string): string | undefined => {
  if (name === 'terminalDeclined') return answer.slice(0, 2);
  const code = codeAtStart(answer.replace(/^: /, ''));
  return code !== undefined && meaningOf(code) === 'declined' ? code : undefined;
};

const verdictOf = (charges: readonly Charge[], twice: number): Verdict => {
  if (charges.length === 0) return 'notFound';
  if (twice > 0) return 'chargedTwice';
  if (charges.some(({ state }) => state === 'unknown')) return 'unknown';
  return charges.some(({ state }) => state === 'charged') ? 'chargedOnce' : 'notCharged';
};

const chargeOf = ({ ledger }: SaleRowParts, sale: Sale): Charge => {
  const nothing = money(0n, sale.intent.amount.currency);
  const followers = ledger.followersOf(sale.intent.sale).flatMap((id) => replay(ledger.events(id)) ?? []);
  const backs = followers.filter(({ intent }) => ['refund', 'void'].includes(intent.operation)).filter(mayHaveGone);
  const done = backs.filter((one) => one.at === 'ended' && one.ending === 'approved');
  const back = done.reduce((sum, one) => money(sum.minor + chargedOn(one).minor, sum.currency), nothing);
  if (sale.at !== 'ended' || sale.ending === 'unknown' || sale.differs !== undefined)
    return { sale, state: 'unknown', left: chargedOn(sale), back };
  if (sale.ending !== 'approved')
    return { sale, state: sale.reversal === 'due' ? 'unknown' : 'not', left: nothing, back };
  if (sale.intent.operation === 'preauthorisation') return { sale, state: 'held', left: nothing, back };
  const left = subtract(chargedOn(sale), back);
  if (compare(left, nothing) <= 0) return { sale, state: 'givenBack', left: nothing, back };
  // Something of it may have been given back, and nobody knows yet.
  return { sale, state: backs.length > done.length ? 'unknown' : 'charged', left, back };
};

/** Charged sales of one card and one amount, that are not parts of one bill. The first of each is the right one. */
const groupsOf = (charges: readonly Charge[]): Charge[][] =>
  [
    ...Map.groupBy(
      charges.filter(({ state }) => state === 'charged'),
      ({ sale }) =>
        [cardOf(sale)?.last4 ?? sale.intent.sale, sale.intent.amount.minor, sale.intent.bill?.id ?? ''].join(' '),
    ).values(),
  ].filter((group) => group.length > 1 && group[0]?.sale.intent.bill === undefined);

const nextOf = ({ sale, state, left: most, back }: Charge, isTooMany: boolean): LocalizedMessage => {
  const receipt = String(sale.intent.receipt).padStart(6, '0');
  const part = back.minor > 0n ? tellClaim('part', { back: printMoney(back) }) : '';
  const facts = { receipt, part, left: printMoney(most) };
  if (state === 'charged' && isTooMany) return tellClaim('giveBack', facts);
  if (state === 'charged') return tellClaim(isWaiting(sale) ? 'chargedLater' : 'charged', facts);
  if (state === 'givenBack' || state === 'held') return tellClaim(state);
  return tellClaim(state === 'unknown' ? 'notKnown' : 'nothingToGive');
};
