/** Wallets (spec 2.6): the provider's token, or the card that the merchant took out of it. */
import type { AccountKind } from '../../acquirers/acquirer.ts';
import { needed, type Rule, type SentValues } from '../operation.ts';
import { uses } from './shared.ts';

export const wallets = ['applePay', 'googlePay', 'samsungPay'] as const satisfies readonly AccountKind[];
export type WalletKind = (typeof wallets)[number];

export const isWallet = (kind: AccountKind): kind is WalletKind => (wallets as readonly AccountKind[]).includes(kind);

/** The source says that the merchant decrypted; whatever else there is of a wallet goes with its token. */
export const wayOf = (sent: SentValues, wallet: WalletKind): 'token' | 'decrypted' =>
  sent[`${wallet}.source`] === undefined ? 'token' : 'decrypted';

const sources = wallets.map((wallet) => `${wallet}.source` as const);

const isDecrypted = (sent: SentValues): boolean => sources.some((source) => sent[source] !== undefined);

const eachWallet: readonly Rule[] = wallets.flatMap((wallet): Rule[] => {
  const when = uses(wallet);
  const [token, source] = [`${wallet}.paymentToken`, `${wallet}.source`];
  return [
    {
      name: token,
      says: `may not be empty, unless ${source} and the decrypted card are sent`,
      when,
      holds: (sent) => !when(sent) || sent[token] !== undefined || sent[source] !== undefined,
    },
    {
      name: source,
      says: `may not be sent together with ${token}`,
      when,
      holds: (sent) => sent[source] === undefined || sent[token] === undefined,
    },
  ];
});

export const walletRules: readonly Rule[] = [
  ...eachWallet,
  ...needed(
    isDecrypted,
    ['card.number', 'card.expiryMonth', 'card.expiryYear', 'threeDSecure.verificationId', 'threeDSecure.eci'],
    'may not be empty when the source of a decrypted wallet is sent',
  ),
];
