/**
 * The card's frame before the checkout is known: its address needs only the checkout's id, so it is fetched while the
 * gateway is asked for the rest. Unseen until the card's panel takes it; browsers that cannot move a frame without
 * loading it anew (no `moveBefore`) get theirs with the panel.
 */
import { cardBrands } from './card-brands.ts';
import { addressOf, type CheckoutAddress } from './checkout.ts';
import { make } from './dom.ts';
import { HELLO } from './messages.ts';

type Movable = Element & { moveBefore?: (node: Node, before: Node | null) => void };

export type EarlyFrame = {
  root: HTMLIFrameElement;
  /** Whether its program runs already: it says so only once. */
  isUp(): boolean;
};

let waiting: EarlyFrame | undefined;

/** Opens it behind the first form that takes cards. One for each page: a second form opens its own when it is due. */
export const openEarly = (place: CheckoutAddress, forms: readonly HTMLFormElement[]): void => {
  const form = forms.find(
    ({ dataset, parentElement }) =>
      parentElement?.closest('form') === null && cardBrands.some(({ name }) => dataset['brands']?.includes(name)),
  );
  if (waiting !== undefined || form === undefined || !('moveBefore' in form)) return;
  const root = frameOf(place);
  let up = false;
  window.addEventListener('message', ({ source, data }) => {
    if (source === root.contentWindow && data === HELLO) up = true;
  });
  root.style.display = 'none';
  form.after(root);
  waiting = { root, isUp: () => up };
};

/** Whoever asks first has it. */
export const takeEarly = (): EarlyFrame | undefined => {
  const taken = waiting;
  waiting = undefined;
  return taken;
};

/** Shows it in its place, as soon as the caller has put that into the document. */
export const moveInto = (slot: Movable, { root }: EarlyFrame, then: () => void): void =>
  queueMicrotask(() => {
    root.style.display = '';
    if (slot.isConnected && slot.moveBefore !== undefined) slot.moveBefore(root, null);
    // It loads anew.
    else slot.append(root);
    then();
  });

export const frameOf = (place: CheckoutAddress): HTMLIFrameElement =>
  make('iframe', { class: 'wpwl-iframe', src: addressOf(place, 'card'), referrerpolicy: 'origin' });
