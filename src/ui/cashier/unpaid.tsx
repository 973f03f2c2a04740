/** A sale taken offline whose money did not come: its state, and the new sale that charges it again. */
import type { Result, UnpaidView } from '../../api/contract/sales.ts';
import { fill } from '../../base/placeholders.ts';
import { useWords } from '../locale/use-words.ts';
import type { CashierState } from './use-cashier.ts';

/** Its state in a sentence. */
export const useUnpaidWords = (): ((unpaid: UnpaidView) => string) => {
  const { t, money, list } = useWords('cashier');
  return ({ state, missing, again = [], by }) =>
    fill(t.unpaidStates[state], {
      missing: money(missing),
      again: list(again.map(String)),
      name: by?.name ?? '',
      reason: by?.reason ?? '',
    });
};

/** Says that another card was used to charge an unpaid sale again. */
export const useOtherCards = (): ((result: Pick<Result, 'unpaid' | 'otherCard'>) => string[]) => {
  const { t } = useWords('cashier');
  return ({ unpaid, otherCard }) => [
    ...(otherCard ? [fill(t.otherCard, otherCard)] : []),
    ...(unpaid?.otherCards ?? []).map((other) => fill(t.otherCardTried, other)),
  ];
};

/** The next steps: for an unpaid sale, what is left to do or who has answered for it; for others, the till's text. */
export const useNextSteps = (): ((result: Pick<Result, 'unpaid'>, next: string) => string[]) => {
  const { t, money } = useWords('cashier');
  const unpaidText = useUnpaidWords();
  return ({ unpaid }, next) => {
    if (unpaid === undefined) return [next];
    if (unpaid.state !== 'open') return [unpaidText(unpaid)];
    const ask = fill(t.chargeAgainAsk, { missing: money(unpaid.missing) });
    return unpaid.mayCharge ? [ask, next] : [next];
  };
};

/** Begins the sale that charges the missing amount again, at the free terminal. */
export const chargeAgain = (cashier: CashierState, receipt: number, { missing }: UnpaidView): void => {
  const counter = cashier.free?.name;
  void cashier.beginOnce({ do: 'begin', body: { operation: 'sale', amount: missing, chargesAgain: receipt, counter } });
};
