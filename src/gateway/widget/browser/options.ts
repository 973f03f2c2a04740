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

const recordOf = (value: unknown): Raw => (typeof value === 'object' && value !== null ? (value as Raw) : {});
const flagOf = (value: unknown, otherwise: boolean): boolean =>
  value === undefined ? otherwise : value === true || value === 'true';
const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
const textsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];

const styles: readonly string[] = ['card', 'logos', 'none', 'plain'] satisfies Style[];

/** Names that shops know from other widgets, mapped to the text's name here. */
const textKeys: Readonly<Record<string, WidgetWordKey>> = {
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
    Object.entries(recordOf(value)).flatMap(([name, translation]) =>
      typeof translation === 'string' ? [[Object.hasOwn(textKeys, name) ? textKeys[name] : name, translation]] : [],
    ),
  );

/** `wpwlOptions` with defaults: a value of the wrong type counts as not set. */
export const optionsOf = (value: unknown): WidgetOptions => {
  const raw = recordOf(value);
  const style = textOf(raw['style']) ?? '';
  const registrations = recordOf(raw['registrations']);
  const locale = textOf(raw['locale']);
  const billing = raw['billingAddress'];
  return {
    locale,
    style: (styles.includes(style) ? style : 'card') as Style,
    labels: wordsOf(raw['labels']),
    errorMessages: wordsOf(raw['errorMessages']),
    requireCvv: flagOf(raw['requireCvv'], true),
    allowEmptyCvv: flagOf(raw['allowEmptyCvv'], false),
    brandDetection: flagOf(raw['brandDetection'], true),
    disableSubmitOnEnter: flagOf(raw['disableSubmitOnEnter'], false),
    paymentTarget: textOf(raw['paymentTarget']) ?? '_self',
    shopperResultTarget: textOf(raw['shopperResultTarget']) ?? '_self',
    inlineFlow: textsOf(raw['inlineFlow']),
    useSummaryPage: flagOf(raw['useSummaryPage'], false),
    showCVVHint: flagOf(raw['showCVVHint'], true),
    autofocus: textOf(raw['autofocus']) !== undefined || flagOf(raw['autofocus'], false),
    maskCvv: flagOf(raw['maskCvv'], false),
    numberFormatting: flagOf(raw['numberFormatting'], true),
    registrations: {
      hideInitialPaymentForms: flagOf(registrations['hideInitialPaymentForms'], false),
      requireCvv: flagOf(registrations['requireCvv'], false),
    },
    createRegistration: flagOf(raw['createRegistration'], false),
    billingAddress: billing === undefined || billing === false ? undefined : textsByKey(recordOf(billing)),
    mandatoryBillingFields: mandatoryOf(raw['mandatoryBillingFields']),
    applePay: recordOf(raw['applePay']),
    googlePay: recordOf(raw['googlePay']),
    samsungPay: recordOf(raw['samsungPay']),
    callbacks: callbacksOf(raw),
  };
};

const textsByKey = (raw: Raw): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(raw).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));

const mandatoryOf = (value: unknown): readonly string[] =>
  Array.isArray(value)
    ? textsOf(value)
    : Object.entries(recordOf(value)).flatMap(([name, isWanted]) => (flagOf(isWanted, false) ? [name] : []));

const callbacksOf = (raw: Raw): WidgetOptions['callbacks'] =>
  Object.fromEntries(
    callbackNames.flatMap((name) => (typeof raw[name] === 'function' ? [[name, raw[name] as Callback]] : [])),
  );

export type WidgetErrorName = 'InvalidCheckoutIdError' | 'PciIframeSubmitError' | 'WidgetError';

export type WidgetError = Error & { readonly name: WidgetErrorName };

/** The argument of `onError`: a name to switch on, and a sentence for the shop's developer. */
export const widgetError = (name: WidgetErrorName, message: string): WidgetError =>
  Object.assign(new Error(message), { name });
