/**
 * The first questions of a screen to the till: who is signed in, and who could be. A separate script asks it while the
 * browser still loads the page's program, so that the first thing drawn is a screen. It imports nothing. The start code
 * in an address such as `/#code=…` is sent before that.
 */
const codeIn = (fragment: string): string | undefined => /^#code=([\w-]{1,100})$/.exec(fragment)?.[1];

/** The code is removed from the address, where others or the browser's history could find it. */
const sendCode = async (code: string): Promise<void> => {
  history.replaceState(history.state, '', location.pathname + location.search);
  const headers = { 'content-type': 'application/json' };
  const request = { method: 'POST', headers, body: JSON.stringify({ code }), credentials: 'same-origin' } as const;
  // A wrong or expired code changes nothing: the first screen says how to get in.
  await fetch('/api/session/code', request).catch(() => undefined);
};

/** When rendered without a browser, the screens have no address. */
const startCode = 'location' in globalThis ? codeIn(location.hash) : undefined;
const codeSent = startCode === undefined ? Promise.resolve() : sendCode(startCode);

// Opening an address with a code in a window that already shows the till changes only its fragment.
globalThis.addEventListener?.('hashchange', () => {
  if (codeIn(location.hash) !== undefined) location.reload();
});

const fetchAfterCode = async (path: string): Promise<Response | undefined> => {
  await codeSent;
  return fetch(path, { credentials: 'same-origin' }).catch(() => undefined);
};

const prefetched = new Map(['/api/session', '/api/session/names'].map((path) => [path, fetchAfterCode(path)]));

/** The answer to this request, for the first caller only. Undefined if it was not requested, or not answered. */
export const firstAnswer = async (path: string): Promise<Response | undefined> => {
  const answer = prefetched.get(path);
  prefetched.delete(path);
  return answer;
};
