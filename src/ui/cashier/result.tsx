/** How a sale ended: one word, the amount, what it means for the money, and what to do next; then its receipt. */

import { useId, useState } from 'react';
import type { LiveSale, Result } from '../../api/contract/sales.ts';
import { fill } from '../../base/placeholders.ts';
import { IconCheck, IconChevronDown, IconChevronUp, IconSettingsX, IconShieldX } from '../icons/icons.ts';
import { useMessages, useWords } from '../locale/use-words.ts';
import { ModeMark } from '../parts/bars.tsx';
import { stateIcons } from '../parts/state.tsx';
import { isSetUpError, stateWord } from '../parts/state-words.ts';
import { minorOf } from './amount.ts';
import css from './cashier.module.css';
import { useFacts } from './facts.ts';
import { useGuard } from './guard.ts';
import { keyNames } from './keys.ts';
import { isCardIn } from './live-sales.ts';
import { PaperButtons, ReceiptPreview } from './paper.tsx';
import { chargeAgain, useNextSteps, useOtherCards } from './unpaid.tsx';
import type { CashierState } from './use-cashier.ts';

type Props = { cashier: CashierState; sale: LiveSale; result: Result };

export const ResultView = ({ cashier, sale, result }: Props) => {
  const { t, shared, money } = useWords('cashier');
  const reasonTexts = useMessages().reason(result);
  const nextSteps = useNextSteps();
  const otherCards = useOtherCards();
  const isError = isSetUpError(result.reason);
  const Icon = isError ? IconSettingsX : stateIcons[result.state];
  const label = stateWord(shared, { ...result, operation: sale.operation });
  const part = result.approved && result.left;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: where there is little room it scrolls, also by keyboard */}
      <div className={css.outcome} tabIndex={0}>
        <div className={css.verdict} data-state={result.state} data-error={isError}>
          <Icon className={css.verdictIcon} />
          <div className={css.verdictWord}>
            <h2>{label}</h2>
            <ModeMark />
          </div>
          <bdi className={css.verdictAmount} dir="ltr">
            {money(result.approved ?? sale.amount)}
          </bdi>
          {part && <span className={css.part}>{fill(t.of, { amount: money(sale.amount) })}</span>}
          {sale.tip && <span className={css.part}>{fill(t.tipPart, { tip: money(sale.tip) })}</span>}
        </div>
        <div className={css.why}>
          {reasonTexts.says !== label && <p className={css.says}>{reasonTexts.says}</p>}
          {isMore(result) && <p className={css.status}>{result.statusText}</p>}
          <p className={css.money}>{reasonTexts.money}</p>
          {otherCards(result).map((text) => (
            <p key={text} className={css.says}>
              {text}
            </p>
          ))}
          {result.signature && <p className={css.sign}>{t.signature}</p>}
          {nextSteps(result, reasonTexts.next).map((step) => (
            <p key={step} className={css.next}>
              {step}
            </p>
          ))}
          <Again result={result} />
          <DeclineDetails result={result} />
        </div>
        <ReceiptPreview receipt={sale.receipt} />
      </div>
      <ResultActions cashier={cashier} sale={sale} result={result} />
    </>
  );
};

/** The host's own text about an approval is on the receipt; about a decline it is under Details. */
const isMore = ({ statusText, decline, state }: Result): boolean =>
  statusText !== undefined && decline === undefined && state !== 'approved';

const Again = ({ result }: { result: Result }) => {
  const { t } = useWords('cashier');
  if (result.again)
    return (
      <p className={css.again}>
        <IconCheck size="1.2em" /> {t.safeAgain}
      </p>
    );
  if (result.state !== 'unknown') return null;
  return (
    <p className={css.again} data-not>
      <IconShieldX size="1.2em" /> {t.notAgain}
    </p>
  );
};

const ChargeAgain = ({ cashier, sale, result: { unpaid } }: Props) => {
  const { t } = useWords('cashier');
  const isFree = useGuard(`again ${sale.id}`) && !isCardIn(sale) && cashier.free !== undefined;
  if (!unpaid?.mayCharge) return null;
  return (
    <button
      type="button"
      className={css.retry}
      aria-disabled={!isFree}
      onClick={() => isFree && chargeAgain(cashier, sale.receipt, unpaid)}
    >
      {t.chargeAgain}
    </button>
  );
};

const ResultActions = ({ cashier, sale, result }: Props) => {
  const { t, shared, money } = useWords('cashier');
  const { currency, amountOf } = useFacts();
  const isOpen = useGuard(sale.id);
  const guard = (run: () => void) => () => {
    if (isOpen) run();
  };
  // The terminal accepts no other card before this one is removed.
  const isFree = isOpen && !isCardIn(sale);
  const ifFree = (run: () => void) => () => {
    if (isFree) run();
  };
  const left = result.left;
  const retry = (): void => {
    const { amount, tip, counter, operation } = sale;
    if (operation !== 'sale' && operation !== 'preauthorisation') return;
    // The sale's amount includes the tip; a request names the tip separately.
    const goods = amountOf(minorOf(amount.amount) - minorOf(tip?.amount ?? '0'));
    const bill = operation === 'sale' ? cashier.bill.parts(amountOf) : {};
    void cashier.beginOnce({ do: 'begin', body: { operation, amount: goods, tip, counter, ...bill } });
  };
  const takeRest = (): void => {
    if (left?.currency !== currency) return;
    void cashier.beginOnce({
      do: 'begin',
      body: { operation: 'sale', amount: left, bill: sale.receipt, counter: sale.counter },
    });
  };
  const mayRetry = result.again && (sale.operation === 'sale' || sale.operation === 'preauthorisation');
  return (
    <footer className={css.actions}>
      <PaperButtons sale={sale} cashier={cashier} />
      {left && (
        <button type="button" className={css.retry} data-main aria-disabled={!isFree} onClick={ifFree(takeRest)}>
          {fill(t.takeRest, { left: money(left) })}
        </button>
      )}
      {!left && mayRetry && (
        <button type="button" className={css.retry} aria-disabled={!isFree} onClick={ifFree(retry)}>
          {t.tryAgain}
        </button>
      )}
      <ChargeAgain cashier={cashier} sale={sale} result={result} />
      <button
        type="button"
        className={css.done}
        aria-disabled={!isOpen}
        data-main={!left && !cashier.bill.owes}
        onClick={guard(() => cashier.finish(sale.id))}
      >
        {shared.done} <kbd aria-hidden>{left || cashier.bill.owes ? keyNames.escape : keyNames.sell}</kbd>
      </button>
    </footer>
  );
};

/** Shown after one press: the code of a decline and its meaning, for those who need more than the counter shows. */
export const DeclineDetails = ({ result: { decline, statusText } }: { result: Result }) => {
  const { shared } = useWords('cashier');
  const messages = useMessages();
  const [isOpen, open] = useState(false);
  const id = useId();
  const { code, means } = decline ?? {};
  const details = [code, means && messages.fact(means), statusText].filter(Boolean).join(' · ');
  if (decline === undefined || details === '') return null;
  const Icon = isOpen ? IconChevronUp : IconChevronDown;
  return (
    <div className={css.details}>
      <button type="button" aria-expanded={isOpen} aria-controls={id} onClick={() => open(!isOpen)}>
        <Icon size="1.1em" /> {shared.details}
      </button>
      <p id={id} hidden={!isOpen}>
        <bdi>{details}</bdi>
      </p>
    </div>
  );
};
