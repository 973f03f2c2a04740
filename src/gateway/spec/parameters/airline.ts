/** Spec 2.22: a flight ticket, its passengers and the legs that they fly. All of it is conditional. */
import { amt, country, date, text } from './kinds.ts';
import { marked, section } from './row.ts';

const word = (says: string, example: string) => text([1, 255], says, { example });
const money = (says: string, example: string) => amt(says, { example });
const marks = { req: 'C', echo: true } as const;

const ticket = {
  totalTaxAmount: money('All taxes.', '84.20'),
  totalFeesAmount: money('All fees.', '12.00'),
  totalFareAmount: money('All fares.', '310.00'),
  ticketIssueDate: date('When the ticket was issued.', { example: '2026-11-21' }),
  ticketIssueAddress: word('Where it was issued.', 'Graz'),
  thirdPartyBooking: word('Whether someone else booked.', 'N'),
  bookingtype: word('Kind of booking.', 'ONLINE'),
  ticketDeliveryMethod: word('How it was delivered.', 'E-TICKET'),
  bookingRefNum: word('Booking reference.', 'K7XQ2M'),
  agentName: word('Travel agent.', 'Alpine Travel'),
  agentCode: word('Code of the agent.', '06200042'),
};

const passenger = {
  type: word('Adult, child, infant.', 'ADULT'),
  name: word('Name.', 'JONES/JANE MS'),
  ticketRestricted: word('Whether the ticket is restricted.', 'Y'),
  ticketNumber: word('Ticket.', '257-2400123456'),
  status: word('Status.', 'CONFIRMED'),
  phone: word('Telephone.', '+43 664 555 0123'),
  frequentFlyerNumber: word('Frequent flyer.', 'MM992003140'),
  email: word('E-mail address.', 'jane.jones@example.com'),
  dob: word('Day of birth.', '1984-02-29'),
  checkDigit: word('Check digit of the ticket.', '4'),
  residenceCountry: country('Country of residence.', { example: 'AT' }),
};

const leg = {
  taxAmount: money('Tax.', '42.10'),
  feesAmount: money('Fees.', '6.00'),
  fareAmount: money('Fare.', '155.00'),
  departureTaxAmount: money('Tax of departure.', '12.00'),
  departureDate: date('Day of departure.', { example: '2026-12-20' }),
  arrivalDate: date('Day of arrival.', { example: '2026-12-20' }),
  ticketNumber: word('Ticket.', '257-2400123456'),
  stopOverAllowed: word('Whether a stop-over is allowed.', 'N'),
  restrictions: word('Restrictions.', 'NON-REFUNDABLE'),
  flightNumber: word('Flight.', 'OS229'),
  fareBasis: word('Fare basis.', 'YLOWAT'),
  exchangeTicketNum: word('Ticket that this one replaces.', '257-2400123000'),
  departureCountry: word('Country of departure.', 'AT'),
  departureAirport: word('Airport of departure.', 'GRZ'),
  airlineName: word('Airline.', 'Alpine Air'),
  airlineCode: word('Code of the airline.', 'OS'),
  departureTime: word('Time of departure.', '06:05'),
  arrivalCountry: word('Country of arrival.', 'DE'),
  arrivalAirport: word('Airport of arrival.', 'BER'),
  arrivalTime: word('Time of arrival.', '07:40'),
  couponNumber: word('Coupon.', '1'),
  classOfService: word('Class.', 'Y'),
  carrierCode: word('Carrier.', 'OS'),
  timeToDeparture: text([1, 10], 'Days to departure.', { example: '29' }),
};

export const airline = section('airline', {
  ...marked(ticket, marks),
  ...section('passengers[n]', marked(passenger, { ...marks, secret: 'personal' })),
  ...section('passengers[n].legs[n]', marked(leg, marks)),
});
