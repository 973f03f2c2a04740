/** The steps after an answer: back to the shop, to the bank, or a message and another attempt. */
import { returnUrlWith } from '../../spec/return-url.ts';
import { loadCheckout, type Reply, type WidgetCheckout } from './checkout.ts';
import type { WidgetContext } from './method.ts';
import { widgetError } from './options.ts';
import { declineReasonKey, outcomeOf, type PaymentAnswer, type Redirect } from './outcome.ts';
import { fulfil, type Popup, redirectShopper } from './redirect.ts';
import type { View } from './view.ts';

export type SettleParts = {
  context: WidgetContext;
  view: View;
  shopperResultUrl: string;
  /** Sends the same request again: for the gateway an equal request is the same payment. */
  resend?: () => Promise<Reply>;
  /** Clears the typed text. */
  empty?: () => void;
};

export const settle = async (settling: SettleParts, reply: Reply, popup: Popup | undefined): Promise<void> => {
  if (reply.kind === 'silent') {
    popup?.close();
    return recoverFromSilence(settling);
  }
  const { result, redirect } = reply.answer;
  const outcome = outcomeOf(result?.code ?? '');
  // An accepted card must not be found in any page again. A shopper whose card was declined corrects what they typed.
  if (outcome === 'approved' || outcome === 'pending') settling.empty?.();
  if (outcome === 'pending' && redirect !== undefined) return follow(settling, redirect, popup);
  popup?.close();
  if (outcome === 'declined') return decline(settling, reply.answer);
  if (outcome === 'uncertain') return recoverFromSilence({ ...settling, resend: undefined });
  goBack(settling);
};

/** A final ending: the shop queries the gateway for it. */
export const goBack = ({ context: { checkoutAddress: place, options }, shopperResultUrl }: SettleParts): void => {
  const resourcePath = `/v1/checkouts/${place.id}/${place.kind}`;
  // An address that is not on the web is refused by name when the shopper is redirected.
  const url = returnUrlWith(shopperResultUrl, { id: place.id, resourcePath }) ?? shopperResultUrl;
  redirectShopper({ url }, options.shopperResultTarget, location.href);
};

/** The checkout has ended and nothing was charged: the gateway is certain of both. */
export const showEnded = (settling: SettleParts): void => {
  const { words } = settling.context;
  settling.view.replaceForm(words.expired, [{ label: words.back, onPress: () => goBack(settling) }]);
};

/** Whether it accepts no payment any more: then a message replaces the form. */
export const showIfOver = (settling: SettleParts, { state }: Pick<WidgetCheckout, 'state'>): boolean => {
  if (state === 'ended') showEnded(settling);
  if (state === 'paid') {
    settling.view.replaceForm(settling.context.words.alreadyPaid, [], 'done');
    goBack(settling);
  }
  return state === 'ended' || state === 'paid';
};

/** A page that was left and restored does not know the current state of its checkout. */
export const refreshState = async (settling: SettleParts): Promise<void> => {
  const { context, view } = settling;
  const { words } = context;
  view.restoreForm();
  view.showMessage(undefined);
  view.setBusy(true);
  const checkout = await loadCheckout(context.checkoutAddress);
  view.setBusy(false);
  if (checkout === 'unknown') return view.replaceForm(words.expired, []);
  if (checkout === 'silent') {
    const press = (): void => void refreshState(settling);
    return view.replaceForm(words.offline, [{ label: words.checkAgain, onPress: press, main: true }]);
  }
  showIfOver(settling, checkout);
};

const decline = async (settling: SettleParts, answer: PaymentAnswer): Promise<void> => {
  const { context, view } = settling;
  const checkout = await loadCheckout(context.checkoutAddress);
  if (checkout === 'unknown') return view.replaceForm(context.words.expired, []);
  if (checkout !== 'silent' && checkout.state === 'paid') return goBack(settling);
  if (checkout !== 'silent' && checkout.state === 'ended') return showEnded(settling);
  view.showMessage(context.words[declineReasonKey(answer.result?.code ?? '')]);
};

/** The result of the request is unknown. Only the gateway knows it, and until it answers nobody may pay again. */
const recoverFromSilence = async (settling: SettleParts): Promise<void> => {
  const { context, view } = settling;
  const checkout = await loadCheckout(context.checkoutAddress);
  if (checkout === 'unknown') return view.replaceForm(context.words.expired, []);
  if (checkout === 'silent') {
    const press = (): void => {
      view.restoreForm();
      void recoverFromSilence(settling);
    };
    return view.replaceForm(context.words.uncertain, [{ label: context.words.checkAgain, onPress: press, main: true }]);
  }
  if (checkout.state === 'ended') return showEnded(settling);
  if (checkout.state === 'pending' && settling.resend !== undefined) {
    // Its answer was lost, and the redirect to the bank with it.
    const { resend, ...withoutResend } = settling;
    const reply = await resend();
    return reply.kind === 'silent' ? recoverFromSilence(withoutResend) : settle(withoutResend, reply, undefined);
  }
  if (checkout.state !== 'open') {
    settling.empty?.();
    return goBack(settling);
  }
  // The gateway says that no payment waits, and none was approved.
  view.restoreForm();
  view.showMessage(context.words.tryLater);
};

const follow = async (settling: SettleParts, redirect: Redirect, popup: Popup | undefined): Promise<void> => {
  const { context } = settling;
  try {
    await fulfil(redirect.preconditions ?? [], context.checkoutAddress.base);
    if (popup !== undefined) return await followInPopup(settling, redirect, popup);
    const { paymentTarget } = context.options;
    redirectShopper(redirect, paymentTarget === '_blank' ? '_self' : paymentTarget, context.checkoutAddress.base);
  } catch (error) {
    popup?.close();
    context.onError(widgetError('WidgetError', error instanceof Error ? error.message : String(error)));
    settling.view.showMessage(context.words.tryLater);
  }
};

const followInPopup = async (settling: SettleParts, redirect: Redirect, popup: Popup): Promise<void> => {
  const { context, view } = settling;
  const { words } = context;
  popup.open(redirect);
  view.replaceForm(
    words.popupOpen,
    [
      { label: words.popupShow, onPress: popup.show, main: true },
      { label: words.popupCancel, onPress: popup.close },
    ],
    'away',
  );
  const popupResult = await popup.waitForEnd();
  popup.close();
  const checkout = popupResult === 'back' ? undefined : await loadCheckout(context.checkoutAddress);
  if (checkout === 'unknown') return view.replaceForm(words.expired, []);
  // Only the gateway can say that nothing was paid, not the closed window.
  if (checkout === 'silent') return recoverFromSilence(settling);
  const isOpen = typeof checkout === 'object' && (checkout.state === 'open' || checkout.state === 'pending');
  if (!isOpen) return goBack(settling);
  view.restoreForm();
  view.showMessage(words.popupClosed);
};
