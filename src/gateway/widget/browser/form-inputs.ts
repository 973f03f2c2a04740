/** What the shop put into its own form: hidden inputs that travel with the payment. */
import type { WidgetParameters } from './checkout.ts';
import { type WidgetError, widgetError } from './widget-error.ts';

const ALLOWED = /^customParameters\[SHOPPER_[A-Za-z0-9._]{1,56}\]$/;

/** Anything could be typed into a page: only what says by its name that the shopper's side sent it goes along. */
export const formInputs = (
  form: HTMLFormElement,
): { parameters: WidgetParameters; refused: readonly WidgetError[] } => {
  const inputs = [...form.querySelectorAll<HTMLInputElement>('input[name], select[name], textarea[name]')];
  const allowed = inputs.filter(({ name }) => ALLOWED.test(name));
  const refused = inputs.filter((input) => !allowed.includes(input));
  return {
    parameters: Object.fromEntries(allowed.map(({ name, value }) => [name, value])),
    refused: refused.map(({ name }) =>
      widgetError(
        'WidgetError',
        `The input "${name}" was not sent. From a page only customParameters[SHOPPER_…] are taken; send everything else ` +
          'from your server when you create the checkout.',
      ),
    ),
  };
};
