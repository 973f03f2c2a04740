/** The panels whose fields the shop's page may know: bank accounts, accounts at providers, gift cards, redirects. */
import { ibanIsValid } from '../../spec/iban.ts';
import { addressOf, type CheckoutBrand, send, type WidgetParameters } from './checkout.ts';
import { make } from './dom.ts';
import { field, type InputField } from './field.ts';
import { fill } from './languages.ts';
import { brandLabel, type Panel, type Room } from './method.ts';

type Row = { field: InputField; parameter: string; sent?: (value: string) => string };

type Parts = {
  rows: readonly Row[];
  label: string;
  says?: string;
  remembers?: 'saveAccount';
  extra?: WidgetParameters;
};

const panelOf = (room: Room, { rows, label, says, remembers, extra = {} }: Parts): Panel => ({
  root: make(
    'div',
    { class: 'wpwl-fields' },
    ...rows.map((row) => row.field.root),
    says === undefined ? undefined : make('p', { class: 'wpwl-says' }, says),
  ),
  async check() {
    const wrong = rows.filter((row) => !row.field.check());
    wrong[0]?.field.input.focus();
    return wrong.length === 0;
  },
  send: (parameters) =>
    send(addressOf(room.place, room.place.kind), {
      ...parameters,
      ...extra,
      ...Object.fromEntries(
        rows.flatMap(({ field: { value }, parameter, sent }) =>
          value() === '' ? [] : [[parameter, sent?.(value()) ?? value()]],
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
const entering = ({ options, submit }: Room): (() => void) => (options.disableSubmitOnEnter ? () => {} : submit);

const holderRow = (room: Room): Row => ({
  parameter: 'bankAccount.holder',
  field: field({
    name: 'accountHolder',
    label: room.words.accountHolder,
    autocomplete: 'name',
    maxLength: 128,
    error: (text) => (text.trim().length < 4 ? room.words.accountHolderError : undefined),
    entered: entering(room),
  }),
});

const ibanOf = (text: string): string => text.replace(/[^A-Za-z0-9]/g, '').toUpperCase();

export const directDebitPanel = (room: Room, { name }: CheckoutBrand): Panel => {
  const { words, checkout } = room;
  const { shop, kind } = checkout;
  const iban: Row = {
    parameter: 'bankAccount.iban',
    sent: ibanOf,
    field: field({
      name: 'iban',
      label: words.iban,
      maxLength: 42,
      ltr: true,
      format: (text) =>
        ibanOf(text)
          .slice(0, 34)
          .replace(/.{4}(?=.)/g, '$& '),
      error: (text) => (ibanIsValid(ibanOf(text)) ? undefined : words.ibanError),
      entered: entering(room),
    }),
  };
  return panelOf(room, {
    rows: [holderRow(room), iban],
    label: brandLabel(name, words),
    says: shop === undefined || kind !== 'payment' ? undefined : fill(words.mandate, { shop }),
    remembers: 'saveAccount',
  });
};

export const virtualAccountPanel = (room: Room, { name }: CheckoutBrand): Panel => {
  const label = brandLabel(name, room.words);
  const account = field({
    name: 'accountId',
    label: fill(room.words.accountId, { brand: label }),
    autocomplete: 'email',
    inputMode: 'email',
    maxLength: 100,
    ltr: true,
    error: (text) => (text.trim() === '' ? room.words.accountIdError : undefined),
    entered: entering(room),
  });
  return panelOf(room, {
    rows: [{ field: account, parameter: 'virtualAccount.accountId' }],
    label,
    remembers: 'saveAccount',
  });
};

export const giftCardPanel = (room: Room): Panel => {
  const { words } = room;
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
    error: (text) => (text.replace(/\D/g, '').length < 8 ? words.giftCardNumberError : undefined),
    entered: entering(room),
  });
  const pin = field({
    name: 'giftCardPin',
    label: words.giftCardPin,
    inputMode: 'numeric',
    maxLength: 8,
    ltr: true,
    error: (text) => (text.trim() === '' ? words.giftCardPinError : undefined),
    entered: entering(room),
  });
  return panelOf(room, {
    rows: [
      { field: number, parameter: 'giftCard.number', sent: (text) => text.replace(/\D/g, '') },
      { field: pin, parameter: 'giftCard.pin' },
    ],
    label: words.giftCard,
  });
};

/** No fields: the shopper names the account after the redirect, or transfers later. */
export const wayOutPanel = (room: Room, { name, asynchronous }: CheckoutBrand): Panel => {
  const label = brandLabel(name, room.words);
  return panelOf(room, {
    rows: name === 'PREPAYMENT' ? [holderRow(room)] : [],
    label,
    says: asynchronous ? fill(room.words.redirectHint, { brand: label }) : undefined,
  });
};

/** A stored card or account, with one click. */
export const storedPanel = (room: Room, parameters: WidgetParameters, label: string): Panel =>
  panelOf(room, { rows: [], label, extra: parameters });
