/** The steps after an answer: back to the shop, to the bank, or a message and another attempt. */
import { returnUrlWith } from '../../spec/return-url.ts';
import { loadCheckout, type Reply, type WidgetCheckout } from './checkout.ts';
import type { Room } from './method.ts';
import { widgetError } from './options.ts';
import { declineReasonKey, outcomeOf, type PaymentAnswer, type Redirect } from './outcome.ts';
import { fulfil, leave, type Popup } from './redirect.ts';
import type { View } from './view.ts';

export type SettleParts = {
  room: Room;
  view: View;
  shopperResultUrl: string;
  /** Sends the same request again: for the gateway an equal request is the same payment. */
  again?: () => Promise<Reply>;
  /** Clears the typed text. */
  empty?: () => void;
};

export const settle = async (settling: SettleParts, reply: Reply, popup: Popup | undefined): Promise<void> => {
  if (reply.kind === 'silent') {
    popup?.close();
    return afterSilence(settling);
  }
  const { result, redirect } = reply.answer;
  const outcome = outcomeOf(result?.code ?? '');
  // An accepted card must not be found in any page again. A shopper whose card was declined corrects what they typed.
  if (outcome === 'approved' || outcome === 'pending') settling.empty?.();
  if (outcome === 'pending' && redirect !== undefined) return follow(settling, redirect, popup);
  popup?.close();
  if (outcome === 'declined') return decline(settling, reply.answer);
  if (outcome === 'uncertain') return afterSilence({ ...settling, again: undefined });
  goBack(settling);
};

/** A final ending: the shop queries the gateway for it. */
export const goBack = ({ room: { place, options }, shopperResultUrl }: SettleParts): void => {
  const resourcePath = `/v1/checkouts/${place.id}/${place.kind}`;
  // An address that is not on the web is refused by name when the shopper is redirected.
  const url = returnUrlWith(shopperResultUrl, { id: place.id, resourcePath }) ?? shopperResultUrl;
  leave({ url }, options.shopperResultTarget, location.href);
};

/** The checkout has ended and nothing was charged: the gateway is certain of both. */
export const end = (settling: SettleParts): void => {
  const { words } = settling.room;
  settling.view.instead(words.expired, [{ label: words.back, press: () => goBack(settling) }]);
};

/** Whether it accepts no payment any more: then a message replaces the form. */
export const isOver = (settling: SettleParts, { state }: Pick<WidgetCheckout, 'state'>): boolean => {
  if (state === 'ended') end(settling);
  if (state === 'paid') {
    settling.view.instead(settling.room.words.alreadyPaid, [], 'done');
    goBack(settling);
  }
  return state === 'ended' || state === 'paid';
};

/** A page that was left and restored does not know the current state of its checkout. */
export const lookAgain = async (settling: SettleParts): Promise<void> => {
  const { room, view } = settling;
  const { words } = room;
  view.again();
  view.tell(undefined);
  view.busy(true);
  const checkout = await loadCheckout(room.place);
  view.busy(false);
  if (checkout === 'unknown') return view.instead(words.expired, []);
  if (checkout === 'silent') {
    const press = (): void => void lookAgain(settling);
    return view.instead(words.offline, [{ label: words.checkAgain, press, main: true }]);
  }
  isOver(settling, checkout);
};

const decline = async (settling: SettleParts, answer: PaymentAnswer): Promise<void> => {
  const { room, view } = settling;
  const checkout = await loadCheckout(room.place);
  if (checkout === 'unknown') return view.instead(room.words.expired, []);
  if (checkout !== 'silent' && checkout.state === 'paid') return goBack(settling);
  if (checkout !== 'silent' && checkout.state === 'ended') return end(settling);
  view.tell(room.words[declineReasonKey(answer.result?.code ?? '')]);
};

/** The result of the request is unknown. Only the gateway knows it, and until it answers nobody may pay again. */
const afterSilence = async (settling: SettleParts): Promise<void> => {
  const { room, view } = settling;
  const checkout = await loadCheckout(room.place);
  if (checkout === 'unknown') return view.instead(room.words.expired, []);
  if (checkout === 'silent') {
    const press = (): void => {
      view.again();
      void afterSilence(settling);
    };
    return view.instead(room.words.uncertain, [{ label: room.words.checkAgain, press, main: true }]);
  }
  if (checkout.state === 'ended') return end(settling);
  if (checkout.state === 'pending' && settling.again !== undefined) {
    // Its answer was lost, and the redirect to the bank with it.
    const { again, ...once } = settling;
    const reply = await again();
    return reply.kind === 'silent' ? afterSilence(once) : settle(once, reply, undefined);
  }
  if (checkout.state !== 'open') {
    settling.empty?.();
    return goBack(settling);
  }
  // The gateway says that no payment waits, and none was approved.
  view.again();
  view.tell(room.words.tryLater);
};

const follow = async (settling: SettleParts, redirect: Redirect, popup: Popup | undefined): Promise<void> => {
  const { room } = settling;
  try {
    await fulfil(redirect.preconditions ?? [], room.place.base);
    if (popup !== undefined) return await inPopup(settling, redirect, popup);
    const { paymentTarget } = room.options;
    leave(redirect, paymentTarget === '_blank' ? '_self' : paymentTarget, room.place.base);
  } catch (error) {
    popup?.close();
    room.failed(widgetError('WidgetError', error instanceof Error ? error.message : String(error)));
    settling.view.tell(room.words.tryLater);
  }
};

const inPopup = async (settling: SettleParts, redirect: Redirect, popup: Popup): Promise<void> => {
  const { room, view } = settling;
  const { words } = room;
  popup.go(redirect);
  view.instead(
    words.popupOpen,
    [
      { label: words.popupShow, press: popup.show, main: true },
      { label: words.popupCancel, press: popup.close },
    ],
    'away',
  );
  const ending = await popup.ending();
  popup.close();
  const checkout = ending === 'back' ? undefined : await loadCheckout(room.place);
  if (checkout === 'unknown') return view.instead(words.expired, []);
  // Only the gateway can say that nothing was paid, not the closed window.
  if (checkout === 'silent') return afterSilence(settling);
  const isOpen = typeof checkout === 'object' && (checkout.state === 'open' || checkout.state === 'pending');
  if (!isOpen) return goBack(settling);
  view.again();
  view.tell(words.popupClosed);
};
