// `npm run gateway`: the command line as `build/gateway.ts` made it, or from the sources where there is no bundler.
// Plain JavaScript, so that nothing that reads TypeScript is loaded for this file.
import { existsSync } from 'node:fs';
import { enableCompileCache } from 'node:module';

enableCompileCache();
const built = new URL('../dist/gateway/main.js', import.meta.url);
await import(existsSync(built) ? built.href : new URL('../src/cli/main.ts', import.meta.url).href);
