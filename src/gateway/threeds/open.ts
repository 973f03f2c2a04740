/** The 3-D Secure of a whole gateway: the acquirer with authentication before it, and every page that belongs to it. */
import type { Clock } from '../../base/clock.ts';
import type { Random } from '../../base/ids.ts';
import { isOwnForm, onlyBy, redirectToShop, shortForm } from '../browser-page.ts';
import type { Channel } from '../channel.ts';
import type { Acquirer } from '../payments/acquirer.ts';
import type { AcquirerMemory } from '../store/documents.ts';
import type { Vault } from '../vault/vault.ts';
import { type Authenticating, authenticating } from './authenticating.ts';
import type { Authentication } from './authentication-record.ts';
import {
  challengePage,
  decoupledPage,
  devicePage,
  methodDonePage,
  methodRefusedPage,
  scriptPages,
  wordsPage,
} from './html.ts';
import { unpacked } from './messages.ts';
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
  /** Looks at a payment whose cardholder has answered. */
  decided: (id: string) => Promise<void>;
  report: (error: unknown) => void;
};

/** It stands before every payment, with channels that want it or without: what waits, waits over a change of them. */
export const openThreeDSecure = (
  options: ThreeDSecureOptions,
): { acquirer: Acquirer; pages: readonly ThreeDsPage[] } => {
  const { memory, random, channels, decided } = options;
  const settings = new Map(channels.map(({ entityId, threeDSecure }) => [entityId, threeDSecure]));
  const authentication = authenticating({
    ...options,
    directory: simulatedDirectoryServer({ memory, random }),
    settingsOf: (entityId) => settings.get(entityId),
  });
  return {
    acquirer: authentication,
    pages: [...threeDSecurePages({ authentication, decided }), ...simulatedIssuerPages({ memory, random, decided })],
  };
};

/** The gateway's own 3-D Secure pages: the way to the bank, and the ways back from it. */
export type PagesOptions = {
  authentication: Authenticating;
  /** Looks at the payment: what can be done for it now is done, and written, when this resolves. */
  decided: (id: string) => Promise<void>;
};

/** Messages of browsers have a few short fields; the browser's own words a few longer ones. */
const BODY_MAX_BYTES = 16_384;

const threeDSecurePages = (options: PagesOptions): readonly ThreeDsPage[] => [
  { path: executePath(':id'), handle: executing(options) },
  { path: methodNotificationPath(':id'), handle: posted(methodNotified(options)) },
  { path: notificationPath(':id'), handle: posted(notified(options)) },
  { path: resultsPath(':id'), handle: posted(receiveResultNotice(options)) },
  ...scriptPages,
];

const nothingWaits = (): Response =>
  wordsPage(404, 'No payment waits here', 'It may have ended already, or never begun. The shop can tell you more.');
const tooLong = (): Response => wordsPage(413, 'Not possible', 'That was more than an answer to this page.');
const notUnderstood = (): Response =>
  wordsPage(400, 'Not understood', 'This is no answer of your bank to this payment. Nothing was changed.');

type Waiting = { id: string; record: Authentication };

const waitingOf = async ({ authentication }: PagesOptions, url: string): Promise<Waiting | undefined> => {
  const id = lastOf(url);
  const record = id === undefined ? undefined : await authentication.records.read(id);
  return id === undefined || record === undefined || record.state === 'closed' ? undefined : { id, record };
};

/** For what is only ever sent here, and never looked at. */
const posted =
  (handle: ThreeDsPage['handle']): ThreeDsPage['handle'] =>
  async (request) =>
    request.method === 'POST'
      ? handle(request)
      : onlyBy(['POST'], wordsPage(405, 'Not possible', 'Nothing is to be seen here.'));

/** Back to the shop, or to nowhere for a payment that nobody is sent back from. */
const back = ({ returnTo }: Authentication): Response =>
  returnTo === ''
    ? wordsPage(200, 'Done', 'You can close this window. The shop knows how the payment ended.')
    : redirectToShop(returnTo);

const executing =
  (options: PagesOptions) =>
  async (request: Request): Promise<Response> => {
    const methods = ['GET', 'HEAD', 'POST'];
    if (!methods.includes(request.method)) return onlyBy(methods, wordsPage(405, 'Not possible', 'Open it by a link.'));
    const found = await waitingOf(options, request.url);
    if (found === undefined) return nothingWaits();
    const { id } = found;
    if (request.method === 'POST') {
      const form = await shortForm(request, BODY_MAX_BYTES);
      if (form === 'tooLong') return tooLong();
      // A shop's own form brings its shopper here too, and says nothing of the browser.
      if (form.get('device') === '1' && isOwnForm(request)) {
        await options.authentication.deviceSeen(id, browserOf(form, request.headers));
      }
    }
    await options.decided(id);
    const record = (await waitingOf(options, request.url))?.record ?? found.record;
    if (record.state === 'device') return devicePage(id, record);
    if (record.state === 'challenge') return challengePage(id, record);
    return record.state === 'decoupled' ? decoupledPage(record) : back(record);
  };

const browserFields = [
  'language',
  'screenHeight',
  'screenWidth',
  'screenColorDepth',
  'timezone',
  'javaEnabled',
] as const;

/** Shapes that customer.browser.* has too (spec 2.10); what has another was made up by somebody, and is left out. */
const shapes: Readonly<Record<(typeof browserFields)[number], RegExp>> = {
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
    browserFields.flatMap((name) => {
      const value = form.get(name);
      return value !== null && shapes[name].test(value) ? [[name, value]] : [];
    }),
  ),
});

/** The issuer's frame reports that it has looked at the browser. */
const methodNotified =
  (options: PagesOptions) =>
  async (request: Request): Promise<Response> => {
    const form = await shortForm(request, BODY_MAX_BYTES);
    if (form === 'tooLong') return tooLong();
    const id = lastOf(request.url);
    const said = unpacked(form.get('threeDSMethodData'))?.['threeDSServerTransID'];
    const isAsked = id !== undefined && said !== undefined && (await options.authentication.methodDone(id, said));
    return isAsked ? methodDonePage() : methodRefusedPage();
  };

/** The browser comes back from the challenge. What it brings only says whose challenge is over. */
const notified =
  (options: PagesOptions) =>
  async (request: Request): Promise<Response> => {
    const found = await waitingOf(options, request.url);
    if (found === undefined) return nothingWaits();
    const form = await shortForm(request, BODY_MAX_BYTES);
    if (form === 'tooLong') return tooLong();
    const cres = unpacked(form.get('cres'));
    const { id, record } = found;
    const isOurs =
      cres?.['messageType'] === 'CRes' &&
      cres['threeDSServerTransID'] === record.threeDSServerTransID &&
      cres['acsTransID'] === record.response?.acsTransID;
    if (!isOurs) return notUnderstood();
    await options.decided(id);
    const after = (await waitingOf(options, request.url))?.record ?? record;
    if (!isWaiting(after)) return back(after);
    return wordsPage(
      409,
      'Your bank has not decided',
      'It does not confirm this answer. Please go back and try again.',
    );
  };

/** Somebody says that there is a result: it is asked for where it must be true. */
const receiveResultNotice =
  (options: PagesOptions) =>
  async (request: Request): Promise<Response> => {
    const found = await waitingOf(options, request.url);
    if (found === undefined) return nothingWaits();
    await options.decided(found.id);
    return new Response(null, { status: 204, headers: { 'cache-control': 'no-store' } });
  };
