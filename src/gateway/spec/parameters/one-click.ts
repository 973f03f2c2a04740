/**
 * One click: stored accounts that a checkout offers, and the one that the shopper takes. The specification's tables do
 * not have these rows; clients of this interface know them.
 */
import { an } from './kinds.ts';
import { section } from './section.ts';

const ID: readonly [number, number] = [32, 32];
const example = 'a1939c2f1b02c1c0a5e9b2f3d4c5e6f7';

export const offeredRegistrations = section('', {
  'registrations[n].id': an(ID, 'A stored account that the shopper is offered.', { example }),
});

export const chosenRegistration = section('', {
  registrationId: an(ID, 'The stored account that the shopper takes: one that the checkout offers.', { example }),
});
