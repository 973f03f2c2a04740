/**
 * Simulated wallet tokens, for channels without a merchant's keys: a token of the right outer shape is accepted
 * unopened and stands for a test account of its card network. Real tokens are opened in src/gateway/wallets.
 */
import { codes } from '../../../../base/result-codes.ts';
import { type TestCard, testCards } from '../../../../emv/test-cards.ts';
import type { Authorisation } from '../../../payments/acquirer.ts';
import { isPast, printExpiry } from '../request.ts';
import { GRAINS_PER_CENT } from '../worth.ts';
import {
  type MethodAccount,
  type MethodRefusal,
  type MethodVerdict,
  refuseMissing,
  type SimulatedMethod,
  unlimitedFunds,
} from './method.ts';

type WalletCard = Pick<TestCard, 'pan' | 'brand' | 'expiry' | 'account' | 'availableMinor'> & { endless?: boolean };

const walletCardOf = (brand: WalletCard['brand'], pan: string): WalletCard => ({
  brand,
  pan,
  expiry: '3112',
  account: 'open',
  availableMinor: unlimitedFunds / GRAINS_PER_CENT,
});

/** The card that stands for a network, by the network's name as wallets write it, in lower case. */
export const networkCards: ReadonlyMap<string, WalletCard> = new Map<string, WalletCard>([
  ['visa', testCards['visa-credit']],
  ['mastercard', testCards['mastercard-credit']],
  ['amex', walletCardOf('AMEX', '377777777777770')],
  ['discover', walletCardOf('DISCOVER', '6011111111111117')],
  ['jcb', walletCardOf('JCB', '3530111333300000')],
  ['maestro', walletCardOf('MAESTRO', '6759649826438453')],
  ['chinaunionpay', walletCardOf('UNIONPAY', '6200000000000005')],
]);

/** Other names of the same networks: the host API's brands, and the wallets' own variants. */
const sameNetwork: ReadonlyMap<string, string> = new Map([
  ['master', 'mastercard'],
  ['americanexpress', 'amex'],
  ['unionpay', 'chinaunionpay'],
]);

/** A ciphertext that consists of this, in base64, selects a card of src/emv/test-cards.ts by its name. */
const TEST_TOKEN = /^simulated:([a-z0-9-]+)$/;

/**
 * Reads a wallet token. Its card is the one that a test token names, otherwise the network's, which
 * `applePay.cardNetwork` or the token itself names, otherwise Visa's.
 */
export const simulatedWalletToken: SimulatedMethod = async ({ account: wallet, parameters, at }) => {
  if (wallet !== 'applePay' && wallet !== 'googlePay' && wallet !== 'samsungPay') return refuseMissing('paymentToken');
  const name = `${wallet}.paymentToken`;
  const token = parameters[name];
  if (!token) return refuseMissing(name);
  // Loaded with the first token: most gateways never see one.
  const { parseOuterToken: outerToken } = await import('./wallet-token-shapes.ts');
  const outer = outerToken(wallet, token);
  if (outer === undefined)
    return { refused: codes.parameterInvalid, why: `${name} does not have the shape of the provider's tokens.` };
  const card = cardOf(outer.sealed, parameters[`${wallet}.cardNetwork`] ?? outer.network ?? 'visa');
  return 'refused' in card ? card : accountOf(card, at);
};

const cardOf = (sealed: string, network: string): WalletCard | MethodRefusal => {
  const request = TEST_TOKEN.exec(Buffer.from(sealed, 'base64').toString('latin1'))?.[1];
  if (request !== undefined) {
    const requestedCard = Object.entries<TestCard>(testCards).find(([name]) => name === request)?.[1];
    return requestedCard ?? { refused: codes.parameterInvalid, why: 'The test token does not name a test card.' };
  }
  const normalised = network.toLowerCase().replace(/[^a-z]/g, '');
  const card = networkCards.get(sameNetwork.get(normalised) ?? normalised);
  return card ?? { refused: codes.brandInvalid, why: 'The wallet names an unknown card network.' };
};

const accountOf = (card: WalletCard, at: Authorisation['at']): MethodAccount => {
  const { pan, brand, availableMinor, endless } = card;
  const { month, year } = printExpiry(card.expiry);
  const verdict = accountVerdict(card, at);
  return {
    purse: { number: pan, openingBalance: endless ? unlimitedFunds : availableMinor * GRAINS_PER_CENT },
    decline: verdict,
    echo: { brand, bin: pan.slice(0, 6), last4Digits: pan.slice(-4), expiryMonth: month, expiryYear: year },
  };
};

const accountVerdict = ({ account, expiry }: WalletCard, at: number): MethodVerdict | undefined => {
  const byState: Readonly<Record<WalletCard['account'], MethodVerdict | undefined>> = {
    open: undefined,
    lost: { code: '41' },
    stolen: { code: '43' },
    restricted: { code: '62' },
  };
  return byState[account] ?? (isPast(printExpiry(expiry), at) ? { code: '54' } : undefined);
};
