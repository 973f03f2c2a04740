/** A window of its own for the bank's page, so that the shop's page stays where it is. */
import { type CheckoutAddress, loadCheckout } from './checkout.ts';
import { pause } from './clock.ts';
import { type BrowserRedirect, leave } from './leave.ts';

export type Popup = {
  go(way: BrowserRedirect): void;
  show(): void;
  close(): void;
  /** `back`: the payment has its ending. `closed`: the shopper closed the window before. */
  ending(): Promise<'back' | 'closed'>;
};

const LOOK_MS = 400;
/** How many looks at the window go by for one at the gateway. */
const ASK_EVERY = 5;

/** Undefined when the browser opens none: the shopper then goes there in this window. Call it from a click. */
export const openPopup = (place: CheckoutAddress, shopperResultUrl: string): Popup | undefined => {
  const name = `wpwl-${place.id}`;
  const size = `width=${Math.min(520, screen.availWidth)},height=${Math.min(760, screen.availHeight)}`;
  const opened = window.open('about:blank', name, `popup,${size}`);
  if (opened === null) return undefined;
  const isBack = (): boolean => {
    try {
      // Readable only when the window is on the shop's own origin again.
      return opened.location.href.startsWith(shopperResultUrl.split(/[?#]/)[0] ?? shopperResultUrl);
    } catch {
      return false;
    }
  };
  return {
    go: (way) => leave(way, name, place.base),
    show: () => opened.focus(),
    close: () => opened.close(),
    async ending() {
      for (let looks = 1; ; looks += 1) {
        if (isBack()) return 'back';
        if (opened.closed) return 'closed';
        if (looks % ASK_EVERY === 0) {
          const checkout = await loadCheckout(place);
          if (typeof checkout === 'object' && (checkout.state === 'paid' || checkout.state === 'ended')) return 'back';
        }
        await pause(LOOK_MS);
      }
    },
  };
};
