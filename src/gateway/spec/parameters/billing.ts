/** Spec 2.12 and 2.13: the billing addresses of the shopper and of the merchant. */
import { an, of, phone, text, UNSTATED } from './kinds.ts';
import { marked, section } from './section.ts';

const rows = {
  street1: text([1, 100], 'Street; for 3D Secure.', { example: 'Hauptplatz 1', req: 'C' }),
  street2: text([1, 100], 'Street, continued.', { example: '2nd floor', req: 'C' }),
  houseNumber1: text([1, 100], 'House number; then street1 is the street alone.', { example: '1' }),
  houseNumber2: text([1, 100], 'House number, continued.', { example: 'Door 7' }),
  city: text([1, 80], 'City; for 3D Secure.', { example: 'Graz', req: 'C' }),
  state: of('alphanumericDot', [1, 50], 'State or province.', { example: 'Steiermark', req: 'C' }),
  postcode: an([1, 16], 'Postcode; for 3D Secure.', { example: '8010', req: 'C' }),
  country: of('upper', [2, 2], 'Country, ISO 3166-1; for 3D Secure.', { example: 'AT', req: 'C' }),
  normalized: text([1, 255], 'The address, normalised.', { example: 'Hauptplatz 1, 8010 Graz' }),
  validationStatus: text([1, 255], 'Whether the address was checked and confirmed.', { example: 'VALIDATED' }),
};

export const billing = section('billing', marked(rows, { secret: 'personal', echo: true, lenient: true }));

/** The merchant's alone. */
const contact = {
  givenName: text(UNSTATED, 'First name.', { example: 'Max' }),
  surname: text(UNSTATED, 'Last name.', { example: 'Huber' }),
  middleName: text(UNSTATED, 'Middle name.', { example: 'Karl' }),
  companyName: text([1, 60], 'Company.', { example: 'Corner Shop GmbH' }),
  phone: text([1, 25], 'Telephone.', { example: '+43 316 555 0100' }),
  workPhone: text([1, 25], 'Telephone at work.', { example: '+43 316 555 0101' }),
  mobile: phone([6, 26], 'Mobile telephone.', { example: '+43 664 555 0100' }),
  email: text([6, 128], 'E-mail address.', { example: 'office@example.com' }),
};

export const merchantBilling = section(
  'merchant.billing',
  marked({ ...rows, ...contact }, { req: 'O', secret: 'personal', echo: true, lenient: true }),
);
