// Run by `npm ci` and by the commands that serve the widget and the screens or run the gateway: rebuilds what has
// changed. Plain JavaScript, because an installation without development packages may run on a Node that reads no
// TypeScript, and has no bundler.
import { globSync, readdirSync, rmSync, statSync } from 'node:fs';

try {
  await import('rolldown');
  await import('vite');
} catch {
  dropOlderProgram();
  process.exit(0);
}
dropUnused();
process.argv.push('--if-stale');
const { buildWidget, isFresh } = await import('./widget.ts');
if (!isFresh()) await buildWidget();
const { buildUi, isUiFresh } = await import('./ui.ts');
if (!isUiFresh()) await buildUi();
const { buildGateway, isGatewayFresh } = await import('./gateway.ts');
if (!isGatewayFresh()) await buildGateway();

/**
 * Without a bundler the program cannot be rebuilt. A bundle that is older than a source must not be run, so it is
 * deleted.
 */
function dropOlderProgram() {
  const made = new URL('../dist/gateway/', import.meta.url);
  const madeAt = statSync(new URL('source.txt', made), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const changedAt = ['src/', 'drivers/'].flatMap((folder) => {
    const at = new URL(`../${folder}`, import.meta.url);
    return readdirSync(at, { recursive: true }).map((name) => statSync(new URL(name, at)).mtimeMs);
  });
  if (Math.max(...changedAt) > madeAt) rmSync(made, { recursive: true, force: true });
}

/** Removes what development packages bring and nothing here reads: a hundred megabytes. */
function dropUnused() {
  const unused = [
    // Headers for native packages that are compiled at installation: ours are prebuilt.
    'node_modules/node/node_modules/*/include',
    // Squirrel's programs: the installer for Windows is made with NSIS.
    'node_modules/electron-winstaller/vendor',
  ];
  const root = new URL('../', import.meta.url);
  for (const path of globSync(unused, { cwd: root })) rmSync(new URL(path, root), { recursive: true, force: true });
}
