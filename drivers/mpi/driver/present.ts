/** Waits for a card: the device waits for a tap, while insertion and swipe arrive as notices. */
import { suggestOtherWay } from '../../reader-terminal.ts';
import type { NotReadReason } from '../../terminal.ts';
import type { MpiDecision, MpiReply } from '../protocol/commands.ts';
import { type CardNotice, statusRow } from '../protocol/notices.ts';
import { refusalFault } from './device.ts';
import type { MpiReading } from './reading.ts';

export type PresentedCard =
  | { by: 'tap'; decision: MpiDecision }
  | { by: 'chip' }
  | { by: 'swipe'; notice: CardNotice }
  | { by: 'nobody'; why: NotReadReason }
  /** Not possible that way with this card: less is accepted now, and the customer must be asked again. */
  | { by: 'again' };

/** How long the device may take to acknowledge a stop that the driver requested. */
const stoppingMs = 20_000;
/** How long the stripe's data may lag behind the notice of a swipe. */
const swipeDataMs = 2_000;
/** How long the tap reader may take to end by itself once a card is in the slot. */
const selfEndMs = 1_000;
/** A tap reader that gives up sooner than this did not time out but failed. */
const tapWaitMinMs = 1_000;

/** What the customer presents within the request's time. Throws a Fault of link or device. */
export const awaitCard = async (reading: MpiReading): Promise<PresentedCard> => {
  reading.rearm();
  const { device, request } = reading;
  const stopTimer = device.tools.clock.after(request.withinMs, () => {
    // If the abort fails, the waiting command gets the Fault; nobody waits for this promise.
    reading.stop('timedOut').catch((error) => device.tools.report(error));
  });
  try {
    return reading.accept.has('tap') ? await awaitTap(reading) : await awaitInsertion(reading);
  } finally {
    stopTimer();
  }
};

const awaitInsertion = async (reading: MpiReading): Promise<PresentedCard> => {
  for (;;) {
    reading.device.check();
    const card = cardSeenInSlot(reading);
    if (card !== undefined) return card;
    const reason = reading.stopReason();
    if (reason !== undefined) return { by: 'nobody', why: reason };
    await reading.device.slot.waitForChange();
  }
};

const isInSlot = ({ device: { slot }, accept, triedInsertion }: MpiReading): boolean =>
  (slot.hasSwipe() && accept.has('swipe')) ||
  (slot.present() && slot.insertionCount() !== triedInsertion && accept.has('chip'));

const cardSeenInSlot = ({ device: { slot }, accept, triedInsertion }: MpiReading): PresentedCard | undefined => {
  const notice = slot.takeSwipe();
  if (notice !== undefined && accept.has('swipe')) return { by: 'swipe', notice };
  return slot.present() && slot.insertionCount() !== triedInsertion && accept.has('chip') ? { by: 'chip' } : undefined;
};

const awaitTap = async (reading: MpiReading): Promise<PresentedCard> => {
  const { clock } = reading.device.tools;
  const startedAt = clock.monotonic();
  for (;;) {
    // A card already in the slot, or a swipe before the reader was on.
    const card = cardSeenInSlot(reading);
    if (card !== undefined) return card;
    const reason = reading.stopReason();
    if (reason !== undefined) return { by: 'nobody', why: reason };

    const started = clock.monotonic();
    const { reply, aside } = await waitForTap(reading);
    const { means } = statusRow(reply.status);
    if (aside && means === 'cancelled') continue;
    // The reader gave up, but a card is in the slot: it was inserted before the reader was on.
    if (means === 'timedOut' && isInSlot(reading)) continue;
    const now = clock.monotonic();
    const endedEarly = now - started < tapWaitMinMs || now - startedAt >= reading.request.withinMs;
    if (means !== 'timedOut' || endedEarly) return resultOfTap(reading, reply);
  }
};

/** Runs the tap reader. If a card inserted or swiped just before does not end the wait, it is stopped here: `aside`. */
const waitForTap = async (reading: MpiReading): Promise<{ reply: MpiReply<'startContactless'>; aside: boolean }> => {
  const { device, request } = reading;
  const limitMs = request.withinMs + stoppingMs;
  let running = true;
  let aside = false;
  const end = () => {
    running = false;
    device.slot.wakeAll();
  };
  const watch = async () => {
    await device.waitUntil(() => (!running || isInSlot(reading) ? true : undefined), limitMs);
    await device.waitUntil(() => (running ? undefined : true), selfEndMs);
    if (!running || !isInSlot(reading)) return;
    aside = true;
    await device.abort();
  };
  const run = reading.run('startContactless', reading.fields(), limitMs).finally(end);
  const [reply] = await Promise.all([run, watch()]);
  return { reply, aside };
};

/** What the end of the contactless command means. */
const resultOfTap = async (
  reading: MpiReading,
  { status, answer }: MpiReply<'startContactless'>,
): Promise<PresentedCard> => {
  const { device, accept } = reading;
  if (answer !== undefined) return { by: 'tap', decision: answer };
  switch (statusRow(status).means) {
    case 'inserted':
      return accept.has('chip') ? { by: 'chip' } : { by: 'again' };
    case 'swiped':
      return swipeData(reading);
    case 'cancelled':
      return { by: 'nobody', why: reading.stopReason() ?? 'cancelledByCustomer' };
    case 'timedOut':
      return { by: 'nobody', why: reading.isCancelled() ? 'cancelledByTill' : 'timedOut' };
    case 'gone':
      return { by: 'again' };
    case 'noTap':
    case 'broken':
    case 'fallback':
    case 'unsupported':
      return suggestOtherWay(reading) ? { by: 'again' } : { by: 'nobody', why: 'cardUnsupported' };
    case 'ok':
    case 'refused':
    case 'notReady':
      device.check();
      throw refusalFault('startContactless', status);
  }
};

/** The stripe's data, which can arrive a little later than the end of the contactless command. */
const swipeData = async (reading: MpiReading): Promise<PresentedCard> => {
  const findCard = (): PresentedCard | undefined => {
    const notice = reading.device.slot.takeSwipe();
    if (notice !== undefined && reading.accept.has('swipe')) return { by: 'swipe', notice };
    return notice !== undefined || reading.stopReason() !== undefined ? { by: 'again' } : undefined;
  };
  return (await reading.device.waitUntil(findCard, swipeDataMs)) ?? { by: 'again' };
};
