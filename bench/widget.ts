/** The payment widget: how big its script is, and how soon a shopper on a slow machine can type his card. */

import { buildWidget, isFresh } from '../build/widget.ts';
import { widgetAssets } from '../src/gateway/widget/assets.ts';
import { openShopRig } from '../test/support/shop-rig.ts';

const ROUNDS = 9;
/** How much slower the browser's processor is made. */
const SLOWDOWN = 4;
const WITHIN_MS = 300;
const SCRIPT_MAX_BYTES = 15_000;

const verdict = (holds: boolean): string => (holds ? 'ok' : 'MISSED');

/** Says each line; whether everything that is wanted was reached. Needs Chromium. */
export const reportWidget = async (say: (line: string) => void): Promise<boolean> => {
  if (!isFresh()) await buildWidget();
  const bytes = widgetAssets().get('paymentWidgets.js')?.gzipped.length ?? Number.POSITIVE_INFINITY;
  const small = bytes < SCRIPT_MAX_BYTES;
  say(`\nthe payment widget, in Chromium with a processor ${SLOWDOWN} times slower …`);
  say(`script, compressed             ${(bytes / 1000).toFixed(1)} kB (wanted: under 15)  ${verdict(small)}`);
  const times = await readyTimes();
  const median = times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.POSITIVE_INFINITY;
  const quick = median <= WITHIN_MS;
  const all = times.map((ms) => Math.round(ms)).join(' ');
  say(
    `page asked for to card fields  ${Math.round(median)} ms (wanted: at most ${WITHIN_MS}; ${all})  ${verdict(quick)}`,
  );
  return small && quick;
};

/** From the navigation's start to the card's fields in their frame, ms, by the page's own clock. */
const readyTimes = async (): Promise<readonly number[]> => {
  const rig = await openShopRig();
  try {
    const id = await rig.checkout();
    const { page } = await rig.pageOf(`<!doctype html><html lang="en"><title>Pay</title>
<script>wpwlOptions = { locale: 'en', onReadyIframeCommunication: () => { window.ready = performance.now() } }</script>
<form action="${rig.shop}result" class="paymentWidgets" data-brands="VISA MASTER AMEX"></form>
<script src="${rig.gateway}v1/paymentWidgets.js?checkoutId=${id}"></script></html>`);
    const debuggers = await page.context().newCDPSession(page);
    await debuggers.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
    const times: number[] = [];
    // The first one pays for what a browser does once.
    for (let round = 0; round <= ROUNDS; round += 1) {
      await page.reload({ waitUntil: 'commit' });
      await page.waitForFunction('window.ready > 0');
      const ms = (await page.evaluate('window.ready')) as number;
      if (round > 0) times.push(ms);
    }
    return times;
  } finally {
    await rig.close();
  }
};
