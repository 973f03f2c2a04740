/** Opens a browser of any engine. If it is not installed, the failure says what to install. */
import type { Engine, EngineName } from './page.ts';
import { openPlaywright } from './playwright.ts';
import { openWebkit } from './webkit.ts';

export const openEngine = async (name: EngineName): Promise<Engine> =>
  name === 'webkit' ? openWebkit() : openPlaywright(name);
