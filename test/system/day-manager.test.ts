/** A manager's evening at a real till, by keyboard alone: open sales, the close, a settlement file, limits, people. */
import { english } from '../../src/locales/messages/en/faults.ts';
import { en } from '../../src/locales/screens.ts';
import { managerEvening } from '../support/day/evening.ts';

managerEvening(async () => ({
  language: 'en',
  table: { words: en, messages: english },
  size: { width: 1280, height: 800 },
  scheme: 'light',
  by: 'keys',
}));
