/**
 * Spec 2.10, 2.11, 2.16 and 2.17: the payer and the recipient of the goods, companies, and whose debt is paid. Personal
 * data; returned to the merchant who sent them.
 */
import { chars, conditional, date, flag, n, oneOf, phone, regex, text } from './kinds.ts';
import { section, withOptions } from './row.ts';

const telephoneRow = (text: string, example: string) =>
  regex(
    /^[+0-9][0-9 .()/-]{0,24}$/,
    {
      mustBe: 'up to 25 characters: a plus sign or a digit, then digits, spaces, dots, parentheses, slashes or hyphens',
      good: ['0', '+43 (316) 555/01-2.3', '+'.padEnd(25, '4')],
      bad: ['+'.padEnd(26, '4'), '(0316) 555', '-4', '4x', '++4', '(!?)555-5555'],
    },
    text,
    { example },
  );

const person = {
  merchantCustomerId: text([1, 255], 'The merchant’s own customer number.', 'C-10042'),
  givenName: text([1, 50], 'First name; required with any other customer parameter.', conditional('Jane')),
  middleName: text([2, 50], 'Middle name.', 'Maria'),
  surname: text([1, 50], 'Last name; required with any other customer parameter.', conditional('Jones')),
  sex: oneOf(['M', 'F'], 'Sex.', 'F'),
  birthDate: date('Day of birth.', '1984-02-29'),
  phone: telephoneRow('Telephone.', '+43 316 555 0123'),
  mobile: telephoneRow('Mobile telephone.', '+43 664 555 0123'),
  workPhone: text([1, 25], 'Telephone at work.', '+43 316 555 0199'),
  email: text([6, 128], 'E-mail address.', 'jane.jones@example.com'),
  companyName: text([1, 60], 'Company.', 'Jones & Daughters'),
  identificationDocType: oneOf(['IDCARD', 'PASSPORT', 'TAXSTATEMENT'], 'Kind of identity document.', {
    example: 'PASSPORT',
    req: 'C',
  }),
  identificationDocId: text([8, 64], 'Its number.', conditional('P4366918')),
  ip: text([1, 255], 'The shopper’s IP address.', '203.0.113.7'),
  merchantReference: text([1, 255], 'Payer’s reference given to the payee.', 'ACC-2026-77'),
  salutation: oneOf(['MR', 'MRS', 'MS', 'MX'], 'How to address them.', 'MS'),
  language: chars('upper', [2, 2], 'Language.', 'DE'),
  category: oneOf(['INDIVIDUAL', 'COMPANY'], 'Person or company.', 'INDIVIDUAL'),
  status: oneOf(['NEW', 'EXISTING'], 'Whether the customer is known to the merchant.', 'EXISTING'),
  // "1-6 chars, pixels" and the like are read literally, as characters.
  'browser.acceptHeader': text([1, 2048], 'HTTP accept header; for 3D Secure.', conditional('text/html')),
  'browser.language': text([1, 8], 'Language of the browser; for 3D Secure.', conditional('de-AT')),
  'browser.screenHeight': text([1, 6], 'Pixels; for 3D Secure.', conditional('1080')),
  'browser.screenWidth': text([1, 6], 'Pixels; for 3D Secure.', conditional('1920')),
  'browser.timezone': text([1, 5], 'Minutes behind UTC; for 3D Secure.', conditional('-60')),
  'browser.userAgent': text([1, 2048], 'HTTP user agent; for 3D Secure.', conditional('Mozilla/5.0')),
  'browser.javaEnabled': flag('Whether it runs Java; for 3D Secure.', conditional('false')),
  'browser.screenColorDepth': n([1, 2], 'Bits a pixel.', '24'),
  'browser.challengeWindow': n([1, 1], 'Code of the challenge window’s size.', '5'),
};

