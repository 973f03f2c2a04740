/** One widget in place of one form of the shop's page. */

import type { WidgetWords } from '../../../locales/shopper/en.ts';
import type { WidgetParameters } from './checkout.ts';
import { make, watchPage } from './dom.ts';
import { amountIn, fill } from './languages.ts';
import type { Panel, WidgetContext, WidgetMethod } from './method.ts';
import { type MethodList, methodList, methodsOf } from './methods.ts';
import { type CallbackName, type WidgetOptions, widgetError } from './options.ts';
import { type Billing, billingAddress, browserData, formInputs } from './payment-details.ts';
import { openPopup } from './redirect.ts';
import { refreshState, type SettleParts, settle, showIfOver } from './settle.ts';
import { type View, view } from './view.ts';

/** Inserts a widget after the form, which is hidden. Resolves when it can be used. */
export const createWidget = async (
  form: HTMLFormElement,
  input: Omit<WidgetContext, 'submit'>,
): Promise<HTMLElement> => {
  const { checkout, options, words } = input;
  const display = view(input);
  form.after(display.root);
  form.hidden = true;
  let list: MethodList | undefined;
  const context: WidgetContext = { ...input, submit: () => void submit() };
  const shopperResultUrl = resultUrlOf(form, context);
  const settling = { context, view: display, shopperResultUrl };
  if (showIfOver(settling, checkout)) return display.root;
  const [first, ...others] = await methodsOf(context, brandsOf(form));
  if (first === undefined) {
    display.replaceForm(words.noMethods, []);
    context.onError(widgetError('WidgetError', 'None of the brands in data-brands can be used for this checkout.'));
    return display.root;
  }
  const billing = billingAddress(context);
  const remember = createRememberBox(words);
  list = methodList(context, [first, ...others], ({ panel }) => {
    remember.offer(options.createRegistration && checkout.kind === 'payment' ? panel.remembers : undefined);
    display.button.hidden = panel.ownButton === true;
  });
  display.button.textContent = buttonLabelOf(context);
  display.fillForm(list.root, billing?.root, remember.root);
  display.root.querySelector('form')?.addEventListener('submit', (event) => {
    event.preventDefault();
    void submit();
  });
  let busy = false;
  const runExclusively = async (work: () => Promise<void>): Promise<void> => {
    busy = true;
    try {
      await work();
    } catch (error) {
      context.onError(widgetError('WidgetError', error instanceof Error ? error.message : String(error)));
      display.showMessage(words.tryLater);
    } finally {
      busy = false;
      display.setBusy(false);
    }
  };
  const submit = async (): Promise<void> => {
    if (busy || list === undefined) return;
    const chosen = list.chosen();
    await runExclusively(() => attemptPayment({ form, settling, billing, remember }, chosen));
  };
  watchPage({ onLeave: () => list?.empty(), onReturn: () => void runExclusively(() => refreshState(settling)) });
  return display.root;
};

type Attempt = {
  form: HTMLFormElement;
  settling: SettleParts;
  billing: Billing | undefined;
  remember: ReturnType<typeof createRememberBox>;
};

/** One press of the button, from checking the fields to the steps after the answer. */
const attemptPayment = async (
  { form, settling, billing, remember }: Attempt,
  { method, panel }: { method: WidgetMethod; panel: Panel },
): Promise<void> => {
  const { context, view, shopperResultUrl } = settling;
  const { options } = context;
  view.showMessage(undefined);
  if (!(await panel.check()) || billing?.check() === false) return;
  if (!(await isAllowed(options, method))) return;
  if (options.useSummaryPage && !(await confirmPayment(view, context, panel))) return;
  const popup = opensPopup(options, method) ? openPopup(context.checkoutAddress, shopperResultUrl) : undefined;
  const { parameters, refused } = formInputs(form);
  for (const error of refused) context.onError(error);
  view.setBusy(true);
  const sent = {
    ...parameters,
    ...commonParameters(method),
    ...billing?.parameters(),
    ...remember.parameters(),
    ...(form.hasAttribute('action') ? { shopperResultUrl } : {}),
  };
  const reply = await panel.send(sent);
  options.callbacks.onAfterSubmit?.();
  await settle({ ...settling, resend: () => panel.send(sent), empty: panel.empty }, reply, popup);
};

