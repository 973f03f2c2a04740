/** Spec 2.12 to 2.15: the billing and shipping addresses of the shopper and of the merchant. */
import { amt, an, chars, conditional, date, letters, oneOf, phone, text, UNSTATED } from './kinds.ts';
import { section, withOptions } from './row.ts';

const rows = {
  street1: text([1, 100], 'Street; for 3D Secure.', conditional('Hauptplatz 1')),
  street2: text([1, 100], 'Street, continued.', conditional('2nd floor')),
  houseNumber1: text([1, 100], 'House number; street1 is then only the street.', '1'),
  houseNumber2: text([1, 100], 'House number, continued.', 'Door 7'),
  city: text([1, 80], 'City; for 3D Secure.', conditional('Graz')),
  state: chars('alphanumericDot', [1, 50], 'State or province.', conditional('Steiermark')),
  postcode: an([1, 16], 'Postcode; for 3D Secure.', conditional('8010')),
  country: chars('upper', [2, 2], 'Country, ISO 3166-1; for 3D Secure.', conditional('AT')),
  normalized: text([1, 255], 'The address, normalised.', 'Hauptplatz 1, 8010 Graz'),
  validationStatus: text([1, 255], 'Whether the address was checked and confirmed.', 'VALIDATED'),
};

export const billing = section('billing', withOptions(rows, { secret: 'personal', echo: true, lenient: true }));

/** Only for the merchant. */
const contact = {
  givenName: text(UNSTATED, 'First name.', 'Max'),
  surname: text(UNSTATED, 'Last name.', 'Huber'),
  middleName: text(UNSTATED, 'Middle name.', 'Karl'),
  companyName: text([1, 60], 'Company.', 'Corner Shop GmbH'),
  phone: text([1, 25], 'Telephone.', '+43 316 555 0100'),
  workPhone: text([1, 25], 'Telephone at work.', '+43 316 555 0101'),
  mobile: phone([6, 26], 'Mobile telephone.', '+43 664 555 0100'),
  email: text([6, 128], 'E-mail address.', 'office@example.com'),
};

export const merchantBilling = section(
  'merchant.billing',
  withOptions({ ...rows, ...contact }, { req: 'O', secret: 'personal', echo: true, lenient: true }),
);

// Spec 2.14 and 2.15: the destination and method of shipping, and the merchant's own shipping address.

const METHODS = [
  'CARRIER_DESIGNATED_BY_CUSTOMER',
  'ELECTRONIC_DELIVERY',
  'EXPEDITED',
  'GROUND',
  'INTERNATIONAL',
  'LOWEST_COST',
  'MILITARY',
  'NEXT_DAY_OVERNIGHT',
  'OTHER',
  'POINT_PICKUP',
  'PUDO',
  'SAME_DAY_SERVICE',
  'STORE_PICKUP',
  'THREE_DAY_SERVICE',
  'TWO_DAY_SERVICE',
] as const;

const address = {
  street1: text([1, 100], 'Street.', conditional('Hauptplatz 1')),
  street2: text([1, 100], 'Street, continued.', conditional('2nd floor')),
  houseNumber1: text([1, 100], 'House number; street1 is then only the street.', '1'),
  houseNumber2: text([1, 100], 'House number, continued.', 'Door 7'),
  city: letters([1, 80], 'City.', conditional('Graz')),
  state: chars('alphanumericDot', [1, 50], 'State or province.', conditional('Steiermark')),
  postcode: an([1, 16], 'Postcode.', conditional('8010')),
  country: chars('latin', [2, 2], 'Country, ISO 3166-1.', conditional('AT')),
  normalized: text([1, 255], 'The address, normalised.', 'Hauptplatz 1, 8010 Graz'),
  validationStatus: text([1, 255], 'Whether the address was checked and confirmed.', 'VALIDATED'),
  middleName: text(UNSTATED, 'Middle name.', 'Maria'),
  companyName: text([1, 60], 'Company.', 'Jones & Daughters'),
  phone: phone([6, 26], 'Telephone.', '+43 316 555 0123'),
  mobile: phone([6, 26], 'Mobile telephone.', '+43 664 555 0123'),
  workPhone: text([1, 25], 'Telephone at work.', '+43 316 555 0199'),
  email: text([6, 128], 'E-mail address.', 'jane.jones@example.com'),
};

const delivery = {
  method: oneOf(METHODS, 'The shipping method.', conditional('STORE_PICKUP')),
  cost: amt('The shipping costs; part of the amount.', conditional('4.90')),
  comment: text([1, 160], 'A note for the carrier.', { secret: 'personal', example: 'Ring twice', req: 'C' }),
  expectedDate: date('The expected date of delivery.', '2026-11-24'),
  logisticsProvider: text([1, 255], 'Carrier.', 'Post AG'),
  trackingNumber: text([1, 255], 'Tracking number of the parcel.', { secret: 'personal', example: 'JJAT000390002045' }),
  returnTrackingNumber: text([1, 255], 'Tracking number of the return.', {
    secret: 'personal',
    example: 'JJAT000390002046',
  }),
  warehouse: text([1, 100], 'The warehouse that ships it.', 'Graz South'),
  preference: oneOf(['GET_FROM_FILE', 'NO_SHIPPING', 'SET_PROVIDED_ADDRESS'], 'Which address counts.', {
    example: 'SET_PROVIDED_ADDRESS',
  }),
  type: oneOf(['RETURN', 'SHIPMENT'], 'There or back.', 'SHIPMENT'),
};

/** Only the address is customer data: shipping costs with a wrong format are never accepted. */
const shippingRows = {
  ...withOptions(address, { secret: 'personal', echo: true, lenient: true }),
  ...withOptions(delivery, { echo: true }),
};

export const shipping = section('shipping', shippingRows);

export const merchantShipping = section('merchant.shipping', withOptions(shippingRows, { req: 'O', lenient: true }));
