/**
 * The options that a shop may set before the script runs: `wpwlOptions`. Unknown names are ignored, because shops bring
 * old ones.
 */
import type { WidgetTranslation, WidgetWordKey } from '../../../locales/shopper/en.ts';

export type Callback = (...facts: readonly unknown[]) => unknown;

/** The callbacks of the page. Each is optional; docs/widget.md explains when each is called, and with what. */
export const callbackNames = [
  'onReady',
  'onReadyIframeCommunication',
  'onChangeBrand',
  'onDetectBrand',
  'onDetectBin',
  'onBeforeSubmitCard',
  'onBeforeSubmitCardPromise',
  'onBeforeSubmitDirectDebit',
  'onBeforeSubmitVirtualAccount',
  'onBeforeSubmitOneClickCard',
  'onAfterSubmit',
  'onError',
  'onFocusIframe',
  'onBlurIframe',
  'onBlurCardNumber',
  'onBlurCardExpiry',
  'onBlurCardCvv',
  'onBlurCardHolder',
] as const;

export type CallbackName = (typeof callbackNames)[number];

export type Style = 'card' | 'logos' | 'none' | 'plain';

export type WidgetOptions = {
  locale?: string;
  style: Style;
  labels: Partial<WidgetTranslation>;
  errorMessages: Partial<WidgetTranslation>;
  requireCvv: boolean;
  allowEmptyCvv: boolean;
  brandDetection: boolean;
  disableSubmitOnEnter: boolean;
  /** `_self`, `_top`, `_blank` (a new window), or the name of a frame of the page. */
  paymentTarget: string;
  shopperResultTarget: string;
  /** Brands that open in a new window, so that the shop's page stays. */
  inlineFlow: readonly string[];
  useSummaryPage: boolean;
  showCVVHint: boolean;
  autofocus: boolean;
  maskCvv: boolean;
  numberFormatting: boolean;
  registrations: { hideInitialPaymentForms: boolean; requireCvv: boolean };
  /** Offers to store the card or the account. */
  createRegistration: boolean;
  billingAddress?: Readonly<Record<string, string>>;
  mandatoryBillingFields: readonly string[];
  applePay: Readonly<Record<string, unknown>>;
  googlePay: Readonly<Record<string, unknown>>;
  samsungPay: Readonly<Record<string, unknown>>;
  callbacks: Readonly<Partial<Record<CallbackName, Callback>>>;
};

type Raw = Readonly<Record<string, unknown>>;

const group = (value: unknown): Raw => (typeof value === 'object' && value !== null ? (value as Raw) : {});
const flag = (value: unknown, otherwise: boolean): boolean =>
  value === undefined ? otherwise : value === true || value === 'true';
const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
const texts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];

const styles: readonly string[] = ['card', 'logos', 'none', 'plain'] satisfies Style[];

/** Names that shops know from other widgets, mapped to the text's name here. */
const known: Readonly<Record<string, WidgetWordKey>> = {
  cardNumberError: 'cardNumberError',
  expiryMonthError: 'expiryError',
  expiryYearError: 'expiryError',
  cardHolderError: 'holderError',
  ibanError: 'ibanError',
  accountIbanError: 'ibanError',
  accountHolderError: 'accountHolderError',
  submit: 'payNow',
  holder: 'cardHolder',
  mmyyPlaceholder: 'expiryFormat',
  pleaseWait: 'processing',
};

const wordsOf = (value: unknown): Partial<WidgetTranslation> =>
  Object.fromEntries(
    Object.entries(group(value)).flatMap(([name, word]) =>
      typeof word === 'string' ? [[Object.hasOwn(known, name) ? known[name] : name, word]] : [],
    ),
  );

/** `wpwlOptions` with defaults: a value of the wrong type counts as not set. */
export const optionsOf = (value: unknown): WidgetOptions => {
  const raw = group(value);
  const style = text(raw['style']) ?? '';
  const registrations = group(raw['registrations']);
  const locale = text(raw['locale']);
  const billing = raw['billingAddress'];
  return {
    locale,
    style: (styles.includes(style) ? style : 'card') as Style,
    labels: wordsOf(raw['labels']),
    errorMessages: wordsOf(raw['errorMessages']),
    requireCvv: flag(raw['requireCvv'], true),
    allowEmptyCvv: flag(raw['allowEmptyCvv'], false),
    brandDetection: flag(raw['brandDetection'], true),
    disableSubmitOnEnter: flag(raw['disableSubmitOnEnter'], false),
    paymentTarget: text(raw['paymentTarget']) ?? '_self',
    shopperResultTarget: text(raw['shopperResultTarget']) ?? '_self',
    inlineFlow: texts(raw['inlineFlow']),
    useSummaryPage: flag(raw['useSummaryPage'], false),
    showCVVHint: flag(raw['showCVVHint'], true),
    autofocus: text(raw['autofocus']) !== undefined || flag(raw['autofocus'], false),
    maskCvv: flag(raw['maskCvv'], false),
    numberFormatting: flag(raw['numberFormatting'], true),
    registrations: {
      hideInitialPaymentForms: flag(registrations['hideInitialPaymentForms'], false),
      requireCvv: flag(registrations['requireCvv'], false),
    },
    createRegistration: flag(raw['createRegistration'], false),
    billingAddress: billing === undefined || billing === false ? undefined : textsBy(group(billing)),
    mandatoryBillingFields: mandatoryOf(raw['mandatoryBillingFields']),
    applePay: group(raw['applePay']),
    googlePay: group(raw['googlePay']),
    samsungPay: group(raw['samsungPay']),
    callbacks: callbacksOf(raw),
  };
};

const textsBy = (raw: Raw): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(raw).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));

const mandatoryOf = (value: unknown): readonly string[] =>
  Array.isArray(value)
    ? texts(value)
    : Object.entries(group(value)).flatMap(([name, wanted]) => (flag(wanted, false) ? [name] : []));

const callbacksOf = (raw: Raw): WidgetOptions['callbacks'] =>
  Object.fromEntries(
    callbackNames.flatMap((name) => (typeof raw[name] === 'function' ? [[name, raw[name] as Callback]] : [])),
  );

export type WidgetErrorName = 'InvalidCheckoutIdError' | 'PciIframeSubmitError' | 'WidgetError';

export type WidgetError = Error & { readonly name: WidgetErrorName };

/** The argument of `onError`: a name to switch on, and a sentence for the shop's developer. */
export const widgetError = (name: WidgetErrorName, message: string): WidgetError =>
  Object.assign(new Error(message), { name });
