/** Differences that explain each other: two sales with each other's amounts, and one sum for all sales of a day. */
import type { Finding } from './settlement-explain.ts';
import type { ExplanationName } from './settlement-words.ts';

const renamed = (finding: Finding, from: ExplanationName, name: ExplanationName): Finding => ({
  ...finding,
  reasons: finding.reasons.map((reason) => (reason.name === from ? { ...reason, name } : reason)),
});

/** Two that differ unexplained, each settled with the amount of the other. */
export const withSwaps = (findings: readonly Finding[]): Finding[] => {
  const waiting = new Map<string, number[]>();
  const all = [...findings];
  for (const [at, { reasons, lines, currency, till, settled }] of findings.entries()) {
    if (lines.length !== 1 || !reasons.some(({ name }) => name === 'unexplained')) continue;
    const partner = waiting.get(`${currency} ${settled} ${till}`)?.shift();
    if (partner === undefined) {
      const key = `${currency} ${till} ${settled}`;
      waiting.set(key, [...(waiting.get(key) ?? []), at]);
      continue;
    }
    for (const one of [partner, at]) all[one] = renamed(findings[one] as Finding, 'unexplained', 'swapped');
  }
  return all;
};

/** A line that names no sale, of this day. */
export type LineWithoutSale = { readonly finding: Finding; readonly date: string };

const missing: readonly ExplanationName[] = ['notSettled', 'settledTomorrow', 'refundNotSettled'];

/**
 * Sales that are nowhere in the file, and a line without a name that is their sum: of all of them, or of those of its
 * day. `dayOf` is a sale's own. Both sides are told as settled together.
 */
export const withSums = (
  findings: readonly Finding[],
  sums: readonly LineWithoutSale[],
  dayOf: (finding: Finding) => string | undefined,
): { findings: Finding[]; explained: ReadonlySet<Finding> } => {
  const of = [...findings];
  const explained = new Set<Finding>();
  for (const { finding: sum, date } of sums) {
    const left = [...of.entries()].filter(
      ([, { lines, reasons, currency }]) =>
        lines.length === 0 && currency === sum.currency && reasons.every(({ name }) => missing.includes(name)),
    );
    const ofDay = left.filter(([, one]) => dayOf(one) === date);
    const some = [ofDay, left].find(
      (group) => group.length > 1 && group.reduce((total, [, { till }]) => total + till, 0n) === sum.settled,
    );
    if (some === undefined) continue;
    explained.add(sum);
    for (const [at, one] of some)
      of[at] = {
        ...one,
        lines: sum.lines,
        reasons: [{ name: 'settledTogether', minor: one.till, currency: one.currency }],
      };
  }
  return { findings: of, explained };
};
