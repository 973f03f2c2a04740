/** The shop's calls to the host API, from server to server: creates a checkout, and queries its result. */

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

/** `silent`: no answer, or one that could not be parsed. */
export type GatewayReply = GatewayAnswer | 'silent';

const requestJson = async (url: URL, init: RequestInit): Promise<GatewayReply> => {
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
  requestJson(new URL('v1/checkouts', baseUrl), {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: new URLSearchParams({ entityId, ...parameters }),
  });

/** Only the path of a checkout: a shopper could put any path into the address. */
const CHECKOUT_PATH = /^\/v1\/(checkouts\/[\w.-]{1,64}\/payment)$/;

/** Undefined if the path is not a checkout's. */
export const askStatus = async (
  { baseUrl, entityId, token }: ShopGateway,
  resourcePath: string,
): Promise<GatewayReply | undefined> => {
  const path = CHECKOUT_PATH.exec(resourcePath)?.[1];
  if (path === undefined) return undefined;
  const url = new URL(`v1/${path}`, baseUrl);
  url.searchParams.set('entityId', entityId);
  return requestJson(url, { headers: { authorization: `Bearer ${token}` } });
};
