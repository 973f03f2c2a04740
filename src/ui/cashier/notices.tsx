/** The right half when no terminal is at work, and the notices above it. */

import { useMutation } from '@tanstack/react-query';
import type { Counter } from '../../api/contract/counters.ts';
import type { FollowOperation } from '../../api/contract/sales.ts';
import { fill } from '../../base/placeholders.ts';
import { api, got } from '../api.ts';
import { IconCreditCard, IconCreditCardOff, IconKeyboard } from '../icons/icons.ts';
import { useMessages, useWords } from '../locale/use-words.ts';
import { withOverride } from '../parts/override.ts';
import { ProblemNote } from '../parts/problem.tsx';
import { useSession } from '../session.ts';
import css from './cashier.module.css';
import { keyNames } from './keys.ts';
import { whyNotFree } from './live-sales.ts';
import type { CashierState } from './use-cashier.ts';
import { isTyped, isUsual, switchTyped, usualWay, wayText } from './way.ts';

export const Notices = ({ cashier }: { cashier: CashierState }) => {
  const { t, shared, time, money } = useWords('cashier');
  const { problem, setProblem, unanswered, stale, settle } = cashier.selling;
  const isWaiting = unanswered.length > 0 && stale === undefined;
  const amount = stale?.send.body.amount;
  return (
    <div className={css.notices}>
      <WayRibbon cashier={cashier} />
      {problem !== undefined && (
        <div className={css.notice}>
          <ProblemNote error={problem} />
          <button type="button" className={css.small} onClick={() => setProblem(undefined)}>
            {shared.close}
          </button>
        </div>
      )}
      {isWaiting && (
        <p className={css.waits} role="status">
          {t.unanswered}
        </p>
      )}
      <Waiting counters={cashier.counters.data ?? []} />
      {stale && (
        <section className={css.waits} role="alert">
          <strong>{t.staleTitle}</strong>
          <p>{fill(t.staleText, { amount: amount ? money(amount) : '', time: time(stale.at) })}</p>
          <button type="button" className={css.small} onClick={() => settle(stale, true)}>
            {t.staleSend}
          </button>
          <button type="button" className={css.small} onClick={() => settle(stale, false)}>
            {t.staleLeave}
          </button>
        </section>
      )}
    </div>
  );
};

/** An operation on an earlier payment that the terminal will do after the sale in progress. */
const Waiting = ({ counters }: { counters: readonly Counter[] }) => {
  const { t } = useWords('cashier');
  return counters.flatMap(({ name, waiting = [] }) =>
    waiting.map(({ operation, ...receipts }) => (
      <p className={css.waits} role="status" key={`${name} ${receipts.receipt} ${operation}`}>
        {fill(t.turnWaits, { operation: t.operations[operationOf(operation)], counter: name, ...receipts })}
      </p>
    )),
  );
};

/** A later tip is a completion. */
const operationOf = (operation: FollowOperation): Exclude<FollowOperation, 'tip'> =>
  operation === 'tip' ? 'completion' : operation;

/** A ribbon over the panel when the next card is presented in an unusual way, which one key resets. */
const WayRibbon = ({ cashier }: { cashier: CashierState }) => {
  const { t } = useWords('cashier');
  const { way, setWay } = cashier;
  if (isUsual(way)) return null;
  return (
    <section className={css.ribbon} aria-label={t.waysLabel}>
      <IconKeyboard size="1.6em" style={{ flex: 'none' }} />
      <p role="status">
        <strong>{wayText(t, way)}</strong> <span>{t.onceOnly}</span>
      </p>
      <button type="button" className={css.small} onClick={() => setWay(usualWay)}>
        {t.asUsual} {isTyped(way) && <kbd aria-hidden>{keyNames.typed}</kbd>}
      </button>
    </section>
  );
};

/** Offers a simulated terminal to try out a till that waits to be asked. */
const UseSimulated = ({ cashier }: { cashier: CashierState }) => {
  const { shared } = useWords('cashier');
  const { setProblem } = cashier.selling;
  const simulate = useMutation({
    mutationFn: () => withOverride((headers) => got(api.devices.simulated.$post({}, { headers }))),
    onError: setProblem,
  });
  return (
    <>
      <p>{shared.useSimulatedWhy}</p>
      <button
        type="button"
        className={css.small}
        aria-disabled={simulate.isPending}
        onClick={() => simulate.isPending || simulate.mutate()}
      >
        {shared.useSimulated}
      </button>
    </>
  );
};

/** Shown when this till may not sell; the bar above says why. */
const HeldPanel = () => {
  const { t } = useWords('cashier');
  return (
    <section className={css.idle} data-state="person" aria-label={t.heldTitle}>
      <IconCreditCardOff size="4rem" stroke={1.2} />
      <h2>{t.heldTitle}</h2>
      <p>{t.heldText}</p>
    </section>
  );
};

/** Nothing is in progress: the till is ready. */
export const IdlePanel = ({ cashier }: { cashier: CashierState }) => {
  const { t } = useWords('cashier');
  const messages = useMessages();
  const isHeld = useSession().data?.shop.held !== undefined;
  const { free, counters } = cashier;
  const problem = counters.data?.find(({ problem: problemOfCounter }) => problemOfCounter !== undefined)?.problem;
  const isReady = free !== undefined || counters.data === undefined;
  if (isHeld) return <HeldPanel />;
  return (
    <section className={css.idle} data-state={isReady ? 'idle' : 'person'} aria-label={t.idleTitle}>
      <IconCreditCard size="4rem" stroke={1.2} />
      <h2>{isReady ? t.idleTitle : t[whyNotFree(counters.data ?? [])]}</h2>
      <p>{isReady ? t.idleText : problem && messages.fault(problem)}</p>
      {isReady && (
        <button
          type="button"
          className={css.small}
          aria-pressed={isTyped(cashier.way)}
          aria-keyshortcuts={keyNames.typed}
          onClick={() => cashier.setWay(switchTyped(cashier.way))}
        >
          {t.typeNumber} <kbd aria-hidden>{keyNames.typed}</kbd>
        </button>
      )}
      {counters.data?.[0]?.offersSimulated && <UseSimulated cashier={cashier} />}
    </section>
  );
};
