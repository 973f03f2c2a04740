/** What a channel must know to open its customers' wallet tokens. Every key is a secret of the merchant. */
import { hidden } from '../../base/mask.ts';

export type WalletSettings = {
  applePay?: ApplePaySettings;
  googlePay?: GooglePaySettings;
  samsungPay?: SamsungPaySettings;
};

export type ApplePaySettings = {
  /** As registered with Apple: `merchant.com.example.shop`. */
  merchantId: string;
  /** Of the payment processing certificates, PEM: a certificate that is about to expire and the one that follows it. */
  keys: readonly { privateKey: string; certificate?: string }[];
  /** PEM. Trusted instead of Apple’s own root: for a test with tokens of one’s own making. */
  rootCertificates?: readonly string[];
  /** How long after its signing a token is taken, and how much earlier than its signing. Absent: five minutes. */
  maxAgeMs?: number;
};

export type GooglePaySettings = {
  environment: 'TEST' | 'PRODUCTION';
  /** `merchant:…` as Google’s console shows it, or `gateway:…`. */
  recipientId: string;
  /** Which of a gateway’s merchants this is. Needed where recipientId is a gateway’s. */
  gatewayMerchantId?: string;
  /** PEM. Several while one follows another. */
  privateKeys: readonly string[];
  /** As Google publishes them. Absent in TEST: those that Google’s test environment has signed with. */
  rootKeys?: GoogleRootKeys;
};

/** https://payments.developers.google.com/paymentmethodtoken/keys.json, and …/test/keys.json. */
export type GoogleRootKeys = {
  keys: readonly {
    /** SubjectPublicKeyInfo, base64. */
    keyValue: string;
    protocolVersion: string;
    /** Wall time in ms, in digits. */
    keyExpiration?: string;
  }[];
};

export type SamsungPaySettings = {
  /** PEM, RSA. Several while one follows another. */
  privateKeys: readonly string[];
  /** PEM: Samsung’s keys or certificates. With one of them set, only signed credentials are taken. */
  signingKeys?: readonly string[];
};

/** A channel's wallets as they may be shown: its private keys are hidden, whom they are for is not. */
export const redactWallets = ({ applePay, googlePay, samsungPay }: WalletSettings): WalletSettings => ({
  applePay: applePay && { ...applePay, keys: applePay.keys.map(redactKey) },
  googlePay: googlePay && { ...googlePay, privateKeys: hiddenAll(googlePay.privateKeys) },
  samsungPay: samsungPay && { ...samsungPay, privateKeys: hiddenAll(samsungPay.privateKeys) },
});

const redactKey = <K extends { privateKey: string }>(key: K): K => ({ ...key, privateKey: hidden });

const hiddenAll = (keys: readonly string[]): readonly string[] => keys.map(() => hidden);
