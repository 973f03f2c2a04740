/** A terminal as the customer sees it: what it waits for, for how long, what comes next, and how it ended. */

import type { Counter } from '../../api/contract/counters.ts';
import type { LiveSale, Phase } from '../../api/contract/sales.ts';
import { fill } from '../../base/placeholders.ts';
import { cardName } from '../../locales/names.ts';
import { IconArrowRight, IconCheck, IconCreditCard } from '../icons/icons.ts';
import { modelName, useWords } from '../locale/use-words.ts';
import { Elapsed, useNow } from '../parts/elapsed.tsx';
import css from './cashier.module.css';
import { keyNames } from './keys.ts';
import { isCardIn, operationWord, phaseWords, progress } from './live-sales.ts';
import { ResultView } from './result.tsx';
import type { CashierState } from './use-cashier.ts';

type Props = { cashier: CashierState; sale: LiveSale; selected: boolean; onCancel: () => void };

export const TerminalPanel = ({ cashier, sale, selected, onCancel }: Props) => {
  const counter = cashier.counters.data?.find(({ name }) => name === sale.counter);
  const title = useTitle(sale, counter);
  return (
    <section
      className={css.terminal}
      data-selected={selected && cashier.panels.length > 1}
      data-state={sale.result?.state ?? 'busy'}
      aria-label={title}
    >
      <PanelHead sale={sale} title={title} onSelect={() => cashier.choose(sale.id)} />
      {sale.result === undefined ? (
        <UnderWay sale={sale} selected={selected} onCancel={onCancel} />
      ) : (
        <ResultView cashier={cashier} sale={sale} result={sale.result} />
      )}
    </section>
  );
};

const useTitle = (sale: LiveSale, counter: Counter | undefined): string => {
  const { t, shared } = useWords('cashier');
  if (counter?.model === undefined) return sale.counter;
  return fill(t.terminalOf, { counter: sale.counter, model: modelName(counter.model, shared) });
};

type HeadProps = { sale: LiveSale; title: string; onSelect: () => void };

const PanelHead = ({ sale, title, onSelect }: HeadProps) => {
  const { t, shared, money } = useWords('cashier');
  return (
    <header className={css.panelHead}>
      <button type="button" className={css.panelName} onClick={onSelect}>
        {title}
      </button>
      <span>
        {operationWord(t, sale)} · {fill(shared.receiptNumber, { receipt: sale.receipt })}
      </span>
      {sale.result === undefined ? (
        <bdi className={css.panelAmount} dir="ltr">
          {money(sale.amount)}
        </bdi>
      ) : (
        isCardIn(sale) && <strong>{t.phases.removeCard}</strong>
      )}
    </header>
  );
};

const UnderWay = ({ sale, selected, onCancel }: Omit<Props, 'cashier'>) => {
  const { t, shared } = useWords('cashier');
  const { card } = sale;
  return (
    <>
      <div className={css.phase}>
        <h2 className={css.phaseWord}>{sale.cancelling ? t.cancelling : phaseWords(t, sale)}</h2>
        <PhaseBar sale={sale} />
        {card && (
          <p className={css.card}>
            <IconCreditCard size="1.3em" />
            {fill(t.read, { brand: cardName(card.brand, t.giftTitle), last4: card.last4 })}
          </p>
        )}
        <Steps phase={sale.phase} ahead={sale.ahead} />
      </div>
      <footer className={css.actions}>
        <span />
        <button
          type="button"
          className={css.cancel}
          aria-disabled={sale.cancelling}
          aria-keyshortcuts={selected ? 'Escape' : undefined}
          onClick={onCancel}
        >
          {sale.cancelling ? t.cancelling : shared.cancel} {selected && <kbd aria-hidden>{keyNames.escape}</kbd>}
        </button>
      </footer>
    </>
  );
};

/** How long this phase has lasted compared with its usual duration; after that, advice. */
const PhaseBar = ({ sale }: { sale: LiveSale }) => {
  const { t, duration } = useWords('cashier');
  const { usualMs, phaseAt, cancelling, phase } = sale;
  const elapsed = Math.max(0, useNow(250) - phaseAt);
  const share = progress(elapsed, usualMs);
  const isLate = usualMs !== undefined && elapsed > usualMs.to;
  return (
    <>
      <div className={css.bar} data-late={isLate} data-known={share !== undefined} aria-hidden>
        <span style={{ inlineSize: `${Math.round((share ?? 0) * 1000) / 10}%` }} />
      </div>
      <p className={css.times}>
        <Elapsed since={phaseAt} />
        {usualMs && <span>{fill(t.usually, { from: duration(usualMs.from), to: duration(usualMs.to) })}</span>}
      </p>
      <p className={css.help}>{cancelling ? t.cancellingText : isLate ? t.late[phase] : ''}</p>
    </>
  );
};

const Steps = ({ phase, ahead }: { phase: Phase; ahead: readonly Phase[] }) => {
  const { t } = useWords('cashier');
  return (
    <ol className={css.steps} aria-label={t.stepsLabel}>
      <li aria-current="step">
        <IconArrowRight size="1em" /> {t.steps[phase]}
      </li>
      {ahead.map((step) => (
        <li key={step}>
          {step === 'ended' && <IconCheck size="1em" />} {t.steps[step]}
        </li>
      ))}
    </ol>
  );
};
