/** One state, one colour, one icon, one word: everywhere the same. */
import { Badge } from '@mantine/core';
import type { State } from '../../api/ports/selling.ts';
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

/** A sale's state in its own word. */
export const SaleBadge = ({ sale }: { sale: SaleOutcome }) => {
  const { shared } = useWords('cashier');
  return <StateBadge state={sale.state} word={stateWord(shared, sale)} />;
};

/** Black on amber is for what needs a person alone. `word` stands in place of the state's own. */
export const StateBadge = ({ state, word }: { state: State; word?: string }) => {
  const { shared } = useWords('cashier');
  const Icon = stateIcons[state];
  return (
    <Badge
      color={stateColours[state]}
      variant={state === 'person' ? 'filled' : 'light'}
      tt="none"
      size="lg"
      leftSection={<Icon size={16} aria-hidden />}
    >
      {word ?? shared.states[state]}
    </Badge>
  );
};
