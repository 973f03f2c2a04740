/** Webhooks and attempts as lines for people. */
import { dateTime } from '../base/clock.ts';
import { printable } from '../base/mask.ts';
import type { Json } from '../gateway/spec/json.ts';
import { wordsOf } from '../gateway/webhooks/activation.ts';
import type { Attempt } from '../gateway/webhooks/store/webhooks.ts';

type Shown = Readonly<Record<string, Json>>;

export const webhookLines = (shown: Shown): string => {
  const text = (name: string): string => printable(String(shown[name] ?? ''), 1024);
  const { receiver, events, nextKey } = shown as {
    receiver: { says: string; triedAgain?: string };
    events: { waiting: number; delivered: number; givenUp: number };
    nextKey?: { keyId: string; usedFrom: string };
  };
  const again = receiver.triedAgain === undefined ? '' : ` Tried again at ${receiver.triedAgain}.`;
  return [
    `${text('id')}  ${text('state').toUpperCase()}  ${text('name')}`.trimEnd(),
    `  url       ${text('url')}`,
    `  entity    ${text('entityId')}`,
    `  sends     ${text('types').replaceAll(',', ', ')}; ${text('fields')}; wrapper ${text('wrapper')}`,
    `  key       ${text('keyId')}${nextKey === undefined ? '' : `, then ${nextKey.keyId} from ${nextKey.usedFrom}`}`,
    `  events    ${events.waiting} waiting, ${events.delivered} delivered, ${events.givenUp} given up`,
    `  receiver  ${receiver.says}${again}`,
  ].join('\n');
};

export const attemptLine = (attempt: Attempt): string =>
  [
    dateTime(attempt.at),
    `#${attempt.number}`.padStart(7),
    attempt.eventId,
    `attempt ${attempt.attempt}`.padEnd(10),
    `${attempt.durationMs} ms`.padStart(9),
    printable(wordsOf(attempt), 200),
  ].join('  ');
