/**
 * The script of the card's frame: it runs on the gateway's own origin, so that the shop's page can read nothing that is
 * typed here. It sends the card itself, and reports the result on its port.
 */
import { cardFields } from './card-fields.ts';
import { send } from './checkout.ts';
import { watchPage } from './dom.ts';
import { applyLook, type FrameOpening, type FromFrame, HELLO, type ToFrame } from './messages.ts';

/** Undefined unless the message comes from the page around this frame, as far as the browser tells. */
const readOpening = (event: MessageEvent<unknown>): FrameOpening | undefined => {
  const parentOrigin = location.ancestorOrigins?.[0];
  const isParent = event.source === window.parent && (parentOrigin === undefined || parentOrigin === event.origin);
  const data = event.data as Partial<FrameOpening> | null;
  return isParent && data?.kind === 'open' && event.ports.length === 1 ? (data as FrameOpening) : undefined;
};

const begin = (opening: FrameOpening, port: MessagePort): void => {
  const notify = (message: FromFrame): void => port.postMessage(message);
  const root = document.documentElement;
  root.lang = opening.language;
  root.dir = opening.direction;
  root.classList.add('wpwl-frame');
  applyLook(root, opening.look);
  document.title = opening.words.card;
  const fields = cardFields(opening, notify);
  // Only the first opening message counts.
  document.body.replaceChildren(fields.root);
  new ResizeObserver(() =>
    notify({ kind: 'height', px: Math.ceil(document.body.getBoundingClientRect().height) }),
  ).observe(document.body);
  document.addEventListener('focusin', () => notify({ kind: 'focus' }));
  const handlers: { [K in ToFrame['kind']]: (message: Extract<ToFrame, { kind: K }>) => unknown } = {
    focus: () => fields.focus(),
    look: ({ look }) => applyLook(root, look),
    empty: () => fields.empty(),
    check: ({ call }) =>
      notify({ kind: 'checked', call, valid: fields.check(), brand: fields.brand(), last4: fields.last4() }),
    send: async ({ call, parameters }) => {
      // The page's own card parameters are ignored.
      const others = Object.entries(parameters).filter(([name]) => !name.startsWith('card.'));
      const reply = await send(opening.part, { ...Object.fromEntries(others), ...fields.parameters() });
      if (reply.kind === 'answer') {
        fields.clearCode();
        fields.showErrors(reply.answer);
      }
      notify({ kind: 'sent', call, reply });
    },
  };
  port.onmessage = ({ data }: MessageEvent<ToFrame>) => void handlers[data.kind]?.(data as never);
  watchPage({ onLeave: fields.empty, onReturn: fields.empty });
  notify({ kind: 'ready' });
  if (opening.autofocus) fields.focus();
};

const listener = (event: MessageEvent<unknown>): void => {
  const opening = readOpening(event);
  const [port] = event.ports;
  if (opening === undefined || port === undefined) return;
  window.removeEventListener('message', listener);
  begin(opening, port);
};

window.addEventListener('message', listener);
window.parent.postMessage(HELLO, '*');
