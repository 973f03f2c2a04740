/** One state, one colour, one icon, one word: the same everywhere. */
import { Badge } from '@mantine/core';
import type { State } from '../../api/contract/sales.ts';
import {
  IconAlertTriangle,
  IconCircle,
  IconCircleCheck,
  IconCircleX,
  IconCloudOff,
  IconHelpCircle,
  IconLoader2,
} from '../icons/icons.ts';
import { useWords } from '../locale/use-words.ts';
import { type SaleOutcome, stateColours, stateWord } from './state-words.ts';

export { stateColours };

export const stateIcons: Readonly<Record<State, typeof IconCircle>> = {
  idle: IconCircle,
  busy: IconLoader2,
  approved: IconCircleCheck,
  declined: IconCircleX,
  unknown: IconHelpCircle,
  offline: IconCloudOff,
  person: IconAlertTriangle,
};

export const SaleBadge = ({ sale }: { sale: SaleOutcome }) => {
  const { shared } = useWords('cashier');
  return <StateBadge state={sale.state} label={stateWord(shared, sale)} />;
};

/** Only what needs a person is black on amber. `label` replaces the state's own name. */
export const StateBadge = ({ state, label }: { state: State; label?: string }) => {
  const { shared } = useWords('cashier');
  const Icon = stateIcons[state];
  return (
    <Badge
      color={stateColours[state]}
      variant={state === 'person' ? 'filled' : 'light'}
      tt="none"
      size="lg"
      leftSection={<Icon size={16} />}
    >
      {label ?? shared.states[state]}
    </Badge>
  );
};
