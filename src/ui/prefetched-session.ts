/**
 * What every first screen asks of the till: who is signed in, and who could be. It is asked by a script of its own,
 * while the browser still reads the page's program, so that the first thing drawn is a screen. It imports nothing.
 * The code of the till's start is brought before that, out of an address such as `/#code=…`.
 */
const codeIn = (fragment: string): string | undefined => /^#code=([\w-]{1,100})$/.exec(fragment)?.[1];

/** The code does not stay in the address, where a reader or the browser's history would have it. */
const bring = async (code: string): Promise<void> => {
  history.replaceState(history.state, '', location.pathname + location.search);
  const headers = { 'content-type': 'application/json' };
  const request = { method: 'POST', headers, body: JSON.stringify({ code }), credentials: 'same-origin' } as const;
  // A code that is wrong, or over, leaves the browser as it was: the first screen says how to come in.
  await fetch('/api/session/code', request).catch(() => undefined);
};

/** Drawn without a browser, the screens have no address. */
const brought = 'location' in globalThis ? codeIn(location.hash) : undefined;
const isIn = brought === undefined ? Promise.resolve() : bring(brought);

// The address with the code, put into a window that shows the till already, changes nothing but its fragment.
globalThis.addEventListener?.('hashchange', () => {
  if (codeIn(location.hash) !== undefined) location.reload();
});

const ask = async (path: string): Promise<Response | undefined> => {
  await isIn;
  return fetch(path, { credentials: 'same-origin' }).catch(() => undefined);
};

const prefetched = new Map(['/api/session', '/api/session/names'].map((path) => [path, ask(path)]));

/** The answer to this request, for its first asker alone; undefined where it was not asked, or there was no answer. */
export const firstAnswer = async (path: string): Promise<Response | undefined> => {
  const answer = prefetched.get(path);
  prefetched.delete(path);
  return answer;
};
