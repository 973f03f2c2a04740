/** The panel of a new card, and that of a stored card's security code: both are frames of the gateway. */
import { cardBrandNamed } from './card-data.ts';
import type { WidgetParameters } from './checkout.ts';
import { directionOf, tagOf } from './languages.ts';
import type { FrameOpening, FromFrame } from './messages.ts';
import type { Panel, Room } from './method.ts';
import type { CallbackName } from './options.ts';
import { secureFrame } from './secure-frame.ts';

type PanelOptions = {
  mode: 'card' | 'cvv';
  brands: readonly string[];
  /** Parameters to send beside the fields. */
  extra?: WidgetParameters;
  /** The text for a stored card. */
  summary?: string;
  /** Called with all possible brands of the number. */
  detected?: (names: readonly string[]) => void;
};

const blurs: Readonly<Record<string, CallbackName>> = {
  cardNumber: 'onBlurCardNumber',
  expiry: 'onBlurCardExpiry',
  cvv: 'onBlurCardCvv',
  cardHolder: 'onBlurCardHolder',
};

export const cardPanel = (room: Room, { mode, brands, extra = {}, summary, detected }: PanelOptions): Panel => {
  const { callbacks } = room.options;
  const hear = (message: FromFrame): void => {
    if (message.kind === 'ready') callbacks.onReadyIframeCommunication?.();
    else if (message.kind === 'enter' && !room.options.disableSubmitOnEnter) room.submit();
    else if (message.kind === 'bin') callbacks.onDetectBin?.({ bin: message.bin });
    else if (message.kind === 'focus') callbacks.onFocusIframe?.();
    else if (message.kind === 'blur') {
      callbacks.onBlurIframe?.(message.field, message.valid);
      callbacks[blurs[message.field] ?? 'onBlurIframe']?.(message.valid);
    } else if (message.kind === 'brand') {
      detected?.(message.names);
      callbacks.onDetectBrand?.(message.names);
      callbacks.onChangeBrand?.(message.names[0] ?? '');
    }
  };
  const frame = secureFrame(room.place, openingOf(room, mode, brands), { tell: hear, failed: room.failed });
  let seen = summary ?? '';
  return {
    root: frame.root,
    async check() {
      const { valid, brand, last4 } = await frame.check();
      if (mode === 'card') seen = `${cardBrandNamed(brand).label} •••• ${last4}`;
      return valid;
    },
    send: (parameters) => frame.send({ ...parameters, ...extra }),
    focus: frame.focus,
    empty: frame.empty,
    summary: () => seen,
    remembers: mode === 'card' ? 'saveCard' : undefined,
  };
};

const openingOf = (
  { options, words, language, place }: Room,
  mode: FrameOpening['mode'],
  brands: readonly string[],
): Omit<FrameOpening, 'look'> => ({
  kind: 'open',
  mode,
  brands,
  words,
  language: tagOf(language),
  direction: directionOf(language),
  requireCvv: options.requireCvv,
  allowEmptyCvv: options.allowEmptyCvv,
  brandDetection: options.brandDetection,
  showCvvHint: options.showCVVHint,
  maskCvv: options.maskCvv,
  numberFormatting: options.numberFormatting,
  autofocus: options.autofocus,
  part: place.kind,
});
