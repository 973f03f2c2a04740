/** The shop's side of the host API, from server to server: creates a checkout, and asks how it ended. */

export type ShopGateway = {
  /** Ends in a slash. */
  baseUrl: string;
  entityId: string;
  token: string;
};

type Parameters = Readonly<Record<string, string>>;

export type GatewayAnswer = {
  id?: string;
  integrity?: string;
  registrationId?: string;
  paymentBrand?: string;
  amount?: string;
  currency?: string;
  card?: { last4Digits?: string };
  result?: { code: string; description: string };
  resultDetails?: Readonly<Record<string, string>>;
};

/** `silent`: no answer, or none that could be read. */
export type GatewayReply = GatewayAnswer | 'silent';

const ask = async (url: URL, init: RequestInit): Promise<GatewayReply> => {
  try {
    return (await (await fetch(url, { ...init, redirect: 'error' })).json()) as GatewayAnswer;
  } catch {
    return 'silent';
  }
};

export const createCheckout = (
  { baseUrl, entityId, token }: ShopGateway,
  parameters: Parameters,
): Promise<GatewayReply> =>
  ask(new URL('v1/checkouts', baseUrl), {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: new URLSearchParams({ entityId, ...parameters }),
  });

/** Only what a checkout of this interface is called: a shopper could write any path into the address. */
const CHECKOUT_PATH = /^\/v1\/(checkouts\/[\w.-]{1,64}\/payment)$/;

/** Undefined when the path is none of a checkout. */
export const askStatus = async (
  { baseUrl, entityId, token }: ShopGateway,
  resourcePath: string,
): Promise<GatewayReply | undefined> => {
  const path = CHECKOUT_PATH.exec(resourcePath)?.[1];
  if (path === undefined) return undefined;
  const url = new URL(`v1/${path}`, baseUrl);
  url.searchParams.set('entityId', entityId);
  return ask(url, { headers: { authorization: `Bearer ${token}` } });
};
