/**
 * Each screen of a till is reloaded forty times in WebKit with a person signed in, and never hangs. By day:
 * `test/system/engines.test.ts` reloads one in each engine.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openEngine } from '../support/engines/engine.ts';
import type { Engine, Visit } from '../support/engines/page.ts';
import { openScreens, type Person, type ScreenStage, screensOf, signIn, standing } from '../support/engines/screens.ts';
import { takePicture } from '../support/screens/browser.ts';

const TIMES = 40;

describe.each(Object.keys(screensOf) as Person[])('%s', (name) => {
  let engine: Engine;
  let stage: ScreenStage;
  let visit: Visit;
  beforeAll(async () => {
    engine = await openEngine('webkit');
    stage = await openScreens();
    visit = await engine.visit();
    await visit.page.goto(stage.url);
    await signIn(visit.page, name);
  });
  afterAll(async () => {
    await engine.close();
    await stage.close();
  });

  test.each(screensOf[name])('%s', async (path) => {
    const { page } = visit;
    page.setDefaultTimeout(20_000);
    await page.goto(new URL(path, stage.url).href);
    for (let times = 0; times < TIMES; times += 1) {
      await page.reload();
      await standing(page, name);
    }
    await takePicture(page, `webkit-reloaded${path.replaceAll('/', '-')}`);
    expect(visit.consoleLines()).toEqual([]);
  });
});
