/** `npm run build:docs` regenerates docs/reference from the tables that the program uses at run time. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { architecturePicture } from './docs/architecture-picture.ts';
import { commandsPage } from './docs/commands-page.ts';
import { dialectsPage } from './docs/dialects-page.ts';
import { faultsPage } from './docs/faults-page.ts';
import { localApiPage } from './docs/local-api-page.ts';
import { parametersPage } from './docs/parameters-page.ts';
import { permissionsPage } from './docs/permissions-page.ts';
import { resultsPage } from './docs/results-page.ts';

/** Every page and picture in docs/reference, by file name. */
export const referencePages = async (): Promise<Readonly<Record<string, string>>> => ({
  'architecture.svg': architecturePicture(),
  'commands.md': await commandsPage(),
  'dialects.md': dialectsPage(),
  'faults.md': faultsPage(),
  'local-api.md': localApiPage(),
  'parameters.md': parametersPage(),
  'permissions.md': permissionsPage(),
  'results.md': resultsPage(),
});

if (import.meta.main) {
  const folder = join(import.meta.dirname, '../docs/reference');
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(await referencePages())) writeFileSync(join(folder, name), text);
}