/** data-brands, as a list. */
const brandsOf = (form: HTMLFormElement): readonly string[] => [
  ...new Set((form.dataset['brands'] ?? '').split(/[\s,]+/).filter((name) => name !== '')),
];

const commonParameters = ({ kind, brand }: WidgetMethod): WidgetParameters => ({
  ...browserData(),
  // A new card determines its brand itself.
  ...(kind === 'card' ? {} : { paymentBrand: brand }),
});

/** The form's own action, otherwise the address that the shop gave when it created the checkout. */
const resultUrlOf = (form: HTMLFormElement, { checkout, onError }: WidgetContext): string => {
  if (form.hasAttribute('action')) return form.action;
  if (checkout.shopperResultUrl !== undefined) return checkout.shopperResultUrl;
  onError(
    widgetError(
      'WidgetError',
      'The form has no action, and the checkout no shopperResultUrl: there is no return address.',
    ),
  );
  return location.href;
};

const buttonLabelOf = ({ checkout, words, language }: WidgetContext): string => {
  const { kind, amount, currency } = checkout;
  if (kind === 'registration') return words.save;
  if (amount === undefined || currency === undefined) return words.payNow;
  return fill(words.pay, { amount: amountIn(language, amount, currency) });
};

const callbackNamesByKind: Readonly<Partial<Record<WidgetMethod['kind'], CallbackName>>> = {
  card: 'onBeforeSubmitCard',
  stored: 'onBeforeSubmitOneClickCard',
  directDebit: 'onBeforeSubmitDirectDebit',
  virtualAccount: 'onBeforeSubmitVirtualAccount',
};

/** The shop's own checks. False stops the payment, and so does a rejected promise. */
const isAllowed = async ({ callbacks }: WidgetOptions, { kind, brand }: WidgetMethod): Promise<boolean> => {
  const name = callbackNamesByKind[kind];
  if (name !== undefined && callbacks[name]?.({ brand }) === false) return false;
  if (kind !== 'card' || callbacks.onBeforeSubmitCardPromise === undefined) return true;
  try {
    return (await callbacks.onBeforeSubmitCardPromise({ brand })) !== false;
  } catch {
    return false;
  }
};

const opensPopup = (
  { inlineFlow, paymentTarget }: WidgetOptions,
  { brand, asynchronous, kind }: WidgetMethod,
): boolean => inlineFlow.includes(brand) || (paymentTarget === '_blank' && (asynchronous || kind === 'virtualAccount'));

/** Shows the amount and the method before the payment. */
const confirmPayment = (view: View, context: WidgetContext, panel: Panel): Promise<boolean> =>
  new Promise((resolve) => {
    const answerWith = (yes: boolean) => () => {
      view.restoreForm();
      resolve(yes);
    };
    const actions = [
      { label: buttonLabelOf(context), onPress: answerWith(true), main: true as const },
      { label: context.words.back, onPress: answerWith(false) },
    ];
    view.replaceForm(`${context.words.review}: ${panel.summary()}`, actions, 'card');
  });

/** The offer to store the account, if that is possible. */
const createRememberBox = (words: WidgetWords) => {
  const box = make('input', { type: 'checkbox', class: 'wpwl-check' });
  const text = make('span');
  const root = make('label', { class: 'wpwl-remember' }, box, text);
  return {
    root,
    offer(textKey: 'saveCard' | 'saveAccount' | undefined) {
      root.hidden = textKey === undefined;
      text.textContent = textKey === undefined ? '' : words[textKey];
    },
    parameters: (): WidgetParameters => (!root.hidden && box.checked ? { createRegistration: 'true' } : {}),
  };
};
