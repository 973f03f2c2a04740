/**
 * The cashier's part of the top bar: line, terminals and open items; below it, the offline limits while the line is
 * down.
 */

import type { Counter, LineState } from '../../api/contract/counters.ts';
import type { LiveSale } from '../../api/contract/sales.ts';
import { fill } from '../../base/placeholders.ts';
import {
  IconAlertTriangle,
  IconCloudOff,
  IconDeviceMobile,
  IconHelpCircle,
  IconPlugConnectedX,
} from '../icons/icons.ts';
import { modelName, useMessages, useWords } from '../locale/use-words.ts';
import { connection } from '../parts/connection.tsx';
import { Elapsed } from '../parts/elapsed.tsx';
import { stateIcons } from '../parts/state.tsx';
import { InTopBar } from '../parts/top-bar.tsx';
import { useSession } from '../session.ts';
import css from './cashier.module.css';

type Props = {
  line: LineState | undefined;
  counters: readonly Counter[];
  live: readonly LiveSale[];
  onCounter: (name: string) => void;
  onCount: () => void;
};

export const CashierBar = ({ line, counters, live, onCounter, onCount }: Props) => {
  const { t } = useWords('cashier');
  return (
    <InTopBar>
      <fieldset className={css.chips} aria-label={t.terminals}>
        {line !== undefined && line.unknown > 0 && (
          <button type="button" className={css.chip} data-state="unknown" onClick={onCount}>
            <IconHelpCircle size="1.15em" />
            {line.unknown} <span className={css.chipWord}>{t.unknownCount}</span>
          </button>
        )}
        {line !== undefined && line.forPerson > 0 && (
          <button type="button" className={css.chip} data-state="person" onClick={onCount}>
            <IconAlertTriangle size="1.15em" />
            {line.forPerson} <span className={css.chipWord}>{t.personCount}</span>
          </button>
        )}
        <LineChip line={line} />
        {counters.map((counter) => (
          <CounterChip
            key={counter.name}
            counter={counter}
            sale={live.find(({ id, result }) => id === counter.sale && result === undefined)}
            onPress={() => onCounter(counter.name)}
          />
        ))}
      </fieldset>
    </InTopBar>
  );
};

/** The state of the line to the gateway, or that the page has no connection to its till. */
const LineChip = ({ line }: Pick<Props, 'line'>) => {
  const { t, shared } = useWords('cashier');
  const isLost = connection.use() === 'lost';
  const Icon = isLost ? IconPlugConnectedX : line?.online === false ? IconCloudOff : stateIcons.approved;
  const label = isLost ? t.noTill : line?.online === false ? shared.gateway.offline : shared.gateway.online;
  const state = isLost ? 'person' : line?.online === false ? 'offline' : 'approved';
  return (
    <span
      className={css.chip}
      data-state={line === undefined && !isLost ? 'idle' : state}
      data-plain={state === 'approved'}
    >
      <Icon size="1.15em" />
      <span className={css.chipWord}>{label}</span>
    </span>
  );
};

const counterState = { ready: 'approved', busy: 'busy', away: 'person', unpaired: 'idle' } as const;

type ChipProps = { counter: Counter; sale: LiveSale | undefined; onPress: () => void };

const CounterChip = ({ counter, sale, onPress }: ChipProps) => {
  const { t, shared } = useWords('cashier');
  const messages = useMessages();
  return (
    <button
      type="button"
      className={css.chip}
      data-state={counterState[counter.state]}
      data-plain={counter.state === 'ready'}
      title={counter.problem ? messages.fault(counter.problem) : counter.model && modelName(counter.model, shared)}
      onClick={onPress}
    >
      <IconDeviceMobile size="1.15em" />
      {counter.name} {counter.simulated && <strong>{shared.simulated}</strong>}{' '}
      <span className={css.chipWord}>{t.counterStates[counter.state]}</span>
      {sale !== undefined && <Elapsed since={sale.startedAt} />}
    </button>
  );
};

/** What is left of the offline limits, or why no card can be accepted. */
export const OfflineStrip = ({ line }: { line: LineState | undefined }) => {
  const { t, time, money, number } = useWords('cashier');
  const messages = useMessages();
  const isHeld = useSession().data?.shop.held !== undefined;
  if (line === undefined || line.online) return null;
  const { offline, waiting } = line;
  const parts = [
    fill(t.offlineSince, { time: time(line.since) }),
    waiting.count > 0 && fill(t.offlineWaiting, { count: number(waiting.count), total: money(waiting.total) }),
    offline.left && offline.most && fill(t.offlineLeft, { left: money(offline.left), most: money(offline.most) }),
    // If sales are blocked altogether, the reason is shown above.
    !isHeld && (offline.ready ? t.offlinePin : fill(t.offlineNot, { why: messages.text(offline.why) })),
  ];
  return (
    <p className={css.offline} role="status">
      <IconCloudOff size="1.2em" />
      {parts.filter(Boolean).map((part) => (
        <span key={String(part)}>{part}</span>
      ))}
    </p>
  );
};
