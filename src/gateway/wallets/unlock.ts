/**
 * Replaces a wallet token in a request by the card in it (spec 2.6): from here on, a payment by token is a payment with
 * a decrypted card for the risk rules, the acquirers and the store.
 */
import type { Money } from '../../base/money.ts';
import { printMoney } from '../../base/money.ts';
import type { Channel } from '../channel.ts';
import type { AccountKind } from '../spec/brands.ts';
import type { Flat } from '../spec/operation.ts';
import { type ParameterError, ruleError } from '../spec/parameters/errors.ts';
import { misplacedCardNumbers } from '../spec/parameters/misplaced-card-numbers.ts';
import { isWallet, type WalletKind } from '../spec/rules/accounts.ts';
import { type OpenedToken, refusalReason, TOKEN_MAX } from './opened-token.ts';

type Locked = {
  kind: AccountKind;
  account: Flat;
  amount: Money;
  channel: Channel;
  /** Wall time, ms. */
  at: number;
  /** A keyed hash, hex. */
  hash: (text: string) => string;
};

export type Unlocked = {
  account: Flat;
  /** The claim by which each token can pay only once. Absent: there is no token, or not a valid one. */
  claim?: string;
  /** The request is refused with these, unless the claim was used before: then it may be a repeat. */
  errors: readonly ParameterError[];
};

/** Never throws for invalid input. A wallet without keys, and any other account, is returned unchanged. */
export const unlock = async (locked: Locked): Promise<Unlocked> => {
  const { kind, account, channel } = locked;
  const token = account[`${kind}.paymentToken`];
  if (!isWallet(kind) || token === undefined || channel.wallets?.[kind] === undefined) return { account, errors: [] };
  try {
    if (token.length > TOKEN_MAX) return { account, errors: [errorOf(kind, 'is too long')] };
    return acceptToken(kind, locked, await opened(kind, token, locked));
  } catch (error) {
    const reason = refusalReason(error);
    if (reason === undefined) throw error;
    return { account, errors: [errorOf(kind, `is not accepted: ${reason}`)] };
  }
};

/** Each wallet's code is loaded with its first token: a till's own gateway never sees one. */
const opened = async (wallet: WalletKind, token: string, { channel, at }: Locked): Promise<OpenedToken> => {
  const { applePay, googlePay, samsungPay } = channel.wallets ?? {};
  if (wallet === 'applePay' && applePay !== undefined) {
    const { openApplePay } = await import('./apple/apple-pay.ts');
    return openApplePay(token, applePay, at);
  }
  if (wallet === 'googlePay' && googlePay !== undefined) {
    const { openGooglePay } = await import('./google-pay.ts');
    return openGooglePay(token, googlePay, at);
  }
  if (wallet === 'samsungPay' && samsungPay !== undefined) {
    const { openSamsungPay } = await import('./samsung-pay.ts');
    return openSamsungPay(token, samsungPay);
  }
  throw new TypeError(`no keys for ${wallet}`);
};

const acceptToken = (wallet: WalletKind, { account, amount, hash }: Locked, token: OpenedToken): Unlocked => {
  const { stale, amount: approvedAmount } = token;
  const errors: ParameterError[] = [];
  if (stale !== undefined) errors.push(errorOf(wallet, `is not accepted: ${stale}`));
  if (approvedAmount !== undefined && approvedAmount.currency !== amount.currency) {
    const text = `differs from ${approvedAmount.currency}, which the shopper approved in ${wallet}.paymentToken`;
    errors.push(ruleError('currency', amount.currency, { message: text }));
  } else if (approvedAmount !== undefined && approvedAmount.minor !== amount.minor) {
    const text = `differs from ${printMoney(approvedAmount)}, which the shopper approved in ${wallet}.paymentToken`;
    errors.push(ruleError('amount', account['amount'], { message: text }));
  }
  const open = accountWithCard(wallet, account, token);
  errors.push(...misplacedNumbersOf(open));
  // One claim for all channels, because a merchant may use the same keys for several.
  const claim = JSON.stringify(['wallet', wallet, hash(`${wallet} ${token.id}`)]);
  return { account: open, claim, errors };
};

/** The card as parameters of a decrypted wallet. The token itself is not passed on. */
const accountWithCard = (wallet: WalletKind, account: Flat, { card, cryptogram, eci }: OpenedToken): Flat => {
  const { [`${wallet}.paymentToken`]: _, ...rest } = account;
  return {
    ...rest,
    [`${wallet}.source`]: 'web',
    'card.number': card.number,
    'card.expiryMonth': card.expiryMonth,
    'card.expiryYear': card.expiryYear,
    'card.holder': card.holder ?? rest['card.holder'],
    'threeDSecure.verificationId': cryptogram ?? rest['threeDSecure.verificationId'],
    'threeDSecure.eci': eci ?? rest['threeDSecure.eci'],
  };
};

/** The decrypted number must not appear elsewhere in the request, like any other card's. */
const misplacedNumbersOf = (account: Flat): readonly ParameterError[] => misplacedCardNumbers(account, undefined);

const errorOf = (wallet: WalletKind, message: string): ParameterError =>
  ruleError(`${wallet}.paymentToken`, '', { message });
