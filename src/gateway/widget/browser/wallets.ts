/** Wallets of the browser or the device: offered only where available, and their tokens are passed on unread. */
import { addressOf, type CheckoutBrand, send } from './checkout.ts';
import { make } from './dom.ts';
import { fill } from './languages.ts';
import { brandLabel, type Panel, type Room } from './method.ts';

type BrowserWallet = {
  /** Whether this browser has it and its shopper can pay with it. */
  offered: () => Promise<boolean>;
  /** Opens the wallet, from a click. Rejects if the shopper leaves it. */
  token: () => Promise<string>;
  parameter: string;
};

type Raw = Readonly<Record<string, unknown>>;
type Function_ = (...values: unknown[]) => unknown;

/** The parts of Apple Pay JS used here. */
type AppleSession = {
  onvalidatemerchant?: (event: { validationURL: string }) => void;
  onpaymentauthorized?: (event: { payment: { token: { paymentData: unknown } } }) => void;
  oncancel?: () => void;
  begin(): void;
  completeMerchantValidation(session: unknown): void;
  completePayment(result: { status: number }): void;
};
type Apple = {
  new (version: number, request: unknown): AppleSession;
  canMakePayments(): boolean;
  STATUS_SUCCESS: number;
};

/** The parts used here of Google Pay’s pay.js, which the shop’s page loads itself. */
type GoogleClient = {
  isReadyToPay(request: unknown): Promise<{ result: boolean }>;
  loadPaymentData(request: unknown): Promise<{ paymentMethodData: { tokenizationData: { token: string } } }>;
};
type Google = { payments: { api: { PaymentsClient: new (options: unknown) => GoogleClient } } };

type Samsung = {
  PaymentClient: new (
    options: unknown,
  ) => {
    isReadyToPay(request: unknown): Promise<{ result: boolean }>;
    loadPaymentSheet(request: unknown, transaction: unknown): Promise<unknown>;
  };
};

const onPage = <T>(name: string): T | undefined => (window as unknown as Readonly<Record<string, T | undefined>>)[name];

const totalOf = ({ checkout }: Room): { amount: string; currency: string } => ({
  amount: checkout.amount ?? '0.00',
  currency: checkout.currency ?? 'EUR',
});

const applePay = (room: Room): BrowserWallet => {
  const { applePay: settings } = room.options;
  const validate = settings['onValidateMerchant'] as Function_ | undefined;
  return {
    parameter: 'applePay.paymentToken',
    // Apple answers only a merchant that it has validated, and the shop has to request that.
    offered: async () => validate !== undefined && (onPage<Apple>('ApplePaySession')?.canMakePayments() ?? false),
    token: () => {
      const Session = onPage<Apple>('ApplePaySession') as Apple;
      const { amount, currency } = totalOf(room);
      const session = new Session(3, {
        countryCode: settings['countryCode'] ?? 'DE',
        currencyCode: currency,
        merchantCapabilities: settings['merchantCapabilities'] ?? ['supports3DS'],
        supportedNetworks: settings['supportedNetworks'] ?? ['visa', 'masterCard', 'amex'],
        total: { label: settings['displayName'] ?? room.checkout.shop ?? '', amount },
      });
      return new Promise((resolve, left) => {
        session.oncancel = () => left(new Error('cancelled'));
        session.onvalidatemerchant = async ({ validationURL }) => {
          session.completeMerchantValidation(await validate?.(validationURL));
        };
        session.onpaymentauthorized = ({ payment }) => {
          session.completePayment({ status: Session.STATUS_SUCCESS });
          resolve(JSON.stringify(payment.token.paymentData));
        };
        session.begin();
      });
    },
  };
};

const googleRequest = (settings: Raw): Raw => ({
  apiVersion: 2,
  apiVersionMinor: 0,
  allowedPaymentMethods: [
    {
      type: 'CARD',
      parameters: {
        allowedAuthMethods: settings['allowedAuthMethods'] ?? ['PAN_ONLY', 'CRYPTOGRAM_3DS'],
        allowedCardNetworks: settings['allowedCardNetworks'] ?? ['VISA', 'MASTERCARD', 'AMEX'],
      },
      tokenizationSpecification: {
        type: 'PAYMENT_GATEWAY',
        parameters: { gateway: settings['gateway'], gatewayMerchantId: settings['gatewayMerchantId'] },
      },
    },
  ],
});

const googlePay = (room: Room): BrowserWallet => {
  const settings = room.options.googlePay;
  const client = (): GoogleClient | undefined => {
    const Client = onPage<Google>('google')?.payments?.api?.PaymentsClient;
    return Client === undefined ? undefined : new Client({ environment: settings['environment'] ?? 'TEST' });
  };
  return {
    parameter: 'googlePay.paymentToken',
    offered: async () => (await client()?.isReadyToPay(googleRequest(settings)))?.result === true,
    token: async () => {
      const { amount, currency } = totalOf(room);
      const { merchantId, merchantName = room.checkout.shop } = settings;
      const data = await client()?.loadPaymentData({
        ...googleRequest(settings),
        merchantInfo: { merchantId, merchantName },
        transactionInfo: { totalPriceStatus: 'FINAL', totalPrice: amount, currencyCode: currency },
      });
      return data?.paymentMethodData.tokenizationData.token ?? '';
    },
  };
};

const samsungPay = (room: Room): BrowserWallet => {
  const settings = room.options.samsungPay;
  const methods = {
    version: '2',
    serviceId: settings['serviceId'],
    protocol: 'PROTOCOL_3DS',
    allowedBrands: ['visa', 'mastercard'],
  };
  const client = () => {
    const Client = onPage<Samsung>('SamsungPay')?.PaymentClient;
    return Client === undefined ? undefined : new Client({ environment: settings['environment'] ?? 'STAGE' });
  };
  return {
    parameter: 'samsungPay.paymentToken',
    offered: async () => (await client()?.isReadyToPay(methods))?.result === true,
    token: async () => {
      const { amount, currency } = totalOf(room);
      const order = { orderNumber: room.place.id, merchant: { name: room.checkout.shop, url: location.hostname } };
      const total = { option: 'FORMAT_TOTAL_PRICE_ONLY', value: amount, currency };
      return JSON.stringify(await client()?.loadPaymentSheet(methods, { ...order, amount: total }));
    },
  };
};

const byBrand: Readonly<Record<string, (room: Room) => BrowserWallet>> = {
  APPLEPAY: applePay,
  GOOGLEPAY: googlePay,
  SAMSUNGPAY: samsungPay,
};

/** The wallet of a brand, if this browser offers it. Any error of that query means that it does not. */
export const walletFor = async (room: Room, brand: string): Promise<BrowserWallet | undefined> => {
  const wallet = byBrand[brand]?.(room);
  try {
    return wallet !== undefined && (await wallet.offered()) ? wallet : undefined;
  } catch {
    return undefined;
  }
};

/** The panel of a wallet: one button that opens it. */
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
      // The shopper closed the wallet: nothing was sent, and they are back where they were.
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
