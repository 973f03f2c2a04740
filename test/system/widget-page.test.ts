/** The widget in the pages of strict, careless and curious shops. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cardFrame, openShopRig, pay, type ShopRig, typeCard } from '../support/gateway/shop-rig.ts';

const NUMBER = '4200000000000091';

let rig: ShopRig;
beforeAll(async () => {
  rig = await openShopRig();
});
afterAll(() => rig.close());

/** Stores what callbacks receive where a test can read it. */
const listenerScript = (names: readonly string[], options = ''): string =>
  `<script>heard = []; wpwlOptions = { locale: 'en', ${options}
    ${names.map((name) => `${name}: (...facts) => { heard.push(['${name}', ...facts.map((fact) => fact instanceof Error ? fact.name + ': ' + fact.message : Array.isArray(fact) ? fact.length : fact)]) }`).join(',')} };
  </script>`;

const pageWith = (id: string, { before: beforeForm = '', form = '', after: afterForm = '' } = {}): string =>
  `<!doctype html><html lang="en"><title>Pay</title><main>${beforeForm}
  <form action="${rig.shop}result" class="paymentWidgets" data-brands="VISA MASTER">${form}</form>
  <script src="${rig.gateway}v1/paymentWidgets.js?checkoutId=${id}"></script>${afterForm}</main></html>`;

type CallbackCalls = readonly (readonly unknown[])[];

describe('the shop’s page', () => {
  test('is given the brand and first digits, and never the number', async () => {
    const names = [
      'onReady',
      'onReadyIframeCommunication',
      'onDetectBrand',
      'onDetectBin',
      'onBlurCardNumber',
      'onAfterSubmit',
    ];
    const spy = `<script>messages = { push: (text) => console.info('spied ' + text) }; addEventListener('message', ({ data }) => messages.push(JSON.stringify(data)));
      const post = MessagePort.prototype.postMessage;
      MessagePort.prototype.postMessage = function (data) { messages.push(JSON.stringify(data)); post.call(this, data) };
      const send = fetch; fetch = (...all) => { messages.push(String(all[1]?.body)); return send(...all) };</script>`;
    const { page } = await rig.pageOf(pageWith(await rig.checkout(), { before: spy + listenerScript(names) }));
    const sessionMessages: string[] = [];
    page.on('console', (message) => sessionMessages.push(message.text()));
    await typeCard(page, NUMBER);
    await page.waitForFunction(`heard.some(([name]) => name === 'onBlurCardNumber')`);
    const received = (await page.evaluate('heard')) as CallbackCalls;
    expect(received).toContainEqual(['onReady', 1]);
    expect(received).toContainEqual(['onReadyIframeCommunication']);
    expect(received).toContainEqual(['onDetectBin', { bin: '420000' }]);
    expect(received).toContainEqual(['onBlurCardNumber', true]);
    await page.evaluate(`document.querySelector('.wpwl-form').requestSubmit()`);
    await page.waitForURL(/result/);
    const all = sessionMessages.join();
    expect(all).toContain('"kind":"send"');
    expect(all).not.toContain(NUMBER);
    await page.context().close();
  });

  test('may name the gateway only in its content security policy', async () => {
    const origin = new URL(rig.gateway).origin;
    const kinds = ['script', 'style', 'frame', 'connect', 'img'].map((kind) => `${kind}-src ${origin}`).join('; ');
    const { page, lines } = await rig.pageOf(pageWith(await rig.checkout()), `default-src 'none'; ${kinds}`);
    await typeCard(page, NUMBER);
    await pay(page);
    await page.waitForURL(/result/);
    expect(lines).toEqual([]);
    await page.context().close();
  });

  test('is told when its form is inside another form', async () => {
    const nested = pageWith(await rig.checkout(), {
      before: `${listenerScript(['onError'])}<form id="outer">`,
      after: '</form>',
    });
    const { page } = await rig.pageOf(nested);
    await page.waitForFunction('heard.length > 0');
    expect(String(((await page.evaluate('heard')) as CallbackCalls)[0]?.[1])).toMatch(
      /^WidgetError: .*another form.*move it out/,
    );
    await page.context().close();
  });

  test('is told of a missing checkout, and so is the shopper', async () => {
    const { page } = await rig.pageOf(pageWith('0123.none', { before: listenerScript(['onError']) }));
    await page.getByText('This payment page does not exist.').waitFor();
    expect(String(((await page.evaluate('heard')) as CallbackCalls)[0]?.[1])).toMatch(/^InvalidCheckoutIdError/);
    await page.context().close();
  });

  test('may send SHOPPER_ parameters, and is told which others are dropped', async () => {
    const form =
      '<input type="hidden" name="customParameters[SHOPPER_table]" value="7"><input type="hidden" name="amount" value="0.01">';
    const { page } = await rig.pageOf(pageWith(await rig.checkout(), { before: listenerScript(['onError']), form }));
    await typeCard(page, NUMBER);
    const sending = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/payment'));
    await pay(page);
    const parameters = new URLSearchParams((await sending).postData() ?? '');
    expect(parameters.get('customParameters[SHOPPER_table]')).toBe('7');
    expect(parameters.get('amount')).toBeNull();
    await page.context().close();
  });

  test('can stop a payment before it is sent', async () => {
    const { page } = await rig.pageOf(
      pageWith(await rig.checkout(), {
        before: listenerScript(['onAfterSubmit'], 'onBeforeSubmitCard: () => { stopped = true; return false },'),
      }),
    );
    await typeCard(page, NUMBER);
    await pay(page);
    await page.waitForFunction('window.stopped');
    expect(await page.evaluate('heard')).toEqual([]);
    await page.context().close();
  });
});

test('the card’s frame listens only to the page around it, and only once', async () => {
  const { page } = await rig.pageOf(pageWith(await rig.checkout()));
  const frame = await cardFrame(page);
  const title = await frame.title();
  await page.evaluate(`(() => {
    const { port2 } = new MessageChannel();
    document.querySelector('iframe').contentWindow.postMessage({ kind: 'open', words: { card: 'stolen' } }, '*', [port2]);
  })()`);
  await typeCard(page, NUMBER);
  expect(await frame.title()).toBe(title);
  await page.context().close();
});
