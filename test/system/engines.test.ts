/**
 * Firefox and WebKit at every push, briefly: a card with a challenge pays in the page of a shop on another site; a sale
 * at the till's screen, which is then reloaded. test/README.md lists the nightly tests in these engines.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openEngine } from '../support/engines/engine.ts';
import type { Engine } from '../support/engines/page.ts';
import { openScreens, type ScreenStage, signIn, standing } from '../support/engines/screens.ts';
import { answerChallenge, pay, toPay, typeCard } from '../support/engines/shopper.ts';
import { openShopServers, type ShopServers } from '../support/gateway/shop-servers.ts';
import { endings, eur } from '../support/screens/scripted/selling-facts.ts';

const CHALLENGE = '4200000000000042';
/** With a top-level await in the page's entry, nineteen of twenty pages died in WebKit. */
const RELOADS = 3;

let servers: ShopServers;
let stage: ScreenStage;
beforeAll(async () => {
  servers = await openShopServers({ gatewayName: 'localhost' });
  stage = await openScreens();
});
afterAll(async () => {
  await stage.close();
  await servers.close();
});

describe.each(['firefox', 'webkit'] as const)('%s', (name) => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await openEngine(name);
  });
  afterAll(() => engine.close());

  test('a shopper pays by a card with a challenge', async () => {
    const { page, consoleLines, close } = await engine.visit();
    page.setDefaultTimeout(60_000);
    await toPay(page, servers.shop, { flow: 'challenge' });
    await typeCard(page, CHALLENGE);
    await pay(page);
    await answerChallenge(page);
    await page.getByRole('heading', { name: 'Paid' }).waitFor();
    expect(consoleLines()).toEqual([]);
    await close();
  });

  test('a cashier sells, and reloads the page', async () => {
    const { page, consoleLines, close } = await engine.visit();
    page.setDefaultTimeout(60_000);
    await page.goto(stage.url);
    await signIn(page, 'Anna');
    await standing(page, 'Anna');
    const previousCount = stage.selling.beginCalls.length;
    for (const key of '1250') await page.keyboard.press(key, { delay: 40 });
    await page.keyboard.press('Enter');
    await expect.poll(() => stage.selling.beginCalls.length).toBe(previousCount + 1);
    expect(stage.selling.beginCalls.at(-1)?.request).toMatchObject({ amount: eur('12.50') });
    stage.selling.end(stage.selling.current().id, endings.approved);
    await page.getByRole('heading', { name: 'Approved', exact: true }).waitFor();
    for (let times = 0; times < RELOADS; times += 1) {
      await page.reload();
      await standing(page, 'Anna');
    }
    expect(consoleLines()).toEqual([]);
    await close();
  });
});
