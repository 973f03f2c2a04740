/**
 * Spec 2.19, 2.20 and 2.22: the items bought, from index 0 and at most 1000; payments already made for them; flight
 * tickets.
 */
import { amt, chars, conditional, count, country, currency, date, flag, n, oneOf, regex, text, url } from './kinds.ts';
import { section, withOptions } from './row.ts';

const noteRow = (message: string, example: string) => text([1, 255], message, { example });
const code = (message: string, example: string) => text([1, 30], message, { example });
const URL_BOUNDS: readonly [number, number] = [1, 2048];

const goods = {
  name: text([1, 255], 'The item’s name.', conditional('Garden hose 20 m')),
  merchantItemId: text([1, 255], 'The merchant’s item number.', conditional('HOSE-20')),
  quantity: regex(
    /^[0-9]{1,12}(?:\.[0-9]{1,3})?$/,
    {
      mustBe: 'up to 12 digits, then optionally a dot and up to 3 decimals',
      good: ['1', '0', '999999999999', '999999999999.999', '1.5', '0.125'],
      bad: ['1000000000000', '1.1234', '1.', '.5', '1,5', '-1', '1e3'],
    },
    'The quantity.',
    conditional('2'),
  ),
  type: oneOf(['PHYSICAL', 'DIGITAL', 'MIXED', 'ANONYMOUS_DONATION', 'AUTHORITIES_PAYMENT'], 'Kind of goods.', {
    example: 'PHYSICAL',
    req: 'C',
  }),
  sku: noteRow('Stock keeping unit.', '4006381333931'),
  description: text([1, 2048], 'Description.', conditional('With couplings')),
  commodityCode: n([1, 8], 'UNSPSC code (L3).', '40142008'),
  commodityDescription: text([1, 50], 'The meaning of the code.', 'Water hoses'),
  quantityUnit: oneOf(['M', 'CM', 'KG', 'G', 'COUNT'], 'Unit of the quantity; COUNT if absent.', 'COUNT'),
  productUrl: url(URL_BOUNDS, 'Page of the product.', { of: 'web', example: 'https://shop.example.com/hose-20' }),
  imageUrl: url(URL_BOUNDS, 'Picture of the product.', { of: 'web', example: 'https://shop.example.com/hose-20.jpg' }),
  productCode: code('Product code.', 'GH20'),
  partNumber: code('Part number.', 'PN-2007'),
  itemNumber: count(3, 'Line of the invoice.', '1'),
  sellerId: noteRow('Seller in the marketplace.', 'seller-7'),
};

const prices = {
  currency: currency('Currency of the prices.', conditional('EUR')),
  originalPrice: noteRow('Price of one, without tax and discount.', '20.00'),
  price: amt('Price of one, with tax and discount.', conditional('22.80')),
  totalAmount: amt('Price of all.', conditional('45.60')),
  taxAmount: amt('Tax of one.', conditional('3.80')),
  totalTaxAmount: amt('Tax of all.', conditional('7.60')),
  tax: regex(
    /^(?:100(?:\.0{1,2})?|[0-9]{1,2}(?:\.[0-9]{1,2})?)$/,
    {
      mustBe: 'a percentage from 0 to 100 with up to 2 decimals',
      good: ['0', '100', '100.0', '100.00', '99.99', '7.5', '0.00'],
      bad: ['100.01', '101', '200', '7.555', '7.', '.5', '-1', '20%'],
    },
    'Tax, per cent.',
    conditional('20.00'),
  ),
  taxCategory: oneOf(['AA', 'S', 'E', 'Z'], 'Tax category (L3).', conditional('S')),
  vatReferenceNumber: code('Reference of the tax.', 'VAT-2026-42'),
  shipping: amt('The item’s shipping costs.', conditional('4.90')),
  discount: amt('Discount of one.', conditional('1.20')),
  totalDiscountAmount: amt('Discount of all.', '2.40'),
};

const sending = {
  giftMessage: noteRow('A message to the recipient.', 'Happy gardening'),
  shippingMethod: noteRow('The shipping method.', 'parcel'),
  shippingInstructions: noteRow('What the carrier should know.', 'Ring twice'),
  shippingTrackingNumber: noteRow('Tracking number of the parcel.', 'JJAT000390002045'),
  deliveryDate: date('The date of delivery.', '2026-11-24'),
};

const recipient = section('recipient', {
  salutation: text([1, 5], 'How to address them.', 'MS'),
  firstName: text([1, 48], 'First name.', 'Jane'),
  lastName: text([1, 48], 'Last name.', 'Jones'),
  middleName: text([1, 50], 'Middle name.', 'Maria'),
  apartment: text([1, 100], 'Apartment.', 'Door 7'),
  street: text([1, 100], 'Street.', 'Hauptplatz 1'),
  address: text([1, 100], 'Address.', 'Hauptplatz 1, 8010 Graz'),
  city: text([1, 80], 'City.', 'Graz'),
  state: text([1, 50], 'State or province.', 'Steiermark'),
  postcode: text([1, 16], 'Postcode.', '8010'),
  country: regex(
    /^(?:[A-Za-z]{2}|[0-9]{3})$/,
    {
      mustBe: 'a country code of two letters or three digits',
      good: ['AT', '040'],
      bad: ['A', '40', 'AUT', '0400', 'A1'],
    },
    'Country, ISO 3166-1.',
    'AT',
  ),
  phone: n([1, 25], 'Telephone.', '436645550123'),
  email: text([1, 128], 'E-mail address.', 'jane.jones@example.com'),
});

