/**
 * What runs in the machine. Words of the kernel's command line that begin with `bench.` come here without that:
 * `only=NAME` plays the scenes with this in their name, `after` those after a power cut, and `cut` sells until then.
 */
import { clear } from './counter.ts';
import { followKernel } from './kernel-log.ts';
import { afterCut, sellUntilCut } from './power-cut.ts';
import { scenes } from './scenes.ts';
import { note, playAll } from './tap.ts';

const orders = process.argv.slice(2);
const only = orders.find((order) => order.startsWith('only='))?.slice('only='.length) ?? '';
const played = orders.includes('after') ? afterCut : scenes;

const stop = followKernel();
note(`Node ${process.version} runs`);
await playAll(
  played.filter(({ name }) => name.includes(only)),
  clear,
);
if (orders.includes('cut')) await sellUntilCut();
stop();
process.exit(0);
