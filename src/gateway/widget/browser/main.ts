/** The widget's script: learns from its own address whose checkout it is for, and takes over the forms of the page. */
import { type CheckoutAddress, loadCheckout, placeOf, type WidgetCheckout } from './checkout.ts';
import { make } from './dom.ts';
import { en } from './languages/en.ts';
import { chosenLanguage, type WidgetLanguage, type WidgetWords } from './languages.ts';
import { optionsOf, type WidgetError, type WidgetOptions, widgetError } from './options.ts';
import { openEarly, takeEarly } from './secure-frame.ts';
import { view } from './view.ts';
import { widget } from './widget.ts';

/** Put in place by the build: which languages are where, and the hash of the stylesheet, so that each is fresh. */
declare const LANGUAGE_FILES: Readonly<Record<string, string>>;
declare const STYLESHEET: string;

// Gone as soon as the script has run.
const script = document.currentScript as HTMLScriptElement | null;
const address = script?.src ?? '';

const place = address === '' ? undefined : placeOf(address);
// Neither needs the page's options, so neither waits for the rest of the page.
const checkoutLoading = place && loadCheckout(place);
const formsHere = (): HTMLFormElement[] => [...document.querySelectorAll<HTMLFormElement>('form.paymentWidgets')];
if (place !== undefined) openEarly(place, formsHere());

const start = async (): Promise<void> => {
  const options = optionsOf({
    ...(window as { wpwlOptions?: object }).wpwlOptions,
    ...optionsIn(script?.dataset['options']),
  });
  const failed = (error: WidgetError): void => void options.callbacks.onError?.(error);
  const forms = formsHere();
  for (const problem of problemsOf(forms)) failed(problem);
  const usable = forms.filter((form) => form.parentElement?.closest('form') === null);
  // Nothing waits for anything that it does not need: sheet, checkout and words come side by side.
  const sheet = options.style === 'none' || place === undefined ? undefined : styled(place);
  if (place === undefined || checkoutLoading === undefined) {
    failed(
      widgetError('InvalidCheckoutIdError', 'The script’s address has no checkoutId: paymentWidgets.js?checkoutId=…'),
    );
    return sayAll({ forms: usable, options }, [en, 'en'], 'notFound');
  }
  openEarly(place, usable);
  const [checkout, early] = await Promise.all([checkoutLoading, wordsFor(place, options, undefined), sheet]);
  if (checkout === 'unknown') {
    failed(widgetError('InvalidCheckoutIdError', `There is no checkout ${place.id}, or it has expired.`));
    return sayAll({ forms: usable, options }, early, 'notFound');
  }
  if (checkout === 'silent') {
    failed(
      widgetError('WidgetError', `The gateway does not answer: allow ${new URL(place.base).origin} in connect-src.`),
    );
    return sayAll({ forms: usable, options }, early, 'offline');
  }
  const [words, language] = await wordsFor(place, options, checkout);
  const kind = place.kind;
  const roots = usable.map((form) =>
    widget(form, { place, checkout: { ...checkout, kind }, options, words, language, failed }),
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

/** Browsers drop a form that stands in another one, with its class and all: then none is found. */
const problemsOf = (forms: readonly HTMLFormElement[]): readonly WidgetError[] => {
  const inside = forms.filter((form) => form.parentElement?.closest('form') != null);
  if (inside.length > 0) {
    return [
      widgetError(
        'WidgetError',
        'form.paymentWidgets stands inside another form, which would not send it: move it out.',
      ),
    ];
  }
  if (forms.length > 0) return [];
  const why = document.forms.length > 0 ? ' If it stands inside another form, browsers drop it: move it out.' : '';
  return [widgetError('WidgetError', `There is no <form class="paymentWidgets"> on the page.${why}`)];
};

const sayAll = (
  { forms, options }: { forms: readonly HTMLFormElement[]; options: WidgetOptions },
  [words, language]: readonly [WidgetWords, WidgetLanguage],
  word: keyof WidgetWords,
): void => {
  takeEarly()?.root.remove();
  for (const form of forms) {
    const shown = view({ words, language, options });
    form.after(shown.root);
    form.hidden = true;
    const press = (): void => location.reload();
    shown.instead(words[word], word === 'offline' ? [{ label: words.checkAgain, press, main: true }] : []);
  }
};

/** The built-in words with those of the shop in their place. A language that cannot be had is English. */
const wordsFor = async (
  { base }: CheckoutAddress,
  { locale, labels, errorMessages }: WidgetOptions,
  checkout: WidgetCheckout | undefined,
): Promise<readonly [WidgetWords, WidgetLanguage]> => {
  const language = chosenLanguage([locale, checkout?.locale, document.documentElement.lang, ...navigator.languages]);
  // Typed as the English words, whose places they have: the tests compare them, and a shop's own may leave some out.
  const own = { ...labels, ...errorMessages } as Partial<WidgetWords>;
  if (language === 'en') return [{ ...en, ...own }, language];
  try {
    const response = await fetch(`${base}paymentWidgets/${LANGUAGE_FILES[language]}`);
    return [{ ...en, ...((await response.json()) as WidgetWords), ...own }, language];
  } catch {
    return [{ ...en, ...own }, 'en'];
  }
};

/** Resolves when the stylesheet is there, or cannot be had: an ugly form is better than none. */
const styled = ({ base }: CheckoutAddress): Promise<void> =>
  new Promise((done) => {
    const link = make('link', { rel: 'stylesheet', href: `${base}paymentWidgets/${STYLESHEET}` });
    link.addEventListener('load', () => done());
    link.addEventListener('error', () => done());
    // Before the shop's own, so that those have the last word.
    document.head.prepend(link);
  });

const begin = (): void => void start();
if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', begin);
else begin();
