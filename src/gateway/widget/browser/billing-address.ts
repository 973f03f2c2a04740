/** The address of the bill, where the shop asks for it (spec 2.12). */
import type { WidgetParameters } from './checkout.ts';
import { make } from './dom.ts';
import { field } from './field.ts';
import type { Room } from './method.ts';

export type Billing = { root: HTMLElement; check(): boolean; parameters(): WidgetParameters };

export const billingAddress = ({ words, options, submit }: Room): Billing | undefined => {
  const { billingAddress: given, mandatoryBillingFields: mandatory } = options;
  if (given === undefined) return undefined;
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
      ...(given[name] === undefined ? {} : { value: given[name] }),
      ...(name === 'country' ? { format: (text: string) => text.replace(/[^A-Za-z]/g, '').toUpperCase() } : {}),
      error: (text) => {
        const empty = text.trim() === '';
        const malformed = name === 'country' && !empty && text.length !== 2;
        return malformed || (empty && mandatory.includes(name)) ? words.fieldError : undefined;
      },
      entered: submit,
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
      const wrong = rows.filter((row) => !row.field.check());
      wrong[0]?.field.input.focus();
      return wrong.length === 0;
    },
    parameters: () =>
      Object.fromEntries(
        rows.flatMap(({ name, field: { value } }) => (value() === '' ? [] : [[`billing.${name}`, value()]])),
      ),
  };
};
