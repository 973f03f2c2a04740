// `npm ci` and the commands that serve the widget run this: builds it when its sources have changed. Plain JavaScript,
// since an installation without development packages may run on a Node that reads no TypeScript, and has no bundler.
try {
  await import('rolldown');
} catch {
  process.exit(0);
}
process.argv.push('--if-stale');
const { buildWidget, isFresh } = await import('./widget.ts');
if (!isFresh()) await buildWidget();
