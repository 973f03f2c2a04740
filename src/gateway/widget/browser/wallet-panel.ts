/** The panel of a wallet: one button that opens it. */

import { brandLabel } from './brand-labels.ts';
import { addressOf, type CheckoutBrand, send } from './checkout.ts';
import { make } from './dom.ts';
import type { Panel, Room } from './method.ts';
import type { BrowserWallet } from './wallets.ts';
import { fill } from './words.ts';

export const walletPanel = (room: Room, { name }: CheckoutBrand, wallet: BrowserWallet): Panel => {
  const label = brandLabel(name, room.words);
  const button = make(
    'button',
    { type: 'button', class: `wpwl-button wpwl-button-pay wpwl-wallet wpwl-wallet-${name}` },
    fill(room.words.payWith, { brand: label }),
  );
  let token = '';
  button.addEventListener('click', async () => {
    try {
      token = await wallet.token();
      room.submit();
    } catch {
      // He closed the wallet: nothing was sent, and he sees where he was.
      button.focus();
    }
  });
  return {
    root: make('div', { class: 'wpwl-fields' }, button),
    check: async () => token !== '',
    send: (parameters) => send(addressOf(room.place, room.place.kind), { ...parameters, [wallet.parameter]: token }),
    focus: () => button.focus(),
    empty() {
      token = '';
    },
    summary: () => label,
    ownButton: true,
  };
};
