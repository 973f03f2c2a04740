/**
 * A manager's evening in German on the smallest screen, by touch, dark; and the manager's screens from right to left.
 * By day: `test/system/day-manager.test.ts` notices a flow that breaks, and `test/system/screens-manager.test.ts` a
 * section that does not fit.
 */
import { expect, test } from 'vitest';
import { load } from '../../src/locales/load.ts';
import { sections } from '../../src/ui/manager/sections.ts';
import { managerEvening } from '../support/day/evening.ts';
import { openScreenUser } from '../support/day/screen-user.ts';

const size = { width: 800, height: 480 };
const evening = managerEvening(async () => ({
  ...{ language: 'de', table: await load.de(), size, scheme: 'dark', by: 'touch' },
}));

test('every section from right to left', async () => {
  const { day, engine } = evening();
  const arabic = await load.ar();
  const user = await openScreenUser(engine, { language: 'ar', table: arabic, size, scheme: 'light', by: 'touch' });
  await user.visit.storeItem(day.till.url, { key: 'tillgate.language', value: 'ar' });
  await user.page.goto(day.till.url);
  await user.signIn('Max');
  for (const { name, path } of sections) {
    const title = user.page.getByRole('heading', { level: 1, name: arabic.words.manager.sections[name], exact: true });
    if (name !== 'today') await user.page.locator(`nav a[href="${path}"]`).click();
    await title.waitFor();
    await user.page.waitForLoadState('networkidle');
    expect(await user.page.evaluate('document.documentElement.dir')).toBe('rtl');
    await user.shot(`manager-ar-${name}`);
  }
  expect(user.problems()).toEqual([]);
});
