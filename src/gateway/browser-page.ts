/**
 * Pages for a shopper's browser: plain HTML that works without a script, at 320 px, by keyboard and with screen
 * readers, under a content security policy that allows only what the page names.
 */
import { createHash } from 'node:crypto';
import { escapeText } from '../base/text.ts';

/**
 * The icon of the gateway's pages, embedded in the page. Browsers request `/favicon.ico` for a page without an icon:
 * its policy forbids that, and behind a proxy with its own path the file would be somebody else's.
 */
const drawing =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">' +
  '<rect y="2" width="16" height="12" rx="2" fill="#1f5fbf"/>' +
  '<path d="M0 5h16v2H0z" fill="#fff"/></svg>';

/** For the page's head. */
export const pageIcon = `<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(drawing)}">`;

/** For the page's content security policy. */
export const ICON_POLICY = 'img-src data:';

const style = `
:root { color-scheme: light dark; --ink: #1a1a1a; --ground: #fff; --soft: #434343; --line: #595959; --act: #0b5394;
  --on-act: #fff; --wrong: #a61c00; --note: #b45f06 }
@media (prefers-color-scheme: dark) { :root { --ink: #eceff1; --ground: #101416; --soft: #c3c9cd; --line: #8d969b;
  --act: #8ab8ff; --on-act: #0b1526; --wrong: #ff9e91; --note: #f0a04b } }
*, *::before { box-sizing: border-box }
body { font: 1.125rem/1.5 system-ui, sans-serif; max-width: 32rem; margin: 3rem auto; padding: 0 1rem;
  color: var(--ink); background: var(--ground) }
h1 { font-size: 1.6rem; line-height: 1.25; overflow-wrap: anywhere }
dt { font-weight: 600 } dd { margin: 0 0 .75rem; overflow-wrap: anywhere }
label { display: block; font-weight: 600 }
input[type=text] { font: inherit; letter-spacing: .15em; width: 100%; max-width: 14rem; padding: .5rem .6rem;
  margin: .25rem 0 .75rem; border: 2px solid var(--line); border-radius: .3rem; color: inherit;
  background: transparent }
.error { color: var(--wrong); font-weight: 600 }
.note { border-left: .25rem solid var(--note); padding-left: .75rem; color: var(--soft) }
button, .button { display: inline-block; font: inherit; padding: .6rem 1.2rem; margin: .25rem .5rem .25rem 0;
  border: 2px solid var(--act); border-radius: .3rem; background: transparent; color: var(--act); cursor: pointer;
  text-decoration: none }
button.yes { background: var(--act); color: var(--on-act) }
button:focus-visible, input:focus-visible, .button:focus-visible { outline: 3px solid var(--note); outline-offset: 2px }
iframe.unseen { position: absolute; width: 1px; height: 1px; border: 0; opacity: 0 }
progress { width: 100% }
@media (max-width: 30rem) { body { margin: 1rem auto } }
`;

const styleHash = createHash('sha256').update(style).digest('base64');

export type BrowserPage = {
  status: number;
  title: string;
  /** The site's name after the title: `simulated bank`. */
  of: string;
  /** HTML. The caller escapes its texts. */
  body: string;
  /** Sources for the content security policy: where forms may go, including redirects. */
  formAction: string;
  frames?: string;
  /** The page's only script, as returned by `relativePath`. */
  script?: string;
  /** Whether other sites may show it in a frame. */
  framed?: true;
  /** Reloads itself after this many seconds. */
  againSeconds?: number;
};

/**
 * Another path of the gateway relative to a page of it, because the page cannot know the path that a proxy puts in
 * front. `names` is the number of segments in the page's own path: four in `/v1/threeDSecure/execute/1`.
 */
export const relativePath = (path: string, names = 4): string =>
  `${Array(names - 1)
    .fill('..')
    .join('/')}${path}`;

/**
 * For `formAction` of a page whose form leaves this host or ends at the shop. Chromium checks all redirects of a form
 * against it, and shops and issuers redirect between their hosts: with only the first host allowed, a shopper who has
 * paid would be stuck on a dead page.
 */
export const LEADS_AWAY = "'self' https: http:";

export const browserPage = (of: BrowserPage): Response => {
  const again = of.againSeconds === undefined ? '' : `<meta http-equiv="refresh" content="${of.againSeconds}">\n`;
  const script = of.script === undefined ? '' : `<script src="${escapeText(of.script)}" defer></script>\n`;
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${again}<title>${escapeText(of.title)} – ${escapeText(of.of)}</title>
${pageIcon}
<style>${style}</style>
${script}</head>
<body>
<main>${of.body}
</main>
</body>
</html>
`;
  return new Response(html, { status: of.status, headers: headersOf(of) });
};

/** Makes pages of the site `of` that explain why there is nothing to do. */
export const messagePageOf =
  (of: string) =>
  (status: number, title: string, text: string): Response =>
    browserPage({
      status,
      title,
      of,
      body: `\n<h1>${escapeText(title)}</h1>\n<p>${escapeText(text)}</p>`,
      formAction: "'none'",
    });

const headersOf = ({ formAction, frames, script, framed }: BrowserPage): Record<string, string> => {
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${styleHash}'`,
    ICON_POLICY,
    ...(script === undefined ? [] : ["script-src 'self'"]),
    ...(frames === undefined ? [] : [`frame-src ${frames}`]),
    `form-action ${formAction}`,
    "base-uri 'none'",
    framed === true ? 'frame-ancestors *' : "frame-ancestors 'none'",
  ];
  return { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy.join('; '), ...pageHeaders };
};

const pageHeaders: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** An address's origin, unless it contains characters that end a directive or match every host. */
export const cspSourceOf = (address: string): string => {
  const origin = URL.parse(address)?.origin ?? '';
  return /^https?:\/\/[\w.:[\]-]+$/.exec(origin)?.[0] ?? '';
};

/** A script of this host as a file: pages contain no inline scripts. */
export const scriptAnswer = (source: string): Response =>
  new Response(source, {
    headers: {
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'max-age=3600',
      'x-content-type-options': 'nosniff',
    },
  });

/** Redirects to the shop, by GET whatever the method was. */
export const redirectToShop = (returnTo: string): Response =>
  new Response(null, {
    status: 303,
    headers: { location: returnTo, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
  });

/** Refuses methods other than these. */
export const allowOnly = (methods: readonly string[], refusal: Response): Response => {
  refusal.headers.set('allow', methods.join(', '));
  return refusal;
};

/** The fields of a short form. `tooLong` beyond `maxBytes` bytes; a form that was cut off counts as empty. */
export const shortForm = async (request: Request, maxBytes: number): Promise<URLSearchParams | 'tooLong'> => {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of request.body ?? []) {
      length += chunk.length;
      if (length > maxBytes) return 'tooLong';
      chunks.push(chunk);
    }
  } catch {
    return new URLSearchParams();
  }
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
};

/** Whether a page of this host sent the form, according to the browser: other sites' forms decide nothing. */
export const isOwnForm = (request: Request): boolean => {
  const fetchSite = request.headers.get('sec-fetch-site');
  return fetchSite === null || fetchSite === 'same-origin';
};
