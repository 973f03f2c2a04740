/**
 * The program that runs in the machine. Words of the kernel's command line that begin with `bench.` arrive here without
 * that prefix: `only=NAME` plays the scenes with this in their name, `after=PHASE` the one after a power cut in this
 * phase, and `cut=PHASE` then works until the next cut.
 */
import { clear } from './counter.ts';
import { followKernel } from './kernel-log.ts';
import { afterCut, type Phase, phases, workUntilCut } from './power-cut.ts';
import { scenes } from './scenes.ts';
import { note, playAll } from './tap.ts';

const orders = process.argv.slice(2);
const orderOf = (name: string): string =>
  orders.find((order) => order.startsWith(`${name}=`))?.slice(name.length + 1) ?? '';
const isPhase = (name: string): name is Phase => Object.hasOwn(phases, name);
const [only, after, cut] = [orderOf('only'), orderOf('after'), orderOf('cut')];
const played = isPhase(after) ? [afterCut(after)] : scenes;

const stop = followKernel();
note(`Node ${process.version} runs`);
await playAll(
  played.filter(({ name }) => name.includes(only)),
  clear,
);
if (isPhase(cut)) await workUntilCut(cut);
stop();
process.exit(0);
