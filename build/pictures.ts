/**
 * Updates the pictures of the guides: `npm run test:nightly -- --project system` takes screenshots of the real screens
 * into dist/screenshots, and `node build/pictures.ts` copies those that the documents show to docs/pictures.
 */
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** The name of each picture in the documents, and the screenshot it is copied from. */
const pictures: Readonly<Record<string, string>> = {
  'cashier.png': 'day-05-approved-en-1280-light.png',
  'cashier-card.png': 'day-03-present-en-1280-light.png',
  'cashier-charged.png': 'cashier-claim.png',
  'manager.png': 'manager-today-light.png',
  'manager-closing.png': 'day-manager-04-gate-red-en-1280-light.png',
  'technician-trace.png': 'technician-trace-large.png',
};

const root = join(import.meta.dirname, '..');
const folder = join(root, 'docs/pictures');
mkdirSync(folder, { recursive: true });
for (const [name, screenshot] of Object.entries(pictures)) {
  copyFileSync(join(root, 'dist/screenshots', screenshot), join(folder, name));
}
