/**
 * The start of an authentication: the card's range, the browser's first step, the encrypted request that waits; and the
 * request to the directory server.
 */

import { visitOf } from '../acquirers/simulator/methods/method.ts';
import type { Authorisation } from '../payments/acquirer.ts';
import type { AcquirerAnswer } from '../spec/acquirer-answer.ts';
import { refusalAnswer } from './answers.ts';
import type { Authentication } from './authentication-record.ts';
import { authenticationRequest, type BrowserData } from './authentication-request.ts';
import { type AuthenticationResponse, transactionId } from './messages.ts';
import { notificationPath, resultsPath } from './paths.ts';
import type { CardRequest, Plan } from './plan.ts';
import { type CardRange, type Version, versions } from './schemes.ts';
import { openedRequest, policyOf, refuse, type Tools } from './transitions.ts';
import { codes, verdictOf } from './verdict.ts';

/** The longest time that an encrypted card waits for its cardholder. */
export const PATIENCE_MS = 15 * 60_000;

type Begun =
  | { kind: 'closed' }
  /** Not possible, and the channel continues without. */
  | { kind: 'passes' }
  | { kind: 'refused'; answer: AcquirerAnswer }
  /** `waits`: the shopper's browser is needed first. */
  | { kind: 'begun'; record: Authentication; waits: boolean };

export const startAuthentication = async (tools: Tools, plan: Plan & { kind: 'authenticate' }): Promise<Begun> => {
  const { request, scheme } = plan;
  const { directory, settingsOf, report } = tools;
  const settings = settingsOf(entityOf(request));
  const key = { scheme, number: request.card.number, origin: originOf(request), custom: request.customParameters };
  const found = await directory.rangeOf(key).catch((error: unknown) => {
    report(error);
    return 'silent' as const;
  });
  const range = typeof found === 'string' ? found : spokenIn(found, settings?.versions);
  if (typeof range === 'string') {
    const proceeds = settings?.whenNotPossible === 'proceed' && request.only === undefined;
    return proceeds ? { kind: 'passes' } : { kind: 'refused', answer: refusalAnswer.said(codes[range], whys[range]) };
  }
  const record = recordOf(tools, plan, range);
  if ('refused' in record) return { kind: 'refused', answer: refusalAnswer.said(record.refused, record.why) };
  const stands = await tools.records.begin(request.id, record);
  if (stands.state === 'closed') return { kind: 'closed' };
  const waits = plan.deviceChannel === '02' && (!plan.browserKnown || range.threeDSMethodUrl !== undefined);
  return { kind: 'begun', record: stands, waits };
};

/** Older versions are offered only if the channel names them. */
const OFFERED: readonly Version[] = ['2.2.0'];

type SpokenRange = CardRange & { version: Version };

/** With the newest version that both sides support. */
const spokenIn = (range: CardRange, offered = OFFERED): SpokenRange | 'older' => {
  const version = versions.findLast((each) => offered.includes(each) && range.versions.includes(each));
  return version === undefined ? 'older' : { ...range, version };
};

const whys = {
  unlisted: 'The card is in no range of its scheme’s 3-D Secure.',
  absent: 'The card’s issuer does not participate in 3-D Secure.',
  older: 'The card’s issuer supports no version of 3-D Secure that this channel offers.',
  silent: 'The scheme’s directory did not answer.',
} as const;

const entityOf = ({ parameters }: Authorisation): string => parameters['entityId'] ?? '';

/** The external address of this gateway. */
const originOf = ({ parameters }: Authorisation): string => (parameters['simulator.baseUrl'] ?? '').replace(/\/+$/, '');

const recordOf = (tools: Tools, plan: Plan & { kind: 'authenticate' }, range: SpokenRange) => {
  const { request, scheme, deviceChannel } = plan;
  const { vault, clock, random, settingsOf } = tools;
  const entityId = entityOf(request);
  const visit = request.parameters['shopperResultUrl'] === undefined ? undefined : visitOf(request);
  if (visit !== undefined && 'refused' in visit) return visit;
  const record: Authentication = {
    state: 'device',
    entityId,
    scheme,
    version: range.version,
    deviceChannel,
    threeDSServerTransID: transactionId(random),
    until: clock.now() + PATIENCE_MS,
    origin: originOf(request),
    returnTo: visit?.returnTo ?? '',
    shop: settingsOf(entityId)?.merchantName ?? visit?.shop ?? request.parameters['simulator.shop'] ?? '',
    only: request.only === 'authentication',
    threeDSMethodUrl: range.threeDSMethodUrl,
    sealed: vault.sealWaiting(printed(request), { id: request.id, entityId }),
  };
  return record;
};

const printed = (request: CardRequest): string =>
  JSON.stringify(request, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));

// The request to the directory server: the AReq of a payment with known browser data, and the record after its answer.

/** Sends the request and records the answer. Does nothing for a record beyond this step. */
export const requestAuthentication =
  (tools: Tools) =>
  async (id: string, browser: BrowserData): Promise<void> => {
    const { records, directory, clock, report } = tools;
    const record = await records.read(id);
    if (record?.state !== 'device' || clock.now() >= record.until) return;
    const request = openedRequest(tools, id, record);
    if (request === undefined) return;
    const message = messageOf(id, record, { request, browser });
    const response = await directory
      .authenticate(message, { ...record, custom: request.customParameters })
      .catch((error: unknown): undefined => {
        report(error);
        return undefined;
      });
    const windowSize = request.parameters['customer.browser.challengeWindow'];
    await records.change(id, (now) =>
      now.state === 'device' ? { ...answered(tools, now, response), windowSize } : undefined,
    );
  };

const answered = (tools: Tools, record: Authentication, said: AuthenticationResponse | undefined): Authentication => {
  const policy = policyOf(tools, record);
  if (said === undefined || said.threeDSServerTransID !== record.threeDSServerTransID) {
    if (policy.whenNotPossible === 'proceed') return { ...record, state: 'authorising', proof: {} };
    return refuse(record, { resultCode: codes.silent, why: 'The scheme’s directory did not answer.', proof: {} });
  }
  const verdict = verdictOf(said, policy);
  if (verdict.kind === 'asked') return { ...record, state: verdict.how, response: said };
  if (verdict.kind === 'refused') return refuse(record, verdict);
  const proof = { ...verdict.proof, flow: 'frictionless', version: record.version };
  return { ...record, state: 'authorising', proof };
};

type KnownBrowser = { request: CardRequest; browser: BrowserData };

const messageOf = (id: string, record: Authentication, { request, browser }: KnownBrowser) =>
  authenticationRequest({
    ...record,
    request,
    browser,
    merchantName: request.parameters['threeDSecure.merchant.name'] ?? record.shop,
    methodDone: record.threeDSMethodUrl === undefined ? 'U' : (record.methodDone ?? 'N'),
    notificationUrl: `${record.origin}${notificationPath(id)}`,
    resultsUrl: `${record.origin}${resultsPath(id)}`,
  });
