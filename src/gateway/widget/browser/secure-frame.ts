/** The shop page's side of the card's frame. */
import { cardBrands } from './card-data.ts';
import { addressOf, type CheckoutAddress, type Reply, type WidgetParameters } from './checkout.ts';
import { startTimer } from './clock.ts';
import { make } from './dom.ts';
import { type FrameOpening, type FromFrame, HELLO, lookOf, type ToFrame } from './messages.ts';
import { type WidgetError, widgetError } from './options.ts';

type Checked = { valid: boolean; brand: string; last4: string };

export type SecureFrame = {
  /** The element around the frame. */
  root: HTMLElement;
  check(): Promise<Checked>;
  send(parameters: WidgetParameters): Promise<Reply>;
  focus(): void;
  /** Clears its fields. */
  empty(): void;
};

/** The time limit for the frame to load. */
const OPEN_MS = 20_000;
/** How long the gateway may take for a payment before its result counts as unknown. */
const ANSWER_MS = 60_000;

type FrameNotice = Exclude<FromFrame, { kind: 'checked' | 'sent' }>;

type FrameCallbacks = { onNotice: (message: FrameNotice) => void; onError: (error: WidgetError) => void };

type FrameSettings = Omit<FrameOpening, 'look'>;

/** Opens the frame once it is in the document. */
export const secureFrame = (
  checkoutAddress: CheckoutAddress,
  opening: FrameSettings,
  { onNotice, onError }: FrameCallbacks,
): SecureFrame => {
  const earlyFrame = opening.mode === 'card' ? takeEarlyFrame() : undefined;
  const root = earlyFrame?.root ?? frameOf(checkoutAddress);
  root.classList.add(`wpwl-iframe-${opening.mode}`);
  root.title = opening.words.card;
  const origin = new URL(checkoutAddress.base).origin;
  const requests = new Map<number, (message: FromFrame) => void>();
  let port: MessagePort | undefined;
  let calls = 0;

  const handleMessage = ({ data }: MessageEvent<FromFrame>): void => {
    if (data.kind === 'checked' || data.kind === 'sent') {
      requests.get(data.call)?.(data);
      requests.delete(data.call);
      return;
    }
    if (data.kind === 'ready') stopWaiting();
    if (data.kind === 'height') root.style.height = `${data.px}px`;
    onNotice(data);
  };
  const onOpen = (): void => {
    const channel = new MessageChannel();
    port = channel.port1;
    port.onmessage = handleMessage;
    root.contentWindow?.postMessage({ ...opening, look: lookOf(root) } satisfies FrameOpening, origin, [channel.port2]);
  };
  const slot = slotOf({ root, early: earlyFrame, origin, open: onOpen });
  const post = (message: ToFrame): void => port?.postMessage(message);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () =>
    post({ kind: 'look', look: lookOf(root) }),
  );
  const stopWaiting = startTimer(OPEN_MS, () => onError(notOpenedError(origin)));
  const request = <K extends 'checked' | 'sent'>(message: ToFrame, lateMs?: number) =>
    new Promise<Extract<FromFrame, { kind: K }>>((resolve, reject) => {
      if (port === undefined) return reject(widgetError('PciIframeSubmitError', 'The card’s frame is not open yet.'));
      if ('call' in message) requests.set(message.call, (result) => resolve(result as Extract<FromFrame, { kind: K }>));
      if (lateMs !== undefined)
        startTimer(lateMs, () => reject(widgetError('PciIframeSubmitError', 'The gateway is silent.')));
      port.postMessage(message);
    });
  return {
    root: slot,
    check: () => request<'checked'>({ kind: 'check', call: ++calls }),
    async send(parameters) {
      calls += 1;
      try {
        return (await request<'sent'>({ kind: 'send', call: calls, parameters }, ANSWER_MS)).reply;
      } catch (error) {
        onError(error as WidgetError);
        return { kind: 'silent' };
      }
    },
    focus: () => {
      root.focus();
      post({ kind: 'focus' });
    },
    empty: () => post({ kind: 'empty' }),
  };
};

const notOpenedError = (origin: string): WidgetError =>
  widgetError('PciIframeSubmitError', `The card’s frame could not be opened: allow ${origin} in frame-src.`);

type Slot = { root: HTMLIFrameElement; early: EarlyFrame | undefined; origin: string; open: () => void };

/** The element around the frame. The frame is opened when it reports that its script runs. */
const slotOf = ({ root, early, origin, open }: Slot): HTMLElement => {
  // Before it is in its final place, its style is not known.
  let isPlaced = early === undefined;
  window.addEventListener('message', ({ source, origin: sender, data }) => {
    // A frame that was moved reloads, and starts anew.
    if (isPlaced && source === root.contentWindow && sender === origin && data === HELLO) open();
  });
  const slot = make('div', { class: 'wpwl-secure' }, early === undefined ? root : undefined);
  if (early !== undefined) {
    moveInto(slot, early, () => {
      isPlaced = true;
      if (early.isUp()) open();
    });
  }
  return slot;
};

// The card's frame before the checkout is loaded: its address needs only the checkout's id, so both are loaded in
// parallel. Hidden until the card's panel takes it; browsers that cannot move a frame without reloading it (no
// `moveBefore`) create it with the panel.

type Movable = Element & { moveBefore?: (node: Node, before: Node | null) => void };

type EarlyFrame = {
  root: HTMLIFrameElement;
  /** Whether its script already runs: it reports that only once. */
  isUp(): boolean;
};

let requests: EarlyFrame | undefined;

/** Opens it after the first form that accepts cards. One per page: a second form opens its own when needed. */
export const openEarlyFrame = (checkoutAddress: CheckoutAddress, forms: readonly HTMLFormElement[]): void => {
  const form = forms.find(
    ({ dataset, parentElement }) =>
      parentElement?.closest('form') === null && cardBrands.some(({ name }) => dataset['brands']?.includes(name)),
  );
  if (requests !== undefined || form === undefined || !('moveBefore' in form)) return;
  const root = frameOf(checkoutAddress);
  let isRunning = false;
  window.addEventListener('message', ({ source, data }) => {
    if (source === root.contentWindow && data === HELLO) isRunning = true;
  });
  root.style.display = 'none';
  form.after(root);
  requests = { root, isUp: () => isRunning };
};

/** The first caller gets it. */
export const takeEarlyFrame = (): EarlyFrame | undefined => {
  const taken = requests;
  requests = undefined;
  return taken;
};

/** Shows it in its place, as soon as the caller has inserted that into the document. */
const moveInto = (slot: Movable, { root }: EarlyFrame, onMoved: () => void): void =>
  queueMicrotask(() => {
    root.style.display = '';
    if (slot.isConnected && slot.moveBefore !== undefined) slot.moveBefore(root, null);
    // This reloads it.
    else slot.append(root);
    onMoved();
  });

const frameOf = (checkoutAddress: CheckoutAddress): HTMLIFrameElement =>
  make('iframe', { class: 'wpwl-iframe', src: addressOf(checkoutAddress, 'card'), referrerpolicy: 'origin' });
