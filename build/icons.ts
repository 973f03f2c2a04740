/** Draws the app's icon from its SVG: dist/icons/icon.png, 1024 px. The installers derive their sizes from it. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { initWasm, Resvg } from '@resvg/resvg-wasm';

const root = join(import.meta.dirname, '..');

/** Returns the path of the picture. */
export const drawIcons = async (): Promise<string> => {
  const wasm = createRequire(import.meta.url).resolve('@resvg/resvg-wasm/index_bg.wasm');
  await initWasm(readFileSync(wasm));
  const svg = readFileSync(join(root, 'build/installers/icon.svg'), 'utf8');
  const picture = new Resvg(svg, { fitTo: { mode: 'width', value: 1024 } }).render();
  const file = join(root, 'dist/icons/icon.png');
  mkdirSync(join(root, 'dist/icons'), { recursive: true });
  writeFileSync(file, picture.asPng());
  return file;
};

if (import.meta.main) process.stdout.write(`${await drawIcons()}\n`);
