/** The 3-D Secure of a whole gateway: the acquirer with authentication before it, and every page that belongs to it. */
import type { Clock } from '../../base/clock.ts';
import type { Random } from '../../base/ids.ts';
import { allowOnly, isOwnForm, redirectToShop, shortForm } from '../browser-page.ts';
import type { Channel } from '../channel.ts';
import type { Acquirer } from '../payments/acquirer.ts';
import type { AcquirerMemory } from '../store/documents.ts';
import type { Vault } from '../vault/vault.ts';
import { type Authenticating, createAuthentication } from './authenticating.ts';
import type { Authentication } from './authentication-record.ts';
import {
  challengePage,
  decoupledPage,
  devicePage,
  messagePage,
  methodDonePage,
  methodRefusedPage,
  scriptPages,
} from './html.ts';
import { decodeMessage } from './messages.ts';
import {
  executePath,
  lastOf,
  methodNotificationPath,
  notificationPath,
  resultsPath,
  type ThreeDsPage,
} from './paths.ts';
import { simulatedDirectoryServer } from './simulated-access-control-server.ts';
import { simulatedIssuerPages } from './simulated-issuer-pages.ts';
import { isWaiting } from './transitions.ts';

export type ThreeDSecureOptions = {
  acquirer: Acquirer;
  memory: AcquirerMemory;
  vault: Vault;
  clock: Clock;
  random: Random;
  channels: readonly Channel[];
  /** Queries a payment whose cardholder has answered. */
  onDecision: (id: string) => Promise<void>;
  report: (error: unknown) => void;
};

/**
 * Placed before every payment, on channels with or without 3-D Secure: a waiting payment continues to wait if the
 * setting changes.
 */
export const openThreeDSecure = (
  options: ThreeDSecureOptions,
): { acquirer: Acquirer; pages: readonly ThreeDsPage[] } => {
  const { memory, random, channels, onDecision } = options;
  const settings = new Map(channels.map(({ entityId, threeDSecure }) => [entityId, threeDSecure]));
  const authentication = createAuthentication({
    ...options,
    directory: simulatedDirectoryServer({ memory, random }),
    settingsOf: (entityId) => settings.get(entityId),
  });
  return {
    acquirer: authentication,
    pages: [
      ...threeDSecurePages({ authentication, decided: onDecision }),
      ...simulatedIssuerPages({ memory, random, onDecision }),
    ],
  };
};

/** The gateway's own 3-D Secure pages: the redirect to the bank, and the returns from it. */
export type PagesOptions = {
  authentication: Authenticating;
  /** Queries the payment: when this resolves, all possible steps are done and recorded. */
  decided: (id: string) => Promise<void>;
};

/** Browsers' messages have a few short fields; the browser's own data a few longer ones. */
const BODY_MAX_BYTES = 16_384;

const threeDSecurePages = (options: PagesOptions): readonly ThreeDsPage[] => [
  { path: executePath(':id'), handle: createExecutePage(options) },
  { path: methodNotificationPath(':id'), handle: postOnly(createMethodNotificationPage(options)) },
  { path: notificationPath(':id'), handle: postOnly(createNotificationPage(options)) },
  { path: resultsPath(':id'), handle: postOnly(createResultsPage(options)) },
  ...scriptPages,
];

const nothingPendingPage = (): Response =>
  messagePage(404, 'No payment waits here', 'It may have ended already, or it never started. Please ask the shop.');
const tooLongPage = (): Response => messagePage(413, 'Not possible', 'The answer was too long.');
const badRequestPage = (): Response =>
  messagePage(400, 'Not understood', 'This is not your bank’s answer for this payment. Nothing was changed.');

type Waiting = { id: string; record: Authentication };

const findWaiting = async ({ authentication }: PagesOptions, url: string): Promise<Waiting | undefined> => {
  const id = lastOf(url);
  const record = id === undefined ? undefined : await authentication.records.read(id);
  return id === undefined || record === undefined || record.state === 'closed' ? undefined : { id, record };
};

/** For addresses that are only posted to, never viewed. */
const postOnly =
  (handle: ThreeDsPage['handle']): ThreeDsPage['handle'] =>
  async (request) =>
    request.method === 'POST'
      ? handle(request)
      : allowOnly(['POST'], messagePage(405, 'Not possible', 'This page cannot be viewed.'));

/** Redirects to the shop, or shows a page for a payment without a return address. */
const returnToShop = ({ returnTo }: Authentication): Response =>
  returnTo === ''
    ? messagePage(200, 'Done', 'You can close this window. The shop knows the result of the payment.')
    : redirectToShop(returnTo);

