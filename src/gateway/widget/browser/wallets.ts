/** Wallets of the browser or the device: offered only where available, and their tokens are passed on unread. */
import { addressOf, type CheckoutBrand, send } from './checkout.ts';
import { make } from './dom.ts';
import { fill } from './languages.ts';
import { brandLabel, type Panel, type WidgetContext } from './method.ts';

type BrowserWallet = {
  /** Whether this browser has it and its shopper can pay with it. */
  isOffered: () => Promise<boolean>;
  /** Opens the wallet, from a click. Rejects if the shopper leaves it. */
  requestToken: () => Promise<string>;
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

const globalNamed = <T>(name: string): T | undefined =>
  (window as unknown as Readonly<Record<string, T | undefined>>)[name];

const totalOf = ({ checkout }: WidgetContext): { amount: string; currency: string } => ({
  amount: checkout.amount ?? '0.00',
  currency: checkout.currency ?? 'EUR',
});

const applePay = (context: WidgetContext): BrowserWallet => {
  const { applePay: settings } = context.options;
  const validate = settings['onValidateMerchant'] as Function_ | undefined;
  return {
    parameter: 'applePay.paymentToken',
    // Apple answers only a merchant that it has validated, and the shop has to request that.
    isOffered: async () =>
      validate !== undefined && (globalNamed<Apple>('ApplePaySession')?.canMakePayments() ?? false),
    requestToken: () => {
      const Session = globalNamed<Apple>('ApplePaySession') as Apple;
      const { amount, currency } = totalOf(context);
      const session = new Session(3, {
        countryCode: settings['countryCode'] ?? 'DE',
        currencyCode: currency,
        merchantCapabilities: settings['merchantCapabilities'] ?? ['supports3DS'],
        supportedNetworks: settings['supportedNetworks'] ?? ['visa', 'masterCard', 'amex'],
        total: { label: settings['displayName'] ?? context.checkout.shop ?? '', amount },
      });
      return new Promise((resolve, reject) => {
        session.oncancel = () => reject(new Error('cancelled'));
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

const googlePay = (context: WidgetContext): BrowserWallet => {
  const settings = context.options.googlePay;
  const client = (): GoogleClient | undefined => {
    const Client = globalNamed<Google>('google')?.payments?.api?.PaymentsClient;
    return Client === undefined ? undefined : new Client({ environment: settings['environment'] ?? 'TEST' });
  };
  return {
    parameter: 'googlePay.paymentToken',
    isOffered: async () => (await client()?.isReadyToPay(googleRequest(settings)))?.result === true,
    requestToken: async () => {
      const { amount, currency } = totalOf(context);
      const { merchantId, merchantName = context.checkout.shop } = settings;
      const data = await client()?.loadPaymentData({
        ...googleRequest(settings),
        merchantInfo: { merchantId, merchantName },
        transactionInfo: { totalPriceStatus: 'FINAL', totalPrice: amount, currencyCode: currency },
      });
      return data?.paymentMethodData.tokenizationData.token ?? '';
    },
  };
};

const samsungPay = (context: WidgetContext): BrowserWallet => {
  const settings = context.options.samsungPay;
  const methods = {
    version: '2',
    serviceId: settings['serviceId'],
    protocol: 'PROTOCOL_3DS',
    allowedBrands: ['visa', 'mastercard'],
  };
  const client = () => {
    const Client = globalNamed<Samsung>('SamsungPay')?.PaymentClient;
    return Client === undefined ? undefined : new Client({ environment: settings['environment'] ?? 'STAGE' });
  };
  return {
    parameter: 'samsungPay.paymentToken',
    isOffered: async () => (await client()?.isReadyToPay(methods))?.result === true,
    requestToken: async () => {
      const { amount, currency } = totalOf(context);
      const order = {
        orderNumber: context.checkoutAddress.id,
        merchant: { name: context.checkout.shop, url: location.hostname },
      };
      const totalItem = { option: 'FORMAT_TOTAL_PRICE_ONLY', value: amount, currency };
      return JSON.stringify(await client()?.loadPaymentSheet(methods, { ...order, amount: totalItem }));
    },
  };
};

const byBrand: Readonly<Record<string, (context: WidgetContext) => BrowserWallet>> = {
  APPLEPAY: applePay,
  GOOGLEPAY: googlePay,
  SAMSUNGPAY: samsungPay,
};

/** The wallet of a brand, if this browser offers it. Any error of that query means that it does not. */
export const walletFor = async (context: WidgetContext, brand: string): Promise<BrowserWallet | undefined> => {
  const wallet = byBrand[brand]?.(context);
  try {
    return wallet !== undefined && (await wallet.isOffered()) ? wallet : undefined;
  } catch {
    return undefined;
  }
};

/** The panel of a wallet: one button that opens it. */
export const walletPanel = (context: WidgetContext, { name }: CheckoutBrand, wallet: BrowserWallet): Panel => {
  const label = brandLabel(name, context.words);
  const button = make(
    'button',
    { type: 'button', class: `wpwl-button wpwl-button-pay wpwl-wallet wpwl-wallet-${name}` },
    fill(context.words.payWith, { brand: label }),
  );
  let requestToken = '';
  button.addEventListener('click', async () => {
    try {
      requestToken = await wallet.requestToken();
      context.submit();
    } catch {
      // The shopper closed the wallet: nothing was sent, and they are back where they were.
      button.focus();
    }
  });
  return {
    root: make('div', { class: 'wpwl-fields' }, button),
    check: async () => requestToken !== '',
    send: (parameters) =>
      send(addressOf(context.checkoutAddress, context.checkoutAddress.kind), {
        ...parameters,
        [wallet.parameter]: requestToken,
      }),
    focus: () => button.focus(),
    empty() {
      requestToken = '';
    },
    summary: () => label,
    ownButton: true,
  };
};
