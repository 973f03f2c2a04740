/** The order of open items: contradictions, unknown endings, and what only a person can settle come first. */
import type { OpenItem } from '../../../api/contract/books.ts';

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

/** Equally urgent items are ordered oldest first. The original list is not changed. */
export const byUrgency = (items: readonly OpenItem[]): OpenItem[] =>
  items.toSorted(
    (left, right) => urgency.indexOf(left.kind) - urgency.indexOf(right.kind) || left.sale.at - right.sale.at,
  );

/** Actions by which a person answers for an unpaid sale. */
export const isEnding = (action: OpenItem['actions'][number]): action is 'settleOtherwise' | 'writeOff' =>
  action === 'settleOtherwise' || action === 'writeOff';

export const isSaying = (action: OpenItem['actions'][number]): action is 'sayCharged' | 'sayNotCharged' =>
  action === 'sayCharged' || action === 'sayNotCharged';
