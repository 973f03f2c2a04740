/**
 * A number of events to one URL, several at a time. What concerns the same payment, registration or schedule goes one
 * after another, in its order; what concerns different ones may overtake each other.
 */
import type { Called } from './call.ts';
import type { WebhookEvent } from './store/webhooks.ts';

type Batch = {
  /** In their order. */
  events: readonly WebhookEvent[];
  /** How many at a time. */
  width: number;
  /** Undefined: by the time there was room for it, it was too late. */
  call: (event: WebhookEvent) => Promise<Called | undefined>;
  /** Asked before each call: the rest waits for another time. */
  isOver: () => boolean;
};

/** What was tried. When the first calls find nobody, and as long as nobody has answered, no more are made. */
export const deliverBatch = async ({ events, width, call, isOver }: Batch): Promise<readonly Called[]> => {
  const called: Called[] = [];
  let answered = 0;
  const chains = [...Map.groupBy(events, ({ subject }) => subject).values()];
  const mayGoOn = () => !isOver() && (answered > 0 || called.length === 0);
  const worker = async (): Promise<void> => {
    for (let chain = chains.shift(); chain !== undefined; chain = chains.shift()) {
      for (const event of chain) {
        if (!mayGoOn()) return;
        const one = await call(event);
        if (one === undefined) return;
        called.push(one);
        if (one.outcome !== 'silent') answered += 1;
        // What follows of the same subject is not told before it: it comes again, and soon.
        else break;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, chains.length) }, worker));
  return called;
};
