/**
 * The state and commands of the cashier's screen: the amount, the terminals, sales in progress, and each command once.
 */
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { BeginRequest } from '../../api/contract/sale-requests.ts';
import type { LiveSale } from '../../api/contract/sales.ts';
import { fill } from '../../base/placeholders.ts';
import { useWords } from '../locale/use-words.ts';
import { announce } from '../parts/live-text.tsx';
import {
  type AmountEntry,
  type AmountRefusal,
  afterKey,
  type EntryKey,
  emptyEntry,
  isEmpty,
  sellableAmount,
} from './amount.ts';
import { useFacts } from './facts.ts';
import { isUnguarded } from './guard.ts';
import type { Send } from './intents.ts';
import type { Command, ReceiptName } from './keys.ts';
import { currentPanel, isCardIn, nextCounter, panelsOf } from './live-sales.ts';
import { useBill, useVisibleResults } from './persistent-state.ts';
import { type LikelyProblem, type StartResult, useSelling } from './selling.ts';
import { useCounters, useLine, useLive } from './till.ts';
import { isUsual, usualWay, type Way } from './way.ts';

export type DialogName = Exclude<Command, 'sell' | 'escape' | 'typed' | 'print'> | 'receipt';

/** What is open over the screen. */
export type Open =
  | { is: DialogName; receipt?: number }
  | ({ is: 'detail' } & ReceiptName)
  | { is: 'likely'; problem: LikelyProblem; send: Send };

/** The input for the next sale: its amount, its tip, and how its card may be presented. */
type TypedSale = { entry: AmountEntry; tip: bigint | undefined; way: Way };

const EMPTY: readonly LiveSale[] = [];

/** The input for the next sale so far. */
const useEntry = () => {
  const { t } = useWords('cashier');
  const { currency, exponent } = useFacts();
  const [entry, setEntry] = useState<AmountEntry>(emptyEntry);
  const [tip, setTip] = useState<bigint>();
  const [way, setWay] = useState(usualWay);
  const refuse = (refused: AmountRefusal): void => {
    setEntry({ ...entry, refused });
    announce(fill(t.amountRefused[refused], { currency }), { urgent: true });
  };
  const press = (key: EntryKey): void => {
    const next = afterKey(entry, key, { currency, exponent });
    setEntry(next);
    if (next.refused) announce(fill(t.amountRefused[next.refused], { currency }), { urgent: true });
  };
  const clear = (): void => {
    setEntry(emptyEntry);
    setTip(undefined);
    setWay(usualWay);
  };
  /** Restores the input, unless something else was typed meanwhile. */
  const restore = (typed: TypedSale): void => {
    setEntry((current) => (isEmpty(current) ? typed.entry : current));
    setTip((previous) => previous ?? typed.tip);
    setWay((previous) => (isUsual(previous) ? typed.way : previous));
  };
  /** Consumes the input at once: the next digit begins the next amount, with the usual ways to pay. */
  const take = (): TypedSale => {
    clear();
    return { entry, tip, way };
  };
  return { entry, setEntry, tip, setTip, way, setWay, press, refuse, clear, giveBack: restore, take };
};

type OpenPanel = { panel: LiveSale | undefined; dismiss(id: string): void; closePaid(): void };

const dismissals = ({ panel, dismiss, closePaid }: OpenPanel) => {
  /** Dismisses this result, and the bill that it paid. */
  const finish = (id: string): void => {
    dismiss(id);
    closePaid();
  };
  /** The same by a key, for the present result once it has been visible long enough. */
  const leave = (): void => {
    if (panel?.result === undefined) closePaid();
    else if (isUnguarded(panel.id)) finish(panel.id);
  };
  return { finish, leave };
};

