/** The step at the directory: the AReq of a payment whose browser is known, and what its answer makes of the record. */
import type { Authentication } from './authentication-record.ts';
import { authenticationRequest, type BrowserData } from './authentication-request.ts';
import type { AuthenticationResponse } from './messages.ts';
import { notificationPath, resultsPath } from './paths.ts';
import type { CardRequest } from './plan.ts';
import { openedRequest, policyOf, refused, type Tools } from './transitions.ts';
import { codes, verdictOf } from './verdict.ts';

/** Asks, and writes down what is said. Of a record that is past this step nothing is asked. */
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
    const size = windowSize === undefined ? {} : { windowSize };
    await records.change(id, (now) =>
      now.state === 'device' ? { ...answered(tools, now, response), ...size } : undefined,
    );
  };

const answered = (tools: Tools, record: Authentication, said: AuthenticationResponse | undefined): Authentication => {
  const policy = policyOf(tools, record);
  if (said === undefined || said.threeDSServerTransID !== record.threeDSServerTransID) {
    if (policy.whenNotPossible === 'proceed') return { ...record, state: 'authorising', proof: {} };
    return refused(record, { resultCode: codes.silent, why: 'The scheme’s directory gave no answer.', proof: {} });
  }
  const verdict = verdictOf(said, policy);
  if (verdict.kind === 'asked') return { ...record, state: verdict.how, response: said };
  if (verdict.kind === 'refused') return refused(record, verdict);
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
