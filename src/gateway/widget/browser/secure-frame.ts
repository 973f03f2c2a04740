/** The shop page's end of the card's frame. */
import type { CheckoutAddress, Reply, WidgetParameters } from './checkout.ts';
import { after } from './clock.ts';
import { make } from './dom.ts';
import { type EarlyFrame, frameOf, moveInto, takeEarly } from './early-frame.ts';
import { lookOf } from './look.ts';
import { type FrameOpening, type FromFrame, HELLO, type ToFrame } from './messages.ts';
import { type WidgetError, widgetError } from './widget-error.ts';

type Checked = { valid: boolean; brand: string; last4: string };

export type SecureFrame = {
  /** Where the frame stands. */
  root: HTMLElement;
  check(): Promise<Checked>;
  send(parameters: WidgetParameters): Promise<Reply>;
  focus(): void;
  /** Empties its fields. */
  empty(): void;
};

/** How long the frame may take to stand. */
const OPEN_MS = 20_000;
/** How long the gateway may take with a payment before nobody knows what became of it. */
const ANSWER_MS = 60_000;

type FrameNotice = Exclude<FromFrame, { kind: 'checked' | 'sent' }>;

type Hears = { tell: (message: FrameNotice) => void; failed: (error: WidgetError) => void };

type FrameSettings = Omit<FrameOpening, 'look'>;

/** Opens the frame once it stands in the document. */
export const secureFrame = (place: CheckoutAddress, opening: FrameSettings, { tell, failed }: Hears): SecureFrame => {
  const early = opening.mode === 'card' ? takeEarly() : undefined;
  const root = early?.root ?? frameOf(place);
  root.classList.add(`wpwl-iframe-${opening.mode}`);
  root.title = opening.words.card;
  const origin = new URL(place.base).origin;
  const waiting = new Map<number, (message: FromFrame) => void>();
  let port: MessagePort | undefined;
  let calls = 0;

  const hear = ({ data }: MessageEvent<FromFrame>): void => {
    if (data.kind === 'checked' || data.kind === 'sent') {
      waiting.get(data.call)?.(data);
      waiting.delete(data.call);
      return;
    }
    if (data.kind === 'ready') stopWaiting();
    if (data.kind === 'height') root.style.height = `${data.px}px`;
    tell(data);
  };
  const open = (): void => {
    const channel = new MessageChannel();
    port = channel.port1;
    port.onmessage = hear;
    root.contentWindow?.postMessage({ ...opening, look: lookOf(root) } satisfies FrameOpening, origin, [channel.port2]);
  };
  const slot = slotOf({ root, early, origin, open });
  const say = (message: ToFrame): void => port?.postMessage(message);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () =>
    say({ kind: 'look', look: lookOf(root) }),
  );
  const stopWaiting = after(OPEN_MS, () => failed(notOpened(origin)));
  const ask = <K extends 'checked' | 'sent'>(message: ToFrame, lateMs?: number) =>
    new Promise<Extract<FromFrame, { kind: K }>>((done, late) => {
      if (port === undefined) return late(widgetError('PciIframeSubmitError', 'The card’s frame is not open yet.'));
      if ('call' in message) waiting.set(message.call, (told) => done(told as Extract<FromFrame, { kind: K }>));
      if (lateMs !== undefined)
        after(lateMs, () => late(widgetError('PciIframeSubmitError', 'The gateway is silent.')));
      port.postMessage(message);
    });
  return {
    root: slot,
    check: () => ask<'checked'>({ kind: 'check', call: ++calls }),
    async send(parameters) {
      calls += 1;
      try {
        return (await ask<'sent'>({ kind: 'send', call: calls, parameters }, ANSWER_MS)).reply;
      } catch (error) {
        failed(error as WidgetError);
        return { kind: 'silent' };
      }
    },
    focus: () => {
      root.focus();
      say({ kind: 'focus' });
    },
    empty: () => say({ kind: 'empty' }),
  };
};

const notOpened = (origin: string): WidgetError =>
  widgetError('PciIframeSubmitError', `The card’s frame could not be opened: allow ${origin} in frame-src.`);

type Slot = { root: HTMLIFrameElement; early: EarlyFrame | undefined; origin: string; open: () => void };

/** Where the frame stands. It is opened when it says that its program runs. */
const slotOf = ({ root, early, origin, open }: Slot): HTMLElement => {
  // Before it stands where it belongs nobody knows how it is to look.
  let isPlaced = early === undefined;
  window.addEventListener('message', ({ source, origin: from, data }) => {
    // A frame that was moved loads anew, and begins anew.
    if (isPlaced && source === root.contentWindow && from === origin && data === HELLO) open();
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
