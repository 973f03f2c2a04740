/**
 * A manager's evening at a real till in Firefox and in WebKit, by keyboard alone. By day:
 * `test/system/day-manager.test.ts` notices a flow that breaks, and `test/system/engines.test.ts` a screen that does
 * not work in one of these engines.
 */
import { describe } from 'vitest';
import { english } from '../../src/locales/messages/en/faults.ts';
import { en } from '../../src/locales/screens.ts';
import { managerEvening } from '../support/day/evening.ts';

describe.each(['firefox', 'webkit'] as const)('%s', (engine) => {
  managerEvening(async () => ({
    ...{ engine, language: 'en', table: { words: en, messages: english } },
    ...{ size: { width: 1280, height: 800 }, scheme: 'light', by: 'keys' },
  }));
});
