/** The card number field: grouped as on the card, with its brand recognised while typing. */

import type { WidgetWords } from '../../../locales/shopper/en.ts';
import {
  brandsOfNumber,
  type CardBrand,
  cardBrandNamed,
  checkDigitAgrees,
  group,
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

type Hears = {
  /** Called with all possible brands of the number, whenever they change. */
  brands: (brands: readonly CardBrand[]) => void;
  bin: (bin: string) => void;
  left: (valid: boolean) => void;
  entered: () => void;
};

/** How many digits a shop may know: the first six. */
const BIN = 6;

const digitsOf = (text: string): string => text.replace(/\D/g, '').slice(0, 19);

export const cardNumberField = (
  { words, brands: accepted, numberFormatting, brandDetection }: FrameOpening,
  hears: Hears,
): CardNumberField => {
  const { badge, choice } = choiceOf(words, accepted);
  const candidates = (digits: string): readonly CardBrand[] =>
    brandDetection ? brandsOfNumber(digits, accepted) : accepted.map(cardBrandNamed);
  const brandOf = (digits: string): CardBrand | undefined => {
    const those = candidates(digits);
    return those.find(({ name }) => !choice.hidden && name === choice.value) ?? those[0];
  };
  const error = (text: string): string | undefined => {
    const digits = digitsOf(text);
    const brand = brandOf(digits);
    const stranger = unacceptedBrandOf(digits);
    if (brand === undefined && stranger !== undefined && checkDigitAgrees(digits)) {
      return fill(words.cardBrandError, { brand: stranger.label });
    }
    const right = brand?.lengths.includes(digits.length) && brand.starts.test(digits) && checkDigitAgrees(digits);
    return right ? undefined : words.cardNumberError;
  };
  let display = '';
  let bin = '';
  const enter = (text: string): void => {
    const digits = digitsOf(text);
    const those = candidates(digits);
    const names = those.map(({ name }) => name).join(' ');
    if (names !== display) {
      display = names;
      offer({ badge, choice }, those);
      hears.brands(those);
    }
    const first = digits.length < BIN ? '' : digits.slice(0, BIN);
    if (first !== bin && first !== '') hears.bin(first);
    bin = first;
  };
  const box = field({
    name: 'cardNumber',
    label: words.cardNumber,
    autocomplete: 'cc-number',
    inputMode: 'numeric',
    maxLength: 23,
    ltr: true,
    error,
    format: (text) => {
      const digits = digitsOf(text);
      const brand = brandsOfNumber(digits, accepted)[0] ?? unacceptedBrandOf(digits);
      return numberFormatting ? group(digits, groupsOf(brand ?? { name: '' })) : digits;
    },
    typed: enter,
    left: hears.left,
    entered: hears.entered,
  });
  choice.addEventListener('change', () => hears.brands(candidates(digitsOf(box.value()))));
  box.input.after(badge, choice);
  offer({ badge, choice }, candidates(''));
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

const offer = ({ badge, choice }: ReturnType<typeof choiceOf>, those: readonly CardBrand[]): void => {
  badge.textContent = those.length === 1 ? (those[0]?.label ?? '') : '';
  choice.hidden = those.length < 2;
  for (const option of choice.options) {
    option.hidden = !those.some(({ name }) => name === option.value);
    option.disabled = option.hidden;
  }
  choice.value = those[0]?.name ?? '';
};
