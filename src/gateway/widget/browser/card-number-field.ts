/** The card number field: grouped as on the card, with its brand recognised while typing. */

import type { WidgetWords } from '../../../locales/shopper/en.ts';
import {
  brandsOfNumber,
  type CardBrand,
  cardBrandNamed,
  checkDigitAgrees,
  groupDigits,
  groupsOf,
  unacceptedBrandOf,
} from './card-data.ts';
import { make } from './dom.ts';
import { field, type InputField } from './field.ts';
import { fill } from './languages.ts';
import type { FrameOpening } from './messages.ts';

export type CardNumberField = InputField & {
  digits(): string;
  /** The chosen brand if there is a choice, otherwise the likeliest. */
  brand(): CardBrand | undefined;
};

type NumberCallbacks = {
  /** Called with all possible brands of the number, whenever they change. */
  onBrands: (onBrands: readonly CardBrand[]) => void;
  onBin: (onBin: string) => void;
  onLeave: (valid: boolean) => void;
  onEnter: () => void;
};

/** How many digits a shop may know: the first six. */
const BIN = 6;

const digitsOf = (text: string): string => text.replace(/\D/g, '').slice(0, 19);

export const cardNumberField = (
  { words, brands: accepted, numberFormatting, brandDetection }: FrameOpening,
  callbacks: NumberCallbacks,
): CardNumberField => {
  const { badge, choice } = choiceOf(words, accepted);
  const candidates = (digits: string): readonly CardBrand[] =>
    brandDetection ? brandsOfNumber(digits, accepted) : accepted.map(cardBrandNamed);
  const brandOf = (digits: string): CardBrand | undefined => {
    const likelyBrands = candidates(digits);
    return likelyBrands.find(({ name }) => !choice.hidden && name === choice.value) ?? likelyBrands[0];
  };
  const errorOf = (text: string): string | undefined => {
    const digits = digitsOf(text);
    const brand = brandOf(digits);
    const unaccepted = unacceptedBrandOf(digits);
    if (brand === undefined && unaccepted !== undefined && checkDigitAgrees(digits)) {
      return fill(words.cardBrandError, { brand: unaccepted.label });
    }
    const isValid = brand?.lengths.includes(digits.length) && brand.starts.test(digits) && checkDigitAgrees(digits);
    return isValid ? undefined : words.cardNumberError;
  };
  let shown = '';
  let bin = '';
  const onInput = (text: string): void => {
    const digits = digitsOf(text);
    const likelyBrands = candidates(digits);
    const names = likelyBrands.map(({ name }) => name).join(' ');
    if (names !== shown) {
      shown = names;
      offerChoice({ badge, choice }, likelyBrands);
      callbacks.onBrands(likelyBrands);
    }
    const firstSix = digits.length < BIN ? '' : digits.slice(0, BIN);
    if (firstSix !== bin && firstSix !== '') callbacks.onBin(firstSix);
    bin = firstSix;
  };
  const box = field({
    name: 'cardNumber',
    label: words.cardNumber,
    autocomplete: 'cc-number',
    inputMode: 'numeric',
    maxLength: 23,
    ltr: true,
    errorOf,
    format: (text) => {
      const digits = digitsOf(text);
      const brand = brandsOfNumber(digits, accepted)[0] ?? unacceptedBrandOf(digits);
      return numberFormatting ? groupDigits(digits, groupsOf(brand ?? { name: '' })) : digits;
    },
    onInput,
    onLeave: callbacks.onLeave,
    onEnter: callbacks.onEnter,
  });
  choice.addEventListener('change', () => callbacks.onBrands(candidates(digitsOf(box.value()))));
  box.input.after(badge, choice);
  offerChoice({ badge, choice }, candidates(''));
  return { ...box, digits: () => digitsOf(box.value()), brand: () => brandOf(digitsOf(box.value())) };
};

/** The badge of the recognised brand, and the choice if there are several. */
const choiceOf = (words: WidgetWords, accepted: readonly string[]) => {
  const badge = make('span', { class: 'wpwl-badge wpwl-detected', 'aria-hidden': 'true' });
  const choice = make(
    'select',
    { class: 'wpwl-control wpwl-control-brand', 'aria-label': words.cardBrand },
    ...accepted.map((name) => make('option', { value: name }, cardBrandNamed(name).label)),
  );
  return { badge, choice };
};

const offerChoice = ({ badge, choice }: ReturnType<typeof choiceOf>, likelyBrands: readonly CardBrand[]): void => {
  badge.textContent = likelyBrands.length === 1 ? (likelyBrands[0]?.label ?? '') : '';
  choice.hidden = likelyBrands.length < 2;
  for (const option of choice.options) {
    option.hidden = !likelyBrands.some(({ name }) => name === option.value);
    option.disabled = option.hidden;
  }
  choice.value = likelyBrands[0]?.name ?? '';
};
