/** Parameters sent with an account: the billing address, the inputs of the shop's own form, the browser's data. */
import type { WidgetParameters } from './checkout.ts';
import { utcOffsetMinutes } from './clock.ts';
import { make } from './dom.ts';
import { field } from './field.ts';
import type { WidgetContext } from './method.ts';
import { type WidgetError, widgetError } from './options.ts';

export type Billing = { root: HTMLElement; check(): boolean; parameters(): WidgetParameters };

export const billingAddress = ({ words, options, submit }: WidgetContext): Billing | undefined => {
  const { billingAddress: input, mandatoryBillingFields: mandatory } = options;
  if (input === undefined) return undefined;
  const rows = (
    [
      ['street1', words.street, 'address-line1', 100],
      ['postcode', words.postcode, 'postal-code', 16],
      ['city', words.city, 'address-level2', 80],
      ['country', words.country, 'country', 2],
    ] as const
  ).map(([name, label, autocomplete, maxLength]) => ({
    name,
    field: field({
      name,
      label,
      autocomplete,
      maxLength,
      required: mandatory.includes(name),
      value: input[name],
      format: name === 'country' ? (text: string) => text.replace(/[^A-Za-z]/g, '').toUpperCase() : undefined,
      errorOf: (text) => {
        const empty = text.trim() === '';
        const malformed = name === 'country' && !empty && text.length !== 2;
        return malformed || (empty && mandatory.includes(name)) ? words.fieldError : undefined;
      },
      onEnter: submit,
    }),
  }));
  return {
    root: make(
      'fieldset',
      { class: 'wpwl-billing' },
      make('legend', { class: 'wpwl-legend' }, words.billingAddress),
      ...rows.map((row) => row.field.root),
    ),
    check() {
      const wrongRows = rows.filter((row) => !row.field.check());
      wrongRows[0]?.field.input.focus();
      return wrongRows.length === 0;
    },
    parameters: () =>
      Object.fromEntries(
        rows.flatMap(({ name, field: { value } }) => (value() === '' ? [] : [[`billing.${name}`, value()]])),
      ),
  };
};

// Inputs in the shop's own form: hidden fields that are sent with the payment.

const ALLOWED = /^customParameters\[SHOPPER_[A-Za-z0-9._]{1,56}\]$/;

/** Anything could be typed into a page: only names that belong to the shopper's side are sent. */
export const formInputs = (
  form: HTMLFormElement,
): { parameters: WidgetParameters; refused: readonly WidgetError[] } => {
  const inputs = [...form.querySelectorAll<HTMLInputElement>('input[name], select[name], textarea[name]')];
  const allowedInputs = inputs.filter(({ name }) => ALLOWED.test(name));
  const refused = inputs.filter((input) => !allowedInputs.includes(input));
  return {
    parameters: Object.fromEntries(allowedInputs.map(({ name, value }) => [name, value])),
    refused: refused.map(({ name }) =>
      widgetError(
        'WidgetError',
        `The input "${name}" was not sent. From a page only customParameters[SHOPPER_…] are accepted; send everything else ` +
          'from your server when you create the checkout.',
      ),
    ),
  };
};

/** The bank's page uses the whole window. */
const FULL_SCREEN = '5';

/** The protocol's colour depths; a value in between counts as the next lower one. */
const depths = [48, 32, 24, 16, 15, 8, 4, 1];

/** The browser's data for 3-D Secure (EMV 3-D Secure 2.2, "Browser Information"; spec 2.10). */
export const browserData = (): WidgetParameters => ({
  'customer.browser.acceptHeader': 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'customer.browser.language': navigator.language.slice(0, 8),
  'customer.browser.screenHeight': String(screen.height),
  'customer.browser.screenWidth': String(screen.width),
  'customer.browser.screenColorDepth': String(depths.find((depth) => depth <= screen.colorDepth) ?? 24),
  'customer.browser.timezone': String(utcOffsetMinutes()),
  'customer.browser.userAgent': navigator.userAgent.slice(0, 2048),
  'customer.browser.javaEnabled': 'false',
  'customer.browser.challengeWindow': FULL_SCREEN,
});
