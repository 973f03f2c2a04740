/** Files that a browser saves to a folder, read once complete. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import type { SavedFile } from './page.ts';

/** Saves by a press. WebKit writes in chunks under the file's final name, Firefox under another one. */
export const savedInto = async (folder: string, press: () => Promise<void>): Promise<SavedFile> => {
  const previousNames = readdirSync(folder);
  const newNames = (): string[] => readdirSync(folder).filter((name) => !previousNames.includes(name));
  await press();
  let size = 0;
  const whole = async (): Promise<string> => {
    const [name = '', ...otherNames] = newNames();
    const seen = name === '' ? 0 : statSync(join(folder, name)).size;
    const was = size;
    size = seen;
    expect({ others: otherNames, isSteady: seen > 0 && seen === was }).toEqual({ others: [], isSteady: true });
    return name;
  };
  const name = await vi.waitFor(whole, { timeout: 60_000, interval: 250 });
  return { name, bytes: readFileSync(join(folder, name)) };
};
