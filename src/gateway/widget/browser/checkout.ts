/** The widget's connection to a checkout: loads its data, and sends its payment. */
import { startTimer } from './clock.ts';
import type { PaymentAnswer } from './outcome.ts';

export type CheckoutBrand = { name: string; account: string; asynchronous: boolean };

export type Stored = {
  id: string;
  brand: string;
  last4: string;
  holder?: string;
  expiryMonth?: string;
  expiryYear?: string;
};

export type WidgetCheckout = {
  id: string;
  kind: 'payment' | 'registration';
  state: 'open' | 'pending' | 'paid' | 'ended';
  amount?: string;
  currency?: string;
  paymentType?: string;
  brands: readonly CheckoutBrand[];
  registrations: readonly Stored[];
  shopperResultUrl?: string;
  locale?: string;
  shop?: string;
};

/** The gateway's address up to `/v1/`, and the checkout in the script's address. */
export type CheckoutAddress = { base: string; id: string; kind: 'payment' | 'registration' };

/** Undefined if the script's address names no checkout. */
export const placeOf = (scriptAddress: string): CheckoutAddress | undefined => {
  const url = new URL(scriptAddress);
  const [id = '', kind] = (url.searchParams.get('checkoutId') ?? '').split('/');
  if (!/^[\w.-]{1,64}$/.test(id)) return undefined;
  const base = new URL('.', url).href;
  return { base, id, kind: kind === 'registration' ? 'registration' : 'payment' };
};

export const addressOf = ({ base, id }: CheckoutAddress, part: string): string =>
  `${base}checkouts/${encodeURIComponent(id)}/${part}`;

/**
 * Parameters sent as a form: a name with an undefined value must be absent, because it would be sent as "undefined".
 */
export type WidgetParameters = Readonly<Record<string, string>>;

/** `silent`: no answer, so the result of the request is unknown. */
export type Reply = { kind: 'answer'; status: number; answer: PaymentAnswer } | { kind: 'silent' };

/** The checkout's data; `unknown` if there is none with this id, or not any more; `silent` without an answer. */
export const loadCheckout = async (
  checkoutAddress: CheckoutAddress,
): Promise<WidgetCheckout | 'unknown' | 'silent'> => {
  try {
    const response = await fetch(addressOf(checkoutAddress, 'widget'), { headers: { accept: 'application/json' } });
    if (response.ok) return (await response.json()) as WidgetCheckout;
    return response.status >= 500 || response.status === 429 ? 'silent' : 'unknown';
  } catch {
    return 'silent';
  }
};

/** How long the gateway may take for a payment before its result counts as unknown. */
const ANSWER_MS = 55_000;

/** Sends a payment or registration, once. Never rejects. */
export const send = async (address: string, parameters: WidgetParameters): Promise<Reply> => {
  const abortController = new AbortController();
  const stopTimer = startTimer(ANSWER_MS, () => abortController.abort());
  try {
    const response = await fetch(address, {
      method: 'POST',
      headers: { accept: 'application/json' },
      body: new URLSearchParams(parameters),
      signal: abortController.signal,
    });
    return { kind: 'answer', status: response.status, answer: (await response.json()) as PaymentAnswer };
  } catch {
    return { kind: 'silent' };
  } finally {
    stopTimer();
  }
};