export const cartItems = section('cart.items[n]', {
  ...withOptions({ ...goods, ...prices }, { echo: true }),
  ...withOptions(sending, { echo: true, secret: 'personal' }),
  ...withOptions(recipient, { echo: true, secret: 'personal', lenient: true }),
});

const rows = {
  name: text([1, 255], 'The payment’s name.', 'Summer voucher'),
  type: oneOf(['GIFTCARD', 'PROMOTION'], 'Kind of payment.', 'PROMOTION'),
  amount: amt('How much.', '5.00'),
  currency: chars('latin', [3, 3], 'Its currency.', 'EUR'),
  status: oneOf(['pending', 'authorized', 'captured'], 'The payment’s status.', 'captured'),
  brand: text([1, 255], 'Its brand.', 'VOUCHER'),
  primary: flag('Whether it is the main payment.', 'false'),
};

/** Spec 2.20: payments already made for the cart. */
export const cartPayments = section('cart.payments[n]', withOptions(rows, { echo: true }));

const shortTextRow = (message: string, example: string) => text([1, 255], message, { example });
const moneyRow = (text: string, example: string) => amt(text, { example });
const marks = { req: 'C', echo: true } as const;

const ticket = {
  totalTaxAmount: moneyRow('All taxes.', '84.20'),
  totalFeesAmount: moneyRow('All fees.', '12.00'),
  totalFareAmount: moneyRow('All fares.', '310.00'),
  ticketIssueDate: date('The ticket’s date of issue.', '2026-11-21'),
  ticketIssueAddress: shortTextRow('The place of issue.', 'Graz'),
  thirdPartyBooking: shortTextRow('Whether someone else booked.', 'N'),
  bookingtype: shortTextRow('Kind of booking.', 'ONLINE'),
  ticketDeliveryMethod: shortTextRow('The method of delivery.', 'E-TICKET'),
  bookingRefNum: shortTextRow('Booking reference.', 'K7XQ2M'),
  agentName: shortTextRow('Travel agent.', 'Alpine Travel'),
  agentCode: shortTextRow('Code of the agent.', '06200042'),
};

const passenger = {
  type: shortTextRow('Adult, child, infant.', 'ADULT'),
  name: shortTextRow('Name.', 'JONES/JANE MS'),
  ticketRestricted: shortTextRow('Whether the ticket is restricted.', 'Y'),
  ticketNumber: shortTextRow('Ticket.', '257-2400123456'),
  status: shortTextRow('Status.', 'CONFIRMED'),
  phone: shortTextRow('Telephone.', '+43 664 555 0123'),
  frequentFlyerNumber: shortTextRow('Frequent flyer.', 'MM992003140'),
  email: shortTextRow('E-mail address.', 'jane.jones@example.com'),
  dob: shortTextRow('Day of birth.', '1984-02-29'),
  checkDigit: shortTextRow('Check digit of the ticket.', '4'),
  residenceCountry: country('Country of residence.', 'AT'),
};

const leg = {
  taxAmount: moneyRow('Tax.', '42.10'),
  feesAmount: moneyRow('Fees.', '6.00'),
  fareAmount: moneyRow('Fare.', '155.00'),
  departureTaxAmount: moneyRow('Tax of departure.', '12.00'),
  departureDate: date('Day of departure.', '2026-12-20'),
  arrivalDate: date('Day of arrival.', '2026-12-20'),
  ticketNumber: shortTextRow('Ticket.', '257-2400123456'),
  stopOverAllowed: shortTextRow('Whether a stop-over is allowed.', 'N'),
  restrictions: shortTextRow('Restrictions.', 'NON-REFUNDABLE'),
  flightNumber: shortTextRow('Flight.', 'OS229'),
  fareBasis: shortTextRow('Fare basis.', 'YLOWAT'),
  exchangeTicketNum: shortTextRow('Ticket that this one replaces.', '257-2400123000'),
  departureCountry: shortTextRow('Country of departure.', 'AT'),
  departureAirport: shortTextRow('Airport of departure.', 'GRZ'),
  airlineName: shortTextRow('Airline.', 'Alpine Air'),
  airlineCode: shortTextRow('Code of the airline.', 'OS'),
  departureTime: shortTextRow('Time of departure.', '06:05'),
  arrivalCountry: shortTextRow('Country of arrival.', 'DE'),
  arrivalAirport: shortTextRow('Airport of arrival.', 'BER'),
  arrivalTime: shortTextRow('Time of arrival.', '07:40'),
  couponNumber: shortTextRow('Coupon.', '1'),
  classOfService: shortTextRow('Class.', 'Y'),
  carrierCode: shortTextRow('Carrier.', 'OS'),
  timeToDeparture: text([1, 10], 'Days to departure.', '29'),
};

/** Spec 2.22: a flight ticket, its passengers and the legs that they fly. All of it is conditional. */
export const airline = section('airline', {
  ...withOptions(ticket, marks),
  ...section('passengers[n]', withOptions(passenger, { ...marks, secret: 'personal' })),
  ...section('passengers[n].legs[n]', withOptions(leg, marks)),
});
