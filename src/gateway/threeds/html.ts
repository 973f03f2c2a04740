/** The content of the gateway's own 3-D Secure pages. */
import { escapeText } from '../../base/text.ts';
import { browserPage, cspSourceOf, LEADS_AWAY, messagePageOf, relativePath, scriptAnswer } from '../browser-page.ts';
import { methodDataOf } from './answers.ts';
import type { Authentication } from './authentication-record.ts';
import { type ChallengeRequest, encodeMessage } from './messages.ts';
import { executePath, scriptPath, type ThreeDsPage } from './paths.ts';

const OF = '3-D Secure';

/** Explains why there is nothing to do. */
export const messagePage = messagePageOf(OF);

const hiddenInputs = (fields: Readonly<Record<string, string>>): string =>
  Object.entries(fields)
    .map(([name, value]) => `\n<input type="hidden" name="${escapeText(name)}" value="${escapeText(value)}">`)
    .join('');

const shopOf = (shop: string): string =>
  shop === '' ? '' : `\n<dl>\n<dt>Shop</dt><dd>${escapeText(shop)}</dd>\n</dl>`;

const unknownBrowser = {
  device: '1',
  javascriptEnabled: 'false',
  language: '',
  screenHeight: '',
  screenWidth: '',
  screenColorDepth: '',
  timezone: '',
  javaEnabled: 'false',
};

/** The hidden method step of the bank, and the collection of the browser's data. */
export const devicePage = (id: string, record: Authentication): Response => {
  const { threeDSMethodUrl: methodUrl, methodDone, shop } = record;
  const hasStep = methodUrl !== undefined && methodDone !== 'Y';
  const step = hasStep
    ? `
<iframe class="unseen" name="bank" title="Your bank checks this browser" tabindex="-1" aria-hidden="true"></iframe>
<form id="method" method="post" target="bank" action="${escapeText(methodUrl)}">${hiddenInputs({
        threeDSMethodData: methodDataOf(id, record),
      })}
</form>`
    : '';
  const body = `
<h1>One moment: your bank checks the payment</h1>${shopOf(shop)}
<p role="status">This takes a few seconds. Please leave this window open.</p>${step}
<form id="device" method="post" action="${escapeText(relativePath(executePath(id)))}">${hiddenInputs(unknownBrowser)}
<button type="submit">Go on</button>
</form>`;
  return browserPage({
    status: 200,
    title: 'Your bank checks the payment',
    of: OF,
    body,
    formAction: LEADS_AWAY,
    frames: hasStep ? `'self' ${cspSourceOf(methodUrl)}`.trim() : undefined,
    script: scripts.device,
  });
};

/** Redirects the shopper to the bank with the CReq. */
export const challengePage = (id: string, record: Authentication): Response => {
  const { response, windowSize, threeDSServerTransID, version, shop } = record;
  const acsUrl = response?.acsURL ?? '';
  const creq: ChallengeRequest = {
    messageType: 'CReq',
    messageVersion: version,
    threeDSServerTransID,
    acsTransID: response?.acsTransID ?? '',
    challengeWindowSize: windowSize === undefined ? '05' : windowSize.padStart(2, '0'),
  };
  const body = `
<h1>Your bank asks you to confirm</h1>${shopOf(shop)}
<p role="status">You are sent to your bank now, and come back to the shop after that.</p>
<form id="next" method="post" action="${escapeText(acsUrl)}">${hiddenInputs({ creq: encodeMessage(creq), threeDSSessionData: id })}
<button class="yes" type="submit">Go to your bank</button>
</form>`;
  return browserPage({
    status: 200,
    title: 'Confirm at your bank',
    of: OF,
    body,
    formAction: LEADS_AWAY,
    script: scripts.submit,
  });
};

const WAIT_SECONDS = 5;

/** The issuer asks in its app: the page reloads until there is an answer. */
export const decoupledPage = ({ shop, returnTo }: Authentication): Response =>
  browserPage({
    status: 200,
    title: 'Confirm in your banking app',
    of: OF,
    body: `
<h1>Confirm in your banking app</h1>${shopOf(shop)}
<p role="status">Your bank asks you there. This page goes on by itself when you have answered.</p>${
      returnTo === '' ? '' : `\n<p><a class="button" href="${escapeText(returnTo)}">Back to the shop</a></p>`
    }`,
    formAction: "'none'",
    againSeconds: WAIT_SECONDS,
  });

/** The content of the hidden frame of the method step. */
const inFrame = { of: OF, formAction: "'none'", framed: true } as const;

/** Its script informs the page around it. */
export const methodDonePage = (): Response =>
  browserPage({ ...inFrame, status: 200, title: 'Done', body: '\n<p>Done.</p>', script: scripts.methodDone });

export const methodRefusedPage = (): Response =>
  browserPage({
    ...inFrame,
    status: 400,
    title: 'Not understood',
    body: '\n<p>This is not your bank’s answer for this payment. Nothing was changed.</p>',
  });

// The few lines of script that the 3-D Secure pages load. Without them each page has a button that does the same.

/** EMV 3-D Secure: the time limit for the method step. */
const METHOD_PATIENCE_MS = 10_000;

/** Sends the browser's data, runs the issuer's method step in the hidden frame, and continues. */
const device = `'use strict';
(() => {
  const form = document.getElementById('device');
  const put = (name, value) => { form.elements.namedItem(name).value = String(value); };
  put('javascriptEnabled', true);
  put('language', navigator.language || 'en');
  put('screenHeight', screen.height);
  put('screenWidth', screen.width);
  put('screenColorDepth', screen.colorDepth);
  put('timezone', new Date().getTimezoneOffset());
  put('javaEnabled', false);
  let gone = false;
  const go = () => {
    if (gone) return;
    gone = true;
    form.submit();
  };
  const method = document.getElementById('method');
  if (!method) return go();
  addEventListener('message', ({ data, origin }) => {
    if (origin === location.origin && data === 'threeDSMethodFinished') go();
  });
  setTimeout(go, ${METHOD_PATIENCE_MS});
  method.submit();
})();
`;

const submit = `'use strict';
document.getElementById('next').submit();
`;

const methodDone = `'use strict';
parent.postMessage('threeDSMethodFinished', '*');
`;

const sources: Readonly<Record<string, string>> = {
  'device.js': device,
  'submit.js': submit,
  'method-done.js': methodDone,
};

export const scripts = {
  device: relativePath(scriptPath('device.js')),
  submit: relativePath(scriptPath('submit.js')),
  /** For `/v1/simulators/acs/challenge/1`. */
  submitChallenge: relativePath(scriptPath('submit.js'), 5),
  methodDone: relativePath(scriptPath('method-done.js')),
} as const;

export const scriptPages: readonly ThreeDsPage[] = Object.entries(sources).map(([name, source]) => ({
  path: scriptPath(name),
  handle: async () => scriptAnswer(source),
}));
