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
import { openRequest, policyOf, refuse, type Tools } from './transitions.ts';
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
  const lookup = await directory.rangeOf(key).catch((error: unknown) => {
    report(error);
    return 'silent' as const;
  });
  const range = typeof lookup === 'string' ? lookup : supportedRangeOf(lookup, settings?.versions);
  if (typeof range === 'string') {
    const canProceed = settings?.whenNotPossible === 'proceed' && request.only === undefined;
    return canProceed
      ? { kind: 'passes' }
      : { kind: 'refused', answer: refusalAnswer.said(codes[range], refusalReasons[range]) };
  }
  const record = recordOf(tools, plan, range);
  if ('refused' in record) return { kind: 'refused', answer: refusalAnswer.said(record.refused, record.why) };
  const existing = await tools.records.begin(request.id, record);
  if (existing.state === 'closed') return { kind: 'closed' };
  const waits = plan.deviceChannel === '02' && (!plan.browserKnown || range.threeDSMethodUrl !== undefined);
  return { kind: 'begun', record: existing, waits };
};

/** Older versions are offered only if the channel names them. */
const OFFERED: readonly Version[] = ['2.2.0'];

type SpokenRange = CardRange & { version: Version };

/** With the newest version that both sides support. */
const supportedRangeOf = (range: CardRange, supportedVersions = OFFERED): SpokenRange | 'older' => {
  const version = versions.findLast((each) => supportedVersions.includes(each) && range.versions.includes(each));
  return version === undefined ? 'older' : { ...range, version };
};

const refusalReasons = {
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
    sealed: vault.sealWaiting(serialiseRequest(request), { id: request.id, entityId }),
  };
  return record;
};

const serialiseRequest = (request: CardRequest): string =>
  JSON.stringify(request, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));

// The request to the directory server: the AReq of a payment with known browser data, and the record after its answer.

/** Sends the request and records the answer. Does nothing for a record beyond this step. */
export const requestAuthentication =
  (tools: Tools) =>
  async (id: string, browser: BrowserData): Promise<void> => {
    const { records, directory, clock, report } = tools;
    const record = await records.read(id);
    if (record?.state !== 'device' || clock.now() >= record.until) return;
    const request = openRequest(tools, id, record);
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
      now.state === 'device' ? { ...applyResponse(tools, now, response), windowSize } : undefined,
    );
  };

const applyResponse = (
  tools: Tools,
  record: Authentication,
  reply: AuthenticationResponse | undefined,
): Authentication => {
  const policy = policyOf(tools, record);
  if (reply === undefined || reply.threeDSServerTransID !== record.threeDSServerTransID) {
    if (policy.whenNotPossible === 'proceed') return { ...record, state: 'authorising', proof: {} };
    return refuse(record, { resultCode: codes.silent, why: 'The scheme’s directory did not answer.', proof: {} });
  }
  const verdict = verdictOf(reply, policy);
  if (verdict.kind === 'asked') return { ...record, state: verdict.flow, response: reply };
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
