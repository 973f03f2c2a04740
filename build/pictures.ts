/**
 * Brings the pictures of the guides up to date: `npm run test:nightly -- --project system` takes them from the real
 * screens into dist/screenshots, and `node build/pictures.ts` puts those that the documents show into docs/pictures.
 */
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** What the documents call a picture, and the screenshot that it is. */
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
for (const [name, taken] of Object.entries(pictures)) {
  copyFileSync(join(root, 'dist/screenshots', taken), join(folder, name));
}
