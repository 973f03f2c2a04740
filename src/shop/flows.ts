/** The payment flows that the demonstration shows, and the test data for each. */

export type Hint = { term: string; effect: string };

export type Flow = {
  id: string;
  name: string;
  brands: string;
  options: Readonly<Record<string, unknown>>;
  hints: readonly Hint[];
};

const cards = 'VISA MASTER AMEX';
const anyCode = 'Any name, any future date, any security code';

const paid: readonly Hint[] = [
  { term: '4200 0000 0000 0091', effect: 'Visa: paid without a challenge' },
  { term: '5200 0000 0000 0007', effect: 'Mastercard: paid without a challenge' },
  { term: '4200 0000 0000 0042', effect: 'Visa: the bank asks you to confirm' },
  { term: '4012 0010 3714 1112', effect: 'Visa: not enrolled, refused' },
];

const redirect: readonly Hint[] = [
  { term: 'Sofort', effect: 'a simulated bank asks you: yes, no, or close the window' },
];

const other: readonly Hint[] = [
  { term: 'DE23 1000 0000 1234 5678 90', effect: 'direct debit: paid' },
  { term: 'poor@example.com', effect: 'PayPal: has only 10.00' },
];

/** The first is the default. */
export const flows: readonly [Flow, ...Flow[]] = [
  {
    id: 'all',
    name: 'All payment methods',
    brands: `${cards} DIRECTDEBIT_SEPA PAYPAL SOFORTUEBERWEISUNG APPLEPAY GOOGLEPAY`,
    options: { inlineFlow: ['SOFORTUEBERWEISUNG'], createRegistration: true },
    hints: [...paid, ...other, ...redirect, { term: 'All cards', effect: anyCode }],
  },
  {
    id: 'card',
    name: 'Card',
    brands: cards,
    options: { createRegistration: true },
    hints: [...paid, { term: 'All cards', effect: anyCode }],
  },
  {
    id: 'challenge',
    name: 'Card with a challenge',
    brands: cards,
    options: {},
    hints: [
      { term: '4200 0000 0000 0042', effect: 'Visa: the bank asks you to confirm' },
      { term: '5200 0000 0000 0015', effect: 'Mastercard: the bank asks you to confirm' },
      { term: 'All cards', effect: anyCode },
    ],
  },
  { id: 'redirect', name: 'Bank in this window', brands: 'SOFORTUEBERWEISUNG', options: {}, hints: redirect },
  {
    id: 'popup',
    name: 'Bank in a new window',
    brands: `${cards} SOFORTUEBERWEISUNG`,
    options: { inlineFlow: ['SOFORTUEBERWEISUNG'] },
    hints: redirect,
  },
  {
    id: 'stored',
    name: 'Stored card',
    brands: cards,
    options: { createRegistration: true, registrations: { requireCvv: false } },
    hints: [
      { term: 'First time', effect: 'tick “Remember this card”; it is offered the next time' },
      ...paid.slice(0, 2),
      { term: 'All cards', effect: anyCode },
    ],
  },
];

export const flowNamed = (id: string | undefined): Flow => flows.find((flow) => flow.id === id) ?? flows[0];

/** As shown in the list; the keys are values of `wpwlOptions.locale`. */
export const languages: Readonly<Record<string, string>> = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  it: 'Italiano',
  nl: 'Nederlands',
  dk: 'Dansk',
  fi: 'Suomi',
  se: 'Svenska',
  no: 'Norsk',
  pl: 'Polski',
  cz: 'Čeština',
  sk: 'Slovenčina',
  sl: 'Slovenščina',
  hu: 'Magyar',
  ro: 'Română',
  bg: 'Български',
  ru: 'Русский',
  gr: 'Ελληνικά',
  pt: 'Português',
  tr: 'Türkçe',
  ar: 'العربية',
  ja: '日本語',
  ko: '한국어',
  cn: '简体中文',
};
