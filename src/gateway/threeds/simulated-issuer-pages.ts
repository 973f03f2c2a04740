/** The simulated issuers' pages: the method step in its hidden frame, the challenge, and the banking app. */
import { formatEnglish } from '../../base/placeholders.ts';
import { escapeText } from '../../base/text.ts';
import {
  allowOnly,
  browserPage,
  isOwnForm,
  LEADS_AWAY,
  messagePageOf,
  relativePath,
  shortForm,
} from '../browser-page.ts';
import { scripts } from './html.ts';
import { decodeMessage, encodeMessage } from './messages.ts';
import { lastOf, methodNotificationPath, type ThreeDsPage } from './paths.ts';
import {
  type AcsContext,
  type AcsTransaction,
  appPath,
  type Choice,
  challengePath,
  decide,
  methodPath,
  readTransaction,
  WRONG_CODES_MAX,
} from './simulated-access-control-server.ts';

export type IssuerPagesOptions = AcsContext & {
  /** Called for a payment whose cardholder has answered in the app. */
  onDecision: (id: string) => Promise<void>;
};

/** The code that the cardholder would get by text message. */
export const TEST_CODE = '1234';
const BODY_MAX_BYTES = 16_384;
const OF = 'simulated bank';

export const simulatedIssuerPages = (options: IssuerPagesOptions): readonly ThreeDsPage[] => [
  { path: methodPath, handle: methodStep },
  { path: challengePath, handle: createChallengePage(options) },
  { path: `${challengePath}/:id`, handle: createDecisionPage(options) },
  { path: `${appPath}/:id`, handle: decideInApp(options) },
];

const simulatorPage = messagePageOf(OF);
const nothingPendingPage = (): Response =>
  simulatorPage(404, 'Nothing to confirm', 'It may be over already. Please ask the shop.');
const badRequestPage = (): Response =>
  simulatorPage(400, 'Not understood', 'This is not a request from a 3-D Secure server.');
const methodNotAllowedPage = (): Response =>
  allowOnly(['POST'], simulatorPage(405, 'Not possible', 'This page cannot be viewed.'));
const tooLongPage = (): Response => simulatorPage(413, 'Not possible', 'The answer was too long.');

/** Runs the method step, and reports to this host's own gateway, whatever address the request gave. */
const methodStep = async (request: Request): Promise<Response> => {
  if (request.method !== 'POST') return methodNotAllowedPage();
  const form = await shortForm(request, BODY_MAX_BYTES);
  if (form === 'tooLong') return tooLongPage();
  const data = decodeMessage(form.get('threeDSMethodData'));
  const id = lastOf(URL.parse(data?.['threeDSMethodNotificationURL'] ?? '')?.href ?? 'http://none/');
  const server = data?.['threeDSServerTransID'];
  if (id === undefined || server === undefined) return badRequestPage();
  return browserPage({
    status: 200,
    title: 'The bank checks the browser',
    of: OF,
    body: `
<form id="next" method="post" action="${escapeText(relativePath(methodNotificationPath(id)))}">
<input type="hidden" name="threeDSMethodData" value="${encodeMessage({ threeDSServerTransID: server })}">
<button type="submit">Go on</button>
</form>`,
    formAction: "'self'",
    script: scripts.submit,
    framed: true,
  });
};

/** The CReq of the 3-D Secure server, through the browser. */
const createChallengePage =
  ({ memory }: IssuerPagesOptions) =>
  async (request: Request): Promise<Response> => {
    if (request.method !== 'POST') return methodNotAllowedPage();
    const form = await shortForm(request, BODY_MAX_BYTES);
    if (form === 'tooLong') return tooLongPage();
    const creq = decodeMessage(form.get('creq'));
    const id = creq?.['threeDSServerTransID'] ?? '';
    const isId = creq?.['messageType'] === 'CReq' && /^[0-9a-f-]{36}$/.test(id);
    const transaction = isId ? await readTransaction(memory, id) : undefined;
    if (transaction === undefined || transaction.response.acsTransID !== creq?.['acsTransID']) return badRequestPage();
    const location = relativePath(`${challengePath}/${id}`);
    return new Response(null, { status: 303, headers: { location, 'cache-control': 'no-store' } });
  };

const choices: Readonly<Record<string, Choice>> = { fail: 'fails', cancel: 'cancels', approve: 'authenticates' };

const choiceIn = (form: URLSearchParams): Choice | undefined => {
  const choiceOf = form.get('choice') ?? '';
  if (choiceOf !== 'code') return choices[choiceOf];
  return form.get('code')?.replace(/\s/g, '') === TEST_CODE ? 'authenticates' : 'wrongCode';
};

type DecisionPage = { asks: 'C' | 'D'; choiceIn: (form: URLSearchParams) => Choice | undefined };

