/** The widget over HTTP: its script, its files, and the document of the card's frame. No token is needed. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Fault, isFault } from '../../base/fault.ts';

// The widget's files as `npm run build:widget` made them: read at the first request, and cached.

export type Manifest = {
  /** The hash of its sources. */
  source: string;
  /** `integrity` is a hash in the format that browsers check (W3C Subresource Integrity). */
  files: Readonly<Record<string, { bytes: number; gzipped: number; integrity: string }>>;
};

type Asset = { name: string; bytes: Buffer; gzipped: Buffer; integrity: string };

type Assets = ReadonlyMap<string, Asset>;

const folder = join(import.meta.dirname, '../../../dist/widget');

let cachedAssets: Assets | undefined;

/** By name. Throws `widget.missing` if they were not built. */
export const widgetAssets = (): Assets => {
  cachedAssets ??= read();
  return cachedAssets;
};

const read = (): Assets => {
  try {
    const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as Manifest;
    return new Map(
      Object.entries(manifest.files).map(([name, { integrity }]) => {
        const bytes = readFileSync(join(folder, name));
        return [name, { name, bytes, gzipped: gzipSync(bytes, { level: 9 }), integrity }];
      }),
    );
  } catch (error) {
    throw new Fault('widget.missing', { folder: 'dist/widget' }, error);
  }
};

/** The hash of the script as it is served, `sha384-…`; undefined if the widget was not built. */
export const widgetIntegrity = (): string | undefined => {
  try {
    return widgetAssets().get('paymentWidgets.js')?.integrity;
  } catch {
    return undefined;
  }
};

type Page = { path: string; handle: (request: Request) => Promise<Response> };

const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json; charset=utf-8',
};

/** Any page may load them and check their hash. */
const open = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

/** A year: the name changes with the content. */
const FOR_EVER = 'public, max-age=31536000, immutable';
/** The script keeps its name: revalidated each time, and not sent again while unchanged. */
const ASK = 'public, max-age=0, must-revalidate';

const plainResponse = (status: number, text: string, headers: Readonly<Record<string, string>> = {}): Response =>
  new Response(`${text}\n`, {
    status,
    headers: { ...open, 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store', ...headers },
  });

/** GET and HEAD only, and a message if the widget was not built. */
const page =
  (answer: (request: Request, assets: Assets) => Response) =>
  async (request: Request): Promise<Response> => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return plainResponse(405, 'This can only be read.', { allow: 'GET, HEAD' });
    }
    try {
      return answer(request, widgetAssets());
    } catch (error) {
      if (!isFault(error, 'widget.missing')) throw error;
      return plainResponse(503, `${error.message}. ${error.next}`);
    }
  };

const acceptsGzip = (headers: Headers): boolean => /\bgzip\b/.test(headers.get('accept-encoding') ?? '');

/** A header that is undefined would be sent as the text "undefined". */
const encodingOf = (zips: boolean): Record<string, string> => (zips ? { 'content-encoding': 'gzip' } : {});

const assetAnswer = (
  { headers, method }: Request,
  { name, bytes, gzipped, integrity }: Asset,
  cache: string,
): Response => {
  const etag = `"${integrity.slice(7, 39)}"`;
  const zips = acceptsGzip(headers);
  const common = { ...open, etag, vary: 'accept-encoding', 'cache-control': cache };
  if (headers.get('if-none-match') === etag) return new Response(null, { status: 304, headers: common });
  const body = zips ? gzipped : bytes;
  return new Response(method === 'HEAD' ? null : new Uint8Array(body), {
    headers: {
      ...common,
      'content-type': types[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream',
      'content-length': String(body.length),
      ...encodingOf(zips),
    },
  });
};

const scriptAnswer = (request: Request, assets: Assets): Response => {
  const asset = assets.get('paymentWidgets.js');
  return asset === undefined ? plainResponse(404, 'There is no such file.') : assetAnswer(request, asset, ASK);
};

const fileAnswer = (request: Request, assets: Assets): Response => {
  const asset = assets.get(new URL(request.url).pathname.split('/').at(-1) ?? '');
  return asset === undefined || asset.name === 'paymentWidgets.js'
    ? plainResponse(404, 'There is no such file.')
    : assetAnswer(request, asset, FOR_EVER);
};

/** The file whose name begins and ends like this. */
const textOf = (assets: Assets, begin: string, end: string): string => {
  const [, asset] = [...assets].find(([name]) => name.startsWith(begin) && name.endsWith(end)) ?? [];
  return asset?.bytes.toString('utf8') ?? '';
};

type Document = { bytes: Buffer; gzipped: Buffer; policy: string };

const documents = new WeakMap<Assets, Document>();

/**
 * The same for every checkout, whose id is in its address; its script sends the card there. Script and stylesheet are
 * included, because separate requests would cost a distant shopper another round trip. Any page may embed it: what is
 * typed is never sent to that page.
 */
const documentOf = (assets: Assets): Document => {
  const documentSet = documents.get(assets);
  if (documentSet !== undefined) return documentSet;
  const sheet = textOf(assets, 'card.', '.css');
  const program = textOf(assets, 'card.', '.js');
  const bytes = Buffer.from(`<!doctype html>
<html lang="en" class="wpwl-frame">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Card</title>
<style>${sheet}</style>
</head>
<body><script>${program}</script></body>
</html>
`);
  const document = { bytes, gzipped: gzipSync(bytes, { level: 9 }), policy: policyOf(program, sheet) };
  documents.set(assets, document);
  return document;
};

const cardFrameAnswer = ({ method, headers }: Request, assets: Assets): Response => {
  const { bytes, gzipped, policy } = documentOf(assets);
  const zips = acceptsGzip(headers);
  const body = zips ? gzipped : bytes;
  return new Response(method === 'HEAD' ? null : new Uint8Array(body), {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-length': String(body.length),
      ...encodingOf(zips),
      vary: 'accept-encoding',
      'content-security-policy': policy,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'cross-origin',
      'permissions-policy': 'camera=(), microphone=(), geolocation=()',
    },
  });
};

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Allows exactly this script and this stylesheet, and nothing else. */
const policyOf = (program: string, sheet: string): string =>
  [
    "default-src 'none'",
    `script-src ${hashOf(program)}`,
    `style-src ${hashOf(sheet)}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    'frame-ancestors *',
  ].join('; ');

/** Routes beside the host API's. */
export const widgetPages: readonly Page[] = [
  { path: '/v1/paymentWidgets.js', handle: page(scriptAnswer) },
  { path: '/v1/paymentWidgets/:file', handle: page(fileAnswer) },
  { path: '/v1/checkouts/:id/card', handle: page(cardFrameAnswer) },
];
