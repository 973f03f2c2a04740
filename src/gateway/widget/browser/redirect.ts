/** Sends the shopper, or a hidden frame, to an address by GET or POST. */
import { type CheckoutAddress, loadCheckout } from './checkout.ts';
import { pause, startTimer } from './clock.ts';
import { make } from './dom.ts';
import { widgetError } from './options.ts';
import type { BrowserStep, Parameter } from './outcome.ts';

type BrowserRedirect = { url: string; method?: string; parameters?: readonly Parameter[] };

/** Resolves an address without a host. Only http and https: nothing that would run in the shop's page. */
const addressOf = (url: string, base: string): URL => {
  const address = new URL(url, base);
  if (/^https?:$/.test(address.protocol)) return address;
  throw widgetError('WidgetError', `The shopper cannot be sent to ${address.protocol}: it is not a web address.`);
};

/** `target` is the name of a window or frame, or _self, _top. */
export const redirectShopper = (
  { url, method = 'GET', parameters = [] }: BrowserRedirect,
  target: string,
  base: string,
): void => {
  const address = addressOf(url, base);
  const isPost = method.toUpperCase() === 'POST';
  if (!isPost) for (const { name, value } of parameters) address.searchParams.append(name, value);
  if (!isPost) {
    const link = make('a', { href: address.href, target });
    document.body.append(link);
    link.click();
    link.remove();
    return;
  }
  const inputs = parameters.map(({ name, value }) => make('input', { type: 'hidden', name, value }));
  const form = make('form', { action: address.href, method: 'post', target }, ...inputs);
  document.body.append(form);
  form.submit();
  form.remove();
};

/** The time limit of EMV 3-D Secure for the method call. */
const PRECONDITION_MS = 10_000;

/** Takes the steps one after the other, hidden. A step without an answer in time is skipped. */
export const fulfil = async (preconditions: readonly BrowserStep[], base: string): Promise<void> => {
  for (const precondition of preconditions) {
    const name = 'wpwl-precondition';
    const frame = make('iframe', { name, hidden: true, title: '', 'aria-hidden': 'true' });
    document.body.append(frame);
    await new Promise<void>((resolve) => {
      const stopTimer = startTimer(PRECONDITION_MS, resolve);
      frame.addEventListener('load', () => {
        stopTimer();
        resolve();
      });
      redirectShopper(precondition, name, base);
    });
    frame.remove();
  }
};

// A new window for the bank's page, so that the shop's page stays.

export type Popup = {
  open(link: BrowserRedirect): void;
  show(): void;
  close(): void;
  /** `back`: the payment has its ending. `closed`: the shopper closed the window before. */
  waitForEnd(): Promise<'back' | 'closed'>;
};

const LOOK_MS = 400;
/** How many checks of the window are made for one query to the gateway. */
const ASK_EVERY = 5;

/** Undefined if the browser opens none: the shopper then goes there in this window. Call it from a click. */
export const openPopup = (checkoutAddress: CheckoutAddress, shopperResultUrl: string): Popup | undefined => {
  const name = `wpwl-${checkoutAddress.id}`;
  const windowSize = `width=${Math.min(520, screen.availWidth)},height=${Math.min(760, screen.availHeight)}`;
  const popupWindow = window.open('about:blank', name, `popup,${windowSize}`);
  if (popupWindow === null) return undefined;
  const isBack = (): boolean => {
    try {
      // Readable only when the window is on the shop's own origin again.
      return popupWindow.location.href.startsWith(shopperResultUrl.split(/[?#]/)[0] ?? shopperResultUrl);
    } catch {
      return false;
    }
  };
  return {
    open: (link) => redirectShopper(link, name, checkoutAddress.base),
    show: () => popupWindow.focus(),
    close: () => popupWindow.close(),
    async waitForEnd() {
      for (let lookCount = 1; ; lookCount += 1) {
        if (isBack()) return 'back';
        if (popupWindow.closed) return 'closed';
        if (lookCount % ASK_EVERY === 0) {
          const checkout = await loadCheckout(checkoutAddress);
          if (typeof checkout === 'object' && (checkout.state === 'paid' || checkout.state === 'ended')) return 'back';
        }
        await pause(LOOK_MS);
      }
    },
  };
};
