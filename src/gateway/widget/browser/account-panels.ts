/** The panels whose fields the shop's page may know: bank accounts, accounts at providers, gift cards, redirects. */
import { ibanIsValid } from '../../spec/iban.ts';
import { addressOf, type CheckoutBrand, send, type WidgetParameters } from './checkout.ts';
import { make } from './dom.ts';
import { field, type InputField } from './field.ts';
import { fill } from './languages.ts';
import { brandLabel, type Panel, type WidgetContext } from './method.ts';

type Row = { field: InputField; parameter: string; toParameter?: (value: string) => string };

type Parts = {
  rows: readonly Row[];
  label: string;
  note?: string;
  remembers?: 'saveAccount';
  extra?: WidgetParameters;
};

const panelOf = (context: WidgetContext, { rows, label, note: says, remembers, extra = {} }: Parts): Panel => ({
  root: make(
    'div',
    { class: 'wpwl-fields' },
    ...rows.map((row) => row.field.root),
    says === undefined ? undefined : make('p', { class: 'wpwl-says' }, says),
  ),
  async check() {
    const wrongRows = rows.filter((row) => !row.field.check());
    wrongRows[0]?.field.input.focus();
    return wrongRows.length === 0;
  },
  send: (parameters) =>
    send(addressOf(context.checkoutAddress, context.checkoutAddress.kind), {
      ...parameters,
      ...extra,
      ...Object.fromEntries(
        rows.flatMap(({ field: { value }, parameter, toParameter }) =>
          value() === '' ? [] : [[parameter, toParameter?.(value()) ?? value()]],
        ),
      ),
    }),
  focus: () => rows[0]?.field.input.focus(),
  empty() {
    for (const row of rows) row.field.empty();
  },
  summary: () => label,
  remembers,
});

/** The action of Enter: the button, unless the shop disabled it. */
const onEnter = ({ options, submit }: WidgetContext): (() => void) =>
  options.disableSubmitOnEnter ? () => {} : submit;

const holderRow = (context: WidgetContext): Row => ({
  parameter: 'bankAccount.holder',
  field: field({
    name: 'accountHolder',
    label: context.words.accountHolder,
    autocomplete: 'name',
    maxLength: 128,
    errorOf: (text) => (text.trim().length < 4 ? context.words.accountHolderError : undefined),
    onEnter: onEnter(context),
  }),
});

const ibanOf = (text: string): string => text.replace(/[^A-Za-z0-9]/g, '').toUpperCase();

export const directDebitPanel = (context: WidgetContext, { name }: CheckoutBrand): Panel => {
  const { words, checkout } = context;
  const { shop, kind } = checkout;
  const iban: Row = {
    parameter: 'bankAccount.iban',
    toParameter: ibanOf,
    field: field({
      name: 'iban',
      label: words.iban,
      maxLength: 42,
      ltr: true,
      format: (text) =>
        ibanOf(text)
          .slice(0, 34)
          .replace(/.{4}(?=.)/g, '$& '),
      errorOf: (text) => (ibanIsValid(ibanOf(text)) ? undefined : words.ibanError),
      onEnter: onEnter(context),
    }),
  };
  return panelOf(context, {
    rows: [holderRow(context), iban],
    label: brandLabel(name, words),
    note: shop === undefined || kind !== 'payment' ? undefined : fill(words.mandate, { shop }),
    remembers: 'saveAccount',
  });
};

export const virtualAccountPanel = (context: WidgetContext, { name }: CheckoutBrand): Panel => {
  const label = brandLabel(name, context.words);
  const account = field({
    name: 'accountId',
    label: fill(context.words.accountId, { brand: label }),
    autocomplete: 'email',
    inputMode: 'email',
    maxLength: 100,
    ltr: true,
    errorOf: (text) => (text.trim() === '' ? context.words.accountIdError : undefined),
    onEnter: onEnter(context),
  });
  return panelOf(context, {
    rows: [{ field: account, parameter: 'virtualAccount.accountId' }],
    label,
    remembers: 'saveAccount',
  });
};

export const giftCardPanel = (context: WidgetContext): Panel => {
  const { words } = context;
  const number = field({
    name: 'giftCardNumber',
    label: words.giftCardNumber,
    inputMode: 'numeric',
    maxLength: 23,
    ltr: true,
    format: (text) =>
      text
        .replace(/\D/g, '')
        .slice(0, 19)
        .replace(/\d{4}(?=\d)/g, '$& '),
    errorOf: (text) => (text.replace(/\D/g, '').length < 8 ? words.giftCardNumberError : undefined),
    onEnter: onEnter(context),
  });
  const pin = field({
    name: 'giftCardPin',
    label: words.giftCardPin,
    inputMode: 'numeric',
    maxLength: 8,
    ltr: true,
    errorOf: (text) => (text.trim() === '' ? words.giftCardPinError : undefined),
    onEnter: onEnter(context),
  });
  return panelOf(context, {
    rows: [
      { field: number, parameter: 'giftCard.number', toParameter: (text) => text.replace(/\D/g, '') },
      { field: pin, parameter: 'giftCard.pin' },
    ],
    label: words.giftCard,
  });
};

/** No fields: the shopper names the account after the redirect, or transfers later. */
export const redirectPanel = (context: WidgetContext, { name, asynchronous }: CheckoutBrand): Panel => {
  const label = brandLabel(name, context.words);
  return panelOf(context, {
    rows: name === 'PREPAYMENT' ? [holderRow(context)] : [],
    label,
    note: asynchronous ? fill(context.words.redirectHint, { brand: label }) : undefined,
  });
};

/** A stored card or account, with one click. */
export const storedPanel = (context: WidgetContext, parameters: WidgetParameters, label: string): Panel =>
  panelOf(context, { rows: [], label, extra: parameters });
