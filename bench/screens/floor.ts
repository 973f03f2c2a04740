/**
 * The time of React and Mantine themselves for a page with one field, built and served like the screens: no texts, no
 * till to query, no sign-in.
 */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { build } from 'vite';
import { listenAt } from '../../src/app/serve-listen.ts';
import { openPage } from '../../src/app/serve-page.ts';
import { systemClock } from '../../src/base/clock.ts';
import { systemRandom } from '../../src/base/ids.ts';

const modules = join(import.meta.dirname, '../../node_modules');

const html = `<!doctype html><html lang="en"><head><title>Floor</title></head><body><div id="root"></div>
<script type="module" src="/main.jsx"></script></body></html>`;

const script = `
import '@mantine/core/styles.css';
import { MantineProvider, TextInput } from '@mantine/core';
import { createRoot } from 'react-dom/client';
const nonce = document.querySelector('meta[name="style-nonce"]')?.content ?? '';
createRoot(document.getElementById('root')).render(
  <MantineProvider getStyleNonce={() => nonce}><TextInput type="password" label="PIN" /></MantineProvider>,
);`;

export type Floor = { url: string; close(): Promise<void> };

/** Throws what the bundler throws. */
export const serveFloorPage = async (): Promise<Floor> => {
  const folder = mkdtempSync(join(tmpdir(), 'bench-floor-'));
  try {
    const root = join(folder, 'src');
    mkdirSync(root);
    symlinkSync(modules, join(folder, 'node_modules'));
    writeFileSync(join(root, 'index.html'), html);
    writeFileSync(join(root, 'main.jsx'), script);
    const outDir = join(folder, 'built');
    const options = { outDir, target: 'es2022', modulePreload: { polyfill: false } };
    await build({ root, configFile: false, plugins: [react()], logLevel: 'error', build: options });
    const page = openPage(outDir, systemRandom);
    const { address, close } = await listenAt({ port: 0 }, systemClock, async (request) => page(request));
    return { url: address, close };
  } finally {
    // The page is in memory.
    rmSync(folder, { recursive: true, force: true });
  }
};