/** Fields that the recipient of the goods does not have. */
const devices = {
  'browserFingerprint.id': text([1, 255], 'Fingerprint of the browser.', '8f3a1c77d02e4b59'),
  'browserFingerprint.value': text([1, 4096], 'The data that the fingerprint was made from.', {
    example: '0400tKlnMzLqQ2WVebKatfMjIDn',
  }),
  'browser.deviceId': text([1, 32], 'Device of the browser.', 'd0a4f17d3bb64d52'),
  'app.deviceId': text([1, 40], 'Device of the app.', '4E1A9A20-77B5-4A43-8E2B-2B1FF2C0A7D1'),
};

const marks = { secret: 'personal', echo: true, lenient: true } as const;

export const customer = section('customer', withOptions({ ...person, ...devices }, marks));

export const shippingCustomer = section('shipping.customer', withOptions(person, { ...marks, req: 'O' }));

const rows = {
  name: text([1, 30], 'Name.', 'Jones Trading GmbH'),
  description: text([1, 160], 'The company’s business.', 'Wholesale of garden tools'),
  street: text([1, 100], 'Street.', 'Hauptplatz 1'),
  address: text([1, 100], 'Address.', 'Hauptplatz 1, 8010 Graz'),
  city: text([1, 80], 'City.', 'Graz'),
  state: text([1, 50], 'State or province.', 'Steiermark'),
  postCode: text([1, 16], 'Postcode.', '8010'),
  suite: text([1, 30], 'Suite.', 'Suite 12'),
  postboxNumber: text([1, 15], 'Post box.', 'PO 77'),
  purchase: oneOf(['Y', 'N'], 'Whether the company buys.', 'Y'),
  phone: n([1, 25], 'Telephone.', '433165550100'),
  fax: n([1, 25], 'Fax.', '433165550109'),
  vatId: text([1, 255], 'VAT number.', 'ATU12345678'),
};

/** Spec 2.16: a company that buys. */
export const corporate = section('corporate', withOptions(rows, { secret: 'personal', echo: true, lenient: true }));

const account = (says: string, example: string) => text([1, 32], says, { secret: 'account', example, lenient: true });

const nameRows = (max: number) => ({
  givenName: chars('alphanumericSpace', [1, max], 'First name.', 'Jane'),
  middleName: chars('alphanumericSpace', [1, max], 'Middle name.', 'Maria'),
  surname: chars('alphanumericSpace', [1, max], 'Last name.', 'Jones'),
});

const partyRows = {
  birthDate: date('Day of birth.', '1984-02-29'),
  street: text([1, 100], 'Street.', 'Hauptplatz 1'),
  city: chars('alphanumericSpace', [1, 50], 'City.', 'Graz'),
  state: chars('alphanumericSpace', [1, 50], 'State or province.', 'Steiermark'),
  country: chars('latin', [1, 3], 'Country, ISO 3166-1 alpha-3.', 'AUT'),
  postcode: text([1, 30], 'Postcode.', '8010'),
};

/** Spec 2.17: the payer of a debt, and the debtor. */
export const senderRecipient = {
  ...section('sender', {
    ...withOptions({ name: chars('alphanumericSpace', [1, 100], 'Whole name.', 'Jane Jones') }, marks),
    ...withOptions({ ...nameRows(50), ...partyRows }, marks),
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
    ...withOptions({ ...nameRows(48), ...partyRows }, marks),
    ...withOptions({ phone: phone([8, 26], 'Telephone.', '+43 664 555 0123') }, marks),
    accountNumber: account('Account that the money goes to.', 'DE89370400440532013000'),
    // The spec writes BAN_AND_BIC, without its first letter.
    accountNumberType: oneOf(
      ['OTHER', 'RTN_AND_BANK_ACCOUNT', 'IBAN', 'PHONE_NUMBER', 'BAN_AND_BIC', 'WALLET_ID', 'SOCIAL_NETWORK_ID'],
      'Kind of that account.',
      { example: 'IBAN', echo: true, lenient: true },
    ),
  }),
};
