/**
 * The built files of the screens, with headers that confine a page to this till: nothing is loaded from elsewhere, no
 * inline script runs, and no other page can frame it or send its reader here.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative } from 'node:path';
import { Fault } from '../base/fault.ts';
import type { Random } from '../base/ids.ts';
import { createToken } from '../staff/sessions/tokens.ts';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
};

/** Headers of all answers, including the API's. */
export const commonHeaders: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), usb=(), serial=(), hid=(), payment=()',
  'x-frame-options': 'DENY',
};

/**
 * `nonce` is for style elements that the screens create while they run; element styles are set by script, which needs
 * no permission. It is the same for one run of the till, since the page is the same for everybody and contains nobody's
 * text.
 */
const pagePolicy = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "media-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

type PageFile = { bytes: Uint8Array<ArrayBuffer>; headers: Record<string, string>; etag: string };

export type ServedPage = (request: Request) => Response;

/** `folder`: as built by `npm run build:ui`. Throws `screens.missing`. */
export const openPage = (folder: string, random: Random): ServedPage => {
  const index = join(folder, 'index.html');
  if (!existsSync(index)) throw new Fault('screens.missing', { file: index });
  const nonce = createToken(random);
  const files: ReadonlyMap<string, PageFile> = new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && Object.hasOwn(types, extname(entry.name)))
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [`/${relative(folder, path).replaceAll('\\', '/')}`, fileOf(path, nonce)] as const),
  );
  const page = files.get('/index.html');
  return (request) => {
    const { pathname } = new URL(request.url);
    if (!['GET', 'HEAD'].includes(request.method)) return new Response(null, { status: 405, headers: commonHeaders });
    // A path with an extension that does not exist is not a screen; any other path is one, and the page decides which.
    const file = files.get(pathname) ?? (extname(pathname) === '' ? page : undefined);
    if (file === undefined) return new Response('Not found\n', { status: 404, headers: commonHeaders });
    const headers = { ...commonHeaders, ...file.headers, etag: file.etag };
    if (request.headers.get('if-none-match') === file.etag) return new Response(null, { status: 304, headers });
    return new Response(request.method === 'HEAD' ? null : file.bytes, { headers });
  };
};

const fileOf = (path: string, nonce: string): PageFile => {
  const isPage = extname(path) === '.html';
  const text = isPage ? withNonce(readFileSync(path, 'utf8'), nonce) : undefined;
  const bytes = new Uint8Array(text === undefined ? readFileSync(path) : Buffer.from(text));
  return {
    bytes,
    etag: `"${createHash('sha256').update(bytes).digest('base64url')}"`,
    headers: {
      'content-type': types[extname(path)] ?? 'application/octet-stream',
      // Files that the bundler names by their content never change under that name.
      'cache-control': /\/assets\//.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache',
      'content-security-policy': isPage ? pagePolicy(nonce) : "default-src 'none'; frame-ancestors 'none'",
    },
  };
};

/** Writes the nonce into the page, where the script of the screens looks for it. */
const withNonce = (html: string, nonce: string): string =>
  html.replace('<head>', `<head>\n    <meta name="style-nonce" content="${nonce}" />`);
