/** Spec 2.17: who pays a debt, and whose debt is paid. */
import { date, of, oneOf, phone, text } from './kinds.ts';
import { marked, section } from './section.ts';

const marks = { secret: 'personal', echo: true, lenient: true } as const;

const account = (says: string, example: string) => text([1, 32], says, { secret: 'account', example, lenient: true });

const names = (max: number) => ({
  givenName: of('alphanumericSpace', [1, max], 'First name.', { example: 'Jane' }),
  middleName: of('alphanumericSpace', [1, max], 'Middle name.', { example: 'Maria' }),
  surname: of('alphanumericSpace', [1, max], 'Last name.', { example: 'Jones' }),
});

const rows = {
  birthDate: date('Day of birth.', { example: '1984-02-29' }),
  street: text([1, 100], 'Street.', { example: 'Hauptplatz 1' }),
  city: of('alphanumericSpace', [1, 50], 'City.', { example: 'Graz' }),
  state: of('alphanumericSpace', [1, 50], 'State or province.', { example: 'Steiermark' }),
  country: of('latin', [1, 3], 'Country, ISO 3166-1 alpha-3.', { example: 'AUT' }),
  postcode: text([1, 30], 'Postcode.', { example: '8010' }),
};

export const senderRecipient = {
  ...section('sender', {
    ...marked({ name: of('alphanumericSpace', [1, 100], 'Whole name.', { example: 'Jane Jones' }) }, marks),
    ...marked({ ...names(50), ...rows }, marks),
    accountNumber: account('Account that the money comes from.', 'AT611904300234573201'),
    accountNumberType: oneOf(
      ['OTHER', 'RTN_AND_BANK_ACCOUNT', 'IBAN', 'IBAN_AND_BIC', 'CARD_ACCOUNT'],
      'Kind of that account.',
      { example: 'IBAN', echo: true, lenient: true },
    ),
    sourceOfFunds: oneOf(
      ['01', '02', '03', '04', '05', '06', '07', '08', '09'],
      '01 credit, 02 debit, 03 prepaid, 04 cash, 05 other debit or deposit access, 06 other credit, 07 deposit, ' +
        '08 mobile money, 09 other.',
      { example: '02', echo: true, lenient: true },
    ),
  }),
  ...section('recipient', {
    ...marked({ ...names(48), ...rows }, marks),
    ...marked({ phone: phone([8, 26], 'Telephone.', { example: '+43 664 555 0123' }) }, marks),
    accountNumber: account('Account that the money goes to.', 'DE89370400440532013000'),
    // BAN_AND_BIC stands in the spec without its first letter.
    accountNumberType: oneOf(
      ['OTHER', 'RTN_AND_BANK_ACCOUNT', 'IBAN', 'PHONE_NUMBER', 'BAN_AND_BIC', 'WALLET_ID', 'SOCIAL_NETWORK_ID'],
      'Kind of that account.',
      { example: 'IBAN', echo: true, lenient: true },
    ),
  }),
};
