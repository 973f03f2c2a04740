/** A terminal's encrypted card to be stored by its payment (spec 1.5): only where the channel's acquirer opens it. */
import { brandOfPan } from '../../emv/brands.ts';
import type { Acquirer } from '../acquirers/acquirer.ts';
import type { ParameterError } from '../spec/parameters/errors.ts';
import { isSet } from '../spec/parameters/kinds.ts';
import { type Checked, type Flat, posOf } from './account.ts';

export type ToStore = {
  /** The account under the names of a card, for the vault alone: nothing of it goes on to the acquirer. */
  storable?: Flat;
  errors: readonly ParameterError[];
};

/** Nothing where the request stores no terminal's card; else the card, or why the request is refused. */
export const terminalCardToStore = (acquirer: Acquirer, account: Flat): ToStore => {
  const pos = posOf(account);
  if (!isSet(account['createRegistration']) || pos === undefined || account['card.number'] !== undefined)
    return { errors: [] };
  const card = acquirer.openCard?.(pos, account);
  if (card !== undefined) {
    const { number, expiryMonth, expiryYear, holder } = card;
    const names = { 'card.number': number, 'card.expiryMonth': expiryMonth, 'card.expiryYear': expiryYear };
    return { storable: { ...account, ...names, ...(holder && { 'card.holder': holder }) }, errors: [] };
  }
  const message =
    'cannot be true here: this channel cannot open the terminal’s encrypted card data. Nothing was charged';
  return { errors: [{ name: 'createRegistration', value: 'true', message }] };
};

/** The stored card's brand is its number's own, where the request names none. */
export const checkedOf = (checked: Checked, { 'card.number': number }: Flat): Checked => {
  const brand = number === undefined ? undefined : brandOfPan(number);
  return checked.paymentBrand !== undefined || brand === undefined ? checked : { ...checked, paymentBrand: brand };
};
