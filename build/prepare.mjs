// `npm ci` and the commands that serve the widget and the screens, or run the gateway, run this: builds what its sources
// have changed of.
// Plain JavaScript, since an installation without development packages may run on a Node that reads no TypeScript, and
// has no bundler.
try {
  await import('rolldown');
  await import('vite');
} catch {
  process.exit(0);
}
process.argv.push('--if-stale');
const { buildWidget, isFresh } = await import('./widget.ts');
if (!isFresh()) await buildWidget();
const { buildUi, isUiFresh } = await import('./ui.ts');
if (!isUiFresh()) await buildUi();
const { buildGateway, isGatewayFresh } = await import('./gateway.ts');
if (!isGatewayFresh()) await buildGateway();