export const useCashier = () => {
  const { exponent, amountOf } = useFacts();
  const live = useLive();
  const counters = useCounters();
  const line = useLine();
  const typing = useEntry();
  const [open, setOpen] = useState<Open>();
  const [chosen, setChosen] = useState<string>();
  /** The terminal that a person prefers, while it is free. */
  const [preferredCounter, setPreferredCounter] = useState<string>();
  const { kept: shownResults, keep: showResult, putAway: dismiss } = useVisibleResults(live.data ?? EMPTY);
  const ask = useCallback((send: Send, problem: LikelyProblem) => {
    setOpen({ is: 'likely', problem, send });
    return 'asked' as const;
  }, []);
  const selling = useSelling(showResult, ask);
  const bill = useBill();
  const panels = useMemo(() => panelsOf(live.data ?? EMPTY, shownResults), [live.data, shownResults]);
  const panel = currentPanel(panels, chosen);
  const free = nextCounter(counters.data ?? [], preferredCounter);
  const closePaid = (): void => {
    if (bill.isPaid) bill.set(undefined);
  };
  /** The next customer's amount closes a paid bill. */
  const press = (key: EntryKey): void => {
    if (key.key === 'digit' || key.key === 'sign' || key.key === 'text') closePaid();
    typing.press(key);
  };
  const startSale = async (send: Send): Promise<StartResult> => {
    setOpen(undefined);
    const sale = await selling.start(send);
    if (typeof sale === 'string') return sale;
    for (const { id, counter, result } of panels) if (counter === sale.counter && result) dismiss(id);
    setChosen(sale.id);
    return sale;
  };
  return {
    ...typing,
    press,
    ...dismissals({ panel, dismiss, closePaid }),
    live,
    counters,
    line,
    open,
    setOpen,
    choose: setChosen,
    wanted: preferredCounter,
    want: setPreferredCounter,
    selling,
    bill,
    panels,
    panel,
    free,
    go: startSale,
    amountOf,
    exponent,
  };
};

type CashierValue = ReturnType<typeof useCashier>;

/** No part of a bill is paid before the one in progress has ended, whether or not the screen was redrawn. */
const usePart = ({ panels }: CashierValue) => {
  const begunId = useRef<string>(undefined);
  // Once it is on the screen the panels track it, even after its result was dismissed.
  useEffect(() => {
    if (panels.some(({ id }) => id === begunId.current)) begunId.current = undefined;
  });
  return {
    begun: begunId,
    waits: (): boolean => begunId.current !== undefined || panels.some(({ result }) => result === undefined),
  };
};

/** The input without the note about a refused key. */
const withoutRefusal = ({ refused: _, ...accepted }: AmountEntry): AmountEntry => accepted;

/** The request body for a sale with this input. */
const saleOf = (cashier: CashierValue, minor: bigint, operation: 'sale' | 'preauthorisation'): Send => {
  const { way, tip, bill, free, amountOf } = cashier;
  const isSale = operation === 'sale';
  const body: BeginRequest = {
    operation,
    amount: amountOf(minor),
    tip: isSale && tip !== undefined ? amountOf(tip) : undefined,
    counter: free?.name,
    accept: way.accept,
    partial: (way.partial && isSale) || undefined,
    ...(isSale && bill.parts(amountOf)),
  };
  return { do: 'begin', body };
};

/** Sells the input, each time as one intent, however often it is pressed. */
export const useSale = (cashier: CashierValue) => {
  const part = usePart(cashier);
  /** `typed` is the input it was made from: a refusal restores it. */
  const begin = async (send: Send, typed?: TypedSale): Promise<void> => {
    const sale = await cashier.go(send);
    if (sale === 'refused' && typed) cashier.giveBack(typed);
    if (typeof sale === 'string' || send.do !== 'begin') return;
    if ((send.body.bill ?? send.body.billTotal) === undefined) return;
    part.begun.current = sale.id;
    cashier.bill.begun(sale);
  };
  const isBusy = useRef(false);
  /** The next part of a bill does not go to another terminal while the previous card is in this one. */
  const isHeldBack = cashier.bill.owes && cashier.panels.some(isCardIn);
  /** A press before the till has answered repeats the first one. */
  const beginOnce = async (send: Send, typed?: TypedSale): Promise<void> => {
    if (isBusy.current) return;
    isBusy.current = true;
    try {
      await begin(send, typed);
    } finally {
      isBusy.current = false;
    }
  };
  const sell = (operation: 'sale' | 'preauthorisation' = 'sale'): void => {
    const { entry, panel, exponent, free, bill } = cashier;
    const isBare = isEmpty(entry);
    const typed = isBare && bill.owes ? { minor: bill.next ?? 0n } : sellableAmount(entry, exponent);
    // A refused key is cleared first; the next press sells.
    if (entry.refused) cashier.setEntry(withoutRefusal(entry));
    else if (isBare && !bill.owes && (panel?.result !== undefined || bill.isPaid)) {
      // What is left to pay is not dismissed by a key that may have been meant for something else.
      if (!panel?.result?.left) cashier.leave();
    } else if ('refused' in typed) cashier.refuse(typed.refused);
    else if (free !== undefined && !isBusy.current && !isHeldBack && !(bill.owes && (part.waits() || !bill.isRead))) {
      if (bill.isPaid) bill.set(undefined);
      void beginOnce(saleOf(cashier, typed.minor, operation), cashier.take());
    }
  };
  return { sell, begin, beginOnce, holdsBack: isHeldBack };
};

export type CashierState = CashierValue & ReturnType<typeof useSale>;
