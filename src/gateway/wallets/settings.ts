/** The settings that a channel needs to open its customers' wallet tokens. Every key is a secret of the merchant. */
import { hidden } from '../../base/mask.ts';

export type WalletSettings = {
  applePay?: ApplePaySettings;
  googlePay?: GooglePaySettings;
  samsungPay?: SamsungPaySettings;
};

export type ApplePaySettings = {
  /** As registered with Apple: `merchant.com.example.shop`. */
  merchantId: string;
  /** With their payment processing certificates, PEM: several while one replaces another. */
  keys: readonly { privateKey: string; certificate?: string }[];
  /** PEM. Trusted in place of Apple’s own root: for tests with self-made tokens. */
  rootCertificates?: readonly string[];
  /** How long after its signature a token is accepted, and how long before it. Absent: five minutes. */
  maxAgeMs?: number;
};

export type GooglePaySettings = {
  environment: 'TEST' | 'PRODUCTION';
  /** `merchant:…` as shown in Google’s console, or `gateway:…`. */
  recipientId: string;
  /** The merchant's id at the gateway. Required if recipientId is a gateway’s. */
  gatewayMerchantId?: string;
  /** PEM. Several while one replaces another. */
  privateKeys: readonly string[];
  /** As Google publishes them. Absent in TEST: the keys of Google’s test environment. */
  rootKeys?: GoogleRootKeys;
};

/** https://payments.developers.google.com/paymentmethodtoken/keys.json, and …/test/keys.json. */
export type GoogleRootKeys = {
  keys: readonly {
    /** SubjectPublicKeyInfo, base64. */
    keyValue: string;
    protocolVersion: string;
    /** Wall time in ms, as digits. */
    keyExpiration?: string;
  }[];
};

export type SamsungPaySettings = {
  /** PEM, RSA. Several while one replaces another. */
  privateKeys: readonly string[];
  /** PEM: Samsung’s keys or certificates. If any is set, only signed credentials are accepted. */
  signingKeys?: readonly string[];
};

/** A channel's wallets as they may be shown: without private keys, but with the merchants' ids. */
export const redactWallets = ({ applePay, googlePay, samsungPay }: WalletSettings): WalletSettings => ({
  applePay: applePay && { ...applePay, keys: applePay.keys.map(redactKey) },
  googlePay: googlePay && { ...googlePay, privateKeys: hideAll(googlePay.privateKeys) },
  samsungPay: samsungPay && { ...samsungPay, privateKeys: hideAll(samsungPay.privateKeys) },
});

const redactKey = <K extends { privateKey: string }>(key: K): K => ({ ...key, privateKey: hidden });

const hideAll = (keys: readonly string[]): readonly string[] => keys.map(() => hidden);
