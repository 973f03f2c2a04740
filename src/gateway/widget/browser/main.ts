/** The widget's script: finds the checkout in its own address, and fills the forms of the page. */

import { widget as en, type WidgetWords } from '../../../locales/shopper/en.ts';
import { type CheckoutAddress, loadCheckout, placeOf, type WidgetCheckout } from './checkout.ts';
import { make } from './dom.ts';
import { chosenLanguage, type WidgetLanguage } from './languages.ts';
import { optionsOf, type WidgetError, type WidgetOptions, widgetError } from './options.ts';
import { openEarlyFrame, takeEarlyFrame } from './secure-frame.ts';
import { view } from './view.ts';
import { createWidget } from './widget.ts';

/** Inserted by the build: the file of each language, and the hash of the stylesheet, so that caches stay fresh. */
declare const LANGUAGE_FILES: Readonly<Record<string, string>>;
declare const STYLESHEET: string;

// Null after the script has run, so it is read now.
const script = document.currentScript as HTMLScriptElement | null;
const address = script?.src ?? '';

const place = address === '' ? undefined : placeOf(address);
// Neither needs the page's options, so neither waits for the rest of the page.
const checkoutLoading = place && loadCheckout(place);
const findForms = (): HTMLFormElement[] => [...document.querySelectorAll<HTMLFormElement>('form.paymentWidgets')];
if (place !== undefined) openEarlyFrame(place, findForms());

const start = async (): Promise<void> => {
  const options = optionsOf({
    ...(window as { wpwlOptions?: object }).wpwlOptions,
    ...optionsIn(script?.dataset['options']),
  });
  const fail = (error: WidgetError): void => void options.callbacks.onError?.(error);
  const forms = findForms();
  for (const problem of problemsOf(forms)) fail(problem);
  const usable = forms.filter((form) => form.parentElement?.closest('form') === null);
  // Stylesheet, checkout and texts are loaded in parallel.
  const sheet = options.style === 'none' || place === undefined ? undefined : applyStyle(place);
  if (place === undefined || checkoutLoading === undefined) {
    fail(
      widgetError('InvalidCheckoutIdError', 'The script’s address has no checkoutId: paymentWidgets.js?checkoutId=…'),
    );
    return showToAll({ forms: usable, options }, [en, 'en'], 'notFound');
  }
  openEarlyFrame(place, usable);
  const [checkout, earlyTexts] = await Promise.all([checkoutLoading, loadWords(place, options, undefined), sheet]);
  if (checkout === 'unknown') {
    fail(widgetError('InvalidCheckoutIdError', `There is no checkout ${place.id}, or it has expired.`));
    return showToAll({ forms: usable, options }, earlyTexts, 'notFound');
  }
  if (checkout === 'silent') {
    fail(
      widgetError('WidgetError', `The gateway does not answer: allow ${new URL(place.base).origin} in connect-src.`),
    );
    return showToAll({ forms: usable, options }, earlyTexts, 'offline');
  }
  const [words, language] = await loadWords(place, options, checkout);
  const kind = place.kind;
  const roots = usable.map((form) =>
    createWidget(form, {
      checkoutAddress: place,
      checkout: { ...checkout, kind },
      options,
      words,
      language,
      onError: fail,
    }),
  );
  options.callbacks.onReady?.(await Promise.all(roots));
};

/** Options without a script of the page: JSON in the script element’s data-options. */
const optionsIn = (text: string | undefined): object => {
  try {
    return JSON.parse(text ?? '{}') as object;
  } catch {
    return {};
  }
};

/** Browsers drop a form inside another form, including its class: then none is found. */
const problemsOf = (forms: readonly HTMLFormElement[]): readonly WidgetError[] => {
  const inside = forms.filter((form) => form.parentElement?.closest('form') != null);
  if (inside.length > 0) {
    return [
      widgetError('WidgetError', 'form.paymentWidgets is inside another form and would not be sent: move it out.'),
    ];
  }
  if (forms.length > 0) return [];
  const reason = document.forms.length > 0 ? ' If it is inside another form, browsers drop it: move it out.' : '';
  return [widgetError('WidgetError', `There is no <form class="paymentWidgets"> on the page.${reason}`)];
};

const showToAll = (
  { forms, options }: { forms: readonly HTMLFormElement[]; options: WidgetOptions },
  [words, language]: readonly [WidgetWords, WidgetLanguage],
  word: keyof WidgetWords,
): void => {
  takeEarlyFrame()?.root.remove();
  for (const form of forms) {
    const display = view({ words, language, options });
    form.after(display.root);
    form.hidden = true;
    const reloadPage = (): void => location.reload();
    display.replaceForm(
      words[word],
      word === 'offline' ? [{ label: words.checkAgain, onPress: reloadPage, main: true }] : [],
    );
  }
};

/** The built-in texts, overridden by the shop's. A language that is not available is replaced by English. */
const loadWords = async (
  { base }: CheckoutAddress,
  { locale, labels, errorMessages }: WidgetOptions,
  checkout: WidgetCheckout | undefined,
): Promise<readonly [WidgetWords, WidgetLanguage]> => {
  const language = chosenLanguage([locale, checkout?.locale, document.documentElement.lang, ...navigator.languages]);
  // Typed as the English texts, with the same placeholders: the tests compare them, and a shop may override only some.
  const shopTexts = { ...labels, ...errorMessages } as Partial<WidgetWords>;
  if (language === 'en') return [{ ...en, ...shopTexts }, language];
  try {
    const response = await fetch(`${base}paymentWidgets/${LANGUAGE_FILES[language]}`);
    return [{ ...en, ...((await response.json()) as WidgetWords), ...shopTexts }, language];
  } catch {
    return [{ ...en, ...shopTexts }, 'en'];
  }
};

/** Resolves when the stylesheet is loaded or has failed: an unstyled form is better than none. */
const applyStyle = ({ base }: CheckoutAddress): Promise<void> =>
  new Promise((resolve) => {
    const link = make('link', { rel: 'stylesheet', href: `${base}paymentWidgets/${STYLESHEET}` });
    link.addEventListener('load', () => resolve());
    link.addEventListener('error', () => resolve());
    // Inserted before the shop's own stylesheets, so that those take precedence.
    document.head.prepend(link);
  });

const begin = (): void => void start();
if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', begin);
else begin();
