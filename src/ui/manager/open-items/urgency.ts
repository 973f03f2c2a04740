/** What comes first of the open items: what contradicts itself, what nobody knows, what only a person can settle. */
import type { OpenItem } from '../../../api/ports/books.ts';

export const urgency: readonly OpenItem['kind'][] = [
  'differs',
  'overdue',
  'unknown',
  'person',
  'parked',
  'terminal',
  'task',
  'waiting',
  'behind',
];

/** Of equal urgency the oldest first. The list itself is left as it is. */
export const byUrgency = (items: readonly OpenItem[]): OpenItem[] =>
  items.toSorted(
    (left, right) => urgency.indexOf(left.kind) - urgency.indexOf(right.kind) || left.sale.at - right.sale.at,
  );

/** A person answers for what is unpaid. */
export const isEnding = (action: OpenItem['actions'][number]): action is 'settleOtherwise' | 'writeOff' =>
  action === 'settleOtherwise' || action === 'writeOff';

export const isSaying = (action: OpenItem['actions'][number]): action is 'sayCharged' | 'sayNotCharged' =>
  action === 'sayCharged' || action === 'sayNotCharged';
