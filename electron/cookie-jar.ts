/**
 * The till's cookies. Chromium keeps no cookies for custom schemes, so the proxy does; the page never sees them. The
 * session's cookie ends with the window; a longer-lived one is stored.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../src/base/files.ts';

export type CookieJar = {
  /** The Cookie header of the next request; undefined without cookies. */
  header(): string | undefined;
  /** Stores the cookies that an answer sets, and removes those that it expires. */
  take(setCookies: readonly string[]): void;
};

/** Storage for cookies that outlive the window. */
export type CookieStore = { load(): Readonly<Record<string, string>>; save(cookies: Record<string, string>): void };

export const cookieJar = (store?: CookieStore): CookieJar => {
  const lasting = new Map(Object.entries(store?.load() ?? {}));
  const stored = new Map(lasting);
  return {
    header: () => (stored.size === 0 ? undefined : [...stored].map(([name, value]) => `${name}=${value}`).join('; ')),
    take(setCookies) {
      for (const text of setCookies) {
        const [pair = '', ...attributes] = text.split(';');
        const i = pair.indexOf('=');
        if (i < 1) continue;
        const name = pair.slice(0, i).trim();
        const value = pair.slice(i + 1).trim();
        const isOver = value === '' || attributes.some((attribute) => /^\s*max-age=(0|-\d+)\s*$/i.test(attribute));
        if (isOver) stored.delete(name);
        else stored.set(name, value);
        const lasts = !isOver && attributes.some((attribute) => /^\s*max-age=\d+\s*$/i.test(attribute));
        const known = lasting.get(name);
        if (lasts) lasting.set(name, value);
        else lasting.delete(name);
        if (known !== lasting.get(name)) store?.save(Object.fromEntries(lasting));
      }
    },
  };
};

/** `cookies.json` in the app's own folder, readable only by its user. */
export const cookieFile = (folder: string): CookieStore => {
  const file = join(folder, 'cookies.json');
  return {
    load() {
      try {
        return textsIn(JSON.parse(readFileSync(file, 'utf8')));
      } catch {
        // Without a readable file users type their names until a manager signs in again.
        return {};
      }
    },
    save(cookies) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(`${file}.new`, `${JSON.stringify(cookies)}\n`, { mode: 0o600, flush: true });
      replaceFile(`${file}.new`, file);
    },
  };
};

const textsIn = (stored: unknown): Record<string, string> =>
  Object.fromEntries(Object.entries(stored ?? {}).filter(([, value]) => typeof value === 'string')) as Record<
    string,
    string
  >;
