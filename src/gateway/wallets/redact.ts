/** A channel's wallets as they may be shown: its private keys are hidden, whom they are for is not. */
import { hidden } from '../../base/mask.ts';
import type { WalletSettings } from './settings.ts';

export const redactWallets = ({ applePay, googlePay, samsungPay }: WalletSettings): WalletSettings => ({
  ...(applePay === undefined ? {} : { applePay: { ...applePay, keys: applePay.keys.map(redactKey) } }),
  ...(googlePay === undefined ? {} : { googlePay: { ...googlePay, privateKeys: hiddenAll(googlePay.privateKeys) } }),
  ...(samsungPay === undefined
    ? {}
    : { samsungPay: { ...samsungPay, privateKeys: hiddenAll(samsungPay.privateKeys) } }),
});

const redactKey = <K extends { privateKey: string }>(key: K): K => ({ ...key, privateKey: hidden });

const hiddenAll = (keys: readonly string[]): readonly string[] => keys.map(() => hidden);
