/** Spec 2.18 and 2.21: the merchant, who can override the text on the statement, and the sellers of a marketplace. */
import { amt, chars, echoed, freeKey, n, regex, text } from './kinds.ts';
import { section, withOptions } from './row.ts';

const idRow = (message: string, example: string) => text([1, 255], message, { example });
const contactPhone = (text: string) => chars('alphanumericHyphenDot', [1, 25], text, '+43-316-555-0100');

const rows = {
  name: text([1, 100], 'Overrides the descriptor.', 'Corner Shop*Garden tools'),
  mcc: text([1, 4], 'Merchant category code.', '5251'),
  street: text([1, 100], 'Street.', 'Hauptplatz 1'),
  city: text([1, 100], 'City, or for a card that is not present telephone, e-mail or URL.', 'Graz'),
  state: chars('alphanumericPlace', [1, 50], 'State or province.', 'Steiermark'),
  countryCode: n([1, 3], 'Country, ISO 3166-1 numeric.', '040'),
  country: chars('latin', [2, 2], 'Country, ISO 3166-1.', 'AT'),
  postcode: chars('alphanumericHyphen', [1, 16], 'Postcode.', 'A-8010'),
  geographicCoordinates: regex(
    /^(?=.{3,20}$)[+-]?[0-9]{1,3}(?:\.[0-9]+)?,[+-]?[0-9]{1,3}(?:\.[0-9]+)?$/,
    {
      mustBe: 'latitude,longitude in up to 20 characters',
      good: ['0,0', '47.07135,15.43950', '-47.071351,-115.4395'],
      bad: ['-47.0713511,-115.4395', '47.07135', '47.07135;15.4', '47.1,', ',15.4', 'N47,E15'],
    },
    'Where it is.',
    '47.07135,15.43950',
  ),
  serviceLocationCity: text([1, 100], 'City of the service.', 'Graz'),
  serviceLocationState: text([1, 50], 'State of the service.', 'Steiermark'),
  serviceLocationCountryCode: text([1, 3], 'Country of the service.', '040'),
  serviceLocationPostCode: text([1, 16], 'Postcode of the service.', '8010'),
  serviceLocationGeographicCoordinates: text([1, 20], 'Place of the service.', '47.07135,15.43950'),
  additionalContact: text([1, 255], 'Another way to reach it.', 'office@example.com'),
  phone: contactPhone('Telephone.'),
  customerContactPhone: contactPhone('Telephone for customers.'),
  websiteId: text([1, 255], 'Its website.', 'shop-at'),
  url: text([1, 255], 'Address of the website.', 'https://shop.example.com'),
  partnerIdCode: text([1, 60], 'Code of a partner.', 'PARTNER-7'),
  isoId: idRow('Independent sales organisation.', '1122334455'),
  payFacId: idRow('Payment facilitator.', '1234567890'),
  payFacName: idRow('Its name.', 'Paystreet'),
  marketplaceId: idRow('Marketplace.', '9876543210'),
  submerchantId: text([1, 100], 'Sub-merchant of a facilitator.', 'SUB-0042'),
  taxId: text([1, 60], 'Tax number.', 'ATU12345678'),
  'data[key]': text([1, 2048], 'Free names and values about the merchant.', {
    secret: 'personal',
    example: 'garden',
    key: freeKey,
  }),
  foreignRetailIndicator: text([1, 25], 'Whether it sells abroad.', 'N'),
  legalName: text([1, 100], 'Name at law.', 'Corner Shop GmbH'),
  'app.schemeUrl': text([1, 255], 'Opens the merchant’s app.', 'cornershop://paid'),
};

export const merchant = section('merchant', withOptions(rows, { echo: true, lenient: true }));

/** Spec 2.21: the sellers of a marketplace, and each one's share. */
export const marketplace = section('marketPlace.sellers[n]', {
  id: text([1, 255], 'The seller; its items carry it as sellerId.', echoed('seller-7')),
  amount: amt('What the seller gets.', echoed('5.60')),
});