/** The transaction after the cardholder's answer on this page, or the page to show if there is no challenge. */
const applyChoice = async (
  options: IssuerPagesOptions,
  request: Request,
  { asks, choiceIn }: DecisionPage,
): Promise<AcsTransaction | Response> => {
  const form = request.method === 'POST' ? await shortForm(request, BODY_MAX_BYTES) : new URLSearchParams();
  if (form === 'tooLong') return tooLongPage();
  const id = lastOf(request.url) ?? '';
  const current = await readTransaction(options.memory, id);
  if (current?.response.transStatus !== asks) return nothingPendingPage();
  const choice = isOwnForm(request) ? choiceIn(form) : undefined;
  return choice === undefined ? current : ((await decide(options, id, choice)) ?? current);
};

const createDecisionPage =
  (options: IssuerPagesOptions) =>
  async (request: Request): Promise<Response> => {
    const updated = await applyChoice(options, request, { asks: 'C', choiceIn });
    if (updated instanceof Response) return updated;
    return updated.result === undefined ? questionPage(updated) : endedPage(updated);
  };

const facts = ({ shown }: AcsTransaction): string => `
<dl>
<dt>Shop</dt><dd>${escapeText(shown.shop)}</dd>${
  shown.amount === undefined ? '' : `\n<dt>Amount</dt><dd>${escapeText(shown.amount)}</dd>`
}
<dt>Card</dt><dd>ends in ${escapeText(shown.last4Digits)}</dd>
</dl>`;

const questionPage = (transaction: AcsTransaction): Response => {
  const { wrongCodes } = transaction;
  const triesLeft = WRONG_CODES_MAX - wrongCodes;
  const triesText = 'You can try {left, plural, one {# more time} other {# more times}}.';
  const text = `That code is wrong. ${formatEnglish(triesText, { left: triesLeft })}`;
  const errorHtml = wrongCodes === 0 ? '' : `\n<p class="error" id="wrong" role="alert">${text}</p>`;
  const body = `
<h1>Confirm the payment</h1>
<p class="note">This is a simulated bank. The code is ${TEST_CODE}.</p>${facts(transaction)}
<form method="post" autocomplete="off">${errorHtml}
<label for="code">Code from your bank</label>
<input type="text" id="code" name="code" inputmode="numeric" maxlength="12"${
    wrongCodes === 0 ? '' : ' aria-invalid="true" aria-describedby="wrong"'
  } autofocus>
<div>
<button class="yes" type="submit" name="choice" value="code">Confirm</button>
<button type="submit" name="choice" value="fail">Fail the check</button>
<button type="submit" name="choice" value="cancel">Cancel</button>
</div>
</form>`;
  return browserPage({ status: 200, title: 'Confirm the payment', of: OF, body, formAction: "'self'" });
};

/** Sends the browser back with the CRes. The shop's addresses come later: they are not known here. */
const endedPage = ({ response, result, notificationUrl = '' }: AcsTransaction): Response => {
  const { messageVersion, threeDSServerTransID, acsTransID } = response;
  const transStatus = result?.transStatus ?? 'N';
  const cres = { messageType: 'CRes', messageVersion, threeDSServerTransID, acsTransID, transStatus };
  return browserPage({
    status: 200,
    title: 'Back to the shop',
    of: OF,
    body: `
<h1>Thank you</h1>
<p role="status">You are sent back to the shop.</p>
<form id="next" method="post" action="${escapeText(notificationUrl)}">
<input type="hidden" name="cres" value="${encodeMessage(cres)}">
<button class="yes" type="submit">Back to the shop</button>
</form>`,
    formAction: LEADS_AWAY,
    script: scripts.submitChallenge,
  });
};

/** The app on the cardholder's telephone, for a decoupled authentication. */
const decideInApp =
  (options: IssuerPagesOptions) =>
  async (request: Request): Promise<Response> => {
    const choiceOf = (form: URLSearchParams) => choices[form.get('choice') ?? ''];
    const updated = await applyChoice(options, request, { asks: 'D', choiceIn: choiceOf });
    if (updated instanceof Response) return updated;
    if (updated.result === undefined) return appPage(updated);
    const payment = lastOf(updated.resultsUrl ?? 'http://none/');
    if (payment !== undefined) await options.onDecision(payment);
    return simulatorPage(200, 'Thank you', 'You can close this window. The shop continues by itself.');
  };

const appPage = (transaction: AcsTransaction): Response =>
  browserPage({
    status: 200,
    title: 'Banking app',
    of: OF,
    body: `
<h1>Was this you?</h1>
<p class="note">This is a simulated banking app.</p>${facts(transaction)}
<form method="post">
<button class="yes" type="submit" name="choice" value="approve">Yes, approve</button>
<button type="submit" name="choice" value="fail">No, refuse</button>
</form>`,
    formAction: "'self'",
  });
