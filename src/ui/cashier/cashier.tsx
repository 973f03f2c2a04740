/** The cashier's screen: one page for everything that a sale needs. */
import { lazy, Suspense, useEffect, useRef } from 'react';
import { useLocation, useSearch } from 'wouter';
import type { LiveSale } from '../../api/contract/sales.ts';
import { api, got } from '../api.ts';
import { useMessages, useWords } from '../locale/use-words.ts';
import { announce } from '../parts/live-text.tsx';
import { ProblemNote } from '../parts/problem.tsx';
import { joinSentences, stateWord } from '../parts/state-words.ts';
import { receiptAt } from '../screens.ts';
import { useSession } from '../session.ts';
import { isEmpty } from './amount.ts';
import { BillBar } from './bill-bar.tsx';
import css from './cashier.module.css';
import { EntryPanel } from './entry-panel.tsx';
import { FactsContext } from './facts.ts';
import { type Command, parseReceiptName } from './keys.ts';
import { LastSales } from './last-sales.tsx';
import { phaseWords } from './live-sales.ts';
import { IdlePanel, Notices } from './notices.tsx';
import { TerminalPanel } from './terminal-panel.tsx';
import { useLiveUpdates } from './till.ts';
import { CashierBar, OfflineStrip } from './top-bar.tsx';
import { useNextSteps } from './unpaid.tsx';
import { type CashierState, useCashier, useSale } from './use-cashier.ts';
import { useKeys } from './use-keys.ts';
import { isUsual, switchTyped } from './way.ts';

const loadDialogs = () => import('./dialogs/dialogs.tsx');
const Dialogs = lazy(() => loadDialogs().then(({ Dialogs: dialogs }) => ({ default: dialogs })));

export const Cashier = () => {
  const { data } = useSession();
  if (data === undefined) return null;
  return (
    <FactsContext value={data}>
      <Screen locked={data.signedIn === undefined} />
    </FactsContext>
  );
};

/** Requests the cancellation of the sale in progress; its ending says what became of it. */
const cancel = ({ selling }: CashierState, sale: LiveSale): void => {
  if (sale.cancelling || sale.result !== undefined) return;
  void got(api.live[':id'].cancel.$post({ param: { id: sale.id } })).catch(selling.setProblem);
};

/** Goes back by one step: what is typed, then the sale in progress, then the result. */
const goBack = (cashier: CashierState): void => {
  const { entry, tip, way, panel, selling } = cashier;
  if (selling.problem !== undefined) selling.setProblem(undefined);
  else if (!isEmpty(entry) || tip !== undefined || entry.refused || !isUsual(way)) cashier.clear();
  else if (panel?.result === undefined && panel !== undefined) cancel(cashier, panel);
  else cashier.leave();
};

const carryOut = (cashier: CashierState, command: Command): void => {
  if (command === 'sell') cashier.sell();
  else if (command === 'escape') goBack(cashier);
  else if (command === 'print') document.querySelector<HTMLElement>('[data-print]')?.click();
  else if (command === 'typed') cashier.setWay(switchTyped(cashier.way));
  else cashier.setOpen({ is: command });
};

const Screen = ({ locked }: { locked: boolean }) => {
  const { shared } = useWords('cashier');
  const state = useCashier();
  const selling = useSale(state);
  const cashier: CashierState = { ...state, ...selling };
  useLiveUpdates();
  useAnnouncements(cashier);
  useSaleInAddress(cashier);
  const command = (chosen: Command): void => carryOut(cashier, chosen);
  useKeys({
    covered: locked || cashier.open !== undefined,
    command,
    entry: cashier.press,
    scan: (code) => {
      const receipt = parseReceiptName(code);
      if (receipt === undefined) cashier.press({ key: 'text', text: code });
      else cashier.setOpen({ is: 'detail', ...receipt });
    },
  });
  const { live, line, counters, panels, panel } = cashier;
  return (
    <main className={css.screen} aria-label={shared.screens.cashier}>
      <CashierBar
        line={line.data}
        counters={counters.data ?? []}
        live={live.data ?? []}
        onCounter={() => cashier.setOpen({ is: 'terminal' })}
        onCount={() => cashier.setOpen({ is: 'find' })}
      />
      <OfflineStrip line={line.data} />
      <div className={css.halves} data-bill={cashier.bill.bill !== undefined}>
        <BillBar cashier={cashier} />
        <EntryPanel cashier={cashier} onCommand={command} />
        <div className={css.panels} data-count={Math.max(1, panels.length)}>
          <Notices cashier={cashier} />
          {live.error !== null && live.data === undefined && (
            <ProblemNote error={live.error} retry={() => void live.refetch()} />
          )}
          {panels.length === 0 && <IdlePanel cashier={cashier} />}
          {panels.map((sale) => (
            <TerminalPanel
              key={`${sale.counter} ${sale.beside === true}`}
              cashier={cashier}
              sale={sale}
              selected={sale.id === panel?.id}
              onCancel={() => cancel(cashier, sale)}
            />
          ))}
        </div>
      </div>
      <LastSales onOpen={(receipt) => cashier.setOpen({ is: 'detail', receipt })} />
      {cashier.open !== undefined && (
        <Suspense>
          <Dialogs cashier={cashier} />
        </Suspense>
      )}
    </main>
  );
};

/** Opens the sale named in the address, once. */
const useSaleInAddress = ({ setOpen }: CashierState): void => {
  const receipt = receiptAt(useSearch());
  const [, navigate] = useLocation();
  useEffect(() => void loadDialogs(), []);
  useEffect(() => {
    if (receipt === undefined) return;
    setOpen({ is: 'detail', receipt });
    navigate('/', { replace: true });
  }, [receipt, setOpen, navigate]);
};

/** Identifies what was announced about a sale: an ending can change, and is then announced again. */
const markOf = ({ result, cancelling, phase }: LiveSale): string =>
  result === undefined ? (cancelling ? 'cancelling' : phase) : ['ended', result.reason, result.unpaid?.state].join(' ');

/** Announces each phase and each ending once to screen readers. */
const useAnnouncements = ({ panels }: CashierState): void => {
  const { t, shared, money } = useWords('cashier');
  const messages = useMessages();
  const nextSteps = useNextSteps();
  const received = useRef(new Map<string, string>());
  useEffect(() => {
    for (const sale of panels) {
      const mark = markOf(sale);
      if (received.current.get(sale.id) === mark) continue;
      received.current.set(sale.id, mark);
      if (sale.result === undefined)
        announce(`${sale.counter}: ${sale.cancelling ? t.cancelling : phaseWords(t, sale)}`);
      else {
        const { says, money: meaning, next } = messages.reason(sale.result);
        const label = stateWord(shared, { ...sale.result, operation: sale.operation });
        const announcement = [label, money(sale.amount), says, meaning, ...nextSteps(sale.result, next)];
        announce(`${sale.counter}: ${joinSentences(announcement)}`, { urgent: true });
      }
    }
  }, [panels, t, shared, money, messages, nextSteps]);
};
