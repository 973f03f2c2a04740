/** The panel of a new card, and that of a stored card's security code: both are frames of the gateway. */
import { cardBrandNamed } from './card-data.ts';
import type { WidgetParameters } from './checkout.ts';
import { directionOf, tagOf } from './languages.ts';
import type { FrameOpening, FromFrame } from './messages.ts';
import type { Panel, WidgetContext } from './method.ts';
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
  onDetected?: (names: readonly string[]) => void;
};

const blurs: Readonly<Record<string, CallbackName>> = {
  cardNumber: 'onBlurCardNumber',
  expiry: 'onBlurCardExpiry',
  cvv: 'onBlurCardCvv',
  cardHolder: 'onBlurCardHolder',
};

export const cardPanel = (
  context: WidgetContext,
  { mode, brands, extra = {}, summary, onDetected }: PanelOptions,
): Panel => {
  const { callbacks } = context.options;
  const handleMessage = (message: FromFrame): void => {
    if (message.kind === 'ready') callbacks.onReadyIframeCommunication?.();
    else if (message.kind === 'enter' && !context.options.disableSubmitOnEnter) context.submit();
    else if (message.kind === 'bin') callbacks.onDetectBin?.({ bin: message.bin });
    else if (message.kind === 'focus') callbacks.onFocusIframe?.();
    else if (message.kind === 'blur') {
      callbacks.onBlurIframe?.(message.field, message.valid);
      callbacks[blurs[message.field] ?? 'onBlurIframe']?.(message.valid);
    } else if (message.kind === 'brand') {
      onDetected?.(message.names);
      callbacks.onDetectBrand?.(message.names);
      callbacks.onChangeBrand?.(message.names[0] ?? '');
    }
  };
  const frame = secureFrame(context.checkoutAddress, openingFor(context, mode, brands), {
    onNotice: handleMessage,
    onError: context.onError,
  });
  let summaryText = summary ?? '';
  return {
    root: frame.root,
    async check() {
      const { valid, brand, last4 } = await frame.check();
      if (mode === 'card') summaryText = `${cardBrandNamed(brand).label} •••• ${last4}`;
      return valid;
    },
    send: (parameters) => frame.send({ ...parameters, ...extra }),
    focus: frame.focus,
    empty: frame.empty,
    summary: () => summaryText,
    remembers: mode === 'card' ? 'saveCard' : undefined,
  };
};

const openingFor = (
  { options, words, language, checkoutAddress: place }: WidgetContext,
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
