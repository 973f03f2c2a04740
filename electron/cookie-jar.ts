/** The session's cookie. Chromium keeps none for schemes of one's own, so the proxy does; the page never sees it. */

export type CookieJar = {
  /** For the next request; undefined while there is none. */
  header(): string | undefined;
  /** Takes what an answer sets, and forgets what it takes back. */
  take(setCookies: readonly string[]): void;
};

export const cookieJar = (): CookieJar => {
  const kept = new Map<string, string>();
  return {
    header: () => (kept.size === 0 ? undefined : [...kept].map(([name, value]) => `${name}=${value}`).join('; ')),
    take(setCookies) {
      for (const text of setCookies) {
        const [pair = '', ...attributes] = text.split(';');
        const at = pair.indexOf('=');
        if (at < 1) continue;
        const name = pair.slice(0, at).trim();
        const value = pair.slice(at + 1).trim();
        const isOver = value === '' || attributes.some((attribute) => /^\s*max-age=(0|-\d+)\s*$/i.test(attribute));
        if (isOver) kept.delete(name);
        else kept.set(name, value);
      }
    },
  };
};