const createExecutePage =
  (options: PagesOptions) =>
  async (request: Request): Promise<Response> => {
    const methods = ['GET', 'HEAD', 'POST'];
    if (!methods.includes(request.method))
      return allowOnly(methods, messagePage(405, 'Not possible', 'Open this page by its link.'));
    const waiting = await findWaiting(options, request.url);
    if (waiting === undefined) return nothingPendingPage();
    const { id } = waiting;
    if (request.method === 'POST') {
      const form = await shortForm(request, BODY_MAX_BYTES);
      if (form === 'tooLong') return tooLongPage();
      // A shop's own form may also bring its shopper here, without data about the browser.
      if (form.get('device') === '1' && isOwnForm(request)) {
        await options.authentication.recordDevice(id, browserOf(form, request.headers));
      }
    }
    await options.decided(id);
    const record = (await findWaiting(options, request.url))?.record ?? waiting.record;
    if (record.state === 'device') return devicePage(id, record);
    if (record.state === 'challenge') return challengePage(id, record);
    return record.state === 'decoupled' ? decoupledPage(record) : returnToShop(record);
  };

/**
 * The formats of customer.browser.* (spec 2.10); a value in another format did not come from a browser, and is dropped.
 */
const browserFields: Readonly<Record<string, RegExp>> = {
  language: /^[A-Za-z0-9-]{1,35}$/,
  screenHeight: /^\d{1,6}$/,
  screenWidth: /^\d{1,6}$/,
  screenColorDepth: /^\d{1,2}$/,
  timezone: /^-?\d{1,4}$/,
  javaEnabled: /^(true|false)$/,
};

const HEADER_MAX = 2048;

const browserOf = (form: URLSearchParams, headers: Headers): Record<string, string> => ({
  acceptHeader: (headers.get('accept') ?? '*/*').slice(0, HEADER_MAX),
  userAgent: (headers.get('user-agent') ?? '').slice(0, HEADER_MAX),
  language: (headers.get('accept-language') ?? 'en').split(/[,;]/)[0]?.slice(0, 8) ?? 'en',
  javascriptEnabled: form.get('javascriptEnabled') === 'true' ? 'true' : 'false',
  ...Object.fromEntries(
    Object.entries(browserFields).flatMap(([name, format]) => {
      const value = form.get(name);
      return value !== null && format.test(value) ? [[name, value]] : [];
    }),
  ),
});

/** The issuer's frame reports the end of the method step. */
const createMethodNotificationPage =
  (options: PagesOptions) =>
  async (request: Request): Promise<Response> => {
    const form = await shortForm(request, BODY_MAX_BYTES);
    if (form === 'tooLong') return tooLongPage();
    const id = lastOf(request.url);
    const text = decodeMessage(form.get('threeDSMethodData'))?.['threeDSServerTransID'];
    const isAsked = id !== undefined && text !== undefined && (await options.authentication.recordMethodDone(id, text));
    return isAsked ? methodDonePage() : methodRefusedPage();
  };

/** The browser returns from the challenge. Its data only tell whose challenge is over. */
const createNotificationPage =
  (options: PagesOptions) =>
  async (request: Request): Promise<Response> => {
    const waiting = await findWaiting(options, request.url);
    if (waiting === undefined) return nothingPendingPage();
    const form = await shortForm(request, BODY_MAX_BYTES);
    if (form === 'tooLong') return tooLongPage();
    const cres = decodeMessage(form.get('cres'));
    const { id, record } = waiting;
    const isOurs =
      cres?.['messageType'] === 'CRes' &&
      cres['threeDSServerTransID'] === record.threeDSServerTransID &&
      cres['acsTransID'] === record.response?.acsTransID;
    if (!isOurs) return badRequestPage();
    await options.decided(id);
    const current = (await findWaiting(options, request.url))?.record ?? record;
    if (!isWaiting(current)) return returnToShop(current);
    return messagePage(
      409,
      'Your bank has not decided',
      'Your bank does not confirm this answer. Please go back and try again.',
    );
  };

/** A notice that there is a result: the result itself is requested from the directory server. */
const createResultsPage =
  (options: PagesOptions) =>
  async (request: Request): Promise<Response> => {
    const waiting = await findWaiting(options, request.url);
    if (waiting === undefined) return nothingPendingPage();
    await options.decided(waiting.id);
    return new Response(null, { status: 204, headers: { 'cache-control': 'no-store' } });
  };
