/**
 * Every screen in Firefox and in WebKit, on a desktop and on a phone, light and dark: nothing is cut off, squeezed or
 * overlapped, there are no accessibility barriers, and the console stays empty. By day: `test/system/engines.test.ts`
 * notices a screen that does not work in one of these engines, and `test/system/screens-narrow.test.ts` one that is too
 * wide.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openEngine } from '../support/engines/engine.ts';
import type { Engine, EnginePage } from '../support/engines/page.ts';
import { openScreens, type Person, type ScreenStage, screensOf, signIn } from '../support/engines/screens.ts';
import { barriers, settle, takePicture } from '../support/screens/browser.ts';
import { findCuts } from '../support/screens/cuts.ts';
import { layoutProblems } from '../support/screens/geometry.ts';

const service = { width: 1280, height: 800 };
/** A window of WebKit's MiniBrowser, with its toolbar, cannot be narrower. */
const narrow = { firefox: { width: 390, height: 844 }, webkit: { width: 450, height: 844 } };

type Name = keyof typeof narrow;

const viewsIn = (engine: Name) =>
  [service, narrow[engine]].flatMap((size) =>
    (['light', 'dark'] as const).flatMap((scheme) =>
      (Object.keys(screensOf) as Person[]).map((name) => ({ name, size, scheme, width: size.width })),
    ),
  );

/** Waits until all data that the screen asks the till for has arrived. */
const draw = async (page: EnginePage): Promise<void> => {
  await page.locator('main').first().waitFor();
  await page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' });
};

describe.each(Object.keys(narrow) as Name[])('%s', (engineName) => {
  let engine: Engine;
  let stage: ScreenStage;
  beforeAll(async () => {
    engine = await openEngine(engineName);
    stage = await openScreens();
  });
  afterAll(async () => {
    await engine.close();
    await stage.close();
  });

  test.each(viewsIn(engineName))('the screens of $name at $width, $scheme', async ({ name, size, scheme }) => {
    stage.sessions.end();
    const { page, consoleLines, close } = await engine.visit({ size, scheme });
    const wrong: string[] = [];
    const checkScreen = async (title: string): Promise<void> => {
      await settle(page);
      await takePicture(page, `${engineName}-${title}-${size.width}-${scheme}`);
      const { cut, squeezed, overlapping } = await layoutProblems(page);
      // On a phone, what does not fit is scrolled sideways.
      const unseen = size === service ? await findCuts(page) : [];
      const problems = [...cut, ...squeezed, ...overlapping, ...unseen, ...(await barriers(page))];
      wrong.push(...problems.map((each) => `${title}: ${each}`));
    };
    await page.goto(stage.url);
    await page.getByRole('button', { name: new RegExp(name) }).waitFor();
    expect(await page.evaluate(`matchMedia('(prefers-color-scheme: ${scheme})').matches`)).toBe(true);
    // Firefox by default draws white scroll bars on dark pages.
    expect(await page.evaluate('getComputedStyle(document.body).scrollbarColor')).not.toBe('auto');
    await checkScreen(`who-${name}`);
    await signIn(page, name);
    for (const path of screensOf[name]) {
      await page.goto(new URL(path, stage.url).href);
      await draw(page);
      await checkScreen(path.replaceAll('/', '-').replace(/^-/, '') || 'counter');
    }
    expect([...wrong, ...consoleLines()]).toEqual([]);
    await close();
  });
});
