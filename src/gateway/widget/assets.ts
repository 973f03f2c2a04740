/** The widget's files as `npm run build:widget` made them: read when first asked for, and kept. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Fault } from '../../base/fault.ts';

export type Manifest = {
  /** The hash of what it was made of. */
  source: string;
  /** `integrity` is a hash as browsers check it (W3C Subresource Integrity). */
  files: Readonly<Record<string, { bytes: number; gzipped: number; integrity: string }>>;
};

export type Asset = { name: string; bytes: Buffer; gzipped: Buffer; integrity: string };

export type Assets = ReadonlyMap<string, Asset>;

const folder = join(import.meta.dirname, '../../../dist/widget');

let kept: Assets | undefined;

/** By name. Throws `widget.missing` when nobody has built them. */
export const widgetAssets = (): Assets => {
  kept ??= read();
  return kept;
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

/** The hash of the script as it is served, `sha384-…`; undefined when the widget was not built. */
export const widgetIntegrity = (): string | undefined => {
  try {
    return widgetAssets().get('paymentWidgets.js')?.integrity;
  } catch {
    return undefined;
  }
};
