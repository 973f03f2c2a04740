/** The few lines of script that the 3-D Secure pages load. Without them each page has a button that does the same. */
import { fromPage, scriptAnswer } from '../browser-page.ts';
import { scriptPath, type ThreeDsPage } from './paths.ts';

/** EMV 3-D Secure: whoever waited so long for the method step goes on without it. */
const METHOD_PATIENCE_MS = 10_000;

/** Tells of the browser, takes the issuer's method step in the hidden frame, and goes on. */
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
  device: fromPage(scriptPath('device.js')),
  submit: fromPage(scriptPath('submit.js')),
  /** For `/v1/simulators/acs/challenge/1`. */
  submitChallenge: fromPage(scriptPath('submit.js'), 5),
  methodDone: fromPage(scriptPath('method-done.js')),
} as const;

export const scriptPages: readonly ThreeDsPage[] = Object.entries(sources).map(([name, source]) => ({
  path: scriptPath(name),
  handle: async () => scriptAnswer(source),
}));
