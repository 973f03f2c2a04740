/** The four fields of a card, or only the security code of a stored one. */
import { cardFieldOf } from '../../../base/code-meanings.ts';
import type { WidgetWordKey } from '../../../locales/shopper/en.ts';
import { type CardBrand, cardBrandNamed, expiryOf, formatExpiry, isPast } from './card-data.ts';
import { type CardNumberField, cardNumberField } from './card-number-field.ts';
import type { WidgetParameters } from './checkout.ts';
import { today } from './clock.ts';
import { make } from './dom.ts';
import { field, type InputField } from './field.ts';
import { fill } from './languages.ts';
import type { FrameOpening, FromFrame } from './messages.ts';
import type { PaymentAnswer } from './outcome.ts';

export type CardFields = {
  root: HTMLElement;
  /** Shows the errors, and moves the focus to the first. */
  check(): boolean;
  /** The parameters to send, by the host API's names (spec 2.7). */
  parameters(): WidgetParameters;
  brand(): string;
  last4(): string;
  focus(): void;
  /** Shows the gateway's refusal at its field. */
  showErrors(answer: PaymentAnswer): void;
  /** Clears the security code after an answer; nobody may keep it for longer. */
  clearCode(): void;
  empty(): void;
};

export const cardFields = (opening: FrameOpening, notify: (message: FromFrame) => void): CardFields => {
  const notifyEnter = (): void => notify({ kind: 'enter' });
  const onlyCvv = opening.mode === 'cvv';
  let cvv: InputField | undefined;
  const number = onlyCvv
    ? undefined
    : cardNumberField(opening, {
        onBrands: (brands) => {
          notify({ kind: 'brand', names: brands.map(({ name }) => name) });
          cvv?.setHint(cvvHint(opening, brands[0]));
        },
        onBin: (bin) => notify({ kind: 'bin', bin }),
        onLeave: (valid) => notify({ kind: 'blur', field: 'cardNumber', valid }),
        onEnter: notifyEnter,
      });
  const brand = (): CardBrand | undefined =>
    number?.brand() ?? (onlyCvv ? cardBrandNamed(opening.brands[0] ?? '') : undefined);
  const wantsCvv = opening.requireCvv || onlyCvv;
  cvv = wantsCvv ? cvvField(opening, { brand, notify, onEnter: notifyEnter }) : undefined;
  const expiry = onlyCvv ? undefined : expiryField(opening, { notify, onEnter: notifyEnter });
  const holder = onlyCvv ? undefined : holderField(opening, { notify, onEnter: notifyEnter });
  const allFields = [number, expiry, cvv, holder].filter((each) => each !== undefined);
  const root = make('div', { class: 'wpwl-fields' }, ...allFields.map((each) => each.root));
  return {
    root,
    check() {
      // Checks every field, so that the shopper sees all mistakes at once.
      const wrongFields = allFields.filter((each) => !each.check());
      wrongFields[0]?.input.focus();
      return wrongFields.length === 0;
    },
    parameters: () => parametersOf({ number, expiry, cvv, holder }),
    brand: () => brand()?.name ?? '',
    last4: () => number?.digits().slice(-4) ?? '',
    focus: () => allFields[0]?.input.focus(),
    showErrors: ({ result }) => {
      const key = cardFieldOf(result?.code ?? '');
      if (key === 'number') number?.showError(opening.words.cardNumberError);
      if (key === 'expiry') expiry?.showError(opening.words.expiredError);
      if (key === 'cvv') cvv?.showError(cvvError(opening, brand()));
    },
    clearCode: () => cvv?.empty(),
    empty() {
      for (const each of allFields) each.empty();
    },
  };
};

type FieldCallbacks = { notify: (message: FromFrame) => void; onEnter: () => void };

const expiryField = ({ words }: FrameOpening, { notify, onEnter }: FieldCallbacks): InputField =>
  field({
    name: 'expiry',
    label: words.expiryDate,
    placeholder: words.expiryFormat,
    autocomplete: 'cc-exp',
    inputMode: 'numeric',
    maxLength: 7,
    ltr: true,
    format: formatExpiry,
    errorOf: (text) => {
      const date = expiryOf(text, today());
      if (date === undefined) return words.expiryError;
      return isPast(date, today()) ? words.expiredError : undefined;
    },
    onLeave: (valid) => notify({ kind: 'blur', field: 'expiry', valid }),
    onEnter,
  });

const holderField = ({ words }: FrameOpening, { notify, onEnter }: FieldCallbacks): InputField =>
  field({
    name: 'cardHolder',
    label: words.cardHolder,
    autocomplete: 'cc-name',
    maxLength: 128,
    // A card number typed as the name would be stored with the payment.
    errorOf: (text) =>
      text.trim().length < 3 || /\d{6}/.test(text.replace(/\s/g, '')) ? words.holderError : undefined,
    onLeave: (valid) => notify({ kind: 'blur', field: 'cardHolder', valid }),
    onEnter,
  });

const digitsOfCvv = (brand: CardBrand | undefined): number => brand?.cvv ?? 3;

const cvvHint = ({ words, showCvvHint }: FrameOpening, brand: CardBrand | undefined): string => {
  if (!showCvvHint) return '';
  const textKey: WidgetWordKey = brand?.cvv === 4 ? 'cvvHintFront' : 'cvvHint';
  return fill(words[textKey], { digits: digitsOfCvv(brand) });
};

const cvvError = ({ words }: FrameOpening, brand: CardBrand | undefined): string =>
  fill(words.cvvError, { digits: digitsOfCvv(brand) });

const cvvField = (
  opening: FrameOpening,
  { brand, notify, onEnter }: FieldCallbacks & { brand: () => CardBrand | undefined },
): InputField => {
  const isCvvOptional = (): boolean => opening.allowEmptyCvv || brand()?.cvvOptional === true;
  return field({
    name: 'cvv',
    label: opening.words.cvv,
    hint: cvvHint(opening, brand()),
    autocomplete: 'cc-csc',
    inputMode: 'numeric',
    type: opening.maskCvv ? 'password' : 'text',
    maxLength: 4,
    ltr: true,
    required: !opening.allowEmptyCvv,
    format: (text) => text.replace(/\D/g, ''),
    errorOf: (text) => {
      if (text === '' && isCvvOptional()) return undefined;
      return text.length === digitsOfCvv(brand()) ? undefined : cvvError(opening, brand());
    },
    onLeave: (valid) => notify({ kind: 'blur', field: 'cvv', valid }),
    onEnter,
  });
};

type Filled = {
  number: CardNumberField | undefined;
  expiry: InputField | undefined;
  cvv: InputField | undefined;
  holder: InputField | undefined;
};

const parametersOf = ({ number, expiry, cvv, holder }: Filled): WidgetParameters => {
  const date = expiry === undefined ? undefined : expiryOf(expiry.value(), today());
  const brand = number?.brand();
  return {
    ...(number === undefined ? {} : { 'card.number': number.digits() }),
    ...(brand === undefined ? {} : { paymentBrand: brand.name }),
    ...(date === undefined ? {} : { 'card.expiryMonth': date.month, 'card.expiryYear': date.year }),
    ...(cvv === undefined || cvv.value() === '' ? {} : { 'card.cvv': cvv.value() }),
    ...(holder === undefined ? {} : { 'card.holder': holder.value() }),
  };
};
