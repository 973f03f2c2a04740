/** Wallets (spec 2.6): the provider's token, or the card that the merchant took out of it. */
import type { AccountKind } from '../acquirers/acquirer.ts';
import { type Given, needed, type Rule } from '../operations/operation.ts';
import { structuresOf } from './structures.ts';

export const wallets = ['applePay', 'googlePay', 'samsungPay'] as const satisfies readonly AccountKind[];
export type Wallet = (typeof wallets)[number];

export const isWallet = (kind: AccountKind): kind is Wallet => (wallets as readonly AccountKind[]).includes(kind);

/** The source says that the merchant decrypted; whatever else there is of a wallet goes with its token. */
export const wayOf = (sent: Given, wallet: Wallet): 'token' | 'decrypted' =>
  sent[`${wallet}.source`] === undefined ? 'token' : 'decrypted';

const isDecrypted = (sent: Given): boolean => wallets.some((wallet) => sent[`${wallet}.source`] !== undefined);

const eachWallet: readonly Rule[] = wallets.flatMap((wallet): Rule[] => [
  {
    name: `${wallet}.paymentToken`,
    says: `may not be empty, unless ${wallet}.source and the decrypted card are sent`,
    holds: (sent) =>
      !structuresOf(sent).has(wallet) ||
      sent[`${wallet}.paymentToken`] !== undefined ||
      sent[`${wallet}.source`] !== undefined,
  },
  {
    name: `${wallet}.source`,
    says: `may not be sent together with ${wallet}.paymentToken`,
    holds: (sent) => sent[`${wallet}.source`] === undefined || sent[`${wallet}.paymentToken`] === undefined,
  },
]);

export const walletRules: readonly Rule[] = [
  ...eachWallet,
  ...needed(
    isDecrypted,
    ['card.number', 'card.expiryMonth', 'card.expiryYear', 'threeDSecure.verificationId', 'threeDSecure.eci'],
    'may not be empty when the source of a decrypted wallet is sent',
  ),
];
